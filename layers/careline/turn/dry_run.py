"""Decides what a question by itself would be answered with, though nobody asks it: nothing of it is recorded or sent to
a language model."""

from __future__ import annotations

from careline.errors import IndexUnavailable
from careline.installation import Installation
from careline.schemas import wire
from careline.turn.endings.end_by_verdict import ended
from careline.turn.stages.admit import admit
from careline.turn.stages.classify_embedding import classify_embedding
from careline.turn.stages.detect_language import detect_language
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.stages.embed_query import embed_query
from careline.turn.stages.embed_question import embed_question
from careline.turn.stages.rerank import rerank
from careline.turn.stages.retrieve import retrieve
from careline.turn.stages.rewrite_query import rewrite_query
from careline.turn.stages.screen_input import screen_input
from careline.turn.turn import Turn

SCREENS = (detect_language, detect_phi, screen_input, embed_question, classify_embedding)
SEARCH = (rewrite_query, embed_query, retrieve, rerank)
"""Those of a turn; of the stages between and behind them a language model is asked or chosen by the first and last."""


async def dry_run(request: wire.QueryRequest, installation: Installation) -> Turn:
    """The turn that the request would begin, as it is before it speaks: finished, or with its sources.

    Raises: BadRequest, NotAllowed, TableUnavailable; IndexUnavailable where something is missing that a turn does
    without, as another time it would be answered otherwise.
    """
    turn = await admit(request, "dry-run", installation)
    for stage in SCREENS:
        turn = turn if turn.is_decided else await stage(turn, installation)
    # No model is waited for that might add something to what the screens saw.
    turn = turn if turn.is_decided else ended(turn)
    for stage in SEARCH:
        turn = turn if turn.is_decided else await stage(turn, installation)
    if turn.warnings:
        missing = ", ".join(warning.code for warning in turn.warnings)
        raise IndexUnavailable(f"the documents could not be searched as they are for a turn: {missing}")
    return turn
