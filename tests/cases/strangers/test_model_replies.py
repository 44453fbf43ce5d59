"""Replies of language models as their users report them: markers in any notation or none, cut off, with reasoning."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from openai import AsyncOpenAI

from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices
from careline.installation import Installation
from careline.schemas import wire
from careline.speech.spoken.numbers import spoken_numbers
from careline.text.languages import FrequentWordsThenStatistics
from tests.builders import a_passage
from tests.cases.case_files import Case, CaseFile
from tests.cases.conftest import AskedHospital
from tests.emulators.openai import KEY, MODEL, Endpoint, serving
from tests.turn.turns import TENANT, an_installation, answer, ask, shown, with_passages

QUESTION = "what does a hot lunch cost"
PAGE = (
    "The canteen is open from 8:30 to 18:00. A hot lunch costs € 9.80. Soup costs € 2.60. "
    "You pay by card at the till on floor 2 (2). The hall has 60 m² for guests."
)
OTHER = "Parking costs € 2.40 per hour. A lost ticket costs € 18."
SAID = "A hot lunch costs € 9.80"
RIGHT = f"{SAID} [1]."
QUOTED = f"{SAID}. [1]"
channels = pytest.mark.parametrize("channel", ["chat", "voice"])


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as opened:
        yield opened


@pytest.fixture
async def hospital(endpoint: Endpoint) -> AsyncIterator[Installation]:
    """Two pages in English, and a model at the endpoint that writes from them."""
    async with AsyncOpenAI(api_key=KEY, base_url=endpoint.url, max_retries=0) as client:
        cloud = OpenAIModel(client, MODEL, Prices(), ModelTimeouts())
        made = an_installation(identify=FrequentWordsThenStatistics(), cloud=cloud)
        made = replace(made, engines=replace(made.engines, model=None))
        pages = [
            a_passage(text, tenant=TENANT, doc_key=key, facts={"title": title, "language": "en"})
            for key, title, text in (("canteen", "Eating here", PAGE), ("parking", "Parking", OTHER))
        ]
        yield await with_passages(made, *pages)


def in_pieces(text: str, length: int = 3) -> tuple[str, ...]:
    return tuple(text[at : at + length] for at in range(0, len(text), length))


def as_heard(text: str, channel: str) -> str:
    """English text as a client of the channel gets it: on the phone its numbers are in words."""
    return spoken_numbers(text, "en") if channel == "voice" else text


def codes(events: Sequence[wire.Event]) -> list[str]:
    return [warning.code for warning in answer(events).warnings]


def cited(events: Sequence[wire.Event]) -> list[str]:
    return [one.doc_key for one in answer(events).citations]


MARKERS = (
    "【1】", "[ 1 ]", "[source 1]", r"\[1\]", "[^1]", "[1-2] [1] [2]", "** [1]**", "¹", "(1)", "[1, 2]", "[1][2]",
    "[[1]]", "［1］", "[１]", "〔1〕", "(source 1)", "(see [1])", "[Source: 1]", "[bron 1]", "[1†source]",
    "【1†L3-L5】", "<sup>1</sup>", "<sup>[1]</sup>", '<source id="1"/>', "[1](#source-1)", "[1, p. 3]",
    "[1] and [2]", "[1: Eating here]", "[Eating here]", "`[1]`", "[**1**]", "{1}", "①", "^1^", "[citation:1]",
    "[ref. 1]", "[source 1, source 2]", "[^1^][1]", r"\\[1\\]", "「1」",
    "⁽¹⁾", r"\cite{1}", "[@1]", "(Sources: 1)", "（1）",
)  # fmt: skip


@pytest.mark.parametrize("place", [f"{SAID} {{}}.", f"{SAID}. {{}}", f"{SAID}{{}}."], ids=["before", "behind", "close"])
@pytest.mark.parametrize("marker", MARKERS)
async def test_f22_a_marker_in_any_notation_is_read_as_the_number_of_its_source(
    hospital: Installation, endpoint: Endpoint, marker: str, place: str
) -> None:
    endpoint.words = in_pieces(place.format(marker))
    events = await ask(hospital, QUESTION)
    named = "[1] [2]" if "2" in marker else "[1]"
    assert shown(events) == (f"{SAID}. {named}" if place.endswith("{}") else f"{SAID} {named}.")
    assert cited(events)[0] == "canteen"
    assert (answer(events).disposition, codes(events)) == ("answered", [])


@pytest.mark.parametrize(
    "line", ["\nSource: [1]", "\n\nSource: [1].", " Source: 1", "\n\n[1]", "\nSource: Eating here\n"]
)
async def test_f22_a_line_that_names_the_source_is_a_marker_of_the_sentence_before_it(
    hospital: Installation, endpoint: Endpoint, line: str
) -> None:
    endpoint.words = in_pieces(f"{SAID}.{line}")
    events = await ask(hospital, QUESTION)
    assert (shown(events).strip(), cited(events), codes(events)) == (QUOTED, ["canteen"], [])


@pytest.mark.parametrize("lead", ["[1]: ", "[1]： ", "[Source 1]: ", "【1】: ", "[1] "])
async def test_f22_a_marker_in_front_is_that_of_the_sentence_behind_it(
    hospital: Installation, endpoint: Endpoint, lead: str
) -> None:
    endpoint.words = in_pieces(f"{lead}{SAID}.")
    events = await ask(hospital, QUESTION)
    assert (shown(events), cited(events)) == (f"[1] {SAID}.", ["canteen"])


async def test_f22_a_list_of_sources_below_the_answer_is_left_out(hospital: Installation, endpoint: Endpoint) -> None:
    endpoint.words = in_pieces(f"{RIGHT}\n\nSources:\n[1] Eating here (en)\n[2] Parking (en)\n")
    events = await ask(hospital, QUESTION)
    assert (shown(events), cited(events)) == (RIGHT, ["canteen"])


@channels
@pytest.mark.parametrize("reason", ["length", "content_filter", "max_tokens", "error"])
async def test_f23_of_a_reply_that_is_cut_whole_sentences_alone_are_told_and_a_warning(
    hospital: Installation, endpoint: Endpoint, reason: str, channel: str
) -> None:
    endpoint.words, endpoint.finish_reason = in_pieces(f"{RIGHT} Soup costs 2"), reason
    events = await ask(hospital, QUESTION, channel=channel)
    assert as_heard("€ 9.80", channel) in shown(events)
    assert "oup" not in shown(events)
    assert codes(events) == ["MODEL_STALLED"]
    if reason in {"length", "content_filter"} and channel == "chat":
        assert (shown(events), answer(events).disposition) == (RIGHT, "answered")


@pytest.mark.parametrize("half", ["A hot lunch costs 9", "A hot lunch costs € 9.", SAID[:-1], "A hot", ""])
@pytest.mark.parametrize("reason", ["length", "content_filter"])
async def test_f23_half_a_figure_gives_way_to_what_the_page_says(
    hospital: Installation, endpoint: Endpoint, half: str, reason: str
) -> None:
    endpoint.words, endpoint.finish_reason = in_pieces(half), reason
    events = await ask(hospital, QUESTION)
    assert SAID in shown(events)
    assert (answer(events).model, codes(events)) == ("extractive", ["MODEL_UNAVAILABLE"])


async def test_f23_a_sentence_that_its_marker_closes_is_whole_though_the_reply_is_cut(
    hospital: Installation, endpoint: Endpoint
) -> None:
    endpoint.words, endpoint.finish_reason = in_pieces(RIGHT), "length"
    events = await ask(hospital, QUESTION)
    assert (shown(events), codes(events)) == (RIGHT, ["MODEL_STALLED"])


@pytest.mark.parametrize("reason", ["stop", "STOP", "eos", "end_turn"])
async def test_f23_a_reply_that_has_ended_is_whole(hospital: Installation, endpoint: Endpoint, reason: str) -> None:
    endpoint.words, endpoint.finish_reason = in_pieces(RIGHT), reason
    events = await ask(hospital, QUESTION)
    assert (shown(events), codes(events)) == (RIGHT, [])


THOUGHT = "The user asks for a price. Soup costs € 2.60 [1]. Let me see."
WRAPPED = (
    "[THINK]{}[/THINK]", "<think>\n{}\n</think>\n\n", "<reasoning>{}</reasoning>", "<thought>{}</thought>",
    "<Thought_Process>{}</Thought_Process>", "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final"
    "<|message|>", "◁think▷{}◁/think▷", "<|START_THINKING|>{}<|END_THINKING|><|START_RESPONSE|>",
    "<|begin_of_thought|>{}<|end_of_thought|>\n<|begin_of_solution|>", "```thinking\n{}\n```\n",
    "<scratchpad>{}</scratchpad><answer>", "<think>{}<think>{}</think>{}</think>", "<think>\n<think>{}</think>",
    "<seed:think>{}</seed:think>",
    "Reasoning: {}\nFinal answer: ", "<réflexion>{}</réflexion>", "analysisWe look it up. {}assistantfinal",
    "Here is my thought process: {}\n\nHere is my response: ", '<details type="reasoning">{}</details>',
)  # fmt: skip


@channels
@pytest.mark.parametrize("length", [1, 200])
@pytest.mark.parametrize("wrapper", WRAPPED)
async def test_f24_reasoning_in_any_wrapper_is_not_shown(
    hospital: Installation, endpoint: Endpoint, wrapper: str, length: int, channel: str
) -> None:
    endpoint.words = in_pieces(wrapper.replace("{}", THOUGHT) + RIGHT, length)
    events = await ask(hospital, QUESTION, channel=channel)
    if channel == "chat":
        assert shown(events).strip() == RIGHT
    assert as_heard("€ 9.80", channel) in shown(events)
    assert all(word not in shown(events) for word in ("user", "oup", "see", "think"))
    assert (cited(events), codes(events)) == (["canteen"], [])


@pytest.mark.parametrize(
    "wrapper", ["[THINK]", "<think>", "<reasoning>", "<|channel|>analysis<|message|>"]
)
async def test_f24_reasoning_that_never_ends_gives_way_to_what_the_page_says(
    hospital: Installation, endpoint: Endpoint, wrapper: str
) -> None:
    endpoint.words = in_pieces(f"{wrapper}{THOUGHT} {RIGHT}")
    events = await ask(hospital, QUESTION)
    assert (answer(events).model, answer(events).disposition) == ("extractive", "answered")
    assert "user" not in shown(events)


async def test_f24_reasoning_behind_a_label_that_is_cut_gives_way_to_what_the_page_says(
    hospital: Installation, endpoint: Endpoint
) -> None:
    endpoint.words, endpoint.finish_reason = in_pieces(f"Reasoning: {THOUGHT} {RIGHT}"), "length"
    events = await ask(hospital, QUESTION)
    assert (answer(events).model, answer(events).disposition) == ("extractive", "answered")
    assert "user" not in shown(events)


@pytest.mark.parametrize("label", ["Reasoning: ", "Rationale: ", "**Response:** ", "Answer: "])
async def test_f24_behind_a_label_the_answer_is_shown_and_the_label_is_not(
    hospital: Installation, endpoint: Endpoint, label: str
) -> None:
    endpoint.words = in_pieces(label + RIGHT)
    events = await ask(hospital, QUESTION)
    assert (shown(events).strip(), cited(events), codes(events)) == (RIGHT, ["canteen"], [])


@pytest.mark.parametrize("figure", ["[7-9]", "[150]"])
async def test_a_figure_in_square_brackets_that_no_source_holds_is_not_told(
    hospital: Installation, endpoint: Endpoint, figure: str
) -> None:
    endpoint.words = in_pieces(f"{RIGHT} Soup costs {figure} euro [1].")
    events = await ask(hospital, QUESTION)
    assert (shown(events), codes(events)) == (RIGHT, ["UNGROUNDED_WITHHELD"])


async def test_a_reply_without_an_end_of_its_sentence_ends_behind_what_was_said(
    hospital: Installation, endpoint: Endpoint
) -> None:
    names = " ".join(f"ward{number}" for number in range(2000))
    endpoint.words = in_pieces(f"{RIGHT} The wards are {names}", 40)
    events = await ask(hospital, QUESTION)
    assert (shown(events), codes(events)) == (RIGHT, ["ANSWER_CUT"])


@pytest.mark.parametrize("closing", ["</think>", "[/THINK]", "</reasoning>", "<|END_THINKING|>"])
async def test_f24_what_came_before_a_closing_tag_that_nothing_opened_is_not_shown(
    hospital: Installation, endpoint: Endpoint, closing: str
) -> None:
    endpoint.words = in_pieces(f"The user asks for a price. {SAID}, says the source.\n{closing}\n\n{RIGHT}")
    events = await ask(hospital, QUESTION)
    assert (shown(events).strip(), codes(events)) == (RIGHT, [])


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning", "thinking"])
async def test_f24_reasoning_in_a_field_of_its_own_is_not_shown(
    hospital: Installation, endpoint: Endpoint, field: str
) -> None:
    endpoint.words = ()
    endpoint.cut = lambda _: iter([{field: THOUGHT}, {"content": None, field: "More."}, {"content": RIGHT}])
    events = await ask(hospital, QUESTION)
    assert (shown(events), codes(events)) == (RIGHT, [])


async def test_f24_of_content_in_parts_the_text_alone_is_shown(hospital: Installation, endpoint: Endpoint) -> None:
    thinking = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
    endpoint.words = ()
    endpoint.cut = lambda _: iter([{"content": [thinking]}, {"content": [{"type": "text", "text": RIGHT}]}])
    events = await ask(hospital, QUESTION)
    assert (shown(events), codes(events)) == (RIGHT, [])


async def test_each_sentence_without_a_marker_gets_the_source_that_supports_it(
    hospital: Installation, endpoint: Endpoint
) -> None:
    endpoint.words = in_pieces("A hot lunch costs € 9.80 and soup € 2.60. For parking the costs are € 2.40 per hour.")
    events = await ask(hospital, "what do lunch and parking cost")
    where = {one.doc_key: one.number for one in answer(events).citations}
    assert shown(events) == (
        f"A hot lunch costs € 9.80 and soup € 2.60. [{where['canteen']}] "
        f"For parking the costs are € 2.40 per hour. [{where['parking']}]"
    )
    assert (answer(events).disposition, codes(events)) == ("answered", [])


async def test_a_marker_of_no_source_gives_way_to_the_source_that_supports_the_sentence(
    hospital: Installation, endpoint: Endpoint
) -> None:
    endpoint.words = in_pieces(f"{SAID} [7].")
    events = await ask(hospital, QUESTION)
    assert (shown(events), cited(events)) == (QUOTED, ["canteen"])


@pytest.mark.parametrize(
    "wrong",
    [
        "A hot lunch costs € 7.50.", "A hot lunch costs € 2.60.", "It costs € 2.60.", "A hot lunch costs € 18.",
        "Soup costs € 9.80 and a hot lunch € 2.60.", "A hot lunch costs € 9.80 and parking € 18.", "€ 18",
        "A hot lunch costs € 2.60 [1].", "The helicopter lands on the roof.",
    ],
)  # fmt: skip
async def test_a_sentence_that_no_source_supports_gets_none_and_is_not_told(
    hospital: Installation, endpoint: Endpoint, wrong: str
) -> None:
    endpoint.words = in_pieces(wrong)
    events = await ask(hospital, QUESTION)
    assert answer(events).disposition in {"escalated", "refused"}
    assert cited(events) == []
    assert "€" not in shown(events)
    assert "roof" not in shown(events)


@channels
async def test_a_reply_that_is_a_marker_alone_gives_way_to_what_the_page_says(
    hospital: Installation, endpoint: Endpoint, channel: str
) -> None:
    endpoint.words = ("[1]",)
    events = await ask(hospital, QUESTION, channel=channel)
    assert answer(events).model == "extractive"
    assert as_heard("€ 9.80", channel) in shown(events)


PAGES = CaseFile.model_validate(
    {
        "capability": "replies", "promise": "A model that forgets its markers is cited, never for what is not said.",
        "documents": [
            {"name": "canteen.md", "text": f"# Eating here\n\n{PAGE}\n\nThe terrace is closed in winter.\n"},
            {"name": "parking.md", "text": f"# Parking\n\n{OTHER} Motorcycles park free behind building C.\n"},
            {"name": "kamers.md", "text": "# Kamers\n\n| Kamer | Supplement per dag | Voorschot |\n|---|---|---|\n"
             "| Eenpersoonskamer | € 57 | € 160 |\n| Familiekamer | € 91 | € 240 |\n"},
            {"name": "dieren.md", "text": "# Huisdieren\n\nHonden zijn niet toegelaten, ook niet in de tuin.\n"},
        ],
        "cases": [{"id": "none", "ask": QUESTION, "says": ["9.80"]}],
    }
)  # fmt: skip


@pytest.fixture(scope="module")
def scripted() -> Iterator[Endpoint]:
    with serving() as opened:
        yield opened


@pytest.fixture(scope="module")
def told(scripted: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], wire.Answer]:
    """What becomes of a question and a reply, with the reader that ships."""
    local = {"model": "openai", "base_url": scripted.url, "model_name": "small"}
    made = AskedHospital(Path(tmp_path_factory.mktemp("replies")), PAGES, local=local)

    def asked(question: str, reply: str) -> wire.Answer:
        scripted.words = in_pieces(reply)
        return made.ask(Case(id="one", ask=question, outcome="any", not_says=("no such",)))

    return asked


@pytest.mark.parametrize(
    ("question", "reply", "source"),
    [
        (QUESTION, "€ 9.80", "canteen.md"),
        (QUESTION, "The price of a hot lunch is 9.80 euro.", "canteen.md"),
        ("where do I park my motorcycle", "Motorcycles may be left free of charge behind building C.", "parking.md"),
        ("can I sit outside in winter", "No, the terrace is closed in winter.", "canteen.md"),
        ("may I bring my dog", "No, dogs are not allowed, not even in the garden.", "dieren.md"),
        ("wat is het voorschot voor een familiekamer", "Het voorschot is € 240.", "kamers.md"),
    ],
)
def test_the_reader_finds_the_source_of_a_sentence_in_other_words(
    told: Callable[[str, str], wire.Answer], question: str, reply: str, source: str
) -> None:
    given = told(question, reply)
    assert (given.disposition, given.model) == ("answered", "small")
    assert [one.source for one in given.citations] == [source]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("where do I park my motorcycle", "Behind building D."),
        ("may I bring my dog", "Yes, dogs are allowed in the garden."),
        ("wat is het voorschot voor een familiekamer", "Het voorschot is € 91."),
        ("wat is het voorschot voor een familiekamer", "Het voorschot voor een familiekamer bedraagt € 160."),
    ],
)
def test_no_source_is_given_to_a_sentence_that_says_something_else_than_it(
    told: Callable[[str, str], wire.Answer], question: str, reply: str
) -> None:
    given = told(question, reply)
    assert (given.disposition, given.citations) == ("escalated", [])
