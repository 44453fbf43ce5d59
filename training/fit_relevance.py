"""Fits what views of a window weigh: `python -m training.fit_relevance`.

Asks the open hospitals' questions that stand by themselves and prints the weights of `search/relevance.yaml`: fitted on
each hospital and judged on the other, then fitted on both. The weights of the order make windows that hold the fact
come first; their `base` is chosen so that a twentieth of the questions whose right page comes first lie below 0. Those
of the confidence tell whether the window that comes first holds it, with questions that no document answers among them;
what the thresholds of a pack let through is printed beside. Nothing is written; the numbers are copied by hand.
`topic` and `own_language_first` are none of them: they were chosen by asking follow-ups, open questions behind others
that they do not follow, and a library with its pages in four languages.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import numpy as np
import regex
from numpy.typing import NDArray

from careline.installation import Installation
from careline.ports import Reader, ReaderText
from careline.search.deduplicate import without_near_duplicates
from careline.search.read_windows import PARTS_OF, READ, read_parts
from careline.search.relevance import FARTHEST_AHEAD, relevance_weights
from careline.search.select_windows import CandidateWindow, document_worths, select_windows
from careline.settings import Settings
from careline.turn.stages.retrieve import CANDIDATES
from careline.understanding.asked_part import asked_part
from careline_local.bench.evaluation_sets import hospitals_of
from careline_local.bench.hospital.hospitals import Hospital, loaded
from careline_local.bench.hospital.questions import HospitalQuestion
from careline_local.cli.session import CommandSession

NAMES = ("reader", "meaning", "words", "passage", "document", "own_language")
SURE = ("meaning", "passage", "ahead", "part", "best")
RIDGE, ROUNDS = 10.0, 50
THRESHOLDS = tuple(step / 5 for step in range(-12, 8))
STEPS, RATE, DECAY = 4_000, 0.1, 0.004
DECLINED = 0.05
"""Share of the questions whose right page comes first that `base` lets be declined."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's windows: their views in the order of `NAMES`, the reader's logit of the best part of each, whether
    each holds a fact of the right page, and whether it is of that page; and whether a document answers it at all."""

    views: NDArray[np.float64]
    parts: NDArray[np.float64]
    holds: NDArray[np.bool_]
    right_page: NDArray[np.bool_]
    is_answerable: bool


def main() -> None:
    """Print the weights."""
    everything_asked = [_asked(folder) for folder in hospitals_of("open")]
    by_hospital = [[one for one in asked if one.is_answerable] for asked in everything_asked]
    for number, held_out in enumerate(by_hospital):
        rest = [one for other in by_hospital[:number] + by_hospital[number + 1 :] for one in other]
        sys.stdout.write(f"without {number}: {_judged(held_out, fitted(rest))}\n")
    everything = [one for asked in by_hospital for one in asked]
    weights = fitted(everything)
    scaled = weights / weights[0]
    sys.stdout.write("\n".join(f"{name}: {value:.2f}" for name, value in zip(NAMES, scaled, strict=True)))
    sys.stdout.write(f"\nbase: {base(everything, scaled):.2f}\n")
    _print_confidence(everything_asked, np.array([*scaled[:-1], scaled[-1] + relevance_weights().own_language_first]))


def _print_confidence(by_hospital: Sequence[Sequence[Asked]], weights: NDArray[np.float64]) -> None:
    """Print the weights of the confidence, and what thresholds let through of each hospital, fitted on the others."""
    rows = [np.array([_sure_views(one, weights) for one in asked]) for asked in by_hospital]
    held = [np.array([_holds_first(one, weights) for one in asked], np.float64) for asked in by_hospital]
    sure, right, answerable = [], [], []
    for number, asked in enumerate(by_hospital):
        rest = [n for n in range(len(rows)) if n != number]
        fit = confidence(np.concatenate([rows[n] for n in rest]), np.concatenate([held[n] for n in rest]))
        sure.append(fit[0] + rows[number] @ fit[1:])
        right.append(held[number] > 0)
        answerable.append(np.array([one.is_answerable for one in asked]))
    scores, is_right, is_answerable = map(np.concatenate, (sure, right, answerable))
    for least in THRESHOLDS:
        below = scores < least
        sys.stdout.write(
            f"below {least:.1f}: {(below & is_right).sum()} of {is_right.sum()} right, "
            f"{(below & ~is_right & is_answerable).sum()} of {(~is_right & is_answerable).sum()} wrong, "
            f"{(below & ~is_answerable).sum()} of {(~is_answerable).sum()} without an answer\n"
        )
    weighed = confidence(np.concatenate(rows), np.concatenate(held))
    sys.stdout.write("\n".join(f"{name}: {value:.2f}" for name, value in zip(("base", *SURE), weighed, strict=True)))
    sys.stdout.write("\n")


def confidence(rows: NDArray[np.float64], held: NDArray[np.float64]) -> NDArray[np.float64]:
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


def _holds_first(one: Asked, weights: NDArray[np.float64]) -> bool:
    return bool(one.holds[int((one.views @ weights).argmax())])


def fitted(asked: Sequence[Asked]) -> NDArray[np.float64]:
    """The weights under which windows that hold a fact have most of the softmax of their question's windows."""
    weights = np.full(len(NAMES), 0.5)
    learned_from = [one for one in asked if one.holds.any()]
    for _ in range(STEPS):
        slope = sum((_slope(one, weights) for one in learned_from), np.zeros_like(weights)) / len(learned_from)
        weights = weights + RATE * (slope - DECAY * 2 * weights)
    return weights


