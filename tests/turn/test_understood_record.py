"""What was understood of a question is recorded whole, and told by `careline explain`: no word of it is personal."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from careline.conversation import question
from careline.installation import Installation
from careline.model import Conversation, Message
from careline.packs.routing import PhiState
from careline.telemetry.explain import explain
from careline.turn.kept_standalone import kept_standalone
from careline.turn.pipeline import answered
from careline.turn.record import record
from careline.turn.speak.answer_accumulator import AnswerAccumulator
from careline.turn.speak.screen_output import reviewed
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.turn import Turn
from careline.understanding.question import Entity, Intent
from careline.understanding.terms.expansions import Expansion
from careline_local.cli.oversight.explain import page
from tests.fakes import KEY, NOW, FakeDetector
from tests.turn.turns import TENANT, a_turn, an_installation, packs

READ = "Wanneer mag Godelieve Maes bezoek krijgen op Cardiologie?"
UNDERSTOOD = Intent(
    "visiting_hours", 0.74, "", (Entity("department", "hart", ("heart",)), Entity("day", "vandaag")), READ,
    is_followup=True, history_turns=2, specialties=("cardiology",),
    expansions=(Expansion("VKF", "voorkamerfibrillatie", 0, 3),), by="model",
)  # fmt: skip


async def a_turn_understood(installation: Installation, **chosen: Any) -> Turn:
    """A turn whose question leans on one that gave a name."""
    before = (Message("user", "mijn moeder Godelieve Maes ligt op cardiologie", NOW),)
    turn = a_turn("en wanneer mag ze bezoek", conversation=Conversation("talk", TENANT, before), **chosen)
    return replace(await detect_phi(turn, installation), intent=UNDERSTOOD)


async def recorded(installation: Installation, turn: Turn) -> dict[str, Any]:
    """The record of a turn as it is kept."""
    said = AnswerAccumulator()
    said.parts, said.language = [reviewed(turn.pack, "unknown", "nl", turn)], "nl"
    await record(turn, said, answered(turn, said), installation)
    (entry,) = installation.engines.outbox.waiting  # type: ignore[attr-defined]
    kept: dict[str, Any] = entry.body["turn"]
    return kept


async def test_every_part_of_what_was_understood_is_recorded_and_explained() -> None:
    installation = an_installation(detector=FakeDetector("Godelieve Maes"))
    kept = await recorded(installation, await a_turn_understood(installation))
    assert (kept["intent"], kept["understood"]) == (
        "visiting_hours",
        {
            "sub_intent": "", "confidence": 0.74, "by": "model",
            "entities": [{"kind": "department", "ids": ["heart"], "origin": "question"}],
            "is_followup": True, "history_turns": 2, "specialties": ["cardiology"],
            "expansions": ["VKF (voorkamerfibrillatie)"],
        },
    )  # fmt: skip
    told = explain(question.shown(kept, TENANT, KEY), packs())
    assert told["standalone_redacted"] == "Wanneer mag [PERSON_1] bezoek krijgen op Cardiologie?"
    lines = dict(page(told))["What was understood"]
    assert lines == [
        "visiting_hours, confidence 0.74 by a language model; goes on from what was asked before, 2 before it",
        "read as: Wanneer mag [PERSON_1] bezoek krijgen op Cardiologie?",
        "department: heart (question)",
        "specialties: cardiology",
        "abbreviations: VKF (voorkamerfibrillatie)",
    ]


async def test_the_question_as_it_was_read_is_encrypted_and_its_names_are_tokens() -> None:
    installation = an_installation(detector=FakeDetector("Godelieve Maes"))
    kept = await recorded(installation, await a_turn_understood(installation))
    assert "bezoek krijgen" not in json.dumps(kept)
    shown = question.shown(kept, TENANT, KEY)
    assert "Godelieve" not in json.dumps(shown)


async def test_a_name_that_is_found_in_its_own_message_alone_is_a_token_where_it_is_read_again() -> None:
    class KnowsIntroductions(FakeDetector):
        """Finds a name behind "mijn moeder" and nowhere else."""

        def find(self, text: str, language: str | None, staff: Any = ()) -> Any:
            return super().find(text, language, staff) if "moeder" in text else []

    installation = an_installation(detector=KnowsIntroductions("Godelieve Maes"))
    turn = await a_turn_understood(installation)
    assert kept_standalone(turn, installation) == "Wanneer mag [PERSON_1] bezoek krijgen op Cardiologie?"


@pytest.mark.parametrize("state", ["assumed", "off"])
async def test_where_nobody_looked_for_personal_data_it_is_not_kept(state: PhiState) -> None:
    installation = an_installation()
    turn = await a_turn_understood(installation)
    assert turn.phi is not None
    kept = await recorded(installation, replace(turn, phi=replace(turn.phi, state=state)))
    assert kept[question.STANDALONE_ENCRYPTED] is None
    assert question.shown(kept, TENANT, KEY)["standalone_redacted"] is None


async def test_where_looking_through_it_fails_it_is_not_kept() -> None:
    installation = an_installation()
    turn = await a_turn_understood(installation)
    broken = an_installation(detector=FakeDetector(error=RuntimeError("broken")))
    assert kept_standalone(turn, broken) is None


def test_a_record_from_before_lacks_it_and_is_explained_all_the_same() -> None:
    understood = {
        "sub_intent": "", "confidence": 0.5, "entities": [], "is_followup": False, "history_turns": 0,
        "specialties": [], "expansions": [],
    }  # fmt: skip
    told = explain({"turn_id": "t", "intent": "tariff", "understood": understood, "pack": "hospital_line"}, packs())
    assert told["standalone_redacted"] is None
    told |= {"channel": "chat", "language": "nl", "disposition": "answered", "began_at": NOW.isoformat()}
    assert dict(page(told))["What was understood"] == [
        "tariff, confidence 0.50; stands by itself, 0 before it",
    ]
