"""Says of an answer that it was made while much was out of order: quoted from what could still be found."""

from __future__ import annotations

from dataclasses import replace

from careline.circuit.circuits import is_degraded
from careline.installation import Installation
from careline.schemas import wire
from careline.turn.turn import Turn

DEGRADED = wire.Notice(
    code="DEGRADED",
    message="Several parts of this service are out of order. The answer is quoted from what could still be found and "
    "may be incomplete; for anything urgent, call.",
)


def with_notice_of_degradation(turn: Turn, installation: Installation) -> Turn:
    """The turn with this before its other warnings, while two components that answers need are not asked. What was
    answered without a search, such as an emergency, needs none of them."""
    if not turn.searched or not is_degraded(installation.engines.paused()):
        return turn
    return replace(turn, warnings=(DEGRADED, *turn.warnings))