def base(asked: Sequence[Asked], weights: NDArray[np.float64]) -> float:
    """What is added so that `DECLINED` of the questions whose right page comes first lie below 0."""
    best = [(one.views @ weights).max() for one in asked if one.right_page[int((one.views @ weights).argmax())]]
    return -float(np.quantile(best, DECLINED))


def _slope(one: Asked, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    scores = one.views @ weights
    every = np.exp(scores - scores.max())
    right = every * one.holds
    return np.asarray(right / right.sum() @ one.views - every / every.sum() @ one.views)


def _judged(asked: Sequence[Asked], weights: NDArray[np.float64]) -> str:
    first = [int((one.views @ weights).argmax()) for one in asked]
    pages = sum(bool(one.right_page[at]) for one, at in zip(asked, first, strict=True))
    facts = sum(bool(one.holds[at]) for one, at in zip(asked, first, strict=True))
    return f"right page first {pages} of {len(asked)}, a fact in its first window {facts}"


def _asked(folder: Path) -> list[Asked]:
    # The settings are those that a bench starts from: nothing of anybody's installation.
    with loaded(folder, Settings(), quiet=True) as hospital:
        session = CommandSession(hospital.settings.home, given=hospital.settings)
        return session.run(_all(hospital, session.installation))


async def _all(hospital: Hospital, installation: Installation) -> list[Asked]:
    questions = [one for one in hospital.questions.questions if one.expect != "refuse" and not one.before]
    return [one for question in questions if (one := await _one(question, installation)) is not None]


async def _one(question: HospitalQuestion, installation: Installation) -> Asked | None:
    text, retrieval, reader = (
        asked_part(question.ask, question.language),
        installation.retrieval,
        installation.engines.reader,
    )
    assert reader is not None
    embedded = await retrieval.embed(text, inspected=True)
    today = installation.engines.clock.now().date()
    hits = await retrieval.find(
        text, embedded.vector, language=question.language, limit=CANDIDATES, today=today, filters={}
    )
    windows = select_windows(without_near_duplicates(hits), text, question.language, READ)
    if not windows:
        return None
    logits = await reader.relevance(text, [ReaderText(one.context, one.window.text) for one in windows])
    worths = document_worths(windows)
    views = [
        (logit, one.meaning, one.words, one.hit.score, worths[one.hit.passage.document_id], _is_own(one, question))
        for one, logit in zip(windows, logits, strict=True)
    ]
    right = np.array([PurePath(one.hit.passage.file_name).name in question.documents for one in windows])
    held = np.array([_tells(one, question) for one in windows])
    made = np.array(views, np.float64)
    return Asked(made, await _best_parts(windows, made, text, reader), right & held, right, question.expect == "answer")


def _tells(one: CandidateWindow, question: HospitalQuestion) -> bool:
    """Whether a window holds every fact."""
    facts = question.facts
    return bool(facts) and all(regex.search(fact, f"{one.context} {one.window.text}", regex.I) for fact in facts)


async def _best_parts(
    windows: Sequence[CandidateWindow], views: NDArray[np.float64], text: str, reader: Reader
) -> NDArray[np.float64]:
    """The reader's logit of each window's best part, of those whose parts a turn would read; else of the window."""
    weights = relevance_weights()
    order = np.array([
        1.0, weights.meaning, weights.words, weights.passage, weights.document,
        weights.own_language + weights.own_language_first,
    ])  # fmt: skip
    near = [int(n) for n in np.argsort(-(views @ order))[:PARTS_OF]]
    parts = await read_parts(reader, text, [windows[n] for n in near])
    best = views[:, 0].copy()
    for place, n in enumerate(near):
        best[n] = max(parts.get(place, (best[n],)))
    return best


def _is_own(one: CandidateWindow, question: HospitalQuestion) -> bool:
    return one.hit.passage.facts.language == question.language


if __name__ == "__main__":
    main()
