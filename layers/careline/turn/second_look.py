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
from careline.turn.turn import EgressRecord, Turn

TIMEOUT = 0.1
"""Seconds, from the orchestration design's budget for safety filters."""
SITE = "second_look"


class Look(BaseModel):
    """What the model is asked for."""

    model_config = ConfigDict(extra="forbid")
    verdict: Literal["EMERGENCY", "SAFETY_REFUSAL", "NEITHER"]


async def second_look(turn: Turn, verdict: TerminalVerdict, installation: Installation) -> tuple[Turn, TerminalVerdict]:
    """The turn, which says what was sent, and the verdict, raised by what the model saw."""
    caller = installation.engines.second_look
    if caller is None or verdict.terminal is not Terminal.FALLTHROUGH or not _may_be_sent(turn, installation):
        return turn, verdict
    redacted = turn.phi is not None and turn.phi.state == "found"
    turn = replace(turn, sent=(*turn.sent, EgressRecord(caller.name, "cloud", "question to classify", redacted)))
    try:
        look = await caller.ask(SITE, turn.pack.screen_prompt, turn.without_phi, Look, TIMEOUT)
    except ModelUnavailable:
        return turn, verdict
    if look.verdict == "NEITHER":
        return turn, verdict
    terminal = Terminal(look.verdict)
    if not turn.pack.terminal.may_add(terminal):
        return turn, verdict
    return turn, TerminalVerdict(terminal, (f"{SITE}/{terminal}",), turn.language)


def _may_be_sent(turn: Turn, installation: Installation) -> bool:
    """What nobody could look through for personal data stays here, and everything where nothing may leave."""
    return installation.settings.mode != "local_only" and turn.phi is not None and turn.phi.state != "assumed"
