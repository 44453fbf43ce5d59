"""The port of records: partition key, sort key, conditional put, transaction, query by prefix, expiry."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

Body = dict[str, Any]
"""A JSON object: str, int, float, bool, None, lists and objects of these."""


@dataclass(frozen=True, slots=True)
class Item:
    """One record. `revision` counts its writes from 1; 0 means not yet written."""

    partition: str
    sort: str
    body: Body
    revision: int = 0
    expires_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Put:
    """A write. `expects` is the revision that must be there: 0 for absent, None for whatever is there.

    With `below` a record is a counter that many may count up at once: it is written as often as that, and no more, and
    its revision is the count. Its key is not used again when it has expired. `expects` says nothing then.
    """

    item: Item
    expects: int | None = None
    below: int | None = None

    def fits(self, revision: int) -> bool:
        """Whether this may be written where a record of that revision is; 0 for none."""
        if self.below is not None:
            return revision < self.below
        return self.expects is None or self.expects == revision


@dataclass(frozen=True, slots=True)
class Delete:
    """Removes a record if it is there."""

    partition: str
    sort: str


class RecordTable(Protocol):
    """Keeps records. Engines: DynamoDB (aws), SQLite (embedded)."""

    async def get(self, partition: str, sort: str) -> Item | None:
        """The record, or None when absent or expired. Sees every earlier write.

        Raises: TableUnavailable, RecordDamaged when its bytes are no record any more.
        """

    async def write(self, *changes: Put | Delete) -> None:
        """All of the changes (at most 100) or none.

        Raises: Conflict when a `Put` expected another revision or a counter has reached its end, TableUnavailable.
        """

    def query(
        self, partition: str, prefix: str = "", *, after: str = "", descending: bool = False
    ) -> AsyncIterator[Item]:
        """Records of a partition in order of `sort` that start with `prefix`, past `after`; expired ones never.

        Raises: TableUnavailable, RecordDamaged at the first record whose bytes are no record any more.
        """

    async def purge(self) -> int:
        """Delete the records that have expired and say how many; DynamoDB does it by itself, so there it is 0."""

    async def scrub(self) -> None:
        """Leave no byte of what was deleted on the medium, as far as the engine can reach it."""

    async def sound(self) -> bool:
        """Whether the engine's own storage is in order, so that a record that is not found is not there."""
