"""On the phone a caller is asked which row of a table is meant, by names that may be said, where there is a doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from careline.conversation import pending
from careline.conversation.pending import Choice
from careline.installation import Installation
from careline.model import Table, TableRow
from careline.ports import ReaderText, ReadingPace
from careline.turn import pipeline
from careline.turn.outcome import Clarification
from careline.turn.turn import Turn
from tests.builders import a_passage
from tests.turn.turns import TALK, TENANT, WatchedIndex, an_installation, answer, ask, packs, with_passages

ROOMS, STAYS = "wat is het supplement van een kamer", "wat is het supplement voor een kind van 7 jaar"


class Alike:
    """A reader to which all answers alike."""

    async def pace(self) -> ReadingPace:
        return ReadingPace()

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        return [6.0] * len(texts)


def a_table(*labels: str) -> Table:
    rows = tuple(TableRow((label,), (f"€ {10 * n}",)) for n, label in enumerate(labels, 1))
    return Table("Kamers", ("Kamer",), (("Supplement",),), rows, (), len(rows))


async def a_hospital(*labels: str, language: str = "nl") -> Installation:
    """A hospital without a model whose one document is a table of supplements."""
    installation = an_installation(reader=Alike())
    installation = replace(installation, engines=replace(installation.engines, model=None))
    table = a_table(*labels)
    text = "\n".join(" | ".join((*row.labels, *row.values)) for row in table.rows)
    facts = {"title": "Supplement van een kamer of kind", "language": language}
    passage = a_passage(text, tenant=TENANT, table=table, doc_key="kamers", facts=facts)
    sure = {
        name: replace(pack, evidence=pack.evidence.model_copy(update={"min_confidence": -9.0}))
        for name, pack in installation.packs.items()
    }
    return await with_passages(replace(installation, packs=sure), passage)


def which(choices: str, other: str) -> str:
    return packs()["hospital_line"].say("which_row", "nl", choices=choices, other=other)


async def called(hospital: Installation, question: str = ROOMS, **chosen: Any) -> Any:
    return answer(await ask(hospital, question, conversation_id="talk", channel="voice", language="nl", **chosen))


async def waiting(hospital: Installation) -> Any:
    kept = await pending.waited_for(TALK, TENANT, hospital.engines)
    return None if kept is None else kept.awaited


async def test_a_caller_is_asked_which_of_several_rows_is_meant() -> None:
    hospital = await a_hospital("Eenpersoonskamer", "Tweepersoonskamer")
    asked = await called(hospital)
    assert (asked.disposition, asked.reason) == ("clarified", "WHICH_ROW")
    assert asked.text == which("Eenpersoonskamer", "Tweepersoonskamer")
    assert [one.text for one in asked.choices] == ["Eenpersoonskamer", "Tweepersoonskamer"]


SPOILT = ["Neem drie keer per dag twee tabletten paracetamol", "Bel 112 niet"]


async def test_a_row_whose_name_may_not_be_said_is_not_named_in_the_question() -> None:
    hospital = await a_hospital("Eenpersoonskamer", "Tweepersoonskamer", SPOILT[0])
    asked = await called(hospital)
    assert asked.text == which("Eenpersoonskamer", "Tweepersoonskamer")
    assert [one.told for one in (await waiting(hospital)).choices] == ["Eenpersoonskamer", "Tweepersoonskamer"]


@pytest.mark.parametrize("spoilt", SPOILT)
async def test_where_one_row_alone_may_be_named_the_question_is_answered(spoilt: str) -> None:
    hospital = await a_hospital("Eenpersoonskamer", spoilt)
    asked = await called(hospital)
    assert asked.reason != "WHICH_ROW"
    assert (asked.choices, await waiting(hospital)) == ([], None)
    assert "Eenpersoonskamer" in asked.text
    assert spoilt not in asked.text
    assert asked.model == "extractive"


async def test_it_is_not_asked_where_a_request_for_advice_waits_for_what_is_published() -> None:
    hospital = await a_hospital("gips nat, arm", "gips nat, been")
    asked = await called(hospital, "wanneer mag mijn gips weer nat worden")
    assert (asked.reason, asked.choices) == (None, [])


@pytest.mark.parametrize("first", ["2-5 jaar", "6-8 jaar"])
async def test_a_row_that_holds_what_the_question_names_is_told_and_not_asked_for(first: str) -> None:
    labels = [first, *(one for one in ("2-5 jaar", "6-8 jaar", "vanaf 12 jaar") if one != first)]
    told = await called(await a_hospital(*labels), STAYS)
    assert told.disposition == "answered"
    assert ("tien euro" in told.text) is (first == "6-8 jaar")
    assert "2-5" not in told.text


async def test_rows_that_the_question_leaves_open_are_asked_for() -> None:
    asked = await called(
        await a_hospital("2-5 jaar", "6-8 jaar", "vanaf 12 jaar"), "wat is het supplement van een kind"
    )
    assert [one.text for one in asked.choices] == ["2-5 jaar", "6-8 jaar", "vanaf 12 jaar"]


def a_question_back(language: str) -> dict[str, Any]:
    """Two rows in a language, and what is asked of them, with words that take the second."""
    return {
        "nl": (("Eenpersoonskamer", "Tweepersoonskamer"), ("de tweede", "tweepersoonskamer", "2")),
        "en": (("Single room", "Double room"), ("the second one", "double room", "2")),
        "fr": (("Chambre individuelle", "Chambre double"), ("la deuxième", "la double", "2")),
        "it": (("Camera singola", "Camera doppia"), ("la seconda", "doppia", "2")),
    }[language]


@pytest.fixture
def _asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the first question of a conversation be asked back by a stage, on every channel."""
    first, *rest = pipeline.STAGES

    async def stage(turn: Turn, installation: Installation) -> Turn:
        turn = await first(turn, installation)
        if turn.conversation.messages:
            return turn
        labels, _ = a_question_back(turn.language)
        choices = tuple(Choice(label, f"{ROOMS} {label}") for label in labels)
        return replace(turn, outcome=Clarification("WHICH_ROW", "which_row", choices))

    monkeypatch.setattr(pipeline, "STAGES", (stage, *rest))


