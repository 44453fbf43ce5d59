"""Fuses the keyword ranking and the dense ranking of one search into one score between 0 and 1.

Keyword scores are divided by their maximum. Cosines of multilingual-e5 bunch between 0.7 and 0.9, so they are stretched
between the query's own mean over the corpus and its best: (cos - mean) / (max - mean). Half and half beat reciprocal
rank fusion on 16,000 answered health questions of MedQuAD; `careline bench answers` measures the whole on the demo.
When the best keyword hit holds only part of the question's informative words, keywords are trusted by that part: a
French question must not lose its Dutch answer to a French page that shares one common word with it.
"""

from __future__ import annotations

from collections.abc import Sequence

from careline.model import Hit

KEYWORD_SHARE = 0.5
LEAST = -2.0
"""Less than any cosine, for what the dense side did not find."""


def fuse(
    keyword: Sequence[tuple[str, float]],
    dense: Sequence[tuple[str, float]],
    mean_similarity: float,
    trust: float = 1.0,
) -> list[tuple[str, float]]:
    """Best first, every id of either ranking once; of those with one score, as the many that are worth nothing, the
    nearest first.

    `keyword` holds BM25 scores (positive), `dense` cosines, `mean_similarity` the question's mean cosine over the
    corpus, `trust` (0 to 1) how much of the question the best keyword hit covers. With one side empty the other
    decides alone.
    """
    share = KEYWORD_SHARE * trust if dense else 1.0
    if not keyword:
        share = 0.0
    best_keyword = max((score for _, score in keyword), default=1.0) or 1.0
    best_dense = max((cosine for _, cosine in dense), default=1.0)
    span = max(best_dense - mean_similarity, 1e-6)
    scores: dict[str, float] = {}
    for found, score in keyword:
        scores[found] = share * score / best_keyword
    for found, cosine in dense:
        stretched = min(max((cosine - mean_similarity) / span, 0.0), 1.0)
        scores[found] = scores.get(found, 0.0) + (1 - share) * stretched
    cosines = dict(dense)
    return sorted(scores.items(), key=lambda pair: (-pair[1], -cosines.get(pair[0], LEAST), pair[0]))


def best_first(hits: Sequence[Hit]) -> list[Hit]:
    """The hits of one search, in the same order in every index: those that are as good and as near by their names."""
    return sorted(hits, key=lambda hit: (-hit.score, -hit.similarity, hit.passage.doc_key, hit.passage.chunk.ordinal))
