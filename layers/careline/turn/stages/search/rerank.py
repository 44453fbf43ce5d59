"""Chooses the passages an answer may lean on, and says when there are none.

A person's answer is told alone where its question is the one that was asked (`search.curated`). With a reader, it
tells (`search.read_windows`, decision 0021). Without one: how far a passage's cosine lies above that of the corpus on
average, and how many of the question's informative words it holds. The limits stand in the pack.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from careline.conversation.pending import Choice
from careline.errors import ReaderUnavailable
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.model import Disposition, Hit
from careline.packs.evidence import Evidence as Limits
from careline.ports import Reader, Source
from careline.safety.requested_acts import Act
from careline.search.curated.curated_for import curated_for, nearness
from careline.search.deduplicate import without_near_duplicates
from careline.search.read_windows import ReadHit, asked_last, read_windows
from careline.search.relevance import RelevanceFit
from careline.text.answer_kind import asks_for_price
from careline.turn.outcome import Reply
from careline.turn.questions_back.what_of_it import unless_sure
from careline.turn.searches.name_closest import NOT_LOADED, TITLES, closest_reply
from careline.turn.turn import CANNOT_DO, DOCUMENTS_LOADING, Evidence, Turn
from careline.value_framework.findings import findings
from careline.value_framework.who_pays import asks_to_be_paid_back, tells_of_paying

_CLAUSE_ENDS = re.compile(r"[,;:.!] ")
HAS_PAGES = frozenset({Act.APPOINTMENT, Act.RECORDS})
"""What is asked to be done that a hospital has pages on. Of anything else a page is quoted that surely answers, as one
that comes near is none that was asked for: "order a taxi"."""
SHORTEST_CLAUSE = 3
"""Words of a clause that is read by itself."""
OF_MONEY = frozenset(("billing_or_insurance", "tariff"))
COVERAGE_WORTH = 0.05
"""Relative similarity that a passage with all of the question's words need not have."""


log = EventLog(__name__)


async def rerank(turn: Turn, installation: Installation) -> Turn:
    """The turn with its numbered sources; finished when there is no evidence."""
    reader = installation.engines.reader
    fit = installation.relevance
    read = None if reader is None else await _read(turn, turn.search_text, reader, fit)
    if read is None:
        if reader is not None:
            turn = turn.warn(
                "READER_UNAVAILABLE", "The order of the search stands; the answer may be less to the point."
            )
        return await _by_search(turn, fit)
    turn = _valued(turn, read)
    if (written := _written_for(turn, read)) is not None:
        return written
    read, least = _without_those_apart(turn, read), turn.pack.evidence
    if not _answers(read, least) and (clause := _last_clause(turn.search_text)):
        # "You can call me on …, what does parking cost": what stands before hides the question.
        again = _without_those_apart(turn, await _read(turn, clause, reader, fit) or [])
        read = again if _confidence(again) > _confidence(read) else read
    if read:
        turn = replace(_valued(turn, read), evidence=Evidence(read[0].relevance, "reader", _confidence(read)))
    has_pages = turn.act is None or turn.act.act in HAS_PAGES
    if not has_pages and _confidence(read) < least.min_sure:
        return _without_evidence(turn, [one.hit for one in read] if _answers(read, least) else ())
    if not _answers(read, least):
        return _without_evidence(turn, [one.hit for one in read if one.relevance >= least.min_closest])
    turn = _follow_up(turn, read) if turn.leans else _with_sources(turn, read)
    if _confidence(read) < least.min_sure and (asked := unless_sure(turn)) is not None:
        return replace(turn, outcome=asked)
    return _hedged(turn)


def _written_for(turn: Turn, read: Sequence[ReadHit]) -> Turn | None:
    """The turn with a person's answers alone, where they were written for all that it asks; None where not."""
    written = curated_for(read, turn.search_text, turn.language)
    if not written:
        return None
    return _with_sources(replace(turn, evidence=Evidence(written[0].relevance, "person")), written)


def _without_those_apart(turn: Turn, read: Sequence[ReadHit]) -> list[ReadHit]:
    """What was read without answers to questions that only look like the one that was asked."""
    return [one for one in read if nearness(one.hit, turn.search_text, turn.language) != "apart"]


def _hedged(turn: Turn) -> Turn:
    """The turn; where its first source is a person's answer that lacks something of what the question names, told as
    one that may not answer."""
    first, evidence = turn.sources[0] if turn.sources else None, turn.evidence
    if first is None or evidence is None or nearness(first.hit, turn.search_text, turn.language) != "unsure":
        return turn
    return replace(turn, evidence=replace(evidence, best_of_few=True))


def _follow_up(turn: Turn, read: Sequence[ReadHit]) -> Turn:
    """The turn with what was read for its last question alone, where that is sure. Of a few words the reader is seldom
    as sure as of a whole question: what is the best of a few is told as one that may not answer."""
    least = turn.pack.evidence
    last = asked_last(read, least.min_confidence)
    evidence = Evidence(last[0].relevance, "reader", _confidence(last), best_of_few=not _answers(last, least))
    return _with_sources(replace(turn, evidence=evidence), last)


