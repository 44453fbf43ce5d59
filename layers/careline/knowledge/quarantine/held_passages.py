"""The records of passages that were held back, and of what a person decided about each.

A decision is kept under a digest of the passage's content, so that it holds for whatever version or document brings the
same words again. What is left of a passage without the parts that were discarded is no passage of its own: the record
of the passage says what is told of it, and its decisions hold.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from careline.knowledge.quarantine.parts import Parts, without
from careline.model import Chunk, Passage
from careline.records import keys
from careline.records.record_table import Body, Delete, Item, Put, RecordTable

Decision = Literal["released", "discarded"]
IN_PARTS = "in_parts"
"""Stands in the place of a decision about all of a passage while its parts are decided about apart."""


def passage_id(chunk: Chunk) -> str:
    """The name of a passage by its headings and text, 16 hexadecimal digits."""
    content = json.dumps([chunk.heading_path, chunk.text], ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What people decided about a passage: about all of it (`whole`), else about parts of it, by their names. Each is
    `decision`, `by` and `at`. `revision` guards every change of them."""

    whole: Body | None
    parts: Mapping[str, Body]
    revision: int = 0

    def of(self, part: str) -> Body | None:
        """What holds for a part; what was decided about the passage holds for each."""
        return self.whole or self.parts.get(part)

    def settled(self, parts: Parts) -> bool:
        """Whether it is clear what may be told of the passage."""
        return self.whole is not None or self._settled_in_parts(parts)

    def told(self, chunk: Chunk, parts: Parts) -> Chunk | None:
        """What may be told of the passage: all, what is left of it, or None for nothing."""
        if self.whole is not None:
            return chunk if self.whole["decision"] == "released" else None
        if not self._settled_in_parts(parts):
            return None
        return without(chunk, parts.parts, self.discarded)

    @property
    def discarded(self) -> frozenset[str]:
        """The names of the parts that were discarded; none where something was decided about all of the passage."""
        parts = {} if self.whole is not None else self.parts
        return frozenset(name for name, one in parts.items() if one["decision"] == "discarded")

    def shown(self, parts: Parts) -> Body | None:
        """What was decided as a list shows it; None while it is not settled."""
        if self.whole is not None or not self._settled_in_parts(parts):
            return self.whole
        last = max((self.parts[one.part_id] for one in parts.parts), key=lambda body: str(body["at"]))
        return {**last, "decision": IN_PARTS}

    def _settled_in_parts(self, parts: Parts) -> bool:
        return bool(parts.parts) and not parts.whole and all(one.part_id in self.parts for one in parts.parts)


async def decisions(table: RecordTable, tenant: str, passage: str) -> Decisions:
    """What was decided about a passage and its parts. Raises: TableUnavailable."""
    whole: Body | None = None
    parts: dict[str, Body] = {}
    revision = 0
    key = keys.passage_decision(tenant, passage)
    async for item in table.query(key.partition, key.sort):
        _, _, part = item.sort.partition("#")
        if part:
            parts[part] = item.body
        else:
            whole = None if item.body["decision"] == IN_PARTS else item.body
            revision = item.revision
    return Decisions(whole, parts, revision)


async def is_released(table: RecordTable, tenant: str, passage: Passage) -> bool:
    """Whether people released a passage as the index has it: whole, or as what is left without the parts that were
    discarded, where none was discarded since. Raises: TableUnavailable."""
    name = passage_id(passage.chunk)
    whole = (await decisions(table, tenant, name)).whole
    if whole is not None:
        return bool(whole["decision"] == "released")
    cut_from = [
        entry
        async for entry in entries(table, tenant, passage.doc_key, passage.version)
        if name in entry.get("told", {}).get("passages", ())
    ]
    standing = [
        _stands(await decisions(table, tenant, entry["passage_id"]), entry["told"]["without"]) for entry in cut_from
    ]
    return bool(standing) and all(standing)


def _stands(decided: Decisions, left_out: Collection[str]) -> bool:
    """Whether what was told of a passage without some parts may still be told."""
    if decided.whole is not None:
        return bool(decided.whole["decision"] == "released")
    return decided.discarded <= set(left_out)


def put_decision(tenant: str, passage: str, body: Body, expects: int | None = None) -> Put:
    """The write of a decision about a passage over an earlier one. `expects` is the revision of the `Decisions` that
    were read, None for whatever is there."""
    return Put(Item(*keys.passage_decision(tenant, passage), body), expects)


def put_part_decision(tenant: str, passage: str, part: str, body: Body) -> Put:
    """The write of a decision about a part of a passage, which a write of the passage's own decision guards."""
    return Put(Item(*keys.part_decision(tenant, passage, part), body))


def put_entry(tenant: str, doc_key: str, version: int, passage: str, body: Body) -> Put:
    """The write of a passage held back in one version of a document."""
    return Put(Item(*keys.held_passage(tenant, doc_key, version, passage), body))


def drop_entry(tenant: str, doc_key: str, version: int, passage: str) -> Delete:
    """Forget that a passage was held back in a version."""
    return Delete(*keys.held_passage(tenant, doc_key, version, passage))


async def entries(table: RecordTable, tenant: str, doc_key: str = "", version: int = 0) -> AsyncIterator[Body]:
    """Passages held back, by document and version; of one version where it is named."""
    of_one = keys.held_passages_of(doc_key, version) if doc_key else ""
    async for item in table.query(keys.quarantine(tenant), of_one):
        yield item.body
