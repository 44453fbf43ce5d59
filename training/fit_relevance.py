"""Fits what the search's views of a window weigh beside the reader's: `python -m training.fit_relevance`.

Asks the open hospitals' questions that stand by themselves and prints the weights of `search/relevance.yaml`: fitted on
each hospital and judged on the other, then fitted on both. `base` is chosen so that a twentieth of the questions whose
right page comes first lie below 0. Nothing is written; the numbers are copied by hand, rounded.
`topic`, `own_language_first` and `lacked` are none of them: they were chosen by asking follow-ups, open questions
behind others that they do not follow, questions without an answer, and a library with its pages in four languages.
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
from careline.ports import ReaderText
from careline.search.asked_part import asked_part
from careline.search.deduplicate import without_near_duplicates
from careline.search.read_windows import READ
from careline.search.select_windows import CandidateWindow, document_worths, select_windows
from careline.settings import Settings
from careline.turn.retrieve import CANDIDATES
from careline_local.bench.evaluation_sets import hospitals_of
from careline_local.bench.hospital_questions import HospitalQuestion
from careline_local.bench.hospitals import Hospital, loaded
from careline_local.cli.session import CommandSession

NAMES = ("reader", "meaning", "words", "passage", "document", "own_language")
STEPS, RATE, DECAY = 4_000, 0.1, 0.004
DECLINED = 0.05
"""Share of the questions whose right page comes first that `base` lets be declined."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's windows: their views in the order of `NAMES`, whether each holds a fact of the right page, and
    whether it is of that page."""

    views: NDArray[np.float64]
    holds: NDArray[np.bool_]
    right_page: NDArray[np.bool_]


def main() -> None:
    """Print the weights."""
    by_hospital = [_asked(folder) for folder in hospitals_of("open")]
    for number, held_out in enumerate(by_hospital):
        rest = [one for other in by_hospital[:number] + by_hospital[number + 1 :] for one in other]
        sys.stdout.write(f"without {number}: {_judged(held_out, fitted(rest))}\n")
    everything = [one for asked in by_hospital for one in asked]
    weights = fitted(everything)
    scaled = weights / weights[0]
    sys.stdout.write("\n".join(f"{name}: {value:.2f}" for name, value in zip(NAMES, scaled, strict=True)))
    sys.stdout.write(f"\nbase: {base(everything, scaled):.2f}\n")


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
    questions = [one for one in hospital.questions.questions if one.expect == "answer" and not one.before]
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
    held = np.array([any(regex.search(fact, one.window.text, regex.I) for fact in question.facts) for one in windows])
    return Asked(np.array(views, np.float64), right & held, right)


def _is_own(one: CandidateWindow, question: HospitalQuestion) -> bool:
    return one.hit.passage.facts.language == question.language


if __name__ == "__main__":
    main()
