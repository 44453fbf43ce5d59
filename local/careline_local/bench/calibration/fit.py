"""Weights of relevance and confidence from questions whose answers are known (decision 0021).

The weights of the order make windows that hold the fact come first; their `base` is chosen so that a twentieth of the
questions whose right page comes first lie below 0. Those of the confidence tell whether the window that comes first
holds it, with questions that no document answers among them. `own_language_first` is none of them: it was
chosen by asking a library with its pages in four languages, and stays what it is with the shipped model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from careline.errors import BadRequest
from careline.search.relevance import FARTHEST_AHEAD, ConfidenceWeights, RelevanceFit, RelevanceWeights, shipped_fit
from careline_local.bench.calibration.views import NAMES, Asked, ordering_of

SURE = ("meaning", "passage", "ahead", "part", "best")
RIDGE, ROUNDS = 10.0, 50
STEPS, RATE, DECAY = 4_000, 0.1, 0.004
DECLINED = 0.05
"""Share of the questions whose right page comes first that `base` lets be declined."""
SMALLEST = 1e-4
"""Difference of cosines that says something; a model that gives every text one vector has none."""
FEWEST, FEWEST_UNANSWERABLE = 50, 10
"""Questions that are needed: eleven numbers are fitted to them, and to tell an answer from none takes both."""


@dataclass(frozen=True, slots=True)
class Judged:
    """Of `questions` that can be answered, how many have the right page first and how many a fact in the window that
    comes first; and of those with it there, of those without, and of those without an answer, how many a pack that
    answers from `least_confidence` on would answer."""

    questions: int
    right_page: int
    fact: int
    right_answered: int
    wrong_answered: int
    unanswerable: int
    unanswerable_answered: int

    @property
    def wrong(self) -> int:
        """Answers that would be wrong, to questions with an answer and without."""
        return self.wrong_answered + self.unanswerable_answered


def check(asked: Sequence[bool]) -> None:
    """Raises: BadRequest where there are too few questions; for each, whether a document answers it."""
    answerable = sum(asked)
    if answerable < FEWEST or len(asked) - answerable < FEWEST_UNANSWERABLE:
        raise BadRequest(
            f"{answerable} questions with an answer and {len(asked) - answerable} without (`expect: decline`) "
            f"stand by themselves; at least {FEWEST} and {FEWEST_UNANSWERABLE} are needed"
        )


def fit(asked: Sequence[Asked], embedder: str) -> RelevanceFit:
    """What the questions ask for with this embedding model.

    Raises: BadRequest where right pages are no nearer than others, or lie first for every question or for none.
    """
    answerable = [one for one in asked if one.is_answerable]
    similarities = [one.similarity for one in answerable if one.similarity is not None]
    nearer = [one.similarity - one.others for one in answerable if one.similarity is not None]
    if not similarities or median(similarities) <= 0 or median(nearer) <= SMALLEST:
        raise BadRequest(f"{embedder}: what answers is no nearer than what does not; nothing is found by its meaning")
    weights = _order(answerable)
    if weights[0] <= 0:
        raise BadRequest(f"{embedder}: what the reader likes answers less; do these questions and pages go together?")
    scaled = weights / weights[0]
    shipped = shipped_fit().order
    named = dict(zip(NAMES, map(float, scaled), strict=True))
    del named["reader"]
    order = RelevanceWeights(base=_base(answerable, scaled), **named, own_language_first=shipped.own_language_first)
    ordering = ordering_of(order)
    rows = np.array([_sure_views(one, ordering) for one in asked])
    held = np.array([_holds_first(one, ordering) for one in asked], np.float64)
    if held.min() == held.max():
        raise BadRequest(f"{embedder}: what comes first answers every question or none; others are needed beside")
    confidence = dict(zip(("base", *SURE), map(float, _logistic(rows, held)), strict=True))
    return RelevanceFit(embedder, order, ConfidenceWeights(**confidence), median(similarities))


def judged(asked: Sequence[Asked], weighed: RelevanceFit, least_confidence: float) -> Judged:
    """How a fit does on these questions, with a pack that answers from `least_confidence` on."""
    ordering, sure = ordering_of(weighed.order), weighed.confidence
    held = [_holds_first(one, ordering) for one in asked]
    told = [
        bool(sure.confidence(**dict(zip(SURE, _sure_views(one, ordering), strict=True))) >= least_confidence)
        for one in asked
    ]
    those = [(one.is_answerable, has, answers) for one, has, answers in zip(asked, held, told, strict=True)]
    return Judged(
        questions=sum(one.is_answerable for one in asked),
        right_page=sum(bool(one.right_page[_first(one, ordering)]) for one in asked if one.is_answerable),
        fact=sum(has for answerable, has, _ in those if answerable),
        right_answered=sum(has and answers for answerable, has, answers in those if answerable),
        wrong_answered=sum(answers and not has for answerable, has, answers in those if answerable),
        unanswerable=sum(not answerable for answerable, _, _ in those),
        unanswerable_answered=sum(answers for answerable, _, answers in those if not answerable),
    )


def _first(one: Asked, ordering: NDArray[np.float64]) -> int:
    return int((one.views @ ordering).argmax())


def _logistic(rows: NDArray[np.float64], held: NDArray[np.float64]) -> NDArray[np.float64]:
    """The weights of a logistic regression, that of a constant first; the others are held small on one scale."""
    middle, scale = rows.mean(0), rows.std(0) + 1e-9
    views = np.c_[np.ones(len(rows)), (rows - middle) / scale]
    ridge = RIDGE * np.diag([0.0, *np.ones(rows.shape[1])])
    weights = np.zeros(views.shape[1])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-views @ weights))
        slope = views.T @ (chance - held) + ridge @ weights
        weights -= np.linalg.solve((views * (chance * (1 - chance))[:, None]).T @ views + ridge, slope)
    plain = weights[1:] / scale
    return np.array([weights[0] - plain @ middle, *plain])


def _sure_views(one: Asked, weights: NDArray[np.float64]) -> tuple[float, ...]:
    """The views, in the order of `SURE`, of the window that comes first."""
    scores = one.views @ weights
    first = int(scores.argmax())
    others = np.delete(scores, first)
    ahead = min(float(scores[first] - others.max()), FARTHEST_AHEAD) if len(others) else FARTHEST_AHEAD
    view = dict(zip(NAMES, one.views[first], strict=True))
    return view["meaning"], view["passage"], ahead, float(one.parts[first]), float(one.views[:, 0].max())


def _holds_first(one: Asked, ordering: NDArray[np.float64]) -> bool:
    return bool(one.holds[_first(one, ordering)])


def _order(asked: Sequence[Asked]) -> NDArray[np.float64]:
    """The weights under which windows that hold a fact have most of the softmax of their question's windows."""
    weights = np.full(len(NAMES), 0.5)
    learned_from = [one for one in asked if one.holds.any()]
    for _ in range(STEPS):
        slope = sum((_slope(one, weights) for one in learned_from), np.zeros_like(weights)) / len(learned_from)
        weights = weights + RATE * (slope - DECAY * 2 * weights)
    return weights


def _base(asked: Sequence[Asked], weights: NDArray[np.float64]) -> float:
    """What is added so that `DECLINED` of the questions whose right page comes first lie below 0."""
    best = [(one.views @ weights).max() for one in asked if one.right_page[int((one.views @ weights).argmax())]]
    return -float(np.quantile(best, DECLINED))


def _slope(one: Asked, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = one.views @ weights
    every = np.exp(scores - scores.max())
    right = every * one.holds
    return np.asarray(right / right.sum() @ one.views - every / every.sum() @ one.views)
