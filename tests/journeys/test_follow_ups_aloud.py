"""Questions about the doctor whom a caller has just heard of, as a conversation on the telephone has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from careline.schemas import wire
from careline.turn import pipeline
from careline.turn.stages.screening import embed_question
from tests.journeys.in_process import installed
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def models_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first question of a process gets the time that its models take to load, which a server has behind it."""
    monkeypatch.setattr(embed_question, "TIMEOUT", PATIENCE)
    monkeypatch.setattr("careline.turn.question.understood.PATIENCE", PATIENCE)


async def told(home: Path, *questions: str) -> list[str]:
    """What is said aloud to each question of one conversation."""
    conversation, said = None, []
    with installed(home) as installation:
        for question in questions:
            query = wire.QueryRequest(text=question, channel="voice", language="nl", conversation_id=conversation)
            turn = pipeline.run(query, installation, installation.engines.new_id())
            answer = [event.answer async for event in turn if isinstance(event, wire.Done)][-1]
            conversation = answer.conversation_id
            said.append(answer.spoken or answer.text)
    return said


async def test_a_doctor_who_is_named_is_told_of(demo_home: Path) -> None:
    (said,) = await told(demo_home, "Vertel me meer over dokter El Ouassi.")
    assert "Karim El Ouassi" in said


async def test_when_he_works_is_asked_of_the_doctor_before(demo_home: Path) -> None:
    said = await told(demo_home, "Vertel me meer over dokter El Ouassi.", "Wanneer werkt hij?")
    assert "raadpleging op dinsdagvoormiddag" in said[-1]


async def test_the_doctors_of_a_department_are_named(demo_home: Path) -> None:
    (said,) = await told(demo_home, "Welke artsen werken er op de dienst cardiologie?")
    assert "Hilde Van den Abbeele" in said
