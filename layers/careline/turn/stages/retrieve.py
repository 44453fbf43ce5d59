"""Searches for what was asked: the only place of a turn where anything is searched.

Searches run together where they do not need each other's results: first for names that the hospital may publish, then
for the question, its topic and what stages before have planned, then in the documents that the topic is of.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from careline.errors import IndexUnavailable, SourceUnavailable
from careline.installation import DOCUMENTS, Installation
from careline.log.event_log import EventLog
from careline.model import Disposition
from careline.ports import PlannedSearch
from careline.search.select_windows import Topic
from careline.search.sources import KNOWLEDGE_BASE, Searches
from careline.search.topic import beside, topic_documents
from careline.turn.find_passages import planned
from careline.turn.published_names import name_searches, with_published_names
from careline.turn.turn import DOCUMENTS_LOADING, Turn

log = EventLog(__name__)
CANDIDATES = 20
"""Passages that go to ranking."""
OF_TOPIC = 6
"""Passages of the documents that the conversation is about, which go to ranking too."""


async def retrieve(turn: Turn, installation: Installation) -> Turn:
    """The turn with what was found; finished when no search of the question succeeded. A source in which none did is
    named in its warnings."""
    if installation.readiness.loads(DOCUMENTS):
        turn = turn.warn(DOCUMENTS_LOADING, "Documents are still being loaded; ask again in a moment.")
    searches = Searches(installation.sources, installation.settings.limits.source_seconds)
    named = name_searches(turn)
    turn = with_published_names(turn, dict(zip(named, await searches.run_beside(list(named.values())), strict=True)))
    turn = await _searched(turn, searches)
    turn = replace(turn, searched=searches.searched, searches=tuple(searches.ran))
    for name, error in searches.failed.items():
        log.write("documents_not_searched", source=name, error=error.code, reason=error.message)
        code = IndexUnavailable.code if name == KNOWLEDGE_BASE else SourceUnavailable.code
        turn = turn.warn(code, f"{installation.sources[name].title} could not be searched.")
    for name, error in searches.left_out.items():
        log.write("search_left_out", source=name, error=error.code, reason=error.message)
    if searches.nothing_answered:
        return turn.finish(Disposition.FAILED, IndexUnavailable.code, "model_down")
    return turn


async def _searched(turn: Turn, searches: Searches) -> Turn:
    """The turn with what was found for the question in all documents and in those that the conversation is about, and
    with what was found by the searches that were planned before."""
    topic = [planned(turn.topic, turn.topic_vector, turn, CANDIDATES)] if turn.topic else []
    found, of_topic = await asyncio.gather(searches.run([_asked(turn), *turn.searches]), searches.run_beside(topic))
    turn = replace(turn, hits=tuple(hit for hits in found for hit in hits))
    documents = topic_documents(of_topic[0] if of_topic else (), turn.topic, turn.language)
    if not documents:
        return turn
    (more,) = await searches.run([_asked(turn, OF_TOPIC, document_id=tuple(documents))])
    return replace(turn, topic_found=Topic(documents, beside(turn.hits, more)))


def _asked(turn: Turn, limit: int = CANDIDATES, **only: tuple[str | int, ...]) -> PlannedSearch:
    """The search for what the turn asks."""
    return planned(turn.search_text, turn.vector, turn, limit, **only)
