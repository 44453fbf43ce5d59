"""Reads the most promising windows together with the question: which answer it, how well, and which part of them.

Where nothing reads, what the search makes of the windows orders them alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from careline.model import Hit, Passage, ReadWindow
from careline.passages.windows import cells_of
from careline.ports import Reader, ReaderText
from careline.search.relevance import RelevanceFit, shipped_fit
from careline.search.select_windows import CandidateWindow, document_worths, select_windows
from careline.search.split_question import parts_of

READ = 12
"""Windows that are read for one question where there is time (`ports.ReadingPace`)."""
PARTS_OF = 3
"""Windows, the best ones, whose parts are read too."""
MOST_PARTS = 12
BELOW_BEST = 3.0
"""A window's parts are not read where it lies further than this below the best."""
AFFINITY = 1.0
"""Logits that a passage is raised by for each e-fold of its multiplier. On the open hospitals with the right intents
none of 241 facts is lost with it, two are from 2 on (decision 0036)."""


@dataclass(frozen=True, slots=True)
class Preference:
    """By how much a passage is preferred beside what it says: what its similarity is multiplied by, and logits that are
    added. It orders and does not decide."""

    multiplier: float = 1.0
    added: float = 0.0


NO_PREFERENCE = Preference()
Preferences = Callable[[Passage], Preference]


def no_preferences(_passage: Passage) -> Preference:
    """Every passage as it is."""
    return NO_PREFERENCE


@dataclass(frozen=True, slots=True)
class ReadHit:
    """A passage with its windows that were read, best first."""

    hit: Hit
    read: tuple[ReadWindow, ...]

    @property
    def relevance(self) -> float:
        """That of its best window; minus infinity where none was read."""
        return self.read[0].relevance if self.read else -math.inf

    @property
    def confidence(self) -> float:
        """That of its best window; minus infinity where none was read."""
        return self.read[0].confidence if self.read else -math.inf


async def read_windows(
    reader: Reader | None,
    hits: Sequence[Hit],
    question: str,
    language: str,
    fit: RelevanceFit | None = None,
    preferences: Preferences = no_preferences,
) -> list[ReadHit]:
    """The hits, best first by what the reader and the search make of their windows; those without windows behind.

    Two questions at once are read one after the other. Without a reader each window has the same logit, and no parts.
    `fit` is that of the embedding model, the shipped one's when None; `preferences` order and do not decide.
    Raises: ReaderUnavailable.
    """
    fit = fit or shipped_fit()
    by_passage: dict[str, list[ReadWindow]] = {}
    most = READ if reader is None else (await reader.pace()).windows(READ)
    candidates = select_windows(hits, question, language, most)
    for number, asked in enumerate(parts_of(question, language)):
        for candidate, read in await _read(reader, asked, candidates, language, fit, preferences):
            by_passage.setdefault(candidate.hit.passage.chunk_id, []).append(replace(read, question=number))
    found = [ReadHit(hit, _best_first(by_passage.get(hit.passage.chunk_id, []))) for hit in hits]
    return sorted(found, key=lambda one: -one.relevance)


def _best_first(read: Sequence[ReadWindow]) -> tuple[ReadWindow, ...]:
    return tuple(sorted(read, key=lambda one: -one.relevance))


def asked_last(read: Sequence[ReadHit], least: float) -> list[ReadHit]:
    """What was read for the last question of a follow-up alone, where something answers it with confidence `least`: the
    one before it says what it is about and has its answer."""
    last = max((window.question for one in read for window in one.read), default=0)
    kept = [ReadHit(one.hit, tuple(each for each in one.read if each.question == last)) for one in read]
    kept.sort(key=lambda one: -one.relevance)
    return kept if kept and kept[0].confidence >= least else list(read)


