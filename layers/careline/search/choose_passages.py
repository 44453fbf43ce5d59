"""Chooses of what was found the passages that an answer may be made of: no weak ones, no text twice, by document."""

from __future__ import annotations

from collections.abc import Sequence

from careline.model import Hit
from careline.search.answer_kind import answer_kinds, holds
from careline.search.deduplicate import without_near_duplicates

LEAST_SCORE = 0.3
"""Fused scores below this are dropped."""
SAME_LANGUAGE = 0.8
"""A document in the question's language is preferred when it scores at least this share of the best."""
PASSAGES_OF_ONE_DOCUMENT = 3
FURTHER_PASSAGES = 0.5
"""What a document's second and third passage add to the score of its first."""
RIGHT_KIND = 0.2
"""What a passage gains within its document when it holds the kind of thing that is asked for."""


def choose_passages(hits: Sequence[Hit], question: str, language: str, limit: int) -> list[Hit]:
    """At most `limit` of the hits, best document first, those of the question's language preferred."""
    strong = without_near_duplicates(hit for hit in hits if hit.score >= LEAST_SCORE)
    return by_document(strong, language, answer_kinds(question))[:limit]


def by_document(hits: Sequence[Hit], language: str, kinds: frozenset[str] = frozenset()) -> list[Hit]:
    """The hits by document, best document first, at most three passages of each.

    Of one document, passages that hold what is asked for (an amount, a time) come before others nearly as good.
    """
    groups: dict[str, list[Hit]] = {}
    for hit in hits:
        groups.setdefault(hit.passage.doc_key, []).append(hit)
    scores = {key: document_score(group) for key, group in groups.items()}
    best = max(scores.values(), default=0.0)

    def order(key: str) -> tuple[bool, float]:
        own = groups[key][0].passage.facts.language == language and scores[key] >= SAME_LANGUAGE * best
        return not own, -scores[key]

    def place(hit: Hit) -> float:
        return -hit.score - RIGHT_KIND * holds(hit.passage.chunk.text, kinds)

    chosen = (sorted(groups[key], key=place)[:PASSAGES_OF_ONE_DOCUMENT] for key in sorted(groups, key=order))
    return [hit for group in chosen for hit in group]


def document_score(hits: Sequence[Hit]) -> float:
    """The score of a document: its best passage, and part of the next two."""
    first, *further = [hit.score for hit in hits[:PASSAGES_OF_ONE_DOCUMENT]]
    return first + FURTHER_PASSAGES * sum(further)
