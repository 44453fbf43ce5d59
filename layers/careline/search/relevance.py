"""Weighs what the reader and the search make of a window: by one number windows are ordered, by another it is decided
whether one of them answers.

The weights stand in `relevance.yaml`; `python -m training.fit_relevance` makes them of the hospitals that may be looked
at (decision 0021).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

FARTHEST_AHEAD = 8.0
"""Logits of relevance from which a window lies no further ahead of the others."""


@dataclass(frozen=True, slots=True)
class RelevanceWeights:
    """What each view of a window weighs, in logits of the reader; `base` is added to all."""

    base: float
    meaning: float
    words: float
    passage: float
    document: float
    own_language: float
    own_language_first: float
    """What is added to that for a window in the question's language; orders and does not decide."""
    topic: float
    """For a window of a document that the conversation is about already; orders and does not decide."""

    def relevance(
        self, *, reader: float, meaning: float, words: float, passage: float, document: float, own_language: bool
    ) -> float:
        """How well a window answers beside others, in logits.

        `reader` is the reader's logit; the views of the search lie between 0 and 1, that of the `document` and 2.
        """
        searched = self.meaning * meaning + self.words * words + self.passage * passage + self.document * document
        return self.base + reader + searched + self.own_language * own_language


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """What each view of a window weighs by which it is told whether it answers at all; `base` is added to all."""

    base: float
    meaning: float
    passage: float
    ahead: float
    part: float
    best: float

    def confidence(self, *, meaning: float, passage: float, ahead: float, part: float, best: float) -> float:
        """The log of the odds that a window holds what was asked for: above 0 it more likely does than not.

        `meaning` and `passage` are views of the search between 0 and 1; `ahead` is how far its relevance lies above the
        best of the others, negative below it, and counts up to `FARTHEST_AHEAD`; `part` the reader's logit of its best
        part, `best` that of the window that the reader likes best, whatever the search says.
        """
        near = self.meaning * meaning + self.passage * passage
        return self.base + near + self.ahead * min(ahead, FARTHEST_AHEAD) + self.part * part + self.best * best


@cache
def relevance_weights() -> RelevanceWeights:
    """The weights by which windows are ordered."""
    return RelevanceWeights(**_written()["order"])


@cache
def confidence_weights() -> ConfidenceWeights:
    """The weights by which it is decided whether a window answers."""
    return ConfidenceWeights(**_written()["confidence"])


@cache
def _written() -> dict[str, dict[str, float]]:
    content: dict[str, dict[str, float]] = yaml.safe_load(
        files("careline.search").joinpath("relevance.yaml").read_text("utf-8")
    )
    return content
