"""Which content of which document is live: the truth beside the index, kept in the table.

An *edition* is the content of one version as it was indexed. OpenSearch Serverless can neither update a document by
query nor by id in a vector collection, and shows a write only after its refresh; so whether a passage is live cannot
stand in the passage. It stands in one record for each document, changed together with the corpus version in one
transaction, and a search is filtered by the editions that were live when it began. A reader therefore sees the old
version or the new one, never both and never neither.

A *generation* is everything between two `clear`s; what an earlier one left in the index can never be live again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from careline.engines.aws.passage_index import index_groups
from careline.engines.aws.passage_index.index_groups import GroupSums
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Body, Delete, Item, Put, RecordTable

TRIES = 12
"""Activations of one tenant at once wait for each other; each try takes about 10 ms."""
TOO_MANY = "too many documents are activated at once; try again"
PER_WRITE = 100


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where a tenant's corpus stands."""

    version: int
    generation: int
    passages: int
    revision: int


@dataclass(frozen=True, slots=True)
class Edition:
    """The content of one version in the index, and what its passages are together."""

    name: str
    sums: GroupSums


@dataclass(frozen=True, slots=True)
class Live:
    """What is live of a tenant: document key → its edition, and the groups of language and audience that have any."""

    editions: Mapping[str, str]
    groups: Sequence[GroupSums]


class Editions:
    """The records about live editions."""

    def __init__(self, table: RecordTable) -> None:
        self._table = table
        self._live: dict[str, tuple[int, Live]] = {}

    async def corpus(self, tenant: str) -> Corpus:
        """The tenant's corpus as it is now."""
        item = await self._table.get(*keys.corpus(tenant))
        if item is None:
            return Corpus(0, 0, 0, 0)
        body = item.body
        return Corpus(body["version"], body["generation"], body["passages"], item.revision)

    async def live(self, tenant: str, corpus: Corpus) -> Live:
        """What is live. Read again when the corpus version has changed, else from memory."""
        held = self._live.get(tenant)
        if held is None or held[0] != corpus.version:
            place = keys.editions(tenant, corpus.generation)
            records = self._table.query(place, keys.LIVE_EDITIONS)
            editions = {item.body["doc_key"]: item.body["edition"] async for item in records if item.body["edition"]}
            groups = [index_groups.read(item.body) async for item in self._table.query(place, keys.GROUPS)]
            held = self._live[tenant] = (corpus.version, Live(editions, [one for one in groups if one.passages]))
        return held[1]

    async def announce(self, tenant: str, generation: int, doc_key: str, version: int, edition: Edition) -> None:
        """Record what is about to be indexed as this version."""
        body = {"edition": edition.name, "sums": index_groups.written(edition.sums)}
        await self._table.write(Put(Item(*keys.edition(tenant, generation, doc_key, version), body)))

    async def announced(self, tenant: str, generation: int, doc_key: str, version: int) -> Edition | None:
        """What was recorded for this version, None when nothing was."""
        item = await self._table.get(*keys.edition(tenant, generation, doc_key, version))
        if item is None:
            return None
        return Edition(item.body["edition"], index_groups.read(item.body["sums"]))

    async def replace(self, tenant: str, doc_key: str, version: int, edition: Edition | None) -> None:
        """Make an edition, or none, the live one of its document, unless a newer version was live or retired.

        Raises: Conflict when other activations of the tenant kept coming in between, TableUnavailable.
        """

        async def decide() -> Update[None]:
            return Update(None, await self._replacing(tenant, doc_key, version, edition))

        await optimistic_update(self._table, decide, busy=TOO_MANY, tries=TRIES)

    async def _replacing(self, tenant: str, doc_key: str, version: int, edition: Edition | None) -> list[Put]:
        corpus = await self.corpus(tenant)
        key = keys.live_edition(tenant, corpus.generation, doc_key)
        sums = keys.edition_sums(tenant, corpus.generation, doc_key)
        held = await self._table.get(*key)
        was: Body = held.body if held else {"version": 0, "edition": None}
        name = edition.name if edition else None
        if was["version"] > version or (was["version"] == version and was["edition"] in (name, None)):
            return []
        before = await self._table.get(*sums) if was["edition"] else None
        gone, come = index_groups.read(before.body) if before else None, edition.sums if edition else None
        passages = corpus.passages - (gone.passages if gone else 0) + (come.passages if come else 0)
        live = {"doc_key": doc_key, "version": version, "edition": name}
        groups = await self._moved(tenant, corpus.generation, gone, come)
        return [
            Put(Item(*key, live), expects=held.revision if held else 0),
            Put(Item(*sums, index_groups.written(come) if come else {})),
            *(
                Put(Item(*keys.edition_group(tenant, corpus.generation, one.name), index_groups.written(one)))
                for one in groups
            ),
            Put(Item(*keys.corpus(tenant), _corpus(corpus, passages)), expects=corpus.revision),
        ]

    async def _moved(
        self, tenant: str, generation: int, gone: GroupSums | None, come: GroupSums | None
    ) -> list[GroupSums]:
        """The groups that change when some passages go and others come. The corpus's own record, which is written
        with them and only as it was read, keeps two changes at once from losing one."""
        changed: dict[str, GroupSums] = {}
        for sums, sign in ((gone, -1), (come, 1)):
            if sums is not None:
                held = changed.get(sums.name) or await self._group(tenant, generation, sums)
                changed[sums.name] = index_groups.moved(held, sums, sign)
        return list(changed.values())

    async def _group(self, tenant: str, generation: int, like: GroupSums) -> GroupSums:
        item = await self._table.get(*keys.edition_group(tenant, generation, like.name))
        return index_groups.nothing(like) if item is None else index_groups.read(item.body)

    async def clear(self, tenant: str) -> int:
        """Begin a new generation, in which nothing is live yet, and return its number."""
        corpus = await self.corpus(tenant)
        body = _corpus(replace(corpus, generation=corpus.generation + 1), 0)
        await self._table.write(Put(Item(*keys.corpus(tenant), body), expects=corpus.revision))
        place = keys.editions(tenant, corpus.generation)
        sorts = [item.sort async for item in self._table.query(place)]
        for start in range(0, len(sorts), PER_WRITE):
            await self._table.write(*(Delete(place, sort) for sort in sorts[start : start + PER_WRITE]))
        return corpus.generation + 1


def _corpus(corpus: Corpus, passages: int) -> Body:
    """The record of a corpus after a change."""
    return {"version": corpus.version + 1, "generation": corpus.generation, "passages": passages}
