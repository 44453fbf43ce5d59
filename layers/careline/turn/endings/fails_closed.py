"""What becomes of a turn whose words could not be screened: whatever failed, it is answered by nobody, unless what
still works of the screens takes them for an emergency."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import wraps

from careline.errors import kind_and_place
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.model import Disposition
from careline.safety.terminal import Terminal
from careline.turn.endings.end_by_verdict import answered
from careline.turn.endings.words_alone import words_alone
from careline.turn.turn import Turn

Stage = Callable[[Turn, Installation], Awaitable[Turn]]
log = EventLog(__name__)


def fails_closed(stage: Stage) -> Stage:
    """The stage, which finishes the turn when it breaks instead of letting an unread utterance go on."""

    @wraps(stage)
    async def closed(turn: Turn, installation: Installation) -> Turn:
        try:
            return await stage(turn, installation)
        except Exception as error:
            log.write("utterance_not_screened", **kind_and_place(error))
            words = words_alone(turn.question, turn.language, turn.pack.terminal)
            if words.terminal is Terminal.EMERGENCY:
                return answered(replace(turn, terminal=words), words)
            # An utterance that nobody could read is answered by nobody: whatever failed, the turn ends here.
            failed = turn.warn("SAFETY_UNAVAILABLE", "The question could not be checked and was not answered.")
            return failed.finish(Disposition.FAILED, "SAFETY_UNAVAILABLE", "screen_down")

    return closed
