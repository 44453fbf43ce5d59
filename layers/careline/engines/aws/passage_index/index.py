"""Finds passages in OpenSearch: Serverless (`aoss`) or a cluster one runs oneself (`es`), by the same requests.

Neither custom document ids, nor updates, scripts, `_delete_by_query` or `_refresh` are used, because a Serverless
vector collection has none of them. What follows from that:

* Liveness stands beside the index (`index_editions`), and a search leaves out what was not live when it began: one
  value for each version that was replaced or deleted since the index was built, or that is being indexed.
* A write is seen only after the refresh (10 s on NextGen, 60 s on classic collections). `activate` waits until every
  passage of the version can be found and switches then, so the old version answers until the new one can.
* A repeated `add` may store a passage twice. Both carry the same chunk id, every reader counts them once, and
  `activate` deletes the second one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from careline.engines.aws.connect import in_thread, opensearch
from careline.engines.aws.passage_index import index_query as wire
from careline.engines.aws.passage_index.index_documents import (
    Place,
    cosine,
    edition_of,
    to_document,
    to_passage,
    window_cosines,
)
from careline.engines.aws.passage_index.index_editions import EARLIER, Corpus, Edition, Editions, Live
from careline.engines.aws.passage_index.index_groups import field_words, means_of, of_passages
from careline.engines.aws.passage_index.index_keywords import Scorer, asked_words
from careline.engines.aws.passage_index.index_mapping import SEARCHED, Service, index_body, lacks
from careline.errors import Conflict, IndexUnavailable, TableUnavailable
from careline.log.event_log import EventLog
from careline.model import Hit, Passage
from careline.ports import Matrix, PassageQuery, Vector
from careline.records.record_table import RecordTable
from careline.search.corpus_means import QuestionMeans
from careline.search.fusion import best_first, fuse
from careline.tracing.spans import span

log = EventLog(__name__)
SEARCH = {"db.system.name": "opensearch", "db.operation.name": "search"}
PER_BULK = 100
"""Passages a bulk request carries: about 1.5 MB at 1,024 dimensions, well under the 10 MB Serverless takes."""
PER_PAGE = 1000
BULK_TRIES = 3
VISIBLE_SECONDS = 150.0
"""How long `activate` waits for the refresh; classic collections take up to 60 s, and a sleeping one 30 s to wake."""
LOOK_AGAIN_SECONDS = 2.0
RESTORED = "index and table are not of one time, as where one of them was restored; run `careline reindex`"

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
        ordinary: Vector | None = None,
        pause: Pause = asyncio.sleep,
    ) -> None:
        """`ordinary` is the mean vector of everyday text, which stands in for what a small corpus lacks."""
        self._open_client = open_client
        self._name = name
        self._service = service
        self._editions = Editions(table)
        self._ordinary = ordinary
        self._pause = pause
        self._prepared = False
        self._as_old: set[tuple[str, int]] = set()
        """Tenants and generations of which this process has seen that the table is no older than the index."""

    @classmethod
    def connect(
        cls, endpoint: str, name: str, table: RecordTable, service: Service, ordinary: Vector | None = None
    ) -> OpenSearchIndex:
        """The index at an endpoint such as `https://…aoss.amazonaws.com`; nothing is opened before it is asked."""
        return cls(partial(opensearch, endpoint, service), name, table, service, ordinary=ordinary)

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
        corpus = await self._editions.corpus(first.tenant)
        await self._not_restored(first.tenant, corpus)
        generation = corpus.generation
        edition = Edition(edition_of(passages, generation), of_passages(passages, vectors))
        announced = await self._announce(first, generation, edition)
        there = {hit["_source"]["chunk_id"] for hit in await self._stored(edition.name)}
        missing = [
            to_document(passage, vector, Place(edition.name, generation, announced), packed)
            for passage, vector, packed in zip(passages, vectors, windows or [b""] * len(passages), strict=True)
            if passage.chunk_id not in there
        ]
        for start in range(0, len(missing), PER_BULK):
            lines: list[dict[str, Any]] = []
            for document in missing[start : start + PER_BULK]:
                lines += [{"index": {}}, document]
            await self._bulk(lines)

    async def _announce(self, first: Passage, generation: int, edition: Edition) -> int:
        try:
            return await self._editions.announce(first.tenant, generation, first.doc_key, first.version, edition)
        except (Conflict, TableUnavailable) as error:
            raise IndexUnavailable("what is to be indexed could not be recorded", retry_after=5) from error

    async def activate(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.activate`. Returns when the version can be found.

        Raises: IndexUnavailable when not all of its passages were added, or do not become visible in time.
        """
        corpus = await self._editions.corpus(tenant)
        edition = await self._editions.announced(tenant, corpus.generation, doc_key, version)
        if edition is None:
            raise IndexUnavailable("a version was activated before its passages were added")
        await self._remove_seconds(await self._visible(edition))
        await self._switch(tenant, doc_key, version, edition, corpus.generation)
        if corpus.has_earlier:
            await self._sweep(tenant, corpus.generation)

    async def retire(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.retire`."""
        await self._switch(tenant, doc_key, version, None)

    async def withdraw(self, tenant: str, doc_key: str, version: int) -> None:
        """See `ports.PassageIndex.withdraw`."""
        try:
            await self._editions.withdraw(tenant, doc_key, version)
        except (Conflict, TableUnavailable) as error:
            raise IndexUnavailable("which version is live could not be recorded", retry_after=5) from error

    async def _switch(
        self, tenant: str, doc_key: str, version: int, edition: Edition | None, generation: int | None = None
    ) -> None:
        try:
            await self._editions.replace(tenant, doc_key, version, edition, generation)
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
        """See `ports.PassageIndex.clear`. Nothing is found from the first moment; then the space is given back, now
        where the index is within reach, else by later activations."""
        generation = await self._editions.clear(tenant)
        try:
            if self._service == "es" and not await self._exists():
                return
            # Page by page, as what is deleted is still shown until the refresh.
            await self._delete(await self._scan(_of_others(tenant, generation), []))
        except IndexUnavailable as error:
            log.write("index_not_swept", error=error.code)

    async def _sweep(self, tenant: str, generation: int) -> None:
        """Delete some passages of earlier generations; where none is left, note that."""
        body = {"size": PER_PAGE, "query": _of_others(tenant, generation), "_source": []}
        try:
            hits = (await self._ask(lambda: self._client.search(index=self._name, body=body)))["hits"]["hits"]
            if hits:
                await self._delete(hits)
            else:
                await self._editions.swept(tenant, generation)
        except (Conflict, IndexUnavailable, TableUnavailable) as error:
            # What was activated is found all the same; the next activation looks again.
            log.write("index_not_swept", error=error.code)

    async def _delete(self, hits: Sequence[dict[str, Any]]) -> None:
        for start in range(0, len(hits), PER_PAGE):
            await self._bulk([{"delete": {"_id": hit["_id"]}} for hit in hits[start : start + PER_PAGE]])

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        """See `ports.PassageIndex.find`. One request to OpenSearch and one to the table; after changes some more to the
        table, and at first one more to OpenSearch (`_not_restored`)."""
        try:
            with span("search passages", SEARCH, "client"):
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
        clauses = wire.live_clauses(query.tenant, live.hidden)
        where = wire.filters(query, clauses)
        if not corpus.passages:
            return []
        await self._not_restored(query.tenant, corpus)
        means = self._means(query, live)
        asked = asked_words(query.text, {group.language for group in live.groups})
        searches = wire.searches(query, asked, means, where, clauses)
        if not searches.sides:
            return []
        body, params = searches.body, {"request_timeout": query.timeout_seconds}
        answer = await self._ask(lambda: self._client.msearch(index=self._name, body=body, params=params))
        found = wire.read(answer, searches.sides)
        return _fused(query, found, Scorer(asked, found.holding, field_words(live.groups), corpus.passages), means)

    async def _not_restored(self, tenant: str, corpus: Corpus) -> None:
        """A table that was restored to an earlier day would give numbers again that the index has, and show what it
        knows nothing of, or nothing at all where the index was built again since. Raises: IndexUnavailable for one, and
        where the index is not the one that the table tells of."""
        if corpus.changes is None or (tenant, corpus.generation) in self._as_old:
            return
        of_it = [{"term": {"tenant": tenant}}, {"term": {"generation": corpus.generation}}]
        wanted = {"bool": {"filter": of_it}}
        body = {"size": 1, "query": wanted, "_source": ["announced"], "sort": [{"announced": "desc"}]}
        hits = (await self._ask(lambda: self._client.search(index=self._name, body=body)))["hits"]["hits"]
        newest = hits[0]["_source"]["announced"] if hits else None
        now = await self._editions.corpus(tenant)
        if now.generation != corpus.generation:
            return
        if (newest is None and corpus.passages) or (newest or 0) > (now.changes or 0):
            raise IndexUnavailable(RESTORED)
        self._as_old.add((tenant, corpus.generation))

    def _means(self, query: PassageQuery, live: Live) -> QuestionMeans:
        """How near the question is to the corpus and to each language in it."""
        if not live.groups:
            raise IndexUnavailable(EARLIER)
        if query.vector is None:
            return QuestionMeans(0.0, {})
        if any(group.total.shape != query.vector.shape for group in live.groups):
            raise IndexUnavailable("the index holds vectors of another embedding model; run `careline reindex`")
        ordinary = np.zeros_like(query.vector) if self._ordinary is None else self._ordinary
        return means_of(live.groups, query.where, ordinary).asked(query.vector)

    async def _visible(self, edition: Edition) -> list[dict[str, Any]]:
        """Every stored passage of the edition, once all of them can be found."""
        waited = 0.0
        while True:
            hits = await self._stored(edition.name)
            missing = edition.sums.passages - len({hit["_source"]["chunk_id"] for hit in hits})
            if missing <= 0:
                return hits
            if waited >= VISIBLE_SECONDS:
                told = f"{missing} of {edition.sums.passages} passages cannot be found yet"
                raise IndexUnavailable(told, retry_after=60)
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
        excluded = {"excludes": [*SEARCHED, "packed", "windows"]}
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


def _of_others(tenant: str, generation: int) -> dict[str, Any]:
    """A tenant's passages of every other generation."""
    of_this = [{"term": {"generation": generation}}]
    return {"bool": {"filter": [{"term": {"tenant": tenant}}], "must_not": of_this}}


def _fused(query: PassageQuery, found: wire.Candidates, scorer: Scorer, means: QuestionMeans) -> list[Hit]:
    sources = {**found.near, **found.by_word}
    scored = [(key, scorer.bm25(source)) for key, source in found.by_word.items()]
    by_word = sorted(scored, key=lambda pair: (-pair[1], pair[0]))[: max(wire.CANDIDATES, query.limit)]
    cosines = {} if query.vector is None else {key: cosine(source, query.vector) for key, source in sources.items()}
    near = [(key, cosines[key] - means.away(source["language"])) for key, source in found.near.items()]
    trust = scorer.coverage(sources[by_word[0][0]]) if by_word and cosines else 1.0
    best = fuse(by_word, near, means.overall, trust)[: query.limit]
    return best_first([_hit(sources[key], score, cosines.get(key), scorer, means, query.vector) for key, score in best])


def _hit(
    source: wire.Source, score: float, near: float | None, scorer: Scorer, means: QuestionMeans, vector: Vector | None
) -> Hit:
    return Hit(
        passage=to_passage(source),
        score=round(score, 6),
        similarity=near or 0.0,
        relative_similarity=0.0 if near is None else means.relative(near, source["language"]),
        coverage=scorer.coverage(source),
        windows=() if vector is None else window_cosines(source, vector),
    )


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
