"""Searches the documents on behalf of one asker: the one way, for an answer as for a search by itself.

The question becomes a vector if it may and an embedder answers, else words alone are searched; the index gets a limited
time and a second chance; nobody finds what is for another audience or another tenant. How a hit is scored is the
index's own (`careline.search.fusion`), which windows answer is told by `careline.search.read_windows`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from careline.errors import EmbedderUnavailable, EngineUnavailable
from careline.identity import EVERYTHING, Identity
from careline.log.event_log import EventLog
from careline.model import Hit
from careline.ports import Embedder, PassageIndex, PassageQuery, Vector
from careline.tracing.spans import span

PAUSE_BEFORE_RETRY = 0.2
"""Seconds."""
log = EventLog(__name__)
Filters = Mapping[str, tuple[str | int, ...]]


async def twice(
    find: Callable[[], Awaitable[Sequence[Hit]]], sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> Sequence[Hit]:
    """What a search finds, asked once more after a pause. Raises: EngineUnavailable when it fails twice."""
    try:
        return await find()
    except EngineUnavailable as error:
        if not error.was_asked:
            raise
        log.write("index_retried", error=error.code)
        await sleep(PAUSE_BEFORE_RETRY)
        return await find()


@dataclass(frozen=True, slots=True)
class Embedded:
    """A search text as a vector, or why it has none: `PHI_ASSUMED` or the code of an error."""

    vector: Vector | None
    missing: str | None = None


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What a search needs of an installation. `timeout` is how many seconds the index gets each time."""

    embedder: Embedder
    index: PassageIndex
    tenant: str
    asker: Identity
    timeout: float
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def embed(self, text: str, *, inspected: bool) -> Embedded:
        """The vector of a search text. What was not `inspected` for personal data is sent to nobody else's service."""
        if self.embedder.is_external and not inspected:
            return Embedded(None, "PHI_ASSUMED")
        try:
            return Embedded(await self.embedder.embed_query(text))
        except EmbedderUnavailable as error:
            return Embedded(None, error.code)

    async def find(
        self, text: str, vector: Vector | None, *, language: str | None, limit: int, today: date, filters: Filters
    ) -> Sequence[Hit]:
        """The best passages first, those alone that the asker may see and that are valid `today`.

        Raises: IndexUnavailable when the index fails twice, BadRequest for a filter that does not exist.
        """

        def once() -> Awaitable[Sequence[Hit]]:
            return self.once(text, vector, language=language, limit=limit, today=today, filters=filters)

        return await twice(once, self.sleep)

    async def once(
        self,
        text: str,
        vector: Vector | None,
        *,
        language: str | None,
        limit: int,
        today: date | None,
        filters: Filters,
    ) -> Sequence[Hit]:
        """What `find` finds, with one attempt. Raises: IndexUnavailable, BadRequest."""
        query = PassageQuery(
            tenant=self.tenant,
            text=text,
            vector=vector,
            language=language,
            limit=limit,
            where=self._visible(filters),
            today=today,
            timeout_seconds=self.timeout,
        )
        began = time.perf_counter()
        by = "words" if vector is None else "vector"
        with span("search", {"careline.by": by, "careline.limit": limit}) as spanned:
            hits = await self.index.find(query)
            spanned.note({"careline.hits": len(hits)})
        ms = round((time.perf_counter() - began) * 1000)
        log.write("passages_found", count=len(hits), limit=limit, by=by, ms=ms)
        return hits

    def _visible(self, filters: Filters) -> Filters:
        """The filters, narrowed to the audiences of an asker who may not see every one."""
        if self.asker.audiences == EVERYTHING:
            return filters
        wanted = filters.get("audience", self.asker.audiences)
        return {**filters, "audience": tuple(one for one in wanted if one in self.asker.audiences)}
