"""A chain with a few entries, and hands that reach behind the table port, for the tests of the audit."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from careline.audit import chain as audit
from careline.audit.chain import Link
from careline.engines.embedded.table import SqliteTable
from careline.ports import Engines
from tests.builders import some_engines
from tests.fakes import SettableClock

TENANT = "sint-anna"
DAY = 86_400


async def a_chain(length: int, engines: Engines, tenant: str = TENANT) -> list[Link]:
    """Entries of a chain, appended one after the other."""
    made = []
    for n in range(length):
        link = await audit.append(engines, tenant, "turn", {"n": n, "reason": 'é"\\/'}, entry_id=f"turn-{n:03d}")
        assert link is not None
        made.append(link)
    return made


_opened: list[SqliteTable] = []


def engines_on(file: Path) -> Engines:
    """Engines whose table is a file that can be reached behind the port; `close_all` lets go of it."""
    clock = SettableClock()
    table = SqliteTable(file, clock)
    _opened.append(table)
    return some_engines(clock=clock, table=table)


def close_all() -> None:
    """Let go of every file that a test has opened."""
    while _opened:
        _opened.pop().close()


class Behind:
    """Somebody who writes the database and does not have the key."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def run(self, sql: str, *values: Any) -> list[Any]:
        with closing(sqlite3.connect(self._file)) as db, db:
            return db.execute(sql, values).fetchall()

    def stored(self, partition: str = f"{TENANT}/audit") -> list[tuple[str, str, bytes]]:
        """Partition, sort key and the bytes of the body of every record of a partition."""
        sql = "SELECT partition, sort, CAST(body AS BLOB) FROM items WHERE partition = ? ORDER BY sort"
        return [(row[0], row[1], row[2]) for row in self.run(sql, partition)]

    def put_body(self, sort: str, body: bytes, partition: str = f"{TENANT}/audit") -> None:
        sql = "UPDATE items SET body = CAST(? AS TEXT) WHERE partition = ? AND sort = ?"
        self.run(sql, body, partition, sort)

    def body(self, sort: str) -> dict[str, Any]:
        found = self.run("SELECT body FROM items WHERE partition = ? AND sort = ?", f"{TENANT}/audit", sort)
        read: dict[str, Any] = json.loads(found[0][0])
        return read
