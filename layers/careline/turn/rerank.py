"""Chooses the passages an answer may lean on, and says when there are none.

No cosine alone tells what the corpus does not hold. What does, together: how far a passage's cosine lies above that of
the corpus on average, and how many of the question's informative words it holds; the limits stand in the pack.
"""

from __future__ import annotations

from dataclasses import replace

from careline.installation import Installation
from careline.model import Disposition, Hit
from careline.ports import Source
from careline.search.choose_passages import choose_passages
from careline.turn.turn import Turn

COVERAGE_WORTH = 0.05
"""Lift that a passage with all of the question's words need not have."""


async def rerank(turn: Turn, installation: Installation) -> Turn:
    """The turn with its numbered sources; finished when there is no evidence."""
    hits = choose_passages(turn.hits, turn.question, turn.language, turn.pack.evidence.passages_per_answer)
    if not any(is_evidence(hit, turn) for hit in hits):
        if turn.terminal is not None and turn.terminal.supposed_off_topic:
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
