"""Chooses the passages an answer may lean on, and says when there are none.

No cosine alone tells what the corpus does not hold, so a passage counts as evidence when it is close in meaning or
covers the question's informative words; the limits stand in the pack.
"""

from __future__ import annotations

from dataclasses import replace

from careline.model import Disposition, Hit
from careline.ports import Source
from careline.search.deduplicate import without_near_duplicates
from careline.turn.turn import Installation, Turn

LEAST_SCORE = 0.3
"""Fused scores below this are dropped (spec T10)."""
SAME_LANGUAGE = 0.75
"""A passage in the question's language is preferred when it scores at least this share of the best."""
PASSAGES_OF_ONE_DOCUMENT = 3


async def rank(turn: Turn, installation: Installation) -> Turn:
    """The turn with its numbered sources; finished when there is no evidence."""
    hits = [hit for hit in turn.hits if hit.score >= LEAST_SCORE]
    hits = without_near_duplicates(own_language_first(hits, turn.language))
    hits = grouped_by_document(hits)[: turn.pack.passages_per_answer]
    if not any(is_evidence(hit, turn) for hit in hits):
        return turn.finish(Disposition.ESCALATED, "NO_EVIDENCE", "unknown")
    sources = tuple(
        Source(number, hit.passage.facts.title, hit.passage.facts.language, hit) for number, hit in enumerate(hits, 1)
    )
    return replace(turn, sources=sources)


def is_evidence(hit: Hit, turn: Turn) -> bool:
    """Whether a passage can carry an answer by itself."""
    pack = turn.pack
    if hit.similarity == 0.0:
        return hit.coverage >= pack.min_coverage_alone
    return hit.similarity >= pack.min_similarity_alone or (
        hit.similarity >= pack.min_similarity and hit.coverage >= pack.min_coverage
    )


def own_language_first(hits: list[Hit], language: str) -> list[Hit]:
    """The hits with those of the question's language in front, as far as they are nearly as good as the best."""
    best = max((hit.score for hit in hits), default=0.0)
    return sorted(
        hits, key=lambda hit: (-(hit.passage.facts.language == language and hit.score >= SAME_LANGUAGE * best), -hit.score)
    )


def grouped_by_document(hits: list[Hit]) -> list[Hit]:
    """The hits by document, best document first, at most three passages of each, in the order they were ranked."""
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.passage.doc_key, []).append(hit)
    return [hit for group in groups.values() for hit in group[:PASSAGES_OF_ONE_DOCUMENT]]