async def _read(
    reader: Reader | None,
    question: str,
    candidates: Sequence[CandidateWindow],
    language: str,
    fit: RelevanceFit,
    preferences: Preferences,
) -> list[tuple[CandidateWindow, ReadWindow]]:
    """Each candidate with how well it answers one question."""
    texts = [ReaderText(one.context, one.window.text) for one in candidates]
    logits = [0.0] * len(texts) if reader is None else await reader.relevance(question, texts)
    favoured = _favoured(candidates, _plain(candidates, logits, language, fit), language, fit)
    relevance = _preferred(candidates, favoured, preferences, fit, is_read=reader is not None)
    order = _best_first_of(relevance)
    near = [n for n in order[:PARTS_OF] if relevance[n] >= relevance[order[0]] - BELOW_BEST]
    parts = {} if reader is None else await read_parts(reader, question, [candidates[n] for n in near])
    told = {n: parts[at] for at, n in enumerate(near) if at in parts}
    unpreferred = _best_first_of(favoured)
    # Whether there is an answer is told as if nothing were preferred: the place of a window counts, not who holds it.
    aheads = [_ahead(favoured, unpreferred, n) for n in unpreferred]
    sure = [
        fit.confidence.confidence(
            meaning=candidates[n].meaning,
            passage=candidates[n].hit.score,
            ahead=ahead,
            part=max(told.get(n, (logits[n],))),
            best=max(logits),
        )
        for n, ahead in zip(order, aheads, strict=True)
    ]
    return [
        (candidates[n], ReadWindow(candidates[n].number, relevance[n], told.get(n, ()), logits[n], confidence=each))
        for n, each in zip(order, sure, strict=True)
    ]


def _best_first_of(relevance: Sequence[float]) -> list[int]:
    return sorted(range(len(relevance)), key=lambda n: -relevance[n])


def _plain(
    candidates: Sequence[CandidateWindow], logits: Sequence[float], language: str, fit: RelevanceFit
) -> list[float]:
    """The relevance of windows by what they say."""
    documents = document_worths(candidates)
    return [
        fit.order.relevance(
            reader=logit,
            meaning=one.meaning,
            words=one.words,
            passage=one.hit.score,
            document=documents[one.hit.passage.document_id],
            own_language=one.hit.passage.facts.language == language,
        )
        for one, logit in zip(candidates, logits, strict=True)
    ]


def _preferred(
    candidates: Sequence[CandidateWindow],
    relevance: Sequence[float],
    preferences: Preferences,
    fit: RelevanceFit,
    *,
    is_read: bool,
) -> Sequence[float]:
    """The relevance of windows with what is preferred further up; the best is as relevant as before.

    Relevance is a log of odds, to which a multiplier of odds is added as its log. Without a reader it is a sum of
    similarities, and these are multiplied.
    """
    said = [preferences(one.hit.passage) for one in candidates]
    if not candidates or all(each == NO_PREFERENCE for each in said):
        return relevance
    raised = [
        before
        + each.added
        + (AFFINITY * math.log(each.multiplier) if is_read else (each.multiplier - 1) * _similarity(one, fit))
        for one, before, each in zip(candidates, relevance, said, strict=True)
    ]
    lowered = max(raised) - max(relevance)
    return [each - lowered for each in raised]


def _similarity(one: CandidateWindow, fit: RelevanceFit) -> float:
    """What nearness in meaning adds to the relevance of a window."""
    return fit.order.meaning * one.meaning + fit.order.passage * one.hit.score


def _ahead(relevance: Sequence[float], order: Sequence[int], n: int) -> float:
    """How far a window lies above the best of the others; infinitely where there is none."""
    other = next((each for each in order if each != n), None)
    return math.inf if other is None else relevance[n] - relevance[other]


def _favoured(
    candidates: Sequence[CandidateWindow], plain: Sequence[float], language: str, fit: RelevanceFit
) -> Sequence[float]:
    """The relevance of windows when those in the question's language come first where they answer nearly as well.

    This orders. Whether there is an answer at all is told without it, so the best is as relevant as before.
    """
    if not candidates:
        return plain
    worth = fit.order.own_language_first
    raised = [
        each + worth * (one.hit.passage.facts.language == language)
        for one, each in zip(candidates, plain, strict=True)
    ]
    lowered = max(raised) - max(plain)
    return [each - lowered for each in raised]


async def read_parts(reader: Reader, question: str, chosen: Sequence[CandidateWindow]) -> dict[int, tuple[float, ...]]:
    """How well each part of some windows answers, by their places among them; one of one part has none to choose from.

    Raises: ReaderUnavailable.
    """
    texts: list[ReaderText] = []
    counts: dict[int, int] = {}
    for place, one in enumerate(chosen):
        said = _said(one)
        if 1 < len(said) <= MOST_PARTS - len(texts):
            counts[place] = len(said)
            texts += [ReaderText(one.context, text) for text in said]
    logits = await reader.relevance(question, texts)
    found, start = {}, 0
    for place, count in counts.items():
        found[place] = tuple(logits[start : start + count])
        start += count
    return found


def _said(one: CandidateWindow) -> list[str]:
    table = one.hit.passage.chunk.table
    if table is not None and one.window.row is not None:
        return [said for _, said in cells_of(table, one.window.row)]
    return [" ".join(part for part in (each.lead, *each.items) if part) for each in one.window.quotables]
