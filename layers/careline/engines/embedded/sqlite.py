"""Opens SQLite files the one way this package uses them: write-ahead log, durable commits, one thread per file."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import TypeVar

from careline.engines.embedded.unwritable import why
from careline.errors import TableUnavailable

Result = TypeVar("Result")

BUSY_SECONDS = 30.0
"""How long a writer waits for another process."""
NOT_WRITTEN = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}
)
"""Primary codes of SQLite's errors that a disk may be the reason of. Reading writes too: the log has an index."""


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
            raise TableUnavailable(self._told(error)) from error

    async def scrub(self) -> None:
        """Write the file anew from what it still holds, and empty its log, so that no deleted byte is left in either.

        Overwriting on deletion is not enough: a page that was split earlier keeps copies in its unused part.
        Raises: TableUnavailable when another process does not let go of the log.
        """
        await asyncio.get_running_loop().run_in_executor(self._thread, self._scrub_now)

    def _scrub_now(self) -> None:
        try:
            with self._one_at_a_time:
                connection = self._connection or self._open()
                connection.execute("VACUUM")
                (busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except (sqlite3.DatabaseError, OSError) as error:
            raise TableUnavailable(self._told(error)) from error
        if busy:
            raise TableUnavailable(f"{self._path.name} is in use; deleted bytes are still in its log, try again")

    def _told(self, error: Exception) -> str:
        """What is wrong with the file, and what to do where its disk tells."""
        code = getattr(error, "sqlite_errorcode", None)
        reason = why(self._path, error) if code is None or code & 0xFF in NOT_WRITTEN else None
        return f"{self._path.name}: {error}" if reason is None else f"{self._path.name} cannot be written: {reason}"

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=BUSY_SECONDS, check_same_thread=False)
        try:
            _use_log(connection)
        except sqlite3.DatabaseError:
            connection.close()
            raise
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        connection.executescript(self._schema)
        self._connection = connection
        return connection

    def let_go(self) -> None:
        """Close the connection; the next use opens the file that is at the path by then."""
        with self._one_at_a_time:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def close(self) -> None:
        """Finish what is under way and let go of the file."""
        self._thread.shutdown(wait=True)
        if self._connection is not None:
            with closing(self._connection):
                self._connection = None


def _use_log(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log. While one of several does that to a new file, SQLite refuses the others at once."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
