"""Which content of which document is live: the truth beside the index, kept in the table.

An *edition* is the content of one version as it was indexed. OpenSearch Serverless can neither update a document by
query nor by id in a vector collection, and shows a write only after its refresh; so whether a passage is live cannot
stand in the passage. It stands in one record for each document, changed together with the corpus version in one
transaction, and a search is filtered by the editions that were live when it began. A reader therefore sees the old
version or the new one, never both and never neither.

A *generation* is everything between two `clear`s; what an earlier one left in the index can never be live again.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from careline.optimistic_update import Update, optimistic_update
from careline.ports import Vector
from careline.record_table import Body, Delete, Item, Put, RecordTable

TRIES = 12
"""Activations of one tenant at once wait for each other; each try takes about 10 ms."""
TOO_MANY = "too many documents are activated at once; try again"
PER_WRITE = 100


@dataclass(frozen=True, slots=True)
class Corpus:
    """What a tenant's live passages are together. `total` is the sum of their vectors, shape (dimensions,)."""

    version: int
    generation: int
    passages: int
    total: Vector | None
    revision: int

    @property
    def mean(self) -> Vector | None:
        """The mean vector: its product with a question's is the question's mean cosine over the corpus."""
        return None if self.total is None or not self.passages else self.total / np.float32(self.passages)


@dataclass(frozen=True, slots=True)
class Edition:
    """The content of one version in the index."""

    name: str
    passages: int
    total: Vector | None


class Editions:
    """The records about live editions."""

    def __init__(self, table: RecordTable) -> None:
        self._table = table
        self._live: dict[str, tuple[int, Mapping[str, str]]] = {}

    async def corpus(self, tenant: str) -> Corpus:
        """The tenant's corpus as it is now."""
        item = await self._table.get(_tenant(tenant), "corpus")
        if item is None:
            return Corpus(0, 0, 0, None, 0)
        body = item.body
        return Corpus(body["version"], body["generation"], body["passages"], _vector(body["total"]), item.revision)

    async def live(self, tenant: str, corpus: Corpus) -> Mapping[str, str]:
        """Document key → its live edition. Read again when the corpus version has changed, else from memory."""
        held = self._live.get(tenant)
        if held is None or held[0] != corpus.version:
            records = self._table.query(_records(tenant, corpus.generation), "live#")
            live = {item.body["doc_key"]: item.body["edition"] async for item in records if item.body["edition"]}
            held = self._live[tenant] = (corpus.version, live)
        return held[1]

    async def announce(self, tenant: str, generation: int, doc_key: str, version: int, edition: Edition) -> None:
        """Record what is about to be indexed as this version."""
        body = {"edition": edition.name, "passages": edition.passages, "total": _text(edition.total)}
        await self._table.write(Put(Item(_records(tenant, generation), _edition_key(doc_key, version), body)))

    async def announced(self, tenant: str, generation: int, doc_key: str, version: int) -> Edition | None:
        """What was recorded for this version, None when nothing was."""
        item = await self._table.get(_records(tenant, generation), _edition_key(doc_key, version))
        if item is None:
            return None
        return Edition(item.body["edition"], item.body["passages"], _vector(item.body["total"]))

    async def replace(self, tenant: str, doc_key: str, version: int, edition: Edition | None) -> None:
        """Make an edition, or none, the live one of its document, unless a newer version was live or retired.

        Raises: Conflict when other activations of the tenant kept coming in between, TableUnavailable.
        """

        async def decide() -> Update[None]:
            return Update(None, await self._replacing(tenant, doc_key, version, edition))

        await optimistic_update(self._table, decide, busy=TOO_MANY, tries=TRIES)

    async def _replacing(self, tenant: str, doc_key: str, version: int, edition: Edition | None) -> list[Put]:
        corpus = await self.corpus(tenant)
        place, key = _records(tenant, corpus.generation), f"live#{doc_key}"
        held = await self._table.get(place, key)
        was: Body = held.body if held else {"version": 0, "edition": None, "passages": 0}
        name = edition.name if edition else None
        if was["version"] > version or (was["version"] == version and was["edition"] in (name, None)):
            return []
        before = await self._table.get(place, f"sum#{doc_key}") if was["edition"] else None
        total = _moved(
            corpus.total, _vector(before.body["total"]) if before else None, edition.total if edition else None
        )
        count = edition.passages if edition else 0
        live = {"doc_key": doc_key, "version": version, "edition": name, "passages": count}
        summed = {
            "version": corpus.version + 1,
            "generation": corpus.generation,
            "passages": corpus.passages - was["passages"] + count,
            "total": _text(total),
        }
        return [
            Put(Item(place, key, live), expects=held.revision if held else 0),
            Put(Item(place, f"sum#{doc_key}", {"total": _text(edition.total if edition else None)})),
            Put(Item(_tenant(tenant), "corpus", summed), expects=corpus.revision),
        ]

    async def clear(self, tenant: str) -> int:
        """Begin a new generation, in which nothing is live yet, and return its number."""
        corpus = await self.corpus(tenant)
        body = {"version": corpus.version + 1, "generation": corpus.generation + 1, "passages": 0, "total": None}
        await self._table.write(Put(Item(_tenant(tenant), "corpus", body), expects=corpus.revision))
        place = _records(tenant, corpus.generation)
        keys = [item.sort async for item in self._table.query(place)]
        for start in range(0, len(keys), PER_WRITE):
            await self._table.write(*(Delete(place, key) for key in keys[start : start + PER_WRITE]))
        return corpus.generation + 1


def _tenant(tenant: str) -> str:
    return f"passages#{tenant}"


def _records(tenant: str, generation: int) -> str:
    return f"passages#{tenant}#{generation}"


def _edition_key(doc_key: str, version: int) -> str:
    return f"edition#{doc_key}#{version:08d}"


def _moved(total: Vector | None, minus: Vector | None, plus: Vector | None) -> Vector | None:
    sizes = [vector.size for vector in (total, minus, plus) if vector is not None]
    if not sizes:
        return None
    moved = np.zeros(sizes[-1], np.float32)
    for sign, vector in ((1, total), (-1, minus), (1, plus)):
        if vector is not None and vector.size == moved.size:
            moved += np.float32(sign) * vector
    return moved


def _text(vector: Vector | None) -> str | None:
    return None if vector is None else base64.b64encode(np.asarray(vector, "<f4").tobytes()).decode()


def _vector(text: str | None) -> Vector | None:
    return None if text is None else np.frombuffer(base64.b64decode(text), "<f4").astype(np.float32)