def _with_sources(turn: Turn, read: Sequence[ReadHit]) -> Turn:
    best = [one for one in read if one.read][: turn.pack.evidence.passages_per_answer]
    return replace(turn, sources=tuple(_source(number, one) for number, one in enumerate(best, 1)))


def _answers(read: Sequence[ReadHit], least: Limits) -> bool:
    """Whether what comes first is sure enough, and not merely the best of a few."""
    return _confidence(read) >= least.min_confidence and read[0].relevance >= least.min_relevance


def _confidence(read: Sequence[ReadHit]) -> float:
    """That what comes first answers."""
    return read[0].confidence if read else -math.inf


def _last_clause(text: str) -> str:
    """The last clause of several, if it says enough to be a question."""
    *before, last = _CLAUSE_ENDS.split(text)
    return last if before and len(last.split()) >= SHORTEST_CLAUSE else ""


async def _read(turn: Turn, question: str, reader: Reader | None, fit: RelevanceFit) -> list[ReadHit] | None:
    """What was found, as the reader orders it; None where it does not read."""
    hits = _of_who_pays(without_near_duplicates(turn.hits), turn)
    try:
        return await read_windows(reader, hits, question, turn.language, fit, turn.weighing)
    except ReaderUnavailable as error:
        log.write("reader_failed", error=error.code, reason=error.message)
        return None


def _of_who_pays(hits: Sequence[Hit], turn: Turn) -> list[Hit]:
    """The hits; for who asks whether something is paid back those alone that may tell who pays: a deposit that comes
    back with a wheelchair is no refund of one."""
    if turn.intent.name not in OF_MONEY or not asks_to_be_paid_back(turn.search_text, turn.language):
        return list(hits)
    return [one for one in hits if one.passage.chunk.curated is not None or tells_of_paying(one.passage)]


def _valued(turn: Turn, read: Sequence[ReadHit]) -> Turn:
    """The turn with what is made of the categories of what was read: how likely each passage answers is how much it
    counts."""
    ranked = [(one.hit.passage, 1 / (1 + math.exp(-one.relevance))) for one in read if one.read]
    return replace(turn, value=findings(turn.weighing, ranked))


async def _by_search(turn: Turn, fit: RelevanceFit) -> Turn:
    """The turn with the passages that the search puts first, if one of them can carry an answer."""
    read = await _read(turn, turn.search_text, None, fit) or []
    turn = _valued(turn, read)
    if (written := _written_for(turn, read)) is not None:
        return written
    read = _without_those_apart(turn, read)
    hits = [one.hit for one in read if one.read]
    if hits:
        turn = replace(turn, evidence=Evidence(max(_relevance_by_search(hit, fit) for hit in hits), "search"))
    if not any(is_evidence(hit, turn, fit) for hit in hits[: turn.pack.evidence.passages_per_answer]):
        return _without_evidence(turn, ())
    return _hedged(_with_sources(turn, read))


def _without_evidence(turn: Turn, closest: Sequence[Hit]) -> Turn:
    if turn.terminal is not None and turn.terminal.supposed_advice and not asks_for_price(turn.question):
        return turn.finish(Disposition.REFUSED, "SAFETY_REFUSAL", "safety_refusal", rules=turn.terminal.reasons)
    if turn.terminal is not None and turn.supposed_off_topic:
        return turn.finish(Disposition.REFUSED, "OFF_TOPIC_PERSONAL", "off_topic", rules=turn.terminal.reasons)
    if turn.documents_loading:
        return turn.finish(Disposition.FAILED, DOCUMENTS_LOADING, NOT_LOADED)
    if (asked := unless_sure(turn)) is not None:
        return replace(turn, outcome=asked)
    key, values = closest_reply(closest, turn.pack, turn.language)
    if turn.act is not None and not values:
        return turn.finish(Disposition.ESCALATED, CANNOT_DO, "cannot_person")
    reason = "CLOSEST_PAGE" if values else "NO_EVIDENCE"
    choices = tuple(Choice(values[name], values[name]) for name in TITLES if name in values)
    return replace(turn, outcome=Reply(Disposition.ESCALATED, reason, key, values=values, choices=choices))


def _source(number: int, one: ReadHit) -> Source:
    facts = one.hit.passage.facts
    return Source(number, facts.title, facts.language, one.hit, one.read)


def is_evidence(hit: Hit, turn: Turn, fit: RelevanceFit) -> bool:
    """Whether a passage can carry an answer by itself, as far as the search tells."""
    limits = turn.pack.evidence
    least = limits.min_coverage if hit.similarity == 0.0 else limits.min_relative_similarity
    return _relevance_by_search(hit, fit) >= least


def _relevance_by_search(hit: Hit, fit: RelevanceFit) -> float:
    """Coverage where only words were searched, else relative similarity with what coverage is worth."""
    if hit.similarity == 0.0:
        return hit.coverage
    return hit.relative_similarity * fit.similarity_scale + COVERAGE_WORTH * hit.coverage
