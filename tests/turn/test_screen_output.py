"""Nothing unscreened reaches a client: advice alone, over two sentences, in markup, in a list or in a table."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from careline.turn import pipeline
from careline.wire import Done, QueryRequest, Token
from tests.fakes import OneLanguage
from tests.turn.turns import TRACE, a_hospital, answer, ask, shown

SAFE = "Bezoek mag van 14 tot 20 uur [1]. "
ADVICE = {
    "in a sentence of its own": ("Neem drie keer per dag twee tabletten paracetamol.", "tabletten"),
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
REST = "Parkeren kost 2,50 euro per uur [1]."


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize("how", ADVICE)
async def test_advice_never_reaches_a_client(how: str, channel: str) -> None:
    advice, secret = ADVICE[how]
    events = await ask(await a_hospital([SAFE, advice, " ", REST]), "wanneer is er bezoek", channel=channel)
    sent = "".join(event.model_dump_json() for event in events)
    assert secret not in sent
    assert "2,50 euro" not in sent, "what comes after the advice is not said either"
    assert "14 tot 20 uur" in shown(events)
    assert (answer(events).disposition, answer(events).reason) == ("refused", "ADVICE_BLOCKED")
    assert [warning.code for warning in answer(events).warnings] == ["ADVICE_BLOCKED"]


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
        return lambda brief: heard.append(text) or text

    script = [piece("Neem drie keer per dag 500 mg ibuprofen. "), piece("Dit is een zin. "), piece("En nog een.")]
    await ask(await a_hospital(script), "wanneer is er bezoek")
    assert heard[-1] == "Dit is een zin. "


async def test_clinicians_are_given_doses_that_stand_in_the_documents() -> None:
    installation = await a_hospital(["Geef 1 g paracetamol om de 6 uur [1]."])
    events = await ask(installation, "wanneer is er bezoek", pack="clinical_assistant")
    assert "1 g paracetamol" in shown(events)


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
async def test_whatever_pieces_a_draft_comes_in_the_tokens_joined_are_the_answer(
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
    draft, pieces = SAFE + advice, []
    for size in sizes:
        pieces.append(draft[:size])
        draft = draft[size:]
    events = await ask(
        await a_hospital([*pieces, draft]), "wanneer is er bezoek", channel="voice" if spoken else "chat"
    )
    assert secret not in "".join(event.model_dump_json() for event in events)


@given(st.text(max_size=60), st.integers(1, 7))
@settings(max_examples=60, deadline=None)
async def test_where_a_draft_is_cut_into_pieces_makes_no_difference(text: str, size: int) -> None:
    draft = f"Bezoek mag van 14 tot 20 uur [1]. {text}"
    whole = answer(await ask(await a_hospital([draft]), "wanneer is er bezoek"))
    pieces = [draft[at : at + size] for at in range(0, len(draft), size)]
    cut = answer(await ask(await a_hospital(pieces), "wanneer is er bezoek"))
    assert (cut.text, cut.disposition) == (whole.text, whole.disposition)
    assert [one.doc_key for one in cut.citations] == [one.doc_key for one in whole.citations]
