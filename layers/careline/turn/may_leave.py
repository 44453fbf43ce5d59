"""Says whether a turn's words may be sent to a model outside the trust boundary."""

from __future__ import annotations

from careline.installation import Installation
from careline.turn.turn import Turn


def may_leave(turn: Turn, installation: Installation) -> bool:
    """Whether the words without personal data may be sent: not what nobody could look through, and nothing where all
    stays within the trust boundary."""
    return installation.settings.routing.mode != "local_only" and turn.phi is not None and turn.phi.state != "assumed"
