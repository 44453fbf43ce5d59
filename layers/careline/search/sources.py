"""Runs planned searches in their sources: at once, each with a time of its own and a second chance.

A source that fails is told of and spoils nothing of the others, and a search beside the question none of the question.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from careline.errors import EngineUnavailable, SourceUnavailable
from careline.model import Hit
from careline.ports import KnowledgeSource, PlannedSearch
from careline.search.retrieval import Retrieval, twice

KNOWLEDGE_BASE = "knowledge_base"
AT_ONCE = 5
"""Searches of one turn that run at the same time."""
GRACE_SECONDS = 1.0
"""How much later than its own time limit a source is given up that does not keep it."""


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    """The source that the hospital's own documents are."""

    retrieval: Retrieval
    name: str = KNOWLEDGE_BASE
    title: str = "The hospital's documents"

    async def find(self, search: PlannedSearch) -> Sequence[Hit]:
        """See `ports.KnowledgeSource.find`."""
        return await self.retrieval.once(
            search.text,
            search.vector,
            language=search.language,
            limit=search.limit,
            today=search.today,
            filters=search.filters,
        )


@dataclass(slots=True)
class Searches:
    """The searches of one turn: what ran, which sources answered the question, and what failed.

    A source in which a search of the question failed is asked no more; one that fails a search beside the question,
    such as one for a name, is asked the question all the same.
    """

    sources: Mapping[str, KnowledgeSource]
    seconds: float
    """What one attempt of a search may take."""
    ran: list[PlannedSearch] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    """The sources in which a search of the question succeeded."""
    _unanswered: dict[str, EngineUnavailable] = field(default_factory=dict)
    _beside: dict[str, EngineUnavailable] = field(default_factory=dict)
    _few: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))

    async def run(self, planned: Sequence[PlannedSearch]) -> list[Sequence[Hit]]:
        """What each search of the question finds, in their order; nothing of one that fails. Raises: BadRequest."""
        return list(await asyncio.gather(*(self._found(search, self._unanswered) for search in planned)))

    async def run_beside(self, planned: Sequence[PlannedSearch]) -> list[Sequence[Hit]]:
        """What each search finds that only helps to understand the question. Raises: BadRequest."""
        return list(await asyncio.gather(*(self._found(search, self._beside) for search in planned)))

    @property
    def searched(self) -> tuple[str, ...]:
        """The sources that were asked."""
        return tuple(dict.fromkeys(search.source for search in self.ran))

    @property
    def failed(self) -> dict[str, EngineUnavailable]:
        """The sources that were asked the question in vain, with the first error of each."""
        return {name: error for name, error in self._unanswered.items() if name not in self.answered}

    @property
    def left_out(self) -> dict[str, EngineUnavailable]:
        """The sources of which a search failed that the answer could do without."""
        return {name: error for name, error in {**self._unanswered, **self._beside}.items() if name in self.answered}

    @property
    def nothing_answered(self) -> bool:
        """Whether the question was searched for and no search of it succeeded."""
        return bool(self.ran) and not self.answered

    async def _found(self, search: PlannedSearch, errors: dict[str, EngineUnavailable]) -> Sequence[Hit]:
        async with self._few:
            if search.source in self.failed:
                return ()
            self.ran.append(search)
            try:
                hits = await twice(lambda: self._in_time(search))
            except EngineUnavailable as error:
                errors.setdefault(search.source, error)
                return ()
            if errors is self._unanswered:
                self.answered.add(search.source)
            return hits

    async def _in_time(self, search: PlannedSearch) -> Sequence[Hit]:
        try:
            return await asyncio.wait_for(self.sources[search.source].find(search), self.seconds + GRACE_SECONDS)
        except TimeoutError:
            raise SourceUnavailable(f"the source {search.source} did not answer in time", retry_after=5) from None
