"""Selects the windows of what was found that the reader reads: near in meaning, or with the question's words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from careline.model import Chunk, Hit
from careline.passages.windows import PassageWindow, in_context, windows_of
from careline.search.corpus_means import CORRECTED
from careline.text.label_words import LabelWord, label_words, question_words

MEANING, WORDS, PASSAGE = 0.5, 0.25, 0.25
"""Shares of a window's closeness in meaning, of the question's words in it, and of the score of its passage."""
OF_ONE_PASSAGE = 5
"""Windows of one passage that are read at most; of a person's answer, whose windows say the same, one."""
UNSAYABLE = 0.5
"""What a word that no window in another language has, and of which no meaning is known, weighs for these windows."""
OF_OWN_LANGUAGE = 3
"""Windows of pages in the question's language that are read at least: a page may tell there what others do."""


@dataclass(frozen=True, slots=True)
class CandidateWindow:
    """A window of a hit and its place among those of its passage.

    What the search makes of it lies between 0 and 1: `meaning`, how near it is among those that were found; `words`,
    the share of what the question names that it has in any language; `worth`, all together.
    """

    hit: Hit
    number: int
    window: PassageWindow
    meaning: float = 0.0
    words: float = 0.0
    worth: float = 0.0

    @property
    def context(self) -> str:
        """What it stands under."""
        return in_context(self.hit.passage.facts.title, self.window.heading)


def select_windows(hits: Sequence[Hit], question: str, language: str, limit: int) -> list[CandidateWindow]:
    """At most `limit` windows, the most promising first. `language` is that of the question; a few are of pages in it,
    even where others promise more."""
    weighed = _weighed(_all_windows(hits), question, language)
    ranked = list(_not_too_many(sorted(weighed, key=lambda one: -one.worth)))
    chosen, behind = ranked[:limit], ranked[limit:]
    missing = max(OF_OWN_LANGUAGE - sum(one.hit.passage.facts.language == language for one in chosen), 0)
    added = [one for one in behind if one.hit.passage.facts.language == language][:missing]
    return [*chosen[: limit - len(added)], *added]


def _all_windows(hits: Sequence[Hit]) -> list[CandidateWindow]:
    return [
        CandidateWindow(hit, number, window)
        for hit in hits
        for number, window in enumerate(cut(hit.passage.chunk, hit.passage.facts.language))
    ]


def _not_too_many(ranked: Iterable[CandidateWindow]) -> Iterator[CandidateWindow]:
    """The windows without those of which their passage has better ones enough."""
    taken: Counter[str] = Counter()
    for one in ranked:
        taken[one.hit.passage.chunk_id] += 1
        most = OF_ONE_PASSAGE if one.hit.passage.chunk.curated is None else 1
        if taken[one.hit.passage.chunk_id] <= most:
            yield one


def document_worths(candidates: Sequence[CandidateWindow]) -> dict[str, float]:
    """What the search makes of each document, 0 to 2."""
    worths: dict[str, list[float]] = {}
    for one in sorted(candidates, key=lambda one: -one.worth):
        worths.setdefault(one.hit.passage.document_id, []).append(one.worth)
    return {name: found[0] + 0.5 * sum(found[1:3]) for name, found in worths.items()}


@lru_cache(maxsize=2_000)
def cut(chunk: Chunk, language: str) -> tuple[PassageWindow, ...]:
    """The windows of a passage, kept: the same passages are found again and again."""
    return windows_of(chunk, language)


def _weighed(found: Sequence[CandidateWindow], question: str, language: str) -> list[CandidateWindow]:
    """The windows with what the search makes of them."""
    words = _word_shares(found, question, language)
    most = max(words, default=0.0) or 1.0
    cosines = [_cosine(one) for one in found]
    known = [cosine for cosine in cosines if cosine is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    meanings = [
        0.0 if cosine is None else min(max((cosine - low) / max(high - low, 1e-6), 0.0), 1.0) for cosine in cosines
    ]
    return [
        replace(
            one,
            meaning=meaning,
            words=share,
            worth=MEANING * meaning + WORDS * share / most + PASSAGE * one.hit.score,
        )
        for one, meaning, share in zip(found, meanings, words, strict=True)
    ]


def _cosine(one: CandidateWindow) -> float | None:
    """How near a window is, less most of what its language is near by itself."""
    if one.number >= len(one.hit.windows):
        return None
    ordinary = one.hit.similarity - one.hit.relative_similarity
    return one.hit.windows[one.number] - CORRECTED * ordinary


def _word_shares(found: Sequence[CandidateWindow], question: str, language: str) -> list[float]:
    """The share of what the question names that each window has, by form or, in any language, by what it means in a
    hospital; what most windows have counts little, and what none has nothing. Of a window in another language what
    none of these could say counts by half."""
    asked = [word for word in question_words(question, language) if not word.is_talk]
    held = [[_has(one, word, language) for word in asked] for one in found]
    is_foreign = [one.hit.passage.facts.language != language for one in found]
    foreign = [row for row, other in zip(held, is_foreign, strict=True) if other]
    counts = [sum(column) for column in zip(*held, strict=True)] or [0] * len(asked)
    weights = [math.log(1 + len(found) / count) if count else 0.0 for count in counts]
    abroad = [
        weight if asked[n].concepts or any(row[n] for row in foreign) else UNSAYABLE * weight
        for n, weight in enumerate(weights)
    ]
    totals = {False: sum(weights) or 1.0, True: sum(abroad) or 1.0}
    return [
        sum(weight for weight, has in zip(weights, row, strict=True) if has) / totals[other]
        for row, other in zip(held, is_foreign, strict=True)
    ]


def _has(one: CandidateWindow, word: LabelWord, language: str) -> bool:
    written_in = one.hit.passage.facts.language
    forms, stems, concepts = _held(one.context, one.window.text, written_in)
    if word.text in forms or (written_in == language and word.stem in stems):
        return True
    return bool(word.concepts) and word.concepts <= concepts


@lru_cache(maxsize=8_000)
def _held(context: str, text: str, language: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The words of a window and above it: their forms, their stems and what they mean."""
    words = [word for line in (context, *text.splitlines()) for word in label_words(line, language)]
    return (
        frozenset(word.text for word in words),
        frozenset(word.stem for word in words),
        frozenset(concept for word in words for concept in word.concepts),
    )
