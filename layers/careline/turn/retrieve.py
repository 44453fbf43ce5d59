"""Asks every source at once. A source that fails is named in a warning and never ends the turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from careline.errors import EmbedderUnavailable, EngineUnavailable, IndexUnavailable
from careline.model import Disposition, Hit
from careline.ports import PassageQuery, Vector
from careline.turn.turn import Installation, Turn

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
        where={"audience": tuple(turn.pack.audiences_searched)},
        today=turn.began_at.date(),
        patience=installation.settings.source_seconds,
    )
    try:
        hits = await _once_more(query, installation)
    except EngineUnavailable:
        turn = turn.warn("INDEX_UNAVAILABLE", "The hospital's documents could not be searched.")
        return turn.finish(Disposition.FAILED, "INDEX_UNAVAILABLE", "model_down")
    return replace(turn, hits=tuple(hits))


async def _vector(turn: Turn, installation: Installation) -> tuple[Turn, Vector | None]:
    try:
        return turn, await installation.engines.embedder.embed_query(turn.search_text)
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
