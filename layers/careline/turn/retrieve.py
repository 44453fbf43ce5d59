"""Searches the documents for what was asked. An index that fails ends the turn with an offer of a person."""

from __future__ import annotations

import logging
from dataclasses import replace

from careline.errors import EngineUnavailable
from careline.installation import Installation
from careline.model import Disposition
from careline.turn.turn import Turn

logger = logging.getLogger(__name__)
KNOWLEDGE_BASE = "knowledge_base"
CANDIDATES = 20
"""Passages that go to ranking."""


async def retrieve(turn: Turn, installation: Installation) -> Turn:
    """The turn with what was found; finished when nothing could be searched at all."""
    turn = replace(turn, searched=(KNOWLEDGE_BASE,))
    try:
        hits = await installation.retrieval.find(
            turn.search_text,
            turn.vector,
            language=turn.language,
            limit=CANDIDATES,
            today=turn.began_at.date(),
            filters={"audience": ("public",) if turn.supposed_advice else turn.pack.audiences_searched},
        )
    except EngineUnavailable as error:
        logger.error("the documents could not be searched", extra={"code": error.code, "reason": error.message})
        turn = turn.warn("INDEX_UNAVAILABLE", "The hospital's documents could not be searched.")
        return turn.finish(Disposition.FAILED, "INDEX_UNAVAILABLE", "model_down")
    return replace(turn, hits=tuple(hits))
