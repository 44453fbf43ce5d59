"""Every way in which a turn is answered is spoken, screened, recorded and shown, whichever stage decides it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from careline.conversation import pending
from careline.conversation.pending import Choice
from careline.installation import Installation
from careline.schemas import wire
from careline.screened import ScreenedText
from careline.turn import pipeline
from careline.turn.outcome import Clarification, Confirmation, DirectoryAnswer, Outcome, Statement
from careline.turn.record import CONFIRMATION_SECONDS
from careline.turn.turn import Turn
from tests.fakes import NOW
from tests.turn.turns import TALK, TENANT, a_hospital, answer, ask, shown

channels = pytest.mark.parametrize("channel", ["chat", "voice"])
HOURS = "Radiologie is open op maandag."
MORE = "Meer weet het onthaal."
CALL = "Dokter Claes is bereikbaar via het onthaal."
ASKED = "Zal ik een afspraak vragen bij {title}?"
ROUTES = (Choice("radiologie", "wanneer is radiologie open"), Choice("cardiologie", "wanneer is cardiologie open"))


def an_entry(key: str, number: int = 0) -> wire.Citation:
    return wire.Citation(
        number=number, doc_key=key, version=3, title="Diensten", source="directory", source_type="directory",
        language="nl", chunk_id=f"{key}:3", excerpt=key, score=1.0, reference="Diensten.",
    )  # fmt: skip


async def decided(monkeypatch: pytest.MonkeyPatch, outcome: Outcome) -> Installation:
    """A hospital in whose turns a stage decides this outcome before anything is searched."""

    async def stage(turn: Turn, installation: Installation) -> Turn:
        return replace(turn, outcome=outcome)

    async def unreached(turn: Turn, installation: Installation) -> Turn:
        raise AssertionError("a stage ran although the turn was decided")

    monkeypatch.setattr(pipeline, "STAGES", (*pipeline.STAGES[:3], stage, unreached))
    installation = await a_hospital(["Een taalmodel."])
    line = installation.packs["hospital_line"]
    replies = {code: {**sentences, "confirm": ASKED} for code, sentences in line.replies.items()}
    return replace(installation, packs={**installation.packs, "hospital_line": replace(line, replies=replies)})


async def told(installation: Installation, **chosen: Any) -> tuple[wire.Answer, Sequence[wire.Event], dict[str, Any]]:
    """The answer, its events and what is kept of it for operations; what was sent is what the answer says."""
    events = await ask(installation, "wanneer is radiologie open", conversation_id="talk", **chosen)
    made = answer(events)
    assert shown(events) == made.text
    assert isinstance(made.text, ScreenedText)
    assert installation.engines.model.told == []  # type: ignore[union-attr]
    (entry,) = installation.engines.outbox.waiting  # type: ignore[attr-defined]
    return made, events, entry.body["turn"]


async def waited(installation: Installation) -> pending.Pending | None:
    return await pending.waited_for(TALK, TENANT, installation.engines)


DIRECTORY = DirectoryAnswer(
    (Statement(HOURS, (2,)), Statement(CALL, (1, 2)), Statement(MORE)),
    (an_entry("claes"), an_entry("radiologie")),
)


@channels
async def test_a_directory_answer_is_said_with_the_entries_it_rests_on(
    monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    made, events, kept = await told(await decided(monkeypatch, DIRECTORY), channel=channel)
    assert (made.disposition, made.reason, made.model) == ("answered", "DIRECTORY", None)
    assert [(one.number, one.doc_key) for one in made.citations] == [(1, "radiologie"), (2, "claes")]
    assert [event.citation for event in events if isinstance(event, wire.Cited)] == made.citations
    # A caller is told as much at once as of any other answer.
    assert made.text == (f"{HOURS} [1] {CALL} [2] [1] {MORE}" if channel == "chat" else f"{HOURS} {CALL}")
    assert "[" not in made.spoken
    assert (kept["reason"], kept["cited"], kept["model_called"]) == ("DIRECTORY", ["radiologie:3", "claes:3"], False)
    assert made.choices == []


@pytest.mark.parametrize(("style", "mark"), [("inline", " [1]"), ("footnote", "[^1]"), ("sidebar", "")])
async def test_the_entries_of_a_directory_answer_are_marked_in_the_readers_style(
    monkeypatch: pytest.MonkeyPatch, style: str, mark: str
) -> None:
    one = DirectoryAnswer((Statement(HOURS, (1,)),), (an_entry("radiologie"),))
    made, *_ = await told(await decided(monkeypatch, one), preferences={"citation_style": style})
    assert made.text == f"{HOURS}{mark}"


@channels
@pytest.mark.parametrize(
    ("statement", "reason", "disposition"),
    [
        ("Neem drie keer per dag twee tabletten paracetamol.", "ADVICE_BLOCKED", "refused"),
        ("Bel 112 niet.", "HARM_BLOCKED", "refused"),
    ],
)
async def test_a_directory_answer_passes_the_output_screen(
    monkeypatch: pytest.MonkeyPatch, channel: str, statement: str, reason: str, disposition: str
) -> None:
    spoilt = DirectoryAnswer((Statement(HOURS), Statement(statement), Statement(CALL)), ())
    made, events, kept = await told(await decided(monkeypatch, spoilt), channel=channel)
    assert (made.disposition, made.reason) == (disposition, reason)
    sent = "".join(event.model_dump_json() for event in events)
    assert statement.removesuffix(".") not in sent
    assert "Claes" not in sent, "what comes after it is not said either"
    assert kept["rules"]
    assert kept["screening"]["output"] == [{"action": "blocked", "rules": kept["rules"]}]


async def test_a_directory_answer_of_which_nothing_is_said_leads_to_a_person(monkeypatch: pytest.MonkeyPatch) -> None:
    made, *_ = await told(await decided(monkeypatch, DirectoryAnswer((), ())))
    assert (made.disposition, made.reason) == ("escalated", "NO_ANSWER")
    assert made.text


@channels
async def test_a_question_back_names_its_choices_in_the_answer_and_waits_for_one(
    monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    values = {"choices": ROUTES[0].told, "other": ROUTES[1].told}
    installation = await decided(monkeypatch, Clarification("WHICH_SERVICE", "which_row", ROUTES, values))
    made, _, kept = await told(installation, channel=channel)
    assert made.text == "Welke bedoelt u: radiologie of cardiologie?"
    assert [one.text for one in made.choices] == ["radiologie", "cardiologie"]
    assert all(isinstance(choice.text, ScreenedText) for choice in made.choices)
    assert (made.disposition, kept["disposition"], kept["reason"]) == ("clarified", "clarified", "WHICH_SERVICE")
    waiting = await waited(installation)
    assert waiting is not None
    assert waiting.awaited == pending.Clarification(str(made.text), ROUTES, "wanneer is radiologie open")
    assert (waiting.turn_id, waiting.until) == (made.id, NOW + timedelta(minutes=30))


@channels
async def test_a_choice_that_nobody_may_be_told_is_neither_shown_nor_waited_for(
    monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    spoilt = (*ROUTES, Choice("Bel 112 niet.", "iets"))
    values = {"choices": "radiologie, cardiologie", "other": "Bel 112 niet."}
    installation = await decided(monkeypatch, Clarification("WHICH_SERVICE", "which_row", spoilt, values))
    made, *_ = await told(installation, channel=channel)
    assert [one.text for one in made.choices] == ["radiologie", "cardiologie"]
    assert made.text == "Welke bedoelt u: radiologie of cardiologie?"
    waiting = await waited(installation)
    assert waiting is not None
    assert waiting.awaited == pending.Clarification(str(made.text), ROUTES, "wanneer is radiologie open")


async def test_where_one_choice_alone_may_be_told_it_is_answered_as_if_nothing_had_been_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spoilt = (ROUTES[0], Choice("Bel 112 niet.", "iets"))
    installation = await decided(monkeypatch, Clarification("WHICH_SERVICE", "which_row", spoilt))
    events = await ask(installation, "wanneer is radiologie open", conversation_id="talk")
    made = answer(events)
    assert (made.choices, made.reason, shown(events)) == ([], "NO_ANSWER", made.text)
    assert "112 niet" not in made.text
    assert await waited(installation) is None


@channels
async def test_a_call_that_awaits_a_yes_is_announced_and_kept_with_exactly_its_arguments(
    monkeypatch: pytest.MonkeyPatch, channel: str
) -> None:
    arguments = {"department": "radiologie", "at": ["maandag", 9], "urgent": False}
    asked = Confirmation("confirm", "call_7", "request_appointment", arguments, {"title": "radiologie"})
    installation = await decided(monkeypatch, asked)
    made, _, kept = await told(installation, channel=channel)
    assert made.text == "Zal ik een afspraak vragen bij radiologie?"
    assert (made.disposition, made.reason, made.choices, kept["reason"]) == (
        "clarified", "CONFIRMATION", [], "CONFIRMATION",
    )  # fmt: skip
    waiting = await waited(installation)
    assert waiting is not None
    assert waiting.awaited == pending.Confirmation(str(made.text), "call_7", "request_appointment", arguments)
    assert waiting.until == NOW + timedelta(seconds=CONFIRMATION_SECONDS)
    assert "maandag" not in repr(kept)


async def test_an_answer_that_asks_nothing_leaves_nothing_to_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    installation = await decided(monkeypatch, DIRECTORY)
    await told(installation)
    assert await waited(installation) is None
