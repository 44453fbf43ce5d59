"""Finds passages in OpenSearch: Serverless (`aoss`) or a cluster one runs oneself (`es`), by the same requests.

Neither custom document ids, nor updates, scripts, `_delete_by_query` or `_refresh` are used, because a Serverless
vector collection has none of them. What follows from that:

* Liveness stands beside the index (`index_editions`), and a search is filtered by the editions live when it began. That
  is one value for each live document of the tenant; OpenSearch takes 65,536 of them in a filter, and a hospital has
  hundreds to a few thousand documents.
* A write is seen only after the refresh (10 s on NextGen, 60 s on classic collections). `activate` waits until every
  passage of the version can be found and switches then, so the old version answers until the new one can.
* A repeated `add` may store a passage twice. Both carry the same chunk id, every reader counts them once, and
  `activate` deletes the second one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from careline.engines.aws import index_query as wire
from careline.engines.aws.connect import in_thread, opensearch
from careline.engines.aws.index_documents import cosine, edition_of, to_document, to_passage, window_cosines
from careline.engines.aws.index_editions import Edition, Editions
from careline.engines.aws.index_mapping import Service, index_body, lacks
from careline.errors import Conflict, IndexUnavailable, TableUnavailable
from careline.model import Hit, Passage
from careline.ports import Matrix, PassageQuery
from careline.record_table import RecordTable
from careline.search.fusion import fuse

PER_BULK = 100
"""Passages a bulk request carries: about 1.5 MB at 1,024 dimensions, well under the 10 MB Serverless takes."""
PER_PAGE = 1000
BULK_TRIES = 3
VISIBLE_SECONDS = 150.0
"""How long `activate` waits for the refresh; classic collections take up to 60 s, and a sleeping one 30 s to wake."""
LOOK_AGAIN_SECONDS = 2.0

Pause = Callable[[float], Awaitable[None]]


class OpenSearchIndex:
    """The passage index port over OpenSearch. `open_client` gives an `opensearchpy.OpenSearch`; see `connect`."""

    def __init__(
        self,
        open_client: Callable[[], Any],
        name: str,
        table: RecordTable,
        service: Service,
        *,
        pause: Pause = asyncio.sleep,
    ) -> None:
        self._open_client = open_client
        self._name = name
        self._service = service
        self._editions = Editions(table)
        self._pause = pause
        self._prepared = False

    @classmethod
    def connect(cls, endpoint: str, name: str, table: RecordTable, service: Service) -> OpenSearchIndex:
        """The index at an endpoint such as `https://…aoss.amazonaws.com`; nothing is opened before it is asked."""
        return cls(partial(opensearch, endpoint, service), name, table, service)

    @property
    def _client(self) -> Any:
        return self._open_client()

    async def prepare(self, dimensions: int) -> None:
        """Create the index if it is not there; one that is there must hold our fields as we do.

        On Serverless the template creates it. Raises: SettingsInvalid when it was made otherwise, IndexUnavailable.
        """
        body = index_body(dimensions, self._service)
        if not await self._exists():
            await self._ask(lambda: self._client.indices.create(index=self._name, body=body, ignore=400))
        # Another process may have made it a moment ago; it is there before it can be searched.
        ready = {"wait_for_active_shards": "1", "wait_for_no_initializing_shards": "true"}
        await self._ask(lambda: self._client.cluster.health(index=self._name, params=ready))
        answer = await self._ask(lambda: self._client.indices.get_mapping(index=self._name))
        ((_, there),) = answer.items()
        lacking = lacks(there["mappings"].get("properties", {}), body["mappings"]["properties"])
        if lacking:
            await self._ask(lambda: self._client.indices.put_mapping(index=self._name, body={"properties": lacking}))

    async def _exists(self) -> bool:
        return bool(await self._ask(lambda: self._client.indices.exists(index=self._name)))

    async def add(self, passages: Sequence[Passage], vectors: Matrix, windows: Sequence[bytes] = ()) -> None:
        """See `ports.PassageIndex.add`. All passages of one version are added in one call."""
        if not passages:
            return
        if self._service == "es" and not self._prepared:
            await self.prepare(vectors.shape[1])
            self._prepared = True
        first = passages[0]
        generation = (await self._editions.corpus(first.tenant)).generation
        edition = Edition(edition_of(passages, generation), len(passages), vectors.sum(axis=0))
        await self._editions.announce(first.tenant, generation, first.doc_key, first.version, edition)
        there = {hit["_source"]["chunk_id"] for hit in await self._stored(edition.name)}
        missing = [
            to_document(passage, vector, edition.name, generation, packed)
            for passage, vector, packed in zip(passages, vectors, windows or [b""] * len(passages), strict=True)
            if passage.chunk_id not in there
        ]
        for start in range(0, len(missing), PER_BULK):
            lines: list[dict[str, Any]] = []
            for document in missing[start : start + PER_BULK]:
                lines += [{"index": {}}, document]
            await self._bulk(lines)

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.activate`. Returns when the version can be found.

        Raises: IndexUnavailable when not all of its passages were added, or do not become visible in time.
        """
        generation = (await self._editions.corpus(tenant)).generation
        edition = await self._editions.announced(tenant, generation, doc_key, version)
        if edition is None:
            raise IndexUnavailable("a version was activated before its passages were added")
        await self._remove_seconds(await self._visible(edition))
        await self._switch(tenant, doc_key, version, edition)

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.retire`."""
        await self._switch(tenant, doc_key, version, None)

    async def _switch(self, tenant: str, doc_key: str, version: int, edition: Edition | None) -> None:
        try:
            await self._editions.replace(tenant, doc_key, version, edition)
        except (Conflict, TableUnavailable) as error:
            raise IndexUnavailable("which version is live could not be recorded", retry_after=5) from error

    async def settle(self) -> None:
        """See `ports.PassageIndex.settle`. `activate` has waited already."""

    async def passages(self, tenant: str, doc_key: str, version: int) -> Sequence[Passage]:
        """See `ports.PassageIndex.passages`. Waits for the refresh when they have just been added."""
        generation = (await self._editions.corpus(tenant)).generation
        edition = await self._editions.announced(tenant, generation, doc_key, version)
        if edition is None:
            return []
        await self._visible(edition)
        found = {hit["_source"]["chunk_id"]: hit["_source"] for hit in await self._stored(edition.name, whole=True)}
        return sorted(map(to_passage, found.values()), key=lambda passage: passage.chunk.ordinal)

    async def corpus_version(self, tenant: str) -> int:
        """See `ports.PassageIndex.corpus_version`."""
        return (await self._editions.corpus(tenant)).version

    async def clear(self, tenant: str) -> None:
        """See `ports.PassageIndex.clear`. Nothing is found from the first moment; then the space is given back."""
        generation = await self._editions.clear(tenant)
        if self._service == "es" and not await self._exists():
            return
        old = {"bool": {"filter": [{"term": {"tenant": tenant}}, {"range": {"generation": {"lt": generation}}}]}}
        hits = await self._scan(old, [])
        for start in range(0, len(hits), PER_PAGE):
            await self._bulk([{"delete": {"_id": hit["_id"]}} for hit in hits[start : start + PER_PAGE]])

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        """See `ports.PassageIndex.find`. One request to OpenSearch and one to the table."""
        try:
            async with asyncio.timeout(query.timeout_seconds):
                return await self._find(query)
        except TimeoutError:
            raise IndexUnavailable(
                f"the index did not answer within {query.timeout_seconds:g} s", retry_after=5
            ) from None
        except TableUnavailable as error:
            raise IndexUnavailable("which versions are live could not be read", retry_after=5) from error

    async def _find(self, query: PassageQuery) -> list[Hit]:
        corpus = await self._editions.corpus(query.tenant)
        live = await self._editions.live(query.tenant, corpus)
        keys = query.where.get("doc_key")
        editions = sorted(name for key, name in live.items() if keys is None or key in keys)
        where = wire.filters(query, editions)
        words = wire.informative_words(query.text)
        body = wire.searches(words, query.vector, where, query.limit)
        if not editions or not body:
            return []
        answer = await self._ask(
            lambda: self._client.msearch(index=self._name, body=body, params={"request_timeout": query.timeout_seconds})
        )
        mean = 0.0 if query.vector is None or corpus.mean is None else float(corpus.mean @ query.vector)
        return _fused(query, words, wire.read(answer, words), corpus.passages, mean)

    async def _visible(self, edition: Edition) -> list[dict[str, Any]]:
        """Every stored passage of the edition, once all of them can be found."""
        waited = 0.0
        while True:
            hits = await self._stored(edition.name)
            missing = edition.passages - len({hit["_source"]["chunk_id"] for hit in hits})
            if missing <= 0:
                return hits
            if waited >= VISIBLE_SECONDS:
                raise IndexUnavailable(f"{missing} of {edition.passages} passages cannot be found yet", retry_after=60)
            await self._pause(LOOK_AGAIN_SECONDS)
            waited += LOOK_AGAIN_SECONDS

    async def _remove_seconds(self, hits: Sequence[dict[str, Any]]) -> None:
        kept: set[str] = set()
        seconds = []
        for hit in hits:
            chunk_id = hit["_source"]["chunk_id"]
            if chunk_id in kept:
                seconds.append({"delete": {"_id": hit["_id"]}})
            kept.add(chunk_id)
        if seconds:
            await self._bulk(seconds)

    async def _stored(self, edition: str, *, whole: bool = False) -> list[dict[str, Any]]:
        excluded = {"excludes": ["vector", "packed", "windows"]}
        return await self._scan({"term": {"edition": edition}}, excluded if whole else ["chunk_id"])

    async def _scan(self, query: dict[str, Any], source: object) -> list[dict[str, Any]]:
        """Every visible document that meets a filter, page by page."""
        body: dict[str, Any] = {
            "size": PER_PAGE, "query": query, "_source": source, "sort": ["edition", "ordinal", "indexed_at"],
        }  # fmt: skip
        hits: list[dict[str, Any]] = []
        while True:
            answer = await self._ask(lambda: self._client.search(index=self._name, body=body))
            page = answer["hits"]["hits"]
            hits += page
            if len(page) < PER_PAGE:
                return hits
            body["search_after"] = page[-1]["sort"]

    async def _bulk(self, lines: list[dict[str, Any]]) -> None:
        """Send a bulk request; items the cluster was too busy for are sent again, any other refusal is an error."""
        for attempt in range(BULK_TRIES):
            answer = await self._ask(lambda lines=lines: self._client.bulk(index=self._name, body=lines))  # type: ignore[misc]
            lines = _busy(answer, lines)
            if not lines:
                return
            await self._pause(2.0**attempt)
        raise IndexUnavailable("the index is too busy to store passages", retry_after=30)

    async def _ask(self, work: Callable[[], Any]) -> Any:
        from opensearchpy.exceptions import OpenSearchException

        try:
            return await in_thread(work)
        except OpenSearchException as error:
            raise IndexUnavailable(f"the index did not answer: {_kind(error)}", retry_after=5) from error


def _fused(
    query: PassageQuery, words: Mapping[str, object], found: wire.Candidates, passages: int, mean: float
) -> list[Hit]:
    cosines: dict[str, float] = {}
    if query.vector is not None:
        cosines = {key: cosine(source, query.vector) for key, source in found.sources.items()}

    def covered(key: str) -> float:
        return wire.coverage(words, to_passage(found.sources[key]), found.holding, passages)

    trust = covered(next(iter(found.bm25))) if found.bm25 and cosines else 1.0
    best = fuse(list(found.bm25.items()), list(cosines.items()), mean, trust)[: query.limit]
    return [
        Hit(
            passage=to_passage(found.sources[key]),
            score=round(score, 6),
            similarity=cosines.get(key, 0.0),
            relative_similarity=cosines[key] - mean if cosines else 0.0,
            coverage=covered(key),
            windows=() if query.vector is None else window_cosines(found.sources[key], query.vector),
        )
        for key, score in best
    ]


def _busy(answer: dict[str, Any], lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines to send again. Raises: IndexUnavailable for an item that was refused for another reason."""
    if not answer.get("errors"):
        return []
    again: list[dict[str, Any]] = []
    for item, sent in zip(answer["items"], _groups(lines), strict=True):
        ((action, result),) = item.items()
        status = int(result["status"])
        if status in {429, 503}:
            again += sent
        elif status >= 300 and not (action == "delete" and status == 404):
            kind = result.get("error", {}).get("type", "unknown")
            raise IndexUnavailable(f"the index refused a passage: {status} {kind}")
    return again


def _groups(lines: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """The lines of each action: a delete is one line, an index two."""
    position = 0
    while position < len(lines):
        length = 1 if "delete" in lines[position] else 2
        yield lines[position : position + length]
        position += length


def _kind(error: Exception) -> str:
    """What went wrong in a word; the vendor's own text may quote the question."""
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__} {status}" if isinstance(status, int) else type(error).__name__
