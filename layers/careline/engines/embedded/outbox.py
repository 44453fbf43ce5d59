"""Holds turn records in a SQLite table until telemetry has taken them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from careline.engines.embedded.sqlite import SqliteFile
from careline.ports import Clock
from careline.records.outbox_message import OutboxEntry

SCHEMA = """
CREATE TABLE IF NOT EXISTS outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT, entry_id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL,
    body TEXT NOT NULL, put_at TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS settled (entry_id TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class SqliteOutbox:
    """The outbox port over SQLite."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._file = SqliteFile(path, SCHEMA)
        self._clock = clock

    async def put(self, entry: OutboxEntry) -> None:
        """See `ports.Outbox.put`. The same entry put twice is one entry."""
        row = (entry.entry_id, entry.tenant, json.dumps(entry.body, ensure_ascii=False), self._clock.now().isoformat())
        sql = (
            "INSERT OR IGNORE INTO outbox (entry_id, tenant, body, put_at) SELECT ?, ?, ?, ? "
            "WHERE NOT EXISTS (SELECT 1 FROM settled WHERE entry_id = ?)"
        )
        await self._file.run(lambda db: db.execute(sql, (*row, entry.entry_id)))

    async def take(self, limit: int = 10) -> Sequence[OutboxEntry]:
        """See `ports.Outbox.take`."""
        sql = "SELECT entry_id, tenant, body FROM outbox ORDER BY position LIMIT ?"
        rows = await self._file.run(lambda db: db.execute(sql, (limit,)).fetchall())
        return [OutboxEntry(entry_id, tenant, json.loads(body)) for entry_id, tenant, body in rows]

    async def settle(self, entry: OutboxEntry) -> None:
        """See `ports.Outbox.settle`."""
        await self._file.run(
            lambda db: (
                db.execute("INSERT OR IGNORE INTO settled VALUES (?)", (entry.entry_id,)),
                db.execute("DELETE FROM outbox WHERE entry_id = ?", (entry.entry_id,)),
            )
        )

    async def scrub(self) -> None:
        """See `ports.Outbox.scrub`."""
        await self._file.scrub()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
