"""Tells which documents a conversation is about, from which a question that does not say it is answered first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.model import Hit
from careline.search.select_windows import document_worths, select_windows

WINDOWS = 12
"""Windows by which the documents of a topic are told."""
FADES = 0.3
"""How far below the best document, as a share of its worth, another is of the topic no more."""
MOST = 5
"""Documents of a topic."""


def topic_documents(hits: Sequence[Hit], topic: str, language: str) -> dict[str, float]:
    """How much the documents that were found for a topic are of it, up to 1 for the best; others are left out."""
    worths = document_worths(select_windows(hits, topic, language, WINDOWS))
    best = max(worths.values(), default=0.0)
    if best <= 0:
        return {}
    shares = {name: 1 - (best - worth) / (FADES * best) for name, worth in worths.items()}
    ranked = sorted(shares, key=lambda name: -shares[name])[:MOST]
    return {name: shares[name] for name in ranked if shares[name] > 0}


def beside(hits: Sequence[Hit], of_topic: Sequence[Hit]) -> tuple[Hit, ...]:
    """What the documents of a topic have besides what was found: it lay below all of that."""
    known = {hit.passage.chunk_id for hit in hits}
    lowest = min((hit.score for hit in hits), default=1.0)
    more = (hit for hit in of_topic if hit.passage.chunk_id not in known)
    return tuple(replace(hit, score=min(hit.score, lowest)) for hit in more)
