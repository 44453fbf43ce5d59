"""Nothing unscreened reaches a client: advice, harm, claims of no source, however they are written and cut."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from careline.installation import Installation
from careline.model import Span, SpanType
from careline.ports import Matrix
from careline.quoting.writer import Quotation
from careline.safety.in_context import InContext
from careline.schemas.wire import Done, QueryRequest, Token
from careline.turn import pipeline
from careline.turn.speak.screen_output import UNAVAILABLE, screen_output, screen_quotations
from careline.turn.speak.screened_sentence import ScreenedSentence
from careline.turn.turn import PersonalData, Turn
from tests.builders import a_passage, as_sent
from tests.fakes import FakeDetector, FakeEmbedder, OneLanguage
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


async def test_a_sentence_whose_embedding_is_not_there_in_time_is_recorded_as_screened_by_words() -> None:
    class Late(FakeEmbedder):
        async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
            raise TimeoutError

    advice = packs()["hospital_line"].advice
    assert advice is not None
    doubted = next(
        text
        for text in ("U kunt de pijn verlichten met kou.", "Rust helpt vaak tegen de klachten.", "Drink genoeg water.")
        if advice.first_look(InContext(text), "nl").in_doubt
    )
    installation = await a_hospital([SAFE, doubted], sentence_embedder=Late())
    await ask(installation, "wanneer is er bezoek")
    (entry,) = installation.engines.outbox.waiting
    assert entry.body["turn"]["screening"]["sentences_by_words_alone"] == 1


async def test_a_model_whose_advice_is_blocked_is_not_listened_to_any_longer() -> None:
    heard: list[str] = []

    def piece(text: str) -> object:
        return lambda _told: heard.append(text) or text

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


async def _written(pieces: Iterable[str]) -> AsyncGenerator[str, None]:
    for piece in pieces:
        yield piece


async def _screened(
    pieces: Iterable[str], turn: Turn, installation: Installation | None = None
) -> list[ScreenedSentence]:
    return [one async for one in screen_output(_written(pieces), turn, installation or an_installation())]


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
    quoted = [
        Quotation("Bezoek mag tot 20 uur. Kom met twee.", (1,)),
        Quotation("\n\nParkeren kost 3 euro. Betaal met kaart.", (2,)),
        Quotation("\n\nBel 1722.", (3,)),
    ]

    async def written() -> AsyncGenerator[Quotation, None]:
        for quotation in quoted:
            yield quotation

    sentences = [one async for one in screen_quotations(written(), turn, an_installation())]
    assert [one.withheld for one in sentences] == [()] * 5
    assert [one.sources for one in sentences] == [(1,), (1,), (2,), (2,), (3,)]
    assert _text(sentences) == "".join(quotation.text for quotation in quoted)


def _foreign_beside_own() -> Turn:
    """A turn with a source in French and one in Dutch."""
    turn = a_turn(sources=["Bezoek mag tot 20 uur.", "Parkeren kost 3 euro."])
    first, second = turn.sources
    return replace(turn, sources=(replace(first, title="Les visites", language="fr"), second))


async def _quoted(turn: Turn, *quoted: Quotation) -> str:
    async def written() -> AsyncGenerator[Quotation, None]:
        for quotation in quoted:
            yield quotation

    return _text([one async for one in screen_quotations(written(), turn, an_installation())])


UNSURE = Quotation("Ik weet niet zeker of dit uw vraag beantwoordt.")
FRENCH = Quotation("\n\nDit staat in ons document “Les visites”, dat in het Frans is:", (1,))


@pytest.mark.parametrize("notices", [(UNSURE,), (UNSURE, FRENCH), (FRENCH,)])
async def test_a_notice_whose_quotation_is_left_out_is_not_said_either(notices: tuple[Quotation, ...]) -> None:
    turn = _foreign_beside_own()
    assert await _quoted(turn, *notices, Quotation("\n\n- Visites – Heures: 45 minutes.", (1,))) == ""


async def test_a_notice_of_another_document_announces_nothing_of_the_next_one() -> None:
    turn = _foreign_beside_own()
    left_out = Quotation("\n\n- Visites – Heures: 45 minutes.\n", (1,))
    said = await _quoted(turn, UNSURE, FRENCH, left_out, Quotation("\n\nParkeren kost 3 euro.", (2,)))
    assert said.startswith(UNSURE.text)
    assert "Les visites" not in said
    assert said.endswith("Parkeren kost 3 euro.")


async def test_notices_stand_before_what_they_announce() -> None:
    list_of_it = Quotation("\n\n- Bezoek mag tot 20 uur.\n", (1,))
    said = await _quoted(_foreign_beside_own(), UNSURE, FRENCH, list_of_it)
    assert said == f"{UNSURE.text}{FRENCH.text}{list_of_it.text}"


TITLES = ["Dr. Peeters. Raadpleging", "Les visites ! Quand ? Comment…", "Visites.", "1. Visites\n2. Horaires"]


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("unsure", [True, False])
async def test_a_notice_with_full_stops_in_it_goes_with_its_quotation(title: str, unsure: bool) -> None:
    turn = _foreign_beside_own()
    turn = replace(turn, sources=(replace(turn.sources[0], title=title), turn.sources[1]))
    notice = Quotation(f" Dit staat in ons document “{title}”, dat in het Frans is:", (1,))
    before = (UNSURE, notice) if unsure else (notice,)
    assert await _quoted(turn, *before, Quotation(" “Les heures: 45 minutes.” [1]", (1,))) == ""
    assert await _quoted(turn, *before, Quotation("\n\n- Visites – Heures: 45 minutes.", (1,))) == ""
    for kept in (" “Bezoek mag tot 20 uur.” [1]", "\n\n- Bezoek mag tot 20 uur.\n"):
        said = await _quoted(turn, *before, Quotation(kept, (1,)))
        assert said == "".join((*(one.text for one in before), kept))


async def test_an_unsure_notice_of_two_sentences_goes_with_its_quotation() -> None:
    turn = _foreign_beside_own()
    replies = {**turn.pack.replies, "nl": {**turn.pack.replies["nl"], "unsure_notice": "Ik twijfel. Past dit?"}}
    turn = replace(turn, pack=replace(turn.pack, replies=replies))
    notice = Quotation("Ik twijfel. Past dit?")
    assert await _quoted(turn, notice, Quotation(" Parkeren kost 9 euro.", (2,))) == ""
    kept = Quotation(" Parkeren kost 3 euro.", (2,))
    assert await _quoted(turn, notice, kept) == "Ik twijfel. Past dit? Parkeren kost 3 euro."


BRING = "Breng mee: [1]\n"


@pytest.mark.parametrize(
    ("quoted", "expected"),
    [
        ([f"{BRING}- 45 euro\n- 46 euro"], ""),
        ([f"{BRING}- 45 euro\n- uw identiteitskaart"], f"{BRING}- uw identiteitskaart"),
        ([f"{BRING}- uw identiteitskaart\n- 45 euro"], f"{BRING}- uw identiteitskaart\n"),
        ([f"{BRING}- 45 euro", "\n\nBezoek mag tot 20 uur. [1]"], "Bezoek mag tot 20 uur. [1]"),
        ([f"{BRING}- 45 euro", f"\n\n{BRING}- uw identiteitskaart"], f"{BRING}- uw identiteitskaart"),
        ([BRING, "Bezoek mag tot 20 uur. [1]"], f"{BRING}Bezoek mag tot 20 uur. [1]"),
        (["Bezoek mag tot 20 uur. [1] Breng mee:"], "Bezoek mag tot 20 uur. [1] Breng mee:"),
    ],
)
async def test_what_introduces_a_list_goes_with_its_items(quoted: list[str], expected: str) -> None:
    turn = a_turn(sources=["Breng mee: uw identiteitskaart. Bezoek mag tot 20 uur."])
    assert (await _quoted(turn, *(Quotation(one, (1,)) for one in quoted))).strip() == expected.strip()


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_what_a_model_introduces_goes_with_the_items_that_are_left_out(channel: str) -> None:
    written = ["Parkeren kost 2,50 euro per uur [1].\n\n", "Bezoek mag als volgt [2]:\n", "- tot 45 uur [2]\n"]
    said = answer(await ask(await a_hospital(written), "wat kost parkeren en bezoek", channel=channel))
    assert "Parkeren" in said.text
    assert "als volgt" not in said.text
    assert [warning.code for warning in said.warnings] == ["UNGROUNDED_WITHHELD"]


async def test_a_denial_that_was_dropped_is_left_out() -> None:
    turn = a_turn(sources=["Bezoekers mogen niet roken op het terras."])
    (said,) = await _screened(["Bezoekers mogen roken op het terras [1]."], turn)
    assert said.withheld == ("claim/negation",)


async def _clinic(*said: str) -> Installation:
    dose = "Volwassenen krijgen 1 g paracetamol om de 6 uur."
    return await with_passages(an_installation(list(said)), a_passage(dose, tenant=TENANT, doc_key="richtlijn"))


async def test_an_invented_dose_is_withheld_from_a_clinician() -> None:
    installation = await _clinic("Volwassenen krijgen paracetamol om de 6 uur [1]. ", "De dosis is 3 g.")
    events = await ask(installation, "hoeveel paracetamol", pack="clinical_assistant")
    assert "3 g" not in "".join(event.model_dump_json() for event in events)
    assert "UNGROUNDED_WITHHELD" in [warning.code for warning in answer(events).warnings]


@pytest.mark.parametrize("marker", [" [1]", ""])
async def test_a_clinician_is_told_the_dose_of_a_passage_with_its_citation(marker: str) -> None:
    installation = await _clinic(f"Geef 1000 mg paracetamol om de 6 uur{marker}.")
    events = await ask(installation, "hoeveel paracetamol", pack="clinical_assistant")
    assert "paracetamol om de 6" in shown(events)
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
