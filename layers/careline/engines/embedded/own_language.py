"""Puts a window of the caller's language before one of another that says the same."""

from __future__ import annotations

import re
from collections.abc import Sequence

from careline.engines.embedded.prose_quotes import WindowRead

NEARLY = 2.0
"""Logits of relevance that it may lie behind."""
SHARED = 0.6
"""Share of the other's figures that it has."""
_FIGURE = re.compile(r"[0-9]+")


def own_language_first(ranked: Sequence[WindowRead], language: str) -> list[WindowRead]:
    """The windows, best first; one in the caller's language leads where the best is in another and its figures stand in
    that one too: the same page, translated."""
    if not ranked or ranked[0].source.language == language:
        return list(ranked)
    best, figures = ranked[0], _figures(ranked[0])
    for one in ranked[1:]:
        is_near = one.read.relevance >= best.read.relevance - NEARLY
        if is_near and one.source.language == language and figures and _shares(one, figures):
            return [one, *(other for other in ranked if other is not one)]
    return list(ranked)


def _shares(one: WindowRead, figures: frozenset[str]) -> bool:
    return len(figures & _figures(one)) >= SHARED * len(figures)


def _figures(one: WindowRead) -> frozenset[str]:
    return frozenset(_FIGURE.findall(one.window.text))
