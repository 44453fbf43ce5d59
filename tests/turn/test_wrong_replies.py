"""What a client gets when a language model writes what is no answer: on real bytes, one test for each kind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest
from openai import AsyncOpenAI

from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices
from careline.installation import Installation
from careline.ports import Reader
from careline.schemas import wire
from careline.text.languages import FrequentWordsThenStatistics
from tests.builders import a_passage, as_sent
from tests.emulators.openai import KEY, MODEL, Break, Endpoint, serving
from tests.fakes import KeywordReader
from tests.turn.turns import TENANT, an_installation, answer, ask, shown, with_passages

QUESTION = "tot hoe laat is er bezoek"
VISIT = "Bezoek is welkom van 14 tot 20 uur. Kinderen komen met een volwassene. Het onthaal helpt u verder."
RIGHT = "Bezoek is welkom van 14 tot 20 uur [1]."
QUOTED = "Bezoek is welkom van 14 tot 20 uur."
channels = pytest.mark.parametrize("channel", ["chat", "voice"])


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as opened:
        yield opened


@pytest.fixture
async def openai(endpoint: Endpoint) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(api_key=KEY, base_url=endpoint.url, max_retries=0) as client:
        yield client


async def hospital(
    openai: AsyncOpenAI,
    text: str = VISIT,
    language: str = "nl",
    reader: Reader | None = None,
    settings: dict[str, Any] | None = None,
) -> Installation:
    """One page, a model in the cloud at the endpoint, and behind it the quotations of the page."""
    cloud = OpenAIModel(openai, MODEL, Prices(), ModelTimeouts())
    identify, chosen = FrequentWordsThenStatistics(), settings or {}
    made = an_installation(identify=identify, reader=reader, cloud=cloud, settings=chosen)
    made = replace(made, engines=replace(made.engines, model=None))
    page = a_passage(text, tenant=TENANT, doc_key="bezoek", facts={"title": "Op bezoek", "language": language})
    return await with_passages(made, page)


def codes(events: list[wire.Event]) -> list[str]:
    return [warning.code for warning in answer(events).warnings]


@channels
async def test_a_right_reply_is_answered_without_a_warning(
    openai: AsyncOpenAI, endpoint: Endpoint, channel: str
) -> None:
    endpoint.words = ("Bezoek is ", "welkom van 14 ", "tot 20 uur [1].")
    events = await ask(await hospital(openai), QUESTION, channel=channel)
    assert (answer(events).disposition, answer(events).model, codes(events)) == ("answered", MODEL, [])
    assert as_sent("14 tot 20 uur", channel) in shown(events)
    assert [one.doc_key for one in answer(events).citations] == ["bezoek"]
    assert answer(events).tokens == wire.Tokens(input=1200, output=40, cached=1024)


@channels
async def test_a_claim_without_a_figure_of_which_no_source_speaks_is_left_out(
    openai: AsyncOpenAI, endpoint: Endpoint, channel: str
) -> None:
    endpoint.words = (RIGHT, " Huisdieren slapen gratis in de tuinkamer [1].", " Het onthaal helpt u verder [1].")
    events = await ask(await hospital(openai), QUESTION, channel=channel)
    assert "tuinkamer" not in shown(events)
    assert as_sent("14 tot 20 uur", channel) in shown(events)
    assert "onthaal" in shown(events)
    assert (answer(events).disposition, codes(events)) == ("answered", ["UNGROUNDED_WITHHELD"])


async def test_a_reply_that_is_false_altogether_leads_to_a_person(openai: AsyncOpenAI, endpoint: Endpoint) -> None:
    endpoint.words = ("Huisdieren slapen gratis in de tuinkamer [1].",)
    installation = await hospital(openai)
    events = await ask(installation, QUESTION)
    assert (answer(events).disposition, answer(events).reason) == ("escalated", "NO_ANSWER")
    assert shown(events) == installation.packs["hospital_line"].say("unknown", "nl")
    assert answer(events).citations == []


async def test_the_reader_finds_support_where_the_words_are_others(openai: AsyncOpenAI, endpoint: Endpoint) -> None:
    endpoint.words = (RIGHT, " Volwassenen begeleiden hun zoon of dochter [1].")
    understood = KeywordReader("Bezoek")
    events = await ask(await hospital(openai, reader=understood), QUESTION)
    assert ("begeleiden" in shown(events), codes(events)) == (True, [])
    understood.words = ("niets",)
    events = await ask(await hospital(openai, reader=KeywordReader("Bezoek is welkom van")), QUESTION)
    assert answer(events).disposition == "answered"


@channels
async def test_a_reply_that_rests_on_no_source_is_not_given(
    openai: AsyncOpenAI, endpoint: Endpoint, channel: str
) -> None:
    endpoint.words = ("Goedendag. ", "Wat kan ik nog voor u doen?")
    installation = await hospital(openai)
    events = await ask(installation, QUESTION, channel=channel)
    assert (answer(events).disposition, answer(events).reason) == ("escalated", "NO_CITATION")
    assert shown(events) == installation.packs["hospital_line"].say("unknown", "nl")
    assert (codes(events), answer(events).citations) == (["UNCITED_WITHHELD"], [])


async def test_what_a_reply_says_before_its_first_citation_is_shown_with_it(
    openai: AsyncOpenAI, endpoint: Endpoint
) -> None:
    endpoint.words = ("Goedendag. ", RIGHT)
    events = await ask(await hospital(openai), QUESTION)
    assert shown(events) == f"Goedendag. {RIGHT}"


@channels
@pytest.mark.parametrize("written", ["NO_ANSWER", "NO_ANSWER.", "**NO_ANSWER**", "NO_ANSWER\n\nDe tuin is groot [1]."])
async def test_a_model_that_cannot_answer_ends_the_turn_as_one_without_evidence(
    openai: AsyncOpenAI, endpoint: Endpoint, written: str, channel: str
) -> None:
    endpoint.words = (written[:4], written[4:])
    installation = await hospital(openai)
    events = await ask(installation, QUESTION, channel=channel)
    assert (answer(events).disposition, answer(events).reason) == ("escalated", "NO_ANSWER")
    assert shown(events) == installation.packs["hospital_line"].say("unknown", "nl")
    assert (codes(events), answer(events).model) == ([], MODEL)


async def test_where_the_reader_found_the_page_relevant_it_is_named_as_the_closest(
    openai: AsyncOpenAI, endpoint: Endpoint
) -> None:
    endpoint.words = ("NO_ANSWER",)
    events = await ask(await hospital(openai, reader=KeywordReader("Bezoek")), QUESTION)
    assert (answer(events).disposition, answer(events).reason) == ("escalated", "NO_ANSWER")
    assert "Op bezoek" in shown(events)
    assert [one.text for one in answer(events).choices] == ["Op bezoek"]


@pytest.mark.parametrize("yes", ["ja", "klopt"])
async def test_a_yes_to_the_closest_page_asks_for_it(openai: AsyncOpenAI, endpoint: Endpoint, yes: str) -> None:
    endpoint.words = ("NO_ANSWER",)
    installation = await hospital(openai, reader=KeywordReader("Bezoek"))
    talk = answer(await ask(installation, QUESTION)).conversation_id
    endpoint.words = (RIGHT,)
    told = answer(await ask(installation, yes, conversation_id=talk))
    assert (told.disposition, str(told.text)) == ("answered", RIGHT)


PAGES = {
    "nl": (VISIT, "tot hoe laat is er bezoek"),
    "en": ("Visitors are welcome from 2 pm to 8 pm. Children come with an adult.", "when are visitors welcome"),
    "fr": ("Les visiteurs sont les bienvenus de 14 à 20 heures.", "quand est-ce que les visiteurs sont les bienvenus"),
    "it": ("I visitatori sono benvenuti dalle 14 alle 20.", "quando sono benvenuti i visitatori"),
}
IN = {
    "nl": "De bezoekers zijn hier welkom van 14 tot 20 uur [1].",
    "en": "The visitors are welcome here from 2 pm to 8 pm [1].",
    "fr": "Les visiteurs sont bienvenus ici de 14 à 20 heures [1].",
    "it": "I visitatori sono benvenuti qui dalle 14 alle 20 [1].",
    "de": "Besucher sind hier jeden Tag von 14 bis 20 Uhr herzlich willkommen [1].",
    "el": "Οι επισκέπτες είναι ευπρόσδεκτοι εδώ από τις 14 έως τις 20 [1].",
}


@pytest.mark.parametrize("written", IN)
@pytest.mark.parametrize("asked", PAGES)
async def test_a_reply_in_another_language_gives_way_to_the_documents(
    openai: AsyncOpenAI, endpoint: Endpoint, asked: str, written: str
) -> None:
    text, question = PAGES[asked]
    endpoint.words = (IN[written],)
    events = await ask(await hospital(openai, text, asked), question, language=asked)
    is_own = asked == written
    assert answer(events).model == (MODEL if is_own else "extractive")
    assert (answer(events).disposition, answer(events).language) == ("answered", asked)
    assert codes(events) == ([] if is_own else ["MODEL_UNAVAILABLE"])
    assert (shown(events) == IN[written]) is is_own


async def test_a_reply_that_changes_its_language_is_cut_there(openai: AsyncOpenAI, endpoint: Endpoint) -> None:
    endpoint.words = (RIGHT, " The children are welcome with an adult, and the reception will help you [1].")
    events = await ask(await hospital(openai), QUESTION)
    assert shown(events) == RIGHT
    assert (answer(events).disposition, codes(events)) == ("answered", ["ANSWER_CUT"])


@pytest.mark.parametrize(
    "loop",
    [
        (" Kinderen komen met een volwassene [1].", " Het onthaal helpt u verder [1].") * 40,
        (" Het onthaal", " helpt u", " en") * 200,
        (" Uur",) * 400,
    ],
    ids=["of sentences", "of words", "of one word"],
)
@channels
async def test_a_loop_is_cut(openai: AsyncOpenAI, endpoint: Endpoint, loop: tuple[str, ...], channel: str) -> None:
    endpoint.words = (RIGHT, *loop)
    events = await ask(await hospital(openai), QUESTION, channel=channel)
    assert shown(events).count("onthaal") <= 1
    assert len(shown(events)) < 200
    assert (answer(events).disposition, codes(events)) == ("answered", ["ANSWER_CUT"])


CONTROL = (
    "<|im_end|>", "</s>", "[/INST]", "<|eot_id|><|start_header_id|>user<|end_header_id|>", "<end_of_turn>",
    "<｜end▁of▁sentence｜>", "<tool_call>", ' {"name": "search_hospital_kb", "arguments": {"query": "bezoek"}}',
    "\n\n### Instruction:", '\n```json\n{"tool": "search"}',
)  # fmt: skip


@pytest.mark.parametrize("token", CONTROL)
@channels
async def test_a_control_token_ends_the_answer(
    openai: AsyncOpenAI, endpoint: Endpoint, token: str, channel: str
) -> None:
    endpoint.words = (RIGHT, token[:3], token[3:], " Het onthaal helpt u verder [1].")
    events = await ask(await hospital(openai), QUESTION, channel=channel)
    assert as_sent("14 tot 20 uur", channel) in shown(events)
    assert all(sign not in shown(events) for sign in ("<", "{", "INST", "###", "search", "onthaal"))
    assert (answer(events).disposition, codes(events)) == ("answered", ["ANSWER_CUT"])


@pytest.mark.parametrize("heading", ["## Response times", "### User fees", "# Human papillomavirus"])
async def test_a_heading_that_begins_with_a_word_of_a_template_ends_nothing(
    openai: AsyncOpenAI, endpoint: Endpoint, heading: str
) -> None:
    endpoint.words = (RIGHT, f"\n\n{heading}\n\n", RIGHT.replace("Bezoek", "Uw bezoek"))
    events = await ask(await hospital(openai), QUESTION)
    assert "14 tot 20 uur" in shown(events)
    assert "ANSWER_CUT" not in codes(events)


@pytest.mark.parametrize("token", CONTROL)
async def test_a_reply_that_is_nothing_but_a_call_of_a_tool_or_control_gives_way_to_the_documents(
    openai: AsyncOpenAI, endpoint: Endpoint, token: str
) -> None:
    endpoint.words = (token,)
    events = await ask(await hospital(openai), QUESTION)
    assert (answer(events).disposition, answer(events).model) == ("answered", "extractive")
    assert (QUOTED.rstrip(".") in shown(events), codes(events)) == (True, ["MODEL_UNAVAILABLE"])


@pytest.mark.parametrize(
    "before", ["<s> ", "<|im_start|>assistant\n", "<think>\nThe user asks until when. Let me see.\n</think>\n\n"]
)
async def test_what_a_template_or_a_thinking_model_puts_before_an_answer_is_passed_over(
    openai: AsyncOpenAI, endpoint: Endpoint, before: str
) -> None:
    endpoint.words = (before[:5], before[5:], RIGHT)
    events = await ask(await hospital(openai), QUESTION)
    assert (shown(events), codes(events)) == (RIGHT, [])


@pytest.mark.parametrize("fault", [None, Break("stall", after=1)])
async def test_an_answer_whose_provider_sends_no_usage_is_counted_and_marked_as_estimated(
    openai: AsyncOpenAI, endpoint: Endpoint, fault: Break | None
) -> None:
    endpoint.words, endpoint.usage = (f"{RIGHT} ", "Het onthaal helpt u verder [1]."), None
    endpoint.faults.extend([fault] if fault else [])
    priced = {"openai": {"price_in": 1.0, "price_out": 10.0}, "timeouts": {"answer_seconds": 1.0}}
    installation = await hospital(openai, settings=priced)
    made = answer(await ask(installation, QUESTION))
    assert made.tokens.estimated
    assert made.tokens.input > 100
    assert 5 < made.tokens.output < 40
    assert made.cost == pytest.approx((made.tokens.input + 10 * made.tokens.output) / 1e6)
    (entry,) = installation.engines.outbox.waiting
    assert entry.body["turn"]["tokens"]["estimated"] is True


@channels
async def test_an_answer_that_takes_too_long_ends_with_its_last_whole_sentence(
    openai: AsyncOpenAI, endpoint: Endpoint, channel: str
) -> None:
    endpoint.words = (f"{RIGHT} Het onthaal ", "helpt u ", "verder [1].")
    endpoint.faults.append(Break("stall", after=2))
    late = {"timeouts": {"answer_seconds": 2.0, "answer_seconds_voice": 2.0}}
    events = await ask(await hospital(openai, settings=late), QUESTION, channel=channel)
    assert as_sent("14 tot 20 uur", channel) in shown(events)
    assert "onthaal" not in shown(events)
    assert (answer(events).disposition, codes(events)) == ("answered", ["MODEL_OVERDUE"])
    assert [one.doc_key for one in answer(events).citations] == ["bezoek"]


@channels
async def test_a_model_that_says_nothing_whole_in_time_gives_way_to_the_documents(
    openai: AsyncOpenAI, endpoint: Endpoint, channel: str
) -> None:
    endpoint.words, endpoint.pause = ("Bezoek ", "is ", "welkom ") * 20, 0.1
    late = {"timeouts": {"answer_seconds": 0.3, "answer_seconds_voice": 0.3}}
    events = await ask(await hospital(openai, settings=late), QUESTION, channel=channel)
    assert (answer(events).disposition, answer(events).model) == ("answered", "extractive")
    assert as_sent("14 tot 20 uur", channel) in shown(events)
    assert codes(events) == ["MODEL_UNAVAILABLE"]


async def test_what_became_of_a_wrong_reply_stands_in_the_record(openai: AsyncOpenAI, endpoint: Endpoint) -> None:
    endpoint.words = (RIGHT, " Huisdieren slapen gratis in de tuinkamer [1].", "<|im_end|>")
    installation = await hospital(openai)
    await ask(installation, QUESTION)
    (entry,) = installation.engines.outbox.waiting
    assert [one["rules"] for one in entry.body["turn"]["screening"]["output"]] == [
        ["claim/unsupported"], ["ended/control_token"],
    ]  # fmt: skip