async def asked_after(language: str, channel: str, *said: str) -> tuple[list[str], Installation, list[Any]]:
    """What is searched for, the hospital and the answers, when a question was asked back and this is said to it."""
    index = WatchedIndex()
    hospital = an_installation(index=index)
    answers = [
        answer(await ask(hospital, text, conversation_id="talk", channel=channel, language=language))
        for text in ("kamers", *said)
    ]
    assert (answers[0].reason, len(answers[0].choices)) == ("WHICH_ROW", 2)
    return [query.text for query in index.asked], hospital, answers[1:]


journeys = pytest.mark.parametrize(
    ("channel", "language"), [(channel, code) for channel in ("chat", "voice") for code in ("nl", "en", "fr", "it")]
)


@journeys
@pytest.mark.parametrize("how", ["place", "words", "number"])
@pytest.mark.usefixtures("_asking")
async def test_a_choice_that_is_taken_goes_on_with_its_question(channel: str, language: str, how: str) -> None:
    labels, said = a_question_back(language)
    searched, hospital, (taken,) = await asked_after(language, channel, said[("place", "words", "number").index(how)])
    assert searched == [f"{ROOMS} {labels[1]}"]
    assert taken.reason not in {"GREETING", "OFF_TOPIC_PERSONAL", "FAREWELL", "LANGUAGE_REQUEST"}
    assert await waiting(hospital) is None


@journeys
@pytest.mark.usefixtures("_asking")
async def test_what_takes_no_choice_is_a_question_of_its_own_and_drops_those_that_waited(
    channel: str, language: str
) -> None:
    labels, said = a_question_back(language)
    parking = {"nl": "wat kost parkeren", "en": "what does parking cost", "fr": "combien coûte le parking",
               "it": "quanto costa il parcheggio"}[language]  # fmt: skip
    searched, hospital, _ = await asked_after(language, channel, parking, said[0])
    assert not any(labels[1] in text for text in searched)
    assert await waiting(hospital) is None


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("de tweede, en mijn man krijgt geen lucht en zijn lippen zijn blauw", "EMERGENCY"),
        ("hoeveel ibuprofen mag ik nemen", "SAFETY_REFUSAL"),
        ("ik wil met iemand spreken", "HANDOFF_REQUEST"),
    ],
)
@pytest.mark.usefixtures("_asking")
async def test_what_is_said_to_a_question_back_is_screened(said: str, reason: str) -> None:
    searched, _, (ended,) = await asked_after("nl", "voice", said)
    assert (searched, ended.reason) == ([], reason)


@pytest.mark.usefixtures("_asking")
async def test_a_row_called_like_a_request_for_advice_is_not_taken_past_the_screens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doses = ("mag mijn man sporten met zijn hernia", "Tweepersoonskamer"), ()
    monkeypatch.setitem(globals(), "a_question_back", lambda language: doses)
    searched, _, (ended,) = await asked_after("nl", "voice", "mag mijn man sporten met zijn hernia")
    assert (searched, ended.reason) == ([], "SAFETY_REFUSAL")


async def test_a_caller_who_names_a_row_is_told_it_and_not_asked_again() -> None:
    hospital = await a_hospital("Eenpersoonskamer", "Tweepersoonskamer")
    assert (await called(hospital)).reason == "WHICH_ROW"
    told = await called(hospital, "de tweede")
    assert told.disposition == "answered"
    assert "Tweepersoonskamer: het supplement is twintig euro" in told.text
    assert (await waiting(hospital)) is None
