"""Which content of which document is live: the truth beside the index, kept in the table.

An *edition* is the content of one version as it was indexed. OpenSearch Serverless can neither update a document by
query nor by id in a vector collection, and shows a write only after its refresh; so whether a passage is live cannot
stand in the passage. It stands in one record for each document, changed together with the corpus in one transaction,
and a search leaves out the editions that were not live when it began (`hidden_editions`). A reader therefore sees the
old version or the new one, never both and never neither.

A *generation* is everything between two `clear`s; what an earlier one left in the index can never be live again. Its
number is drawn, so that a table that was restored to an earlier day begins none that the index has seen.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from careline.engines.aws.passage_index import hidden_editions, index_groups
from careline.engines.aws.passage_index.hidden_editions import Change, Hidden
from careline.engines.aws.passage_index.index_groups import GroupSums
from careline.errors import Contended, IndexUnavailable
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Body, Delete, Item, Put, RecordTable

TRIES = 12
"""Activations of one tenant at once wait for each other; each try takes about 10 ms."""
TOO_MANY = "too many documents are activated at once; try again"
EARLIER = "the index was made by an earlier version; run `careline reindex`"
PER_WRITE = 100
LARGEST = 2**31 - 1
"""Number of a generation, which an index holds in 32 bits."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Where a tenant's corpus stands. `changes` counts what `hidden_editions` logs, announcements too; `version` what
    changes answers. `has_earlier` says that the index may still hold passages of earlier generations."""

    version: int
    changes: int | None
    """None of one that an earlier version of ours kept."""
    generation: int
    passages: int
    revision: int
    has_earlier: bool = False


@dataclass(frozen=True, slots=True)
class Edition:
    """The content of one version in the index, and what its passages are together."""

    name: str
    sums: GroupSums


@dataclass(frozen=True, slots=True)
class Live:
    """What is live of a tenant: all of its generation but what is hidden; and the groups of language and audience that
    have any passage, as of a version of the corpus."""

    hidden: Hidden
    groups: Sequence[GroupSums]
    version: int


class Editions:
    """The records about live editions."""

    def __init__(self, table: RecordTable) -> None:
        self._table = table
        self._live: dict[str, Live] = {}

    async def corpus(self, tenant: str) -> Corpus:
        """The tenant's corpus as it is now."""
        item = await self._table.get(*keys.corpus(tenant))
        if item is None:
            return Corpus(0, 0, 0, 0, 0)
        body = item.body
        return Corpus(
            body["version"], body.get("changes"), body["generation"], body["passages"], item.revision,
            bool(body.get("has_earlier")),
        )  # fmt: skip

    async def live(self, tenant: str, corpus: Corpus) -> Live:
        """What is live. What has changed since is read, the rest is in memory.

        Raises: IndexUnavailable for a corpus that an earlier version kept, TableUnavailable.
        """
        if corpus.changes is None:
            raise IndexUnavailable(EARLIER)
        held = self._live.get(tenant)
        known = held.hidden if held else None
        hidden = await hidden_editions.hidden(self._table, tenant, corpus.generation, corpus.changes, known)
        if held is None or held.version != corpus.version:
            place = keys.editions(tenant, corpus.generation)
            groups = [index_groups.read(item.body) async for item in self._table.query(place, keys.GROUPS)]
            held = Live(hidden, [one for one in groups if one.passages], corpus.version)
        self._live[tenant] = replace(held, hidden=hidden)
        return self._live[tenant]

    async def announce(self, tenant: str, generation: int, doc_key: str, version: int, edition: Edition) -> int:
        """Record what is about to be indexed as this version, and hide it until it is activated; the number of the
        change with which it was hidden, which its passages carry.

        Raises: Conflict when others of the tenant kept coming in between, IndexUnavailable when the index was cleared
        meanwhile, TableUnavailable.
        """

        async def decide() -> Update[int]:
            return await self._announcing(tenant, generation, doc_key, version, edition)

        return await optimistic_update(self._table, decide, busy=TOO_MANY, tries=TRIES)

    async def _announcing(
        self, tenant: str, generation: int, doc_key: str, version: int, edition: Edition
    ) -> Update[int]:
        corpus, changes = await self._changing(tenant, generation)
        since = await hidden_editions.hidden_since(self._table, tenant, generation, edition.name)
        body = {"edition": edition.name, "sums": index_groups.written(edition.sums)}
        announced = Put(Item(*keys.edition(tenant, generation, doc_key, version), body))
        if since is not None:
            return Update(since, [announced])
        key = keys.live_edition(tenant, generation, doc_key)
        live = await self._table.get(*key)
        if live is not None and live.body["edition"] == edition.name:
            return Update(changes, [announced])
        number = changes + 1
        written = hidden_editions.written(tenant, generation, number, Change(hides=[edition.name]))
        after = Put(Item(*keys.corpus(tenant), _body(replace(corpus, changes=number))), expects=corpus.revision)
        # On condition that it is not live by now: then it would be hidden for good.
        still = Put(Item(*key, live.body if live else _nothing(doc_key)), expects=live.revision if live else 0)
        return Update(number, [announced, *written, still, after])

    async def _changing(self, tenant: str, generation: int | None = None) -> tuple[Corpus, int]:
        """The corpus and how many changes it has had. Raises: IndexUnavailable for one that an earlier version kept,
        and where it is of another generation by now: whoever asked begins again."""
        corpus = await self.corpus(tenant)
        if corpus.changes is None:
            raise IndexUnavailable(EARLIER)
        if generation is not None and corpus.generation != generation:
            raise IndexUnavailable("the index was cleared meanwhile; try again", retry_after=1)
        return corpus, corpus.changes

    async def announced(self, tenant: str, generation: int, doc_key: str, version: int) -> Edition | None:
        """What was recorded for this version, None when nothing was."""
        item = await self._table.get(*keys.edition(tenant, generation, doc_key, version))
        if item is None:
            return None
        return Edition(item.body["edition"], index_groups.read(item.body["sums"]))

    async def replace(
        self, tenant: str, doc_key: str, version: int, edition: Edition | None, generation: int | None = None
    ) -> None:
        """Make an edition of this generation, or none, the live one of its document, unless a newer version was live or
        retired.

        Raises: Conflict when other activations of the tenant kept coming in between, IndexUnavailable when the index
        was cleared meanwhile, TableUnavailable.
        """

        async def decide() -> Update[None]:
            corpus, changes = await self._changing(tenant, generation)
            return Update(None, await self._replacing(tenant, doc_key, version, edition, corpus, changes))

        await optimistic_update(self._table, decide, busy=TOO_MANY, tries=TRIES)

    async def withdraw(self, tenant: str, doc_key: str, version: int) -> None:
        """Have no edition of a document live whose live version this is, which may be made live again. Raises: as
        `replace`."""

        async def decide() -> Update[None]:
            corpus, changes = await self._changing(tenant)
            held = await self._table.get(*keys.live_edition(tenant, corpus.generation, doc_key))
            if held is None or held.body["version"] != version or held.body["edition"] is None:
                return Update(None, [])
            return Update(None, await self._moving(tenant, doc_key, held, version - 1, None, corpus, changes))

        await optimistic_update(self._table, decide, busy=TOO_MANY, tries=TRIES)

    async def _replacing(
        self, tenant: str, doc_key: str, version: int, edition: Edition | None, corpus: Corpus, changes: int
    ) -> list[Put | Delete]:
        held = await self._table.get(*keys.live_edition(tenant, corpus.generation, doc_key))
        was: Body = held.body if held else _nothing(doc_key)
        name = edition.name if edition else None
        if was["version"] > version or (was["version"] == version and was["edition"] in (name, None)):
            return []
        return await self._moving(tenant, doc_key, held, version, edition, corpus, changes)

    async def _moving(
        self,
        tenant: str,
        doc_key: str,
        held: Item | None,
        version: int,
        edition: Edition | None,
        corpus: Corpus,
        changes: int,
    ) -> list[Put | Delete]:
        """The writes that put an edition, or none, in the place of the one that is `held` as live."""
        key = keys.live_edition(tenant, corpus.generation, doc_key)
        sums = keys.edition_sums(tenant, corpus.generation, doc_key)
        was: Body = held.body if held else _nothing(doc_key)
        name = edition.name if edition else None
        before = await self._table.get(*sums) if was["edition"] else None
        if was["edition"] and not (before and before.body):
            # Another change is shown half by now.
            raise Contended(TOO_MANY, retry_after=1)
        gone, come = index_groups.read(before.body) if before else None, edition.sums if edition else None
        passages = corpus.passages - (gone.passages if gone else 0) + (come.passages if come else 0)
        live = {"doc_key": doc_key, "version": version, "edition": name}
        groups = await self._moved(tenant, corpus.generation, gone, come)
        number, generation = changes + 1, corpus.generation
        change = Change(hides=[was["edition"]] if was["edition"] else [], shows=[name] if name else [])
        after = replace(corpus, version=corpus.version + 1, changes=number, passages=passages)
        return [
            Put(Item(*key, live), expects=held.revision if held else 0),
            Put(Item(*sums, index_groups.written(come) if come else {})),
            *(
                Put(Item(*keys.edition_group(tenant, corpus.generation, one.name), index_groups.written(one)))
                for one in groups
            ),
            *hidden_editions.written(tenant, generation, number, change),
            Put(Item(*keys.corpus(tenant), _body(after)), expects=corpus.revision),
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
        item = await self._table.get(*keys.corpus(tenant))
        # One that an earlier version kept lacks what is counted today.
        was: Body = {"version": 0, "changes": 0, "generation": 0, **(item.body if item else {})}
        generation, place = secrets.randbelow(LARGEST) + 1, keys.editions(tenant, was["generation"])
        number = was["changes"] + 1
        corpus = Corpus(was["version"] + 1, number, generation, 0, item.revision if item else 0, has_earlier=True)
        await self._table.write(
            Put(Item(*keys.corpus(tenant), _body(corpus)), expects=corpus.revision),
            *hidden_editions.written(tenant, generation, number, Change()),
        )
        sorts = [item.sort async for item in self._table.query(place)]
        for start in range(0, len(sorts), PER_WRITE):
            await self._table.write(*(Delete(place, sort) for sort in sorts[start : start + PER_WRITE]))
        return generation

    async def swept(self, tenant: str, generation: int) -> None:
        """Note that the index holds nothing of earlier generations any more. Raises: Conflict, TableUnavailable."""
        corpus, _ = await self._changing(tenant, generation)
        body = _body(replace(corpus, has_earlier=False))
        await self._table.write(Put(Item(*keys.corpus(tenant), body), expects=corpus.revision))


def _nothing(doc_key: str) -> Body:
    """The record of what is live of a document before anything was."""
    return {"doc_key": doc_key, "version": 0, "edition": None}


def _body(corpus: Corpus) -> Body:
    """The record of a corpus."""
    return {
        "version": corpus.version, "changes": corpus.changes, "generation": corpus.generation,
        "passages": corpus.passages, "has_earlier": corpus.has_earlier,
    }  # fmt: skip
