"""The optional look by a language model: it may add, never remove, and nobody waits for it."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from careline.errors import AnswerMisshapen, CarelineError, ModelUnavailable
from careline.privacy.redaction.redact import Vault
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.turn.second_look import second_look
from careline.turn.turn import PersonalData
from tests.turn.turns import a_turn, an_installation, packs

NOTHING = TerminalVerdict(Terminal.FALLTHROUGH)


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


async def looked(looker: Looker, *, verdict: TerminalVerdict = NOTHING, state: str = "clear", **chosen: Any) -> Any:
    settings = {"settings": chosen.pop("settings")} if "settings" in chosen else {}
    installation = an_installation(**settings, second_look=looker)
    phi = PersonalData(state, Vault(installation.engines.key), "[PERSON_1] vraagt iets")  # type: ignore[arg-type]
    return await second_look(a_turn("Jan vraagt iets", phi=phi, **chosen), verdict, installation)


@pytest.mark.parametrize("seen", ["EMERGENCY", "SAFETY_REFUSAL"])
async def test_what_it_sees_is_added_and_named_as_the_reason(seen: str) -> None:
    _, verdict = await looked(Looker(seen))
    assert (verdict.terminal, verdict.reasons) == (Terminal(seen), (f"second_look/{seen}",))


async def test_it_is_not_asked_about_what_was_found_before() -> None:
    looker = Looker("NEITHER")
    found = TerminalVerdict(Terminal.SAFETY_REFUSAL, ("nl/SAFETY_REFUSAL/x",), "nl")
    _, verdict = await looked(looker, verdict=found)
    assert (verdict, looker.shown) == (found, [])


@pytest.mark.parametrize("error", [ModelUnavailable("late"), AnswerMisshapen("no shape")])
async def test_when_it_fails_the_turn_goes_on_without_it(error: CarelineError) -> None:
    _, verdict = await looked(Looker(error))
    assert verdict == NOTHING


async def test_it_sees_typed_tokens_and_the_record_says_what_left() -> None:
    looker = Looker("NEITHER")
    turn, _ = await looked(looker, state="found")
    assert looker.shown == ["[PERSON_1] vraagt iets"]
    assert [(one.to, one.where, one.redacted) for one in turn.sent] == [("looker", "cloud", True)]


async def test_nothing_is_sent_when_nobody_could_look_for_personal_data_or_nothing_may_leave() -> None:
    looker = Looker("EMERGENCY")
    assert (await looked(looker, state="assumed"))[1] == NOTHING
    assert (await looked(looker, settings={"mode": "local_only"}))[1] == NOTHING
    assert looker.shown == []


async def test_a_clinician_is_not_refused_by_it() -> None:
    clinical = packs()["clinical_assistant"]
    _, refused = await looked(Looker("SAFETY_REFUSAL"), pack=clinical)
    _, danger = await looked(Looker("EMERGENCY"), pack=clinical)
    assert (refused.terminal, danger.terminal) == (Terminal.FALLTHROUGH, Terminal.EMERGENCY)
