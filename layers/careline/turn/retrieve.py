"""Asks every source at once. A source that fails is named in a warning and never ends the turn."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import replace

from careline.errors import EmbedderUnavailable, EngineUnavailable, IndexUnavailable
from careline.installation import Installation
from careline.model import Disposition, Hit
from careline.ports import PassageQuery, Vector
from careline.turn.turn import EgressRecord, Turn

logger = logging.getLogger(__name__)
KNOWLEDGE_BASE = "knowledge_base"
PAUSE_BEFORE_RETRY = 0.2
CANDIDATES = 20
"""Passages that go to ranking."""


async def retrieve(turn: Turn, installation: Installation) -> Turn:
    """The turn with what was found; finished when nothing could be searched at all."""
    turn, vector = await _vector(turn, installation)
    turn = replace(turn, vector=vector, searched=(KNOWLEDGE_BASE,))
    query = PassageQuery(
        tenant=turn.tenant.tenant_id,
        text=turn.search_text,
        vector=vector,
        language=turn.language,
        limit=CANDIDATES,
        where={"audience": tuple(one for one in turn.pack.audiences_searched if installation.asker.may_see(one))},
        today=turn.began_at.date(),
        timeout_seconds=installation.settings.source_seconds,
    )
    try:
        hits = await _once_more(query, installation)
    except EngineUnavailable as error:
        logger.error("the documents could not be searched", extra={"code": error.code, "reason": error.message})
        turn = turn.warn("INDEX_UNAVAILABLE", "The hospital's documents could not be searched.")
        return turn.finish(Disposition.FAILED, "INDEX_UNAVAILABLE", "model_down")
    return replace(turn, hits=tuple(hits))


async def _vector(turn: Turn, installation: Installation) -> tuple[Turn, Vector | None]:
    embedder = installation.engines.embedder
    if embedder.is_external and turn.phi is not None and turn.phi.state == "assumed":
        return turn.warn(
            "KEYWORDS_ONLY", "The question stays in the house; only exact words could be searched for."
        ), None
    if turn.question_vector is not None and turn.search_text == turn.question:
        # The screens have looked at the same words through the same model.
        return turn, turn.question_vector
    try:
        vector = await embedder.embed_query(turn.search_text)
        if embedder.is_external:
            redacted = turn.phi is not None and turn.phi.state == "found"
            turn = replace(turn, sent=(*turn.sent, EgressRecord(embedder.name, "cloud", "search text", redacted)))
        return turn, vector
    except EmbedderUnavailable:
        return turn.warn(
            "KEYWORDS_ONLY", "Only exact words could be searched for; the answer may miss documents."
        ), None


async def _once_more(query: PassageQuery, installation: Installation) -> Sequence[Hit]:
    try:
        return await installation.engines.index.find(query)
    except IndexUnavailable:
        await asyncio.sleep(PAUSE_BEFORE_RETRY)
        return await installation.engines.index.find(query)
