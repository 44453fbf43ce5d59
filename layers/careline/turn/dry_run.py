"""Decides what a question by itself would be answered with, though nobody asks it: nothing of it is recorded or sent to
a language model."""

from __future__ import annotations

from careline.errors import IndexUnavailable
from careline.installation import Installation
from careline.schemas import wire
from careline.turn.endings.end_by_verdict import ended
from careline.turn.stages.admit import admit
from careline.turn.stages.in_order import ANSWERS, SCREENS, SEARCH
from careline.turn.turn import Turn


async def dry_run(request: wire.QueryRequest, installation: Installation) -> Turn:
    """The turn that the request would begin, as it is before it speaks: finished, by the directory too, or with its
    sources.

    Raises: BadRequest, NotAllowed, TableUnavailable; IndexUnavailable where something is missing that a turn does
    without, as another time it would be answered otherwise.
    """
    turn = await admit(request, "dry-run", installation)
    for stage in SCREENS:
        turn = turn if turn.is_decided else await stage(turn, installation)
    # No model is waited for that might add something to what the screens saw.
    turn = turn if turn.is_decided else ended(turn)
    for stage in (*ANSWERS, *SEARCH):
        turn = turn if turn.is_decided else await stage(turn, installation)
    if turn.warnings:
        missing = ", ".join(warning.code for warning in turn.warnings)
        raise IndexUnavailable(f"the documents could not be searched as they are for a turn: {missing}")
    return turn
