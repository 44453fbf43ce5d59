"""The records of passages that were held back, and of what a person decided about each.

A decision is kept under a digest of the passage's content, so that it holds for whatever version or document brings the
same words again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterator
from typing import Literal

from careline.model import Chunk
from careline.records import keys
from careline.records.record_table import Body, Delete, Item, Put, RecordTable

Decision = Literal["released", "discarded"]


def passage_id(chunk: Chunk) -> str:
    """The name of a passage by its headings and text, 16 hexadecimal digits."""
    content = json.dumps([chunk.heading_path, chunk.text], ensure_ascii=True)
    return hashlib.sha256(content.encode()).hexdigest()[:16]


async def decision(table: RecordTable, tenant: str, passage: str) -> Body | None:
    """What was decided about a passage: `decision`, `by` and `at`; None while nobody has. Raises: TableUnavailable."""
    item = await table.get(*keys.passage_decision(tenant, passage))
    return item.body if item is not None else None


async def is_released(table: RecordTable, tenant: str, passage: str) -> bool:
    """Whether a person released the passage. Raises: TableUnavailable."""
    held = await decision(table, tenant, passage)
    return held is not None and held["decision"] == "released"


def put_decision(tenant: str, passage: str, body: Body) -> Put:
    """The write of a decision over an earlier one."""
    return Put(Item(*keys.passage_decision(tenant, passage), body))


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
