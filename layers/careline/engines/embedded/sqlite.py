"""Opens SQLite files the one way this package uses them: write-ahead log, durable commits, one thread per file."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from careline.errors import TableUnavailable

Result = TypeVar("Result")

BUSY_SECONDS = 30.0
"""How long a writer waits for another process."""


class SqliteFile:
    """One connection to a database file and a thread to use it on."""

    def __init__(self, path: Path, schema: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._path = path
        self._schema = schema
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f"sqlite-{path.stem}")
        self._connection: sqlite3.Connection | None = None
        self._one_at_a_time = threading.RLock()

    async def run(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """Do `work` in one transaction on the file's thread: all of it is kept, or none.

        Raises: TableUnavailable when the file cannot be read or written, and whatever `work` raises.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, self.run_now, work)

    def run_now(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        """The same, on the calling thread, for callers that are on a worker thread already."""
        try:
            with self._one_at_a_time, self._connection or self._open() as connection:
                return work(connection)
        except (sqlite3.DatabaseError, OSError) as error:
            raise TableUnavailable(f"{self._path.name}: {error}") from error

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.executescript(self._schema)
        self._connection = connection
        return connection

    def close(self) -> None:
        """Finish what is under way and let go of the file."""
        self._thread.shutdown(wait=True)
        if self._connection is not None:
            with closing(self._connection):
                self._connection = None
