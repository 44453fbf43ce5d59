"""Asks a hospital's questions and keeps what search and reader make of each window: what `fit` learns from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from statistics import median

import numpy as np
import regex
from numpy.typing import NDArray

from careline.errors import EmbedderUnavailable
from careline.installation import Installation
from careline.model import Hit
from careline.ports import Reader, ReaderText
from careline.search.deduplicate import without_near_duplicates
from careline.search.read_windows import BELOW_BEST, PARTS_OF, READ, read_parts
from careline.search.relevance import RelevanceWeights, shipped_fit
from careline.search.select_windows import CandidateWindow, document_worths, select_windows
from careline.tenants import tenant_records
from careline.turn.stages.search.retrieve import CANDIDATES
from careline_local.bench.hospital.questions import HospitalQuestion

NAMES = ("reader", "meaning", "words", "passage", "document", "own_language")
"""The views of a window, in the order in which they stand."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's windows: their views in the order of `NAMES`, the reader's logit of the best part of each, whether
    each holds a fact of the right page, and whether it is of that page; and whether a document answers it at all.
    `similarity` is the relative one of the best passage of the right page, None where it was not found; `others` the
    median of all that were found."""

    views: NDArray[np.float64]
    parts: NDArray[np.float64]
    holds: NDArray[np.bool_]
    right_page: NDArray[np.bool_]
    is_answerable: bool
    similarity: float | None
    others: float


def ordering_of(order: RelevanceWeights) -> NDArray[np.float64]:
    """The weights by which windows are ordered, in the order of `NAMES`."""
    own = order.own_language + order.own_language_first
    return np.array([1.0, order.meaning, order.words, order.passage, order.document, own])


def asks_alone(question: HospitalQuestion) -> bool:
    """Whether a question stands by itself, and may be answered or admitted."""
    return question.expect != "refuse" and not question.before


async def ask_all(
    questions: Sequence[HospitalQuestion], installation: Installation, done: Callable[[], None]
) -> list[Asked]:
    """What was found for each question that stands by itself and may be answered; `done` is called after each.

    Raises: EmbedderUnavailable, IndexUnavailable, ReaderUnavailable.
    """
    found = []
    for question in questions:
        if asks_alone(question):
            asked = await _one(question, installation)
            found += [] if asked is None else [asked]
        done()
    return found


async def _one(question: HospitalQuestion, installation: Installation) -> Asked | None:
    text, retrieval, reader = question.ask, installation.retrieval, installation.engines.reader
    assert reader is not None
    embedded = await retrieval.embed(text, inspected=True)
    if embedded.vector is None:
        # By words alone nothing would be learned of the model.
        raise EmbedderUnavailable(f"a question has no vector ({embedded.missing}); begin again when the model answers")
    settings = installation.settings
    tenant = await tenant_records.tenant(installation.engines.table, settings.tenant, settings)
    today = tenant.day_of(installation.engines.clock.now())
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
    parts = await _best_parts(windows, made, text, reader)
    others = median(hit.relative_similarity for hit in hits)
    return Asked(made, parts, right & held, right, question.expect == "answer", _similarity(hits, question), others)


def _tells(one: CandidateWindow, question: HospitalQuestion) -> bool:
    """Whether a window holds every fact."""
    facts = question.facts
    return bool(facts) and all(regex.search(fact, f"{one.context} {one.window.text}", regex.I) for fact in facts)


async def _best_parts(
    windows: Sequence[CandidateWindow], views: NDArray[np.float64], text: str, reader: Reader
) -> NDArray[np.float64]:
    """The reader's logit of each window's best part, of those whose parts a turn would read; else of the window."""
    scores = views @ ordering_of(shipped_fit().order)
    near = [int(n) for n in np.argsort(-scores)[:PARTS_OF] if scores[n] >= scores.max() - BELOW_BEST]
    parts = await read_parts(reader, text, [windows[n] for n in near])
    best = views[:, 0].copy()
    for place, n in enumerate(near):
        best[n] = max(parts.get(place, (best[n],)))
    return best


def _is_own(one: CandidateWindow, question: HospitalQuestion) -> bool:
    return one.hit.passage.facts.language == question.language


def _similarity(hits: Sequence[Hit], question: HospitalQuestion) -> float | None:
    right = [
        hit.relative_similarity for hit in hits if PurePath(hit.passage.file_name).name in question.documents
    ]
    return max(right, default=None)
