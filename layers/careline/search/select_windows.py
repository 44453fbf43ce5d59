"""Selects the windows of what was found that the reader reads: near in meaning, or with the question's words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from careline.model import Chunk, Hit
from careline.search.corpus_means import CORRECTED
from careline.search.passage_windows import PassageWindow, in_context, windows_of
from careline.search.words import code_of, terms

MEANING, WORDS, PASSAGE = 0.6, 0.2, 0.2
"""Shares of a window's closeness in meaning, of the question's words in it, and of the score of its passage."""
OF_ONE_PASSAGE = 5
"""Windows of one passage that are read at most."""


@dataclass(frozen=True, slots=True)
class CandidateWindow:
    """A window of a hit: its place among those of its passage, and what the search makes of it, 0 to 1."""

    hit: Hit
    number: int
    window: PassageWindow
    worth: float = 0.0

    @property
    def context(self) -> str:
        """What it stands under."""
        return in_context(self.hit.passage.facts.title, self.window.heading)


def select_windows(hits: Sequence[Hit], question: str, limit: int) -> list[CandidateWindow]:
    """At most `limit` windows, the most promising first."""
    found = [
        CandidateWindow(hit, number, window)
        for hit in hits
        for number, window in enumerate(cut(hit.passage.chunk, hit.passage.facts.language))
    ]
    worth = _worth(found, question)
    taken: Counter[str] = Counter()
    chosen: list[CandidateWindow] = []
    for n in sorted(range(len(found)), key=lambda n: -worth[n]):
        name = found[n].hit.passage.chunk_id
        if taken[name] < OF_ONE_PASSAGE:
            taken[name] += 1
            chosen.append(replace(found[n], worth=worth[n]))
        if len(chosen) == limit:
            break
    return chosen


@lru_cache(maxsize=2_000)
def cut(chunk: Chunk, language: str) -> tuple[PassageWindow, ...]:
    """The windows of a passage, kept: the same passages are found again and again."""
    return windows_of(chunk, language)


def _worth(found: Sequence[CandidateWindow], question: str) -> list[float]:
    words = _word_shares(found, question)
    cosines = [_cosine(one) for one in found]
    known = [cosine for cosine in cosines if cosine is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    return [
        WORDS * share
        + PASSAGE * one.hit.score
        + MEANING * (0.0 if cosine is None else (cosine - low) / max(high - low, 1e-6))
        for one, share, cosine in zip(found, words, cosines, strict=True)
    ]


def _cosine(one: CandidateWindow) -> float | None:
    """How near a window is, less most of what its language is near by itself."""
    if one.number >= len(one.hit.windows):
        return None
    ordinary = one.hit.similarity - one.hit.relative_similarity
    return one.hit.windows[one.number] - CORRECTED * ordinary


def _word_shares(found: Sequence[CandidateWindow], question: str) -> list[float]:
    """The share of the question's informative words in each window and above it; words that most have count little."""
    asked = {code: frozenset(terms(question, code)) for code in {_language(one) for one in found}}
    held = [_words(one.context, one.window.text, _language(one)) & asked[_language(one)] for one in found]
    having = Counter(word for words in held for word in words)
    weight = {word: math.log(1 + len(found) / count) for word, count in having.items()}
    sums = [sum(weight[word] for word in words) for words in held]
    best = max(sums, default=0.0)
    return [one / best if best else 0.0 for one in sums]


def _language(one: CandidateWindow) -> str:
    return code_of(one.hit.passage.facts.language)


@lru_cache(maxsize=20_000)
def _words(context: str, text: str, language: str) -> frozenset[str]:
    return frozenset(terms(f"{context} {text}", language))
