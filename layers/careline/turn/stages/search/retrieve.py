"""Searches for what was asked: the only place of a turn where anything is searched.

Searches run together where they do not need each other's results: first for names that the hospital may publish, then
for the question and what stages before have planned.
"""

from __future__ import annotations

from dataclasses import replace

from careline.errors import IndexUnavailable, SourceUnavailable
from careline.installation import DOCUMENTS, Installation
from careline.log.event_log import EventLog
from careline.model import Disposition
from careline.search.sources import KNOWLEDGE_BASE, Searches
from careline.turn.searches.find_passages import planned
from careline.turn.searches.published_names import name_searches, with_published_names
from careline.turn.turn import DOCUMENTS_LOADING, Turn

log = EventLog(__name__)
CANDIDATES = 20
"""Passages that go to ranking."""


async def retrieve(turn: Turn, installation: Installation) -> Turn:
    """The turn with what was found; finished when no search of the question succeeded. A source in which none did is
    named in its warnings."""
    if installation.readiness.loads(DOCUMENTS):
        turn = turn.warn(DOCUMENTS_LOADING, "Documents are still being loaded; ask again in a moment.")
    searches = Searches(installation.sources, installation.settings.limits.source_seconds)
    named = name_searches(turn)
    turn = with_published_names(turn, dict(zip(named, await searches.run_beside(list(named.values())), strict=True)))
    question = planned(turn.search_text, turn.vector, turn, CANDIDATES)
    found = await searches.run([question, *turn.searches])
    turn = replace(turn, hits=tuple(hit for hits in found for hit in hits))
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
