"""The records of passages that were held back, and of what a person decided about each.

A decision is kept under a digest of the passage's content, so that it holds for whatever version or document brings the
same words again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Literal

from careline.knowledge.quarantine.parts import Parts, without
from careline.model import Chunk
from careline.records import keys
from careline.records.record_table import Body, Delete, Item, Put, RecordTable

Decision = Literal["released", "discarded"]


def passage_id(chunk: Chunk) -> str:
    """The name of a passage by its headings and text, 16 hexadecimal digits."""
    content = json.dumps([chunk.heading_path, chunk.text], ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Decisions:
    """What people decided about a passage: about all of it (`whole`), else about parts of it, by their names. Each is
    `decision`, `by` and `at`."""

    whole: Body | None
    parts: Mapping[str, Body]

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
        return without(chunk, parts.parts, {name for name, one in self.parts.items() if one["decision"] == "discarded"})

    def shown(self, parts: Parts) -> Body | None:
        """What was decided as a list shows it; None while it is not settled."""
        if self.whole is not None or not self._settled_in_parts(parts):
            return self.whole
        last = max((self.parts[one.part_id] for one in parts.parts), key=lambda body: str(body["at"]))
        return {**last, "decision": "in_parts"}

    def _settled_in_parts(self, parts: Parts) -> bool:
        return bool(parts.parts) and not parts.whole and all(one.part_id in self.parts for one in parts.parts)


async def decisions(table: RecordTable, tenant: str, passage: str) -> Decisions:
    """What was decided about a passage and its parts. Raises: TableUnavailable."""
    whole: Body | None = None
    parts: dict[str, Body] = {}
    key = keys.passage_decision(tenant, passage)
    async for item in table.query(key.partition, key.sort):
        _, _, part = item.sort.partition("#")
        if part:
            parts[part] = item.body
        else:
            whole = item.body
    return Decisions(whole, parts)


async def is_released(table: RecordTable, tenant: str, passage: str) -> bool:
    """Whether a person released the passage. Raises: TableUnavailable."""
    item = await table.get(*keys.passage_decision(tenant, passage))
    return item is not None and item.body["decision"] == "released"


def put_decision(tenant: str, passage: str, body: Body, part: str = "") -> Put:
    """The write of a decision about a passage, or a part of it, over an earlier one."""
    key = keys.part_decision(tenant, passage, part) if part else keys.passage_decision(tenant, passage)
    return Put(Item(*key, body))


def drop_decision(tenant: str, passage: str) -> Delete:
    """Forget what was decided about all of a passage, as parts of it are decided about now."""
    return Delete(*keys.passage_decision(tenant, passage))


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
