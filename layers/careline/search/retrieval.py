"""Searches the documents on behalf of one asker: the one way, for an answer as for a search by itself.

The question becomes a vector if it may and an embedder answers, else words alone are searched; the index gets a limited
time and a second chance; nobody finds what is for another audience or another tenant. How a hit is scored is the
index's own (`careline.search.fusion`), which passages carry an answer is chosen by `careline.search.choose_passages`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from careline.errors import EmbedderUnavailable, IndexUnavailable
from careline.identity import EVERYTHING, Identity
from careline.model import Hit
from careline.ports import Embedder, PassageIndex, PassageQuery, Vector

PAUSE_BEFORE_RETRY = 0.2
"""Seconds."""
Filters = Mapping[str, tuple[str | int, ...]]


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
        try:
            return await self.index.find(query)
        except IndexUnavailable:
            await self.sleep(PAUSE_BEFORE_RETRY)
            return await self.index.find(query)

    def _visible(self, filters: Filters) -> Filters:
        """The filters, narrowed to the audiences of an asker who may not see every one."""
        if self.asker.audiences == EVERYTHING:
            return filters
        wanted = filters.get("audience", self.asker.audiences)
        return {**filters, "audience": tuple(one for one in wanted if one in self.asker.audiences)}
