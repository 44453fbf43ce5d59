"""Nothing unscreened reaches a client: advice, harm, claims of no source, however they are written and cut."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from careline.installation import Installation
from careline.model import Span, SpanType
from careline.ports import CompletionChunk
from careline.turn import pipeline
from careline.turn.screen_output import UNAVAILABLE, ScreenedSentence, screen_output
from careline.turn.turn import PersonalData, Turn
from careline.wire import Done, QueryRequest, Token
from tests.builders import a_passage, as_sent
from tests.fakes import FakeDetector, OneLanguage
from tests.turn.turns import (
    TENANT,
    TRACE,
    a_hospital,
    a_turn,
    an_installation,
    answer,
    ask,
    packs,
    shown,
    with_passages,
)

SAFE = "Bezoek mag van 14 tot 20 uur [1]. "
ADVICE = {
    "in a sentence of its own": ("Neem drie keer per dag twee tabletten paracetamol.", "tabletten"),
    "in italics and a link": ("Neem *drie* keer per dag [500 mg ibuprofen](https://a.example).", "500 mg ibuprofen"),
    "over a soft line break": (
        "Tegen de koorts neemt u na het eten met een groot glas\nwater drie keer per dag 500 mg ibuprofen.",
        "ibuprofen",
    ),
    "over two sentences": ("U mag paracetamol gebruiken bij koorts. Neem er twee per dag van.", "twee per dag"),
    "in bold": ("Neem **drie** keer per dag **500 mg ibuprofen**.", "ibuprofen"),
    "in a list": ("Dit helpt:\n\n- Drink water.\n- Neem twee tabletten paracetamol.\n", "paracetamol"),
    "in a table cell": ("| Klacht | Wat |\n|---|---|\n| koorts | neem 1 g paracetamol |\n", "1 g paracetamol"),
    "in a heading": ("## Neem drie keer per dag 500 mg ibuprofen\n\n", "ibuprofen"),
    "with a marker inside": ("Neem drie keer [1] per dag 500 mg ibuprofen.", "ibuprofen"),
    "as a diagnosis": ("U hebt een longontsteking.", "longontsteking"),
    "as reassurance": ("U hoeft zich geen zorgen te maken, het is niets ernstigs.", "niets ernstigs"),
    "as first aid": ("Leg hem plat en geef dertig borstcompressies.", "borstcompressies"),
}
REST = "Parkeren kost 2,50 euro per uur [2]."


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize("how", ADVICE)
async def test_advice_never_reaches_a_client(how: str, channel: str) -> None:
    advice, secret = ADVICE[how]
    events = await ask(await a_hospital([SAFE, advice, " ", REST]), "wanneer is er bezoek", channel=channel)
    sent = "".join(event.model_dump_json() for event in events)
    assert secret not in sent
    assert as_sent("2,50 euro", channel) not in sent, "what comes after the advice is not said either"
    assert as_sent("14 tot 20 uur", channel) in shown(events)
    assert (answer(events).disposition, answer(events).reason) == ("refused", "ADVICE_BLOCKED")
    assert [warning.code for warning in answer(events).warnings][-1] == "ADVICE_BLOCKED"


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_an_answer_that_begins_with_advice_is_replaced_by_the_refusal_of_the_pack(channel: str) -> None:
    installation = await a_hospital([ADVICE["in a sentence of its own"][0]])
    events = await ask(installation, "wanneer is er bezoek", channel=channel)
    assert shown(events) == answer(events).text == installation.packs["hospital_line"].say("blocked", "nl")
    assert answer(events).citations == []


async def test_the_rules_that_blocked_an_answer_are_in_its_record() -> None:
    installation = await a_hospital([ADVICE["in a sentence of its own"][0]])
    await ask(installation, "wanneer is er bezoek")
    (entry,) = installation.engines.outbox.waiting
    assert entry.body["turn"]["rules"]
    assert entry.body["audit"]["rules"] == entry.body["turn"]["rules"]


async def test_a_model_whose_advice_is_blocked_is_not_listened_to_any_longer() -> None:
    heard: list[str] = []

    def piece(text: str) -> object:
        return lambda prompt_input: heard.append(text) or text

    script = [piece("Neem drie keer per dag 500 mg ibuprofen. "), piece("Dit is een zin. "), piece("En nog een.")]
    await ask(await a_hospital(script), "wanneer is er bezoek")
    assert heard[-1] == "Dit is een zin. "


@pytest.mark.parametrize(
    ("language", "advice"),
    [
        ("en", "Take two tablets of ibuprofen three times a day."),
        ("fr", "Prenez deux comprimés de paracétamol trois fois par jour."),
        ("it", "Prenda due compresse di paracetamolo tre volte al giorno."),
    ],
)
async def test_advice_is_stopped_in_every_language(language: str, advice: str) -> None:
    installation = await a_hospital([advice], identify=OneLanguage(language))
    events = await ask(installation, "wanneer is er bezoek")
    assert answer(events).reason == "ADVICE_BLOCKED"
    assert advice.split()[-1] not in shown(events)


PIECES = st.lists(
    st.one_of(
        st.sampled_from(
            ["Bezoek mag van 14 tot 20 uur", " [1]", "[", "1", "]", ".", " ", "\n", "\n\n", "- ", "dr. Jansen "]
        ),
        st.sampled_from(["**vet**", "| a | b |\n", "Waarom? ", "e.g. ", "€ 2,50", ":", "?! ", "[9]"]),
        st.text(max_size=8),
    ),
    max_size=14,
)


@given(PIECES, st.sampled_from(["chat", "voice"]), st.sampled_from(["inline", "footnote", "sidebar"]))
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_whatever_pieces_a_completion_comes_in_the_tokens_joined_are_the_answer(
    pieces: list[str], channel: str, style: str
) -> None:
    request = QueryRequest.model_validate(
        {"text": "wanneer is er bezoek", "channel": channel, "preferences": {"citation_style": style}}
    )
    events = [event async for event in pipeline.run(request, await a_hospital(pieces), TRACE)]
    done = events[-1]
    assert isinstance(done, Done)
    tokens = [event.text for event in events if isinstance(event, Token)]
    assert "".join(tokens) == done.answer.text
    assert done.answer.text == done.answer.text.strip() != ""
    assert all(tokens)


@given(st.sampled_from(sorted(ADVICE)), st.lists(st.integers(1, 12), min_size=1, max_size=30), st.booleans())
@settings(max_examples=80, deadline=None)
async def test_advice_is_stopped_wherever_the_model_cuts_it_into_pieces(
    how: str, sizes: list[int], spoken: bool
) -> None:
    advice, secret = ADVICE[how]
    completion, pieces = SAFE + advice, []
    for size in sizes:
        pieces.append(completion[:size])
        completion = completion[size:]
    events = await ask(
        await a_hospital([*pieces, completion]), "wanneer is er bezoek", channel="voice" if spoken else "chat"
    )
    assert secret not in "".join(event.model_dump_json() for event in events)


@given(st.text(max_size=60), st.integers(1, 7))
@settings(max_examples=60, deadline=None)
async def test_where_a_completion_is_cut_into_pieces_makes_no_difference(text: str, size: int) -> None:
    completion = f"Bezoek mag van 14 tot 20 uur [1]. {text}"
    whole = answer(await ask(await a_hospital([completion]), "wanneer is er bezoek"))
    pieces = [completion[at : at + size] for at in range(0, len(completion), size)]
    cut = answer(await ask(await a_hospital(pieces), "wanneer is er bezoek"))
    assert (cut.text, cut.disposition) == (whole.text, whole.disposition)
    assert [one.doc_key for one in cut.citations] == [one.doc_key for one in whole.citations]


class _CompletionChunks:
    """A model that has written these pieces."""

    def __init__(self, pieces: Iterable[str], sources: tuple[int, ...] = ()) -> None:
        self.pieces, self.sources = tuple(pieces), sources

    async def write(self) -> AsyncGenerator[CompletionChunk, None]:
        for piece in self.pieces:
            yield CompletionChunk(piece, self.sources)


async def _screened(
    pieces: Iterable[str], turn: Turn, installation: Installation | None = None, sources: tuple[int, ...] = ()
) -> list[ScreenedSentence]:
    written = _CompletionChunks(pieces, sources).write()
    return [one async for one in screen_output(written, turn, installation or an_installation())]


def _text(sentences: Iterable[ScreenedSentence]) -> str:
    return "".join(one.text for one in sentences)


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize("how", ADVICE)
async def test_advice_written_one_character_at_a_time_is_never_sent(how: str, channel: str) -> None:
    advice, secret = ADVICE[how]
    events = await ask(await a_hospital([*SAFE, *advice, " ", *REST]), "wanneer is er bezoek", channel=channel)
    assert secret not in "".join(event.model_dump_json() for event in events)
    assert as_sent(secret, channel) not in shown(events)
    assert answer(events).reason == "ADVICE_BLOCKED"


@pytest.mark.parametrize("how", ADVICE)
async def test_what_was_said_before_the_block_is_not_taken_back(how: str) -> None:
    turn = a_turn(sources=["Bezoek mag van 14 tot 20 uur."])
    sentences = await _screened([SAFE, ADVICE[how][0]], turn)
    whole = _text(sentences)
    assert whole.startswith(SAFE.strip())
    assert whole.endswith(turn.pack.say("partial_blocked", "nl"))
    assert turn.pack.say("blocked", "nl") not in whole
    assert sentences[-1].blocked


@pytest.mark.parametrize("name", ["hospital_line", "clinical_assistant"])
async def test_what_nobody_may_be_told_is_replaced_for_everybody(name: str) -> None:
    turn = a_turn(pack=packs()[name])
    (said,) = await _screened(["Bel 112 niet. En nog iets."], turn)
    assert said.blocked == ("HARM_BLOCKED", "nl/REFUSE_HELP/urged")
    assert said.text == turn.pack.say("withheld", "nl")


class _Broken:
    def judge(self, *said: Any) -> tuple[str, ...]:
        raise RuntimeError("broken")


BROKEN: Any = _Broken()


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_a_screen_that_fails_lets_nothing_more_out(channel: str) -> None:
    installation = await a_hospital([SAFE, REST])
    held = {name: replace(pack, harm=BROKEN) for name, pack in installation.packs.items()}
    events = await ask(replace(installation, packs=held), "wanneer is er bezoek", channel=channel)
    assert as_sent("14 tot 20", channel) not in shown(events)
    assert as_sent("2,50 euro", channel) not in shown(events)
    assert answer(events).reason == UNAVAILABLE
    assert [warning.code for warning in answer(events).warnings] == [UNAVAILABLE]


async def test_the_sentence_that_a_screen_failed_on_is_the_last_one() -> None:
    turn = a_turn(sources=["Bezoek mag van 14 tot 20 uur."])
    (said,) = await _screened([SAFE, REST], replace(turn, pack=replace(turn.pack, harm=BROKEN)))
    assert said.blocked == (UNAVAILABLE,)


async def test_a_figure_of_no_source_is_left_out_and_the_answer_goes_on() -> None:
    turn = a_turn(sources=["Bezoek mag van 14 tot 20 uur. De cafetaria is open."])
    first, second, third = await _screened([SAFE, "Bezoek duurt 45 minuten [1]. ", "De cafetaria is open [1]."], turn)
    assert (first.withheld, second.withheld, third.withheld) == ((), ("claim/number",), ())
    assert second.text == ""
    assert not second.blocked
    assert _text([first, second, third]) == f"{SAFE}De cafetaria is open [1]."


async def test_each_sentence_is_compared_with_the_sources_that_it_was_drafted_from() -> None:
    turn = a_turn(
        sources=["Bezoek mag tot 20 uur. Kom met twee.", "Parkeren kost 3 euro. Betaal met kaart.", "Bel 1722."]
    )
    chunks = [
        CompletionChunk("Bezoek mag tot 20 uur. Kom met twee.", (1,)),
        CompletionChunk("\n\nParkeren kost 3 euro. Betaal met kaart.", (2,)),
        CompletionChunk("\n\nBel 1722.", (3,)),
    ]

    async def written() -> AsyncGenerator[CompletionChunk, None]:
        for completion in chunks:
            yield completion

    sentences = [one async for one in screen_output(written(), turn, an_installation())]
    assert [one.withheld for one in sentences] == [()] * 5
    assert [one.sources for one in sentences] == [(1,), (1,), (2,), (2,), (3,)]
    assert _text(sentences) == "".join(completion.text for completion in chunks)


async def test_a_denial_that_was_dropped_is_left_out() -> None:
    turn = a_turn(sources=["Bezoekers mogen niet roken op het terras."])
    (said,) = await _screened(["Bezoekers mogen roken op het terras [1]."], turn)
    assert said.withheld == ("claim/negation",)


async def _clinic(*said: str) -> Installation:
    dose = "Volwassenen krijgen 1 g paracetamol om de 6 uur."
    return await with_passages(an_installation(list(said)), a_passage(dose, tenant=TENANT, doc_key="richtlijn"))


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_an_invented_dose_is_withheld_from_a_clinician(channel: str) -> None:
    installation = await _clinic("Volwassenen krijgen paracetamol om de 6 uur [1]. ", "De dosis is 3 g.")
    events = await ask(installation, "hoeveel paracetamol", pack="clinical_assistant", channel=channel)
    sent = "".join(event.model_dump_json() for event in events)
    assert "3 g" not in sent
    assert as_sent("3 g", channel) not in sent
    assert "UNGROUNDED_WITHHELD" in [warning.code for warning in answer(events).warnings]


@pytest.mark.parametrize(
    ("channel", "marker"),
    [
        ("chat", " [1]"),
        ("voice", " [1]"),
        ("voice", ""),
        ("chat", ""),
    ],
)
async def test_a_clinician_is_told_the_dose_of_a_passage_with_its_citation(channel: str, marker: str) -> None:
    installation = await _clinic(f"Geef 1000 mg paracetamol om de 6 uur{marker}.")
    events = await ask(installation, "hoeveel paracetamol", pack="clinical_assistant", channel=channel)
    assert as_sent("paracetamol om de 6", channel) in shown(events)
    assert "UNGROUNDED_WITHHELD" not in [warning.code for warning in answer(events).warnings]
    assert [one.doc_key for one in answer(events).citations] == ["richtlijn"]


async def test_a_dose_brings_the_source_that_holds_it() -> None:
    turn = a_turn(pack=packs()["clinical_assistant"], sources=["Bezoek is welkom.", "Geef 1 g paracetamol."])
    (said,) = await _screened(["Geef 1 g paracetamol."], turn)
    assert said.sources == (2,)


class _Vault:
    """Knows one token."""

    def restore(self, text: str) -> str:
        return text.replace("[PERSON_1]", "Lotte Peeters")


async def test_typed_tokens_are_restored_after_the_screens() -> None:
    phi: Any = PersonalData("off", _Vault())  # type: ignore[arg-type]
    written = "Dag [PERSON_1], bezoek is welkom [1]."
    (said,) = await _screened([*written], a_turn(sources=["Bezoek is welkom."], phi=phi))
    assert said.text == "Dag Lotte Peeters, bezoek is welkom [1]."


@pytest.mark.parametrize(
    ("source", "question", "found", "withheld"),
    [
        ("Bezoek is welkom.", "wanneer is er bezoek", (), ("leak/PERSON",)),
        ("Jan Janssens leidt de dienst.", "wie leidt de dienst", (), ()),
        ("Bezoek is welkom.", "ik ben jan janssens", (Span(7, 19, SpanType.PERSON, "fake"),), ()),
    ],
)
async def test_a_name_is_said_only_if_a_source_or_the_user_gave_it(
    source: str, question: str, found: tuple[Span, ...], withheld: tuple[str, ...]
) -> None:
    phi: Any = PersonalData("clear", _Vault(), spans=found)  # type: ignore[arg-type]
    installation = an_installation(detector=FakeDetector("Jan Janssens"))
    turn = a_turn(question, sources=[source], phi=phi)
    (said,) = await _screened(["Vraag naar Jan Janssens [1]."], turn, installation)
    assert said.withheld == withheld
