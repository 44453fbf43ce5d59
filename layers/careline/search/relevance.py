"""Weighs what the reader and the search make of a window: by one number windows are ordered, by another it is decided
whether one of them answers.

Those of the embedding model that is shipped stand in `relevance.yaml`; `careline calibrate` measures them, of another
model's by whoever uses it (decision 0021).
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Annotated

import yaml
from pydantic import AfterValidator, TypeAdapter, ValidationError

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


@dataclass(frozen=True, slots=True)
class RelevanceFit:
    """What was measured with one embedding model, by its `Embedder.name`: no two models' cosines lie alike, so that
    weights that were fitted with one guess with another (decision 0021)."""

    embedder: str
    order: RelevanceWeights
    confidence: ConfidenceWeights
    relative_similarity: float
    """How far the best passage of the right document lies above the corpus in meaning, the median of the questions that
    it was fitted on."""

    @property
    def similarity_scale(self) -> float:
        """What a relative similarity of this model is multiplied by to be held against the limits of a pack, which are
        in those of the model that is shipped."""
        return shipped_fit().relative_similarity / self.relative_similarity


def _usable(fit: RelevanceFit) -> RelevanceFit:
    numbers = [fit.relative_similarity, *astuple(fit.order), *astuple(fit.confidence)]
    if fit.relative_similarity <= 0 or not all(map(isfinite, numbers)):
        raise ValueError("a relative similarity is above 0, and every number finite")
    return fit


_FIT = TypeAdapter(Annotated[RelevanceFit, AfterValidator(_usable)])


@cache
def shipped_fit() -> RelevanceFit:
    """That of the embedding model in the package."""
    return read_fit(files("careline.search").joinpath("relevance.yaml").read_text("utf-8"))


def read_fit(text: str) -> RelevanceFit:
    """A fit as `relevance.yaml` and `careline calibrate` write it. Raises: ValueError for what is none."""
    try:
        said = yaml.safe_load(text)
        return _FIT.validate_python(said)
    except (yaml.YAMLError, ValidationError) as error:
        raise ValueError(f"this is no fit of `careline calibrate` ({type(error).__name__})") from None
