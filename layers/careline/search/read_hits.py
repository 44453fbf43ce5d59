"""Orders the hits of a search without an answer by what the reader makes of their windows, as a turn orders passages.

A vector says what a passage is near to; whether it answers is seen by reading both together (decision 0021).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from careline.model import Hit
from careline.ports import Reader
from careline.search.read_windows import ReadHit, read_windows
from careline.search.relevance import RelevanceFit

FOUND = 20
"""Hits that are found at least, of which the reader reads the most promising windows."""
SPREAD = 4.0
"""Logits of relevance by which a score between 0 and 1 moves as the logistic function does by one."""


async def read_hits(reader: Reader, hits: Sequence[Hit], question: str, language: str, fit: RelevanceFit) -> list[Hit]:
    """The hits, best first; those of which nothing was read stay behind, in their order.

    `fit` is that of the embedding model. A `score` falls with the order and is comparable within one search only.
    Raises: ReaderUnavailable.
    """
    ordered = await read_windows(reader, hits, question, language, fit=fit)
    read = [replace(one.hit, score=_logistic(one.relevance)) for one in ordered if one.read]
    least = min((hit.score for hit in read), default=1.0)
    return [*read, *(replace(hit, score=hit.score * least) for hit in _unread(ordered, hits))]


def _unread(ordered: Sequence[ReadHit], hits: Sequence[Hit]) -> list[Hit]:
    unread = {one.hit.passage.chunk_id for one in ordered if not one.read}
    return [hit for hit in hits if hit.passage.chunk_id in unread]


def _logistic(relevance: float) -> float:
    return 1 / (1 + math.exp(-relevance / SPREAD))
