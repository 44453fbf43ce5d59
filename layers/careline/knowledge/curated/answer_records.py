"""What is kept of an answer beside its document: who added, changed and retired it, and when."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Literal

from careline.model import Document
from careline.ports import Engines
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Item, Put, RecordTable

Did = Literal["added", "changed", "retired", "ingested"]


@dataclass(frozen=True, slots=True)
class AnswerChange:
    """One change: what was done, by whom ("" where a file brought it) and when, and SHA-256 of the content after it."""

    did: Did
    by: str
    at: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class AnswerHistory:
    """Every change of an answer, oldest first, with the revision that a write must expect."""

    doc_key: str
    changes: tuple[AnswerChange, ...] = ()
    revision: int = 0

    @property
    def is_retired(self) -> bool:
        """Whether the last that was done is that it was retired."""
        return bool(self.changes) and self.changes[-1].did == "retired"

    @property
    def ends_with(self) -> str:
        """SHA-256 of the content after the last change, "" where nobody noted one."""
        return self.changes[-1].content_hash if self.changes else ""

    def put(self, tenant: str, change: AnswerChange) -> Put:
        """The write of one change more."""
        changes = [asdict(one) for one in (*self.changes, change)]
        item = Item(*keys.answer(tenant, self.doc_key), {"doc_key": self.doc_key, "changes": changes})
        return Put(item, expects=self.revision)


async def history(table: RecordTable, tenant: str, doc_key: str) -> AnswerHistory:
    """The changes of an answer; none of one that nobody noted. Raises: TableUnavailable."""
    item = await table.get(*keys.answer(tenant, doc_key))
    return AnswerHistory(doc_key) if item is None else _read(item)


async def histories(table: RecordTable, tenant: str, after: str = "") -> AsyncIterator[AnswerHistory]:
    """Every answer past `after`, in order of its key. Raises: TableUnavailable."""
    async for item in table.query(keys.answers(tenant), after=after):
        yield _read(item)


async def note_ingested(
    document: Document, engines: Engines, alongside: Callable[[], Awaitable[Sequence[Put]]]
) -> None:
    """Note an answer that a file of records brought, unless this content is noted already, and write `alongside` in the
    same transaction. Raises: TableUnavailable."""

    async def decide() -> Update[None]:
        held = await history(engines.table, document.tenant, document.doc_key)
        if any(one.content_hash == document.content_hash for one in held.changes):
            return Update(None)
        at = _moment(document.created_at)
        change = AnswerChange("ingested", "", at, document.content_hash)
        return Update(None, (held.put(document.tenant, change), *await alongside()))

    await optimistic_update(engines.table, decide, busy="this answer is being changed by others; try again")


def change_of(did: Did, by: str, content_hash: str, at: datetime) -> AnswerChange:
    """A change as it is kept."""
    return AnswerChange(did, by, _moment(at), content_hash)


def _moment(at: datetime) -> str:
    return at.isoformat()


def _read(item: Item) -> AnswerHistory:
    changes: Sequence[dict[str, str]] = item.body["changes"]
    return AnswerHistory(
        item.body["doc_key"],
        tuple(AnswerChange(one["did"], one["by"], one["at"], one["content_hash"]) for one in changes),  # type: ignore[arg-type]
        item.revision,
    )
