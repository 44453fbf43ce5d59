"""The optional look by a language model: it may add, never remove, and nobody waits for it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from careline.errors import AnswerMisshapen, CarelineError, ModelUnavailable
from careline.privacy.redaction.redact import Vault
from careline.safety.injection.attempts import InjectionVerdict
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.turn.outcome import Reply, Written
from careline.turn.stages.screening.screen_with_model import screen_with_model
from careline.turn.turn import PersonalData, Turn
from tests.turn.turns import a_turn, an_installation, packs

NOTHING = TerminalVerdict(Terminal.FALLTHROUGH)
HARMLESS = InjectionVerdict(False, ())


class Looker:
    """Answers what it is told to, and remembers what it was shown."""

    name = "looker"

    def __init__(self, verdict: str | CarelineError) -> None:
        self.verdict, self.shown = verdict, list[str]()

    async def ask(self, site: str, instructions: str, text: str, shape: type[BaseModel], seconds: float) -> Any:
        self.shown.append(text)
        if isinstance(self.verdict, CarelineError):
            raise self.verdict
        return shape.model_validate({"verdict": self.verdict})


async def looked(
    looker: Looker,
    *,
    verdict: TerminalVerdict = NOTHING,
    injection: InjectionVerdict = HARMLESS,
    state: str = "clear",
    **chosen: Any,
) -> Turn:
    settings = {"settings": chosen.pop("settings")} if "settings" in chosen else {}
    installation = an_installation(**settings, guardrail=looker)
    phi = PersonalData(state, Vault(installation.engines.key), "[PERSON_1] vraagt iets")  # type: ignore[arg-type]
    turn = a_turn("Jan vraagt iets", phi=phi, terminal=verdict, injection=injection, **chosen)
    return await screen_with_model(turn, installation)


@pytest.mark.parametrize("seen", ["EMERGENCY", "SAFETY_REFUSAL"])
async def test_what_it_sees_is_added_and_named_as_the_reason(seen: str) -> None:
    turn = await looked(Looker(seen))
    assert isinstance(turn.outcome, Reply)
    assert (turn.outcome.reason, turn.outcome.rules) == (seen, (f"screen_with_model/{seen}",))


async def test_it_is_not_asked_about_what_was_found_before() -> None:
    looker = Looker("NEITHER")
    found = TerminalVerdict(Terminal.SAFETY_REFUSAL, ("nl/SAFETY_REFUSAL/x",), "nl")
    turn = await looked(looker, verdict=found)
    assert (turn.terminal, looker.shown) == (found, [])


@pytest.mark.parametrize("error", [ModelUnavailable("late"), AnswerMisshapen("no shape")])
async def test_when_it_fails_the_turn_goes_on_without_it(error: CarelineError) -> None:
    turn = await looked(Looker(error))
    assert (turn.terminal, turn.outcome) == (NOTHING, Written())


async def test_when_it_breaks_the_turn_is_answered_by_nobody() -> None:
    turn = await looked(Looker(CarelineError("a defect")))
    assert isinstance(turn.outcome, Reply)
    assert turn.outcome.reason == "SAFETY_UNAVAILABLE"


@pytest.mark.parametrize(("seen", "reason"), [("EMERGENCY", "EMERGENCY"), ("NEITHER", "INJECTION")])
async def test_an_attempt_on_the_instructions_waits_for_it_since_an_emergency_comes_first(
    seen: str, reason: str
) -> None:
    turn = await looked(Looker(seen), injection=InjectionVerdict(True, ("nl/INJECTION/ignore",)))
    assert isinstance(turn.outcome, Reply)
    assert turn.outcome.reason == reason


async def test_it_sees_typed_tokens_and_the_record_says_what_left() -> None:
    looker = Looker("NEITHER")
    turn = await looked(looker, state="found")
    assert looker.shown == ["[PERSON_1] vraagt iets"]
    assert [(one.to, one.where, one.redacted) for one in turn.sent] == [("looker", "cloud", True)]


async def test_nothing_is_sent_when_nobody_could_look_for_personal_data_or_nothing_may_leave() -> None:
    looker = Looker("EMERGENCY")
    for kept in (
        await looked(looker, state="assumed"),
        await looked(looker, settings={"routing": {"mode": "local_only"}}),
    ):
        assert (kept.terminal, kept.outcome, kept.sent) == (NOTHING, Written(), ())
    assert looker.shown == []


async def test_a_clinician_is_not_refused_by_it() -> None:
    clinical = packs()["clinical_assistant"]
    refused = await looked(Looker("SAFETY_REFUSAL"), pack=clinical)
    danger = await looked(Looker("EMERGENCY"), pack=clinical)
    assert refused.outcome == Written()
    assert isinstance(danger.outcome, Reply)
    assert danger.outcome.reason == "EMERGENCY"
