"""Recognises passages that say the same, so that an answer does not lean on one text twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from careline.model import Hit

SAME = 0.8
"""Jaccard similarity of three-word runs from which two passages count as one (Broder, 1997, uses the same measure)."""
RUN = 3
_WORD = re.compile(r"\w+")


def without_near_duplicates(hits: Iterable[Hit]) -> list[Hit]:
    """The hits in order, without those whose text nearly repeats an earlier one."""
    kept: list[tuple[Hit, frozenset[tuple[str, ...]]]] = []
    for hit in hits:
        runs = _runs(hit.passage.chunk.text)
        if not any(_alike(runs, earlier) for _, earlier in kept):
            kept.append((hit, runs))
    return [hit for hit, _ in kept]


def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = _WORD.findall(text.lower())
    return frozenset(zip(*(words[at:] for at in range(RUN)), strict=False)) or frozenset([tuple(words)])


def _alike(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    fewer, more = sorted((len(one), len(other)))
    if fewer < SAME * more:
        return False
    shared = len(one & other)
    return shared >= SAME * (fewer + more - shared)
