"""What a question is near to without being about it: the mean vector of a corpus, and of each language in it.

An embedding model places texts of one language close together, so that a French question is nearer to any French page
than to the Dutch one that answers it. Every index takes the same means from here, over the live passages of those
audiences and languages that a search allows; so a number says the same whichever index found the passage.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from careline.ports import Vector

FEW = 20
"""Passages of a language that weigh as much in its mean as the whole corpus does."""
SMALL = 60
"""Passages of a corpus that weigh as much in its mean as ordinary text does; in a small corpus every passage is near
the mean, and nothing would stand out."""
CORRECTED = 0.75
"""Share of a language's own nearness that is taken away for ranking; three quarters did best on the questions of
`careline bench answers` that may be looked at, all languages together; the difference to a half is small."""


@dataclass(frozen=True, slots=True)
class VectorSum:
    """How many passages, and the sum of their vectors, shape (dimensions,)."""

    passages: int
    total: Vector


@dataclass(frozen=True, slots=True)
class CorpusMeans:
    """The mean vector of a corpus, and that of each of its languages."""

    overall: Vector
    languages: Mapping[str, Vector]

    def asked(self, question: Vector) -> QuestionMeans:
        """What they are for one question."""
        near = {language: float(mean @ question) for language, mean in self.languages.items()}
        return QuestionMeans(float(self.overall @ question), near)


@dataclass(frozen=True, slots=True)
class QuestionMeans:
    """How near a question is, on average, to a whole corpus and to each language in it: cosines."""

    overall: float
    languages: Mapping[str, float]

    def relative(self, cosine: float, language: str) -> float:
        """How far a passage lies above the mean of its language."""
        return cosine - self._of(language)

    def away(self, language: str) -> float:
        """What is taken from the cosine of a passage because of its language alone."""
        return CORRECTED * (self._of(language) - self.overall)

    def _of(self, language: str) -> float:
        return self.languages.get(language, self.overall)


def corpus_means(sums: Mapping[str, VectorSum], ordinary: Vector) -> CorpusMeans:
    """The means of a corpus by language, drawn towards `ordinary` text where it is small, those of a language towards
    the whole where that language is. `ordinary` is the mean vector of everyday text."""
    count = sum(one.passages for one in sums.values())
    total = sum((one.total for one in sums.values()), SMALL * ordinary)
    overall = np.asarray(total / (count + SMALL), np.float32)
    languages = {
        language: np.asarray((FEW * overall + one.total) / (FEW + one.passages), np.float32)
        for language, one in sums.items()
    }
    return CorpusMeans(overall, languages)
