"""Tells a damaged index from a sound one: checksums of what is stored, and what SQLite's errors mean.

The index is a cache of the documents: whatever is wrong with it, `careline reindex` makes it anew.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from careline.errors import IndexUnavailable, TableUnavailable

MEND = "the search index is damaged; run `careline reindex` to build it again from the documents"
PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT,
    }
)  # fmt: skip
"""Primary codes of SQLite's errors that say nothing about what is stored."""
Result = TypeVar("Result")


class IndexDamaged(IndexUnavailable):
    """What the index holds is not what was written; only building it again helps."""

    def __init__(self) -> None:
        super().__init__(MEND)


def checksum(*parts: str | bytes) -> int:
    """CRC-32 of some texts and byte strings, one after another, each with its length."""
    found = 0
    for part in parts:
        content = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        found = zlib.crc32(content, zlib.crc32(len(content).to_bytes(8, "big"), found))
    return found


def checked(stated: object, *parts: str | bytes) -> None:
    """Raises: IndexDamaged when the checksum of the parts is not the one that was stored with them."""
    if not all(isinstance(part, str | bytes) for part in parts) or stated != checksum(*parts):
        raise IndexDamaged


def reading(work: Callable[[], Result]) -> Result:
    """What `work` reads of the index. Raises: IndexDamaged for what is not what was written, IndexUnavailable."""
    try:
        return work()
    except TableUnavailable as error:
        raise told(error) from error
    except OSError as error:
        raise IndexUnavailable(f"the search index cannot be written: {error.strerror}", retry_after=5) from error
    except ValueError as error:
        # What tantivy raises for files that it cannot read.
        raise IndexDamaged from error


def told(error: TableUnavailable) -> IndexUnavailable:
    """What an error of the file means for who searches."""
    code = getattr(error.__cause__, "sqlite_errorcode", None)
    passing = isinstance(error.__cause__, OSError) or (code is not None and code & 0xFF in PASSING)
    return IndexUnavailable(error.message, retry_after=5) if passing else IndexDamaged()


def manifest(folder: Path, leaving_out: frozenset[str]) -> dict[str, int]:
    """The checksum of every file of a folder, by its name."""
    paths = (path for path in folder.iterdir() if path.is_file() and path.name not in leaving_out)
    return {path.name: checksum(path.read_bytes()) for path in paths if path.suffix not in {".lock", ".part"}}


def holds(folder: Path, stated: Mapping[str, int]) -> bool:
    """Whether every file of a manifest is there as it was."""
    try:
        return all(checksum((folder / name).read_bytes()) == expected for name, expected in stated.items())
    except OSError:
        return False


def remove(folder: Path, name: str, schema: str) -> None:
    """Take a damaged index away. The log of the one that follows goes on where no earlier one can have been."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        (folder / f"{name}{suffix}").unlink(missing_ok=True)
    shutil.rmtree(folder / "keywords", ignore_errors=True)
    db = sqlite3.connect(folder / name)
    try:
        with db:
            db.executescript(schema)
            db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('log', ?)", (int(time.time()),))
    finally:
        db.close()


def applied(written: str) -> tuple[int, Mapping[str, int]]:
    """What the mark of a keyword index says: the log entry it is written up to, and its files. Raises: ValueError."""
    said = json.loads(written)
    if not isinstance(said, dict) or not isinstance(said.get("files"), dict):
        raise ValueError("no mark of a keyword index")
    return int(said["log"]), said["files"]
