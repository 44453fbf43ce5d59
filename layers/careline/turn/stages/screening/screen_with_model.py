"""Lets a language model look at an utterance that nothing else stopped, where the installation has one for it.

It may only add an emergency or a refusal. When it is late, wrong or down, the turn goes on without it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import BaseModel, ConfigDict

from careline.errors import ModelUnavailable
from careline.installation import Installation
from careline.safety.terminal import Terminal, TerminalVerdict
from careline.turn.endings.end_by_verdict import awaits_model, ended
from careline.turn.endings.fails_closed import fails_closed
from careline.turn.turn import EgressRecord, Turn

TIMEOUT = 0.1
"""Seconds, from the orchestration design's budget for safety filters."""
SITE = "screen_with_model"


class ModelVerdict(BaseModel):
    """What the model is asked for."""

    model_config = ConfigDict(extra="forbid")
    verdict: Literal["EMERGENCY", "SAFETY_REFUSAL", "NEITHER"]


@fails_closed
async def screen_with_model(turn: Turn, installation: Installation) -> Turn:
    """The turn, which says what was sent, finished by what the model or a screen before it saw."""
    caller = installation.engines.guardrail
    if caller is None or not awaits_model(turn, installation):
        return turn
    redacted = turn.phi is not None and turn.phi.state == "found"
    before = turn
    turn = replace(turn, sent=(*turn.sent, EgressRecord(caller.name, "cloud", "question to classify", redacted)))
    try:
        seen = await caller.ask(SITE, turn.pack.screen_prompt, turn.without_phi, ModelVerdict, TIMEOUT)
    except ModelUnavailable as error:
        return ended(turn if error.was_asked else before)
    if seen.verdict == "NEITHER" or not turn.pack.terminal.may_add(Terminal(seen.verdict)):
        return ended(turn)
    terminal = Terminal(seen.verdict)
    return ended(replace(turn, terminal=TerminalVerdict(terminal, (f"{SITE}/{terminal}",), turn.language)))
