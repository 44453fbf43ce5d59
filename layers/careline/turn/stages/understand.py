"""Says what is wanted: the intent of the question, what it names, and what it goes on from."""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.turn.question.understood import understood
from careline.turn.turn import Turn


async def understand(turn: Turn, installation: Installation) -> Turn:
    """The turn with its intent; `general` where nobody knows it."""
    turn, intent, said = await understood(turn, installation)
    return replace(turn, intent=intent, said=said)
