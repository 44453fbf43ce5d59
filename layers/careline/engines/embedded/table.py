"""Keeps records in one SQLite file; several processes may use it at once."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from careline.engines.embedded.sqlite import SqliteFile
from careline.errors import Conflict, RecordDamaged
from careline.ports import Clock
from careline.records.record_table import Body, Delete, Item, Put

SCHEMA = """
CREATE TABLE IF NOT EXISTS items (
    partition TEXT NOT NULL, sort TEXT NOT NULL, body TEXT NOT NULL, revision INTEGER NOT NULL, expires_at REAL,
    PRIMARY KEY (partition, sort)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS items_expiry ON items (expires_at) WHERE expires_at IS NOT NULL;
"""
PAGE = 500
COLUMNS = "CAST(sort AS BLOB), CAST(body AS BLOB), revision, expires_at"
"""As bytes, so that one record whose text is broken does not keep the others of its page from being read."""
Row = tuple[bytes, bytes, int, float | None]


class SqliteTable:
    """The table port over SQLite."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._file = SqliteFile(path, SCHEMA)
        self._clock = clock

    async def get(self, partition: str, sort: str) -> Item | None:
        """See `record_table.RecordTable.get`."""
        now = self._clock.now().timestamp()
        where = "partition = ? AND sort = ? AND (expires_at IS NULL OR expires_at > ?)"
        sql = f"SELECT {COLUMNS} FROM items WHERE {where}"  # noqa: S608
        row = await self._file.run(lambda db: db.execute(sql, (partition, sort, now)).fetchone())
        return _item(partition, row) if row else None

    async def write(self, *changes: Put | Delete) -> None:
        """See `record_table.RecordTable.write`."""
        now = self._clock.now().timestamp()

        def work(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            for change in changes:
                _apply(db, change, now)

        await self._file.run(work)

    async def query(
        self, partition: str, prefix: str = "", *, after: str = "", descending: bool = False
    ) -> AsyncIterator[Item]:
        """See `record_table.RecordTable.query`. Reads in pages, so that a long listing holds no transaction open."""
        order, beyond = ("DESC", "<") if descending else ("ASC", ">")
        last = after
        while True:
            clause = f"AND sort {beyond} ?" if last else "AND ? = ''"
            sql = (
                f"SELECT {COLUMNS} FROM items WHERE partition = ? "  # noqa: S608
                f"AND sort >= ? AND sort < ? || char(1114111) {clause} ORDER BY sort {order} LIMIT {PAGE}"
            )
            rows = await self._file.run(partial(_rows, sql=sql, values=(partition, prefix, prefix, last)))
            now = self._clock.now().timestamp()
            for row in rows:
                item = _item(partition, row)
                if item.expires_at is None or item.expires_at.timestamp() > now:
                    yield item
                last = item.sort
            if len(rows) < PAGE:
                return

    async def purge(self) -> int:
        """See `record_table.RecordTable.purge`."""
        now = self._clock.now().timestamp()
        sql = "DELETE FROM items WHERE expires_at IS NOT NULL AND expires_at <= ?"
        return await self._file.run(lambda db: db.execute(sql, (now,)).rowcount)

    async def scrub(self) -> None:
        """See `record_table.RecordTable.scrub`."""
        await self._file.scrub()

    async def sound(self) -> bool:
        """See `record_table.RecordTable.sound`. Reads the whole file."""
        rows = await self._file.run(lambda db: db.execute("PRAGMA integrity_check(1)").fetchall())
        return rows == [("ok",)]

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def _rows(db: sqlite3.Connection, sql: str, values: tuple[str, ...]) -> list[Row]:
    return db.execute(sql, values).fetchall()


def _apply(db: sqlite3.Connection, change: Put | Delete, now: float) -> None:
    if isinstance(change, Delete):
        db.execute("DELETE FROM items WHERE partition = ? AND sort = ?", (change.partition, change.sort))
        return
    item = change.item
    found = db.execute(
        "SELECT revision, expires_at FROM items WHERE partition = ? AND sort = ?", (item.partition, item.sort)
    ).fetchone()
    expired = found is not None and found[1] is not None and found[1] <= now
    revision = 0 if found is None or expired else int(found[0])
    if not change.fits(revision):
        raise Conflict("somebody else changed this record first; read it again")
    body = json.dumps(item.body, ensure_ascii=False, separators=(",", ":"))
    expires = item.expires_at.timestamp() if item.expires_at else None
    db.execute(
        "INSERT OR REPLACE INTO items VALUES (?, ?, ?, ?, ?)", (item.partition, item.sort, body, revision + 1, expires)
    )


def _item(partition: str, row: Row) -> Item:
    sort, body, revision, expires_at = row
    try:
        expires = None if expires_at is None else datetime.fromtimestamp(expires_at, UTC)
        return Item(partition, sort.decode(), _object(body.decode()), int(revision), expires)
    except (ValueError, TypeError, OverflowError, OSError):
        raise RecordDamaged(sort.decode(errors="replace")) from None


def _object(text: str) -> Body:
    body = json.loads(text)
    if not isinstance(body, dict):
        raise ValueError("a body is a JSON object")
    return body
