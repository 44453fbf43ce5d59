"""Weighs what the reader and the search make of a window, as one number on which the order and the decision rest.

The weights stand in `relevance.yaml`; `python -m training.fit_relevance` makes them of the hospitals that may be looked
at (decision 0021).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml


@dataclass(frozen=True, slots=True)
class RelevanceWeights:
    """What each view of a window weighs, in logits of the reader; `base` is added to all."""

    base: float
    meaning: float
    words: float
    passage: float
    document: float
    own_language: float
    lacked: float
    """What a window loses whose passage says nothing of what the question is about."""
    own_language_first: float
    """What is added to that for a window in the question's language; orders and does not decide."""
    topic: float
    """For a window of a document that the conversation is about already; orders and does not decide."""

    def relevance(
        self,
        *,
        reader: float,
        meaning: float,
        words: float,
        passage: float,
        document: float,
        own_language: bool,
        lacked: float,
    ) -> float:
        """How well a window answers, a logit: above 0 it more likely does than not.

        `reader` is the reader's logit; the views of the search lie between 0 and 1, that of the `document` and 2;
        `lacked` is the share of the things asked about of which its passage says nothing.
        """
        searched = self.meaning * meaning + self.words * words + self.passage * passage + self.document * document
        return self.base + reader + searched + self.own_language * own_language - self.lacked * lacked


@cache
def relevance_weights() -> RelevanceWeights:
    """The weights of `relevance.yaml`."""
    return RelevanceWeights(**yaml.safe_load(files("careline.search").joinpath("relevance.yaml").read_text("utf-8")))
