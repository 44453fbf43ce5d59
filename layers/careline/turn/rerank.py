"""Chooses the passages an answer may lean on, and says when there are none.

With a reader, it tells (`search.read_windows`, decision 0021). Without one: how far a passage's cosine lies above that
of the corpus on average, and how many of the question's informative words it holds. The limits stand in the pack.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Sequence
from dataclasses import replace

from careline.errors import ReaderUnavailable
from careline.installation import Installation
from careline.model import Disposition, Hit, ReadWindow
from careline.ports import Source
from careline.search.answer_kind import asks_for_price
from careline.search.asked_subjects import asked_subjects, share_lacked
from careline.search.choose_passages import choose_passages
from careline.search.deduplicate import without_near_duplicates
from careline.search.read_windows import ReadHit, asked_last, read_windows
from careline.search.timetable import wish_of
from careline.turn.evident_cells import sources_of_cells, sources_of_runs, with_named_rows
from careline.turn.name_closest import closest_reply
from careline.turn.turn import Evidence, Outcome, Turn
from careline.turn.whole_tables import with_missing_pieces

_CLAUSE_ENDS = re.compile(r"[,;:.!] ")
SHORTEST_CLAUSE = 3
"""Words of a clause that is read by itself."""
COVERAGE_WORTH = 0.05
"""Lift that a passage with all of the question's words need not have."""


logger = logging.getLogger(__name__)


async def rerank(turn: Turn, installation: Installation) -> Turn:
    """The turn with its numbered sources; finished when there is no evidence."""
    read = await _read(turn, turn.search_text, installation)
    if read is None:
        if installation.engines.reader is not None:
            turn = turn.warn(
                "READER_UNAVAILABLE", "The order of the search stands; the answer may be less to the point."
            )
        return _by_search(turn)
    if _best(read) < turn.pack.evidence.min_relevance and (clause := _last_clause(turn.search_text)):
        # "You can call me on …, what does parking cost": what stands before hides the question.
        again = await _read(turn, clause, installation) or []
        read = again if _best(again) > _best(read) else read
    best_relevance = _best(read)
    if read:
        turn = replace(turn, evidence=Evidence(best_relevance, "reader"))
    if runs := await _runs(turn, read, installation):
        return replace(turn, sources=runs)
    if best_relevance < turn.pack.evidence.min_relevance:
        if sources := sources_of_cells(turn.search_text, turn.language, [one.hit for one in read]):
            return replace(turn, sources=sources)
        return _without_evidence(turn, _closest(turn, read))
    if turn.leans:
        read = asked_last(read, turn.pack.evidence.min_relevance)
    best = [one for one in read if one.read][: turn.pack.evidence.passages_per_answer]
    best = with_named_rows(turn.search_text, turn.language, best, read)
    best = await with_missing_pieces(best, turn, installation)
    return replace(turn, sources=tuple(_source(number, one.hit, one.read) for number, one in enumerate(best, 1)))


async def _runs(turn: Turn, read: Sequence[ReadHit], installation: Installation) -> tuple[Source, ...]:
    """The timetables that have the run which is asked for, each whole."""
    if wish_of(turn.search_text, turn.language) is None:
        return ()
    pieces = await with_missing_pieces([one for one in read if one.hit.passage.chunk.table], turn, installation)
    return sources_of_runs(turn.search_text, turn.language, [one.hit for one in pieces])


def _closest(turn: Turn, read: Sequence[ReadHit]) -> list[Hit]:
    """What comes close enough to be named, of pages that say something of what is asked about."""
    subjects, least = asked_subjects(turn.search_text, turn.language), turn.pack.evidence.min_closest
    return [one.hit for one in read if one.relevance >= least and share_lacked(subjects, one.hit.passage) < 1]


def _best(read: Sequence[ReadHit]) -> float:
    return max((one.relevance for one in read), default=-math.inf)


def _last_clause(text: str) -> str:
    """The last clause of several, if it says enough to be a question."""
    *before, last = _CLAUSE_ENDS.split(text)
    return last if before and len(last.split()) >= SHORTEST_CLAUSE else ""


async def _read(turn: Turn, question: str, installation: Installation) -> list[ReadHit] | None:
    """What was found, as the reader orders it; None where nothing reads."""
    if installation.engines.reader is None:
        return None
    found = without_near_duplicates((*turn.hits, *turn.topic_found.hits))
    hits = [hit for hit in found if hit in turn.hits]
    topic = replace(turn.topic_found, hits=tuple(hit for hit in found if hit not in turn.hits))
    try:
        return await read_windows(installation.engines.reader, hits, question, turn.language, topic)
    except ReaderUnavailable as error:
        logger.warning("the reader did not read", extra={"code": error.code, "reason": error.message})
        return None


def _by_search(turn: Turn) -> Turn:
    hits = choose_passages(turn.hits, turn.question, turn.language, turn.pack.evidence.passages_per_answer)
    if hits:
        turn = replace(turn, evidence=Evidence(max(map(_relevance_by_search, hits)), "search"))
    if not any(is_evidence(hit, turn) for hit in hits):
        return _without_evidence(turn, ())
    return replace(turn, sources=tuple(_source(number, hit, ()) for number, hit in enumerate(hits, 1)))


def _without_evidence(turn: Turn, closest: Sequence[Hit]) -> Turn:
    if turn.terminal is not None and turn.terminal.supposed_advice and not asks_for_price(turn.question):
        return turn.finish(Disposition.REFUSED, "SAFETY_REFUSAL", "safety_refusal", rules=turn.terminal.reasons)
    # Who was told something before asks on: "what is the password?" is of the hospital's Wi-Fi.
    was_told = any(message.role == "assistant" for message in turn.conversation.messages)
    if turn.terminal is not None and turn.terminal.supposed_off_topic and not was_told:
        return turn.finish(Disposition.REFUSED, "OFF_TOPIC_PERSONAL", "off_topic", rules=turn.terminal.reasons)
    key, values = closest_reply(closest, turn.pack, turn.language)
    reason = "CLOSEST_PAGE" if values else "NO_EVIDENCE"
    return replace(turn, outcome=Outcome(Disposition.ESCALATED, reason, key, values=values))


def _source(number: int, hit: Hit, read: tuple[ReadWindow, ...]) -> Source:
    return Source(number, hit.passage.facts.title, hit.passage.facts.language, hit, read)


def is_evidence(hit: Hit, turn: Turn) -> bool:
    """Whether a passage can carry an answer by itself, as far as the search tells."""
    limits = turn.pack.evidence
    least = limits.min_coverage if hit.similarity == 0.0 else limits.min_relative_similarity
    return _relevance_by_search(hit) >= least


def _relevance_by_search(hit: Hit) -> float:
    """Coverage where only words were searched, else lift with what coverage is worth."""
    if hit.similarity == 0.0:
        return hit.coverage
    return hit.relative_similarity + COVERAGE_WORTH * hit.coverage
