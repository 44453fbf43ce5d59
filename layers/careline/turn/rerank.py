"""Chooses the passages an answer may lean on, and says when there are none.

No cosine alone tells what the corpus does not hold. What does, together: how far a passage's cosine lies above that of
the corpus on average, and how many of the question's informative words it holds; the limits stand in the pack.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.installation import Installation
from careline.model import Disposition, Hit
from careline.ports import Source
from careline.search.answer_kind import answer_kinds, holds
from careline.search.deduplicate import without_near_duplicates
from careline.turn.screen_input import supposed_off_topic
from careline.turn.turn import Turn

LEAST_SCORE = 0.3
"""Fused scores below this are dropped."""
SAME_LANGUAGE = 0.8
"""A document in the question's language is preferred when it scores at least this share of the best."""
PASSAGES_OF_ONE_DOCUMENT = 3
FURTHER_PASSAGES = 0.5
"""What a document's second and third passage add to the score of its first."""
RIGHT_KIND = 0.2
"""What a passage gains within its document when it holds the kind of thing that is asked for."""
COVERAGE_WORTH = 0.05
"""Lift that a passage with all of the question's words need not have."""


async def rerank(turn: Turn, installation: Installation) -> Turn:
    """The turn with its numbered sources; finished when there is no evidence."""
    hits = without_near_duplicates(hit for hit in turn.hits if hit.score >= LEAST_SCORE)
    hits = by_document(hits, turn.language, answer_kinds(turn.question))[: turn.pack.evidence.passages_per_answer]
    if not any(is_evidence(hit, turn) for hit in hits):
        if turn.terminal is not None and supposed_off_topic(turn.terminal):
            return turn.finish(Disposition.REFUSED, "OFF_TOPIC_PERSONAL", "off_topic", rules=turn.terminal.reasons)
        return turn.finish(Disposition.ESCALATED, "NO_EVIDENCE", "unknown")
    sources = tuple(
        Source(number, hit.passage.facts.title, hit.passage.facts.language, hit) for number, hit in enumerate(hits, 1)
    )
    return replace(turn, sources=sources)


def is_evidence(hit: Hit, turn: Turn) -> bool:
    """Whether a passage can carry an answer by itself."""
    if hit.similarity == 0.0:
        return hit.coverage >= turn.pack.evidence.min_coverage
    return hit.relative_similarity + COVERAGE_WORTH * hit.coverage >= turn.pack.evidence.min_relative_similarity


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
