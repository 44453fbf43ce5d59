"""Searches the documents for what was asked. An index that fails ends the turn with an offer of a person."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from careline.errors import EngineUnavailable
from careline.installation import Installation
from careline.model import Disposition, Hit
from careline.search.select_windows import Topic
from careline.search.topic import beside, topic_documents
from careline.turn.find_passages import find_passages
from careline.turn.turn import Turn

logger = logging.getLogger(__name__)
KNOWLEDGE_BASE = "knowledge_base"
CANDIDATES = 20
"""Passages that go to ranking."""
OF_TOPIC = 6
"""Passages of the documents that the conversation is about, which go to ranking too."""


async def retrieve(turn: Turn, installation: Installation) -> Turn:
    """The turn with what was found; finished when nothing could be searched at all."""
    turn = replace(turn, searched=(KNOWLEDGE_BASE,))
    try:
        if not turn.topic:
            return replace(turn, hits=tuple(await _asked(turn, installation)))
        return await _with_topic(turn, installation)
    except EngineUnavailable as error:
        logger.error("the documents could not be searched", extra={"code": error.code, "reason": error.message})
        turn = turn.warn("INDEX_UNAVAILABLE", "The hospital's documents could not be searched.")
        return turn.finish(Disposition.FAILED, "INDEX_UNAVAILABLE", "model_down")


async def _with_topic(turn: Turn, installation: Installation) -> Turn:
    """The turn with what was found for the question in all documents and in those that the conversation is about."""
    hits, of_topic = await asyncio.gather(
        _asked(turn, installation),
        find_passages(turn.topic, turn.topic_vector, turn, installation, CANDIDATES),
    )
    documents = topic_documents(of_topic, turn.topic, turn.language)
    if not documents:
        return replace(turn, hits=tuple(hits))
    more = await _asked(turn, installation, OF_TOPIC, document_id=tuple(documents))
    return replace(turn, hits=tuple(hits), topic_found=Topic(documents, beside(hits, more)))


async def _asked(
    turn: Turn, installation: Installation, limit: int = CANDIDATES, **only: tuple[str | int, ...]
) -> Sequence[Hit]:
    """The best passages for what the turn asks."""
    return await find_passages(turn.search_text, turn.vector, turn, installation, limit, **only)
