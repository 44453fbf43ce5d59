"""Why a file of the home cannot be written is said in a sentence that names the file and what to do."""

from __future__ import annotations

import errno
import os
import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from careline.engines.embedded import unwritable
from careline.engines.embedded.files import FolderFiles
from careline.engines.embedded.key import kept_key
from careline.engines.embedded.sqlite import SqliteFile
from careline.errors import FilesUnavailable, SettingsInvalid, TableUnavailable

SCHEMA = "CREATE TABLE IF NOT EXISTS kept (body TEXT)"


@dataclass(frozen=True)
class Disk:
    """What the system says of a disk; there is room on it, where nothing else is said."""

    f_flag: int = 0
    f_bavail: int = 10_000_000
    f_frsize: int = 4096
    f_files: int = 1000
    f_favail: int = 500


ROOMY = Disk()


def disk_is(monkeypatch: pytest.MonkeyPatch, disk: Disk) -> None:
    monkeypatch.setattr(os, "statvfs", lambda place: disk)


@pytest.mark.parametrize(
    ("disk", "expected"),
    [
        (replace(ROOMY, f_bavail=0), unwritable.FULL),
        (replace(ROOMY, f_bavail=3), unwritable.FULL),
        (replace(ROOMY, f_favail=0), unwritable.FULL),
        (replace(ROOMY, f_flag=os.ST_RDONLY), unwritable.READ_ONLY),
        (ROOMY, None),
        # A file system that counts no files has none left to count.
        (replace(ROOMY, f_files=0, f_favail=0), None),
    ],
)
def test_the_disk_tells_what_the_engine_does_not(
    disk: Disk, expected: str | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    disk_is(monkeypatch, disk)
    assert unwritable.why(tmp_path / "deep" / "down" / "file", sqlite3.OperationalError("disk I/O error")) == expected


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM])
def test_the_code_of_the_system_goes_before_what_the_disk_says(code: int, tmp_path: Path) -> None:
    told = unwritable.why(tmp_path / "file", OSError(code, "no"))
    assert told is not None
    assert "then try again" in told or "--home" in told, "it says what to do"


@pytest.mark.parametrize(("limit", "code"), [("PRAGMA max_page_count = 3", sqlite3.SQLITE_FULL)])
async def test_a_database_that_grows_no_more_names_itself_and_the_disk(
    limit: str, code: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = SqliteFile(tmp_path / "records.sqlite", SCHEMA)
    await file.run(lambda db: db.execute(limit))
    disk_is(monkeypatch, replace(ROOMY, f_bavail=0))
    with pytest.raises(TableUnavailable) as raised:
        await file.run(lambda db: db.execute("INSERT INTO kept VALUES (?)", ("x" * 100_000,)))
    assert getattr(raised.value.__cause__, "sqlite_errorcode", None) == code
    assert raised.value.message == f"records.sqlite cannot be written: {unwritable.FULL}"
    file.close()


async def test_what_has_nothing_to_do_with_the_disk_is_told_as_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "records.sqlite").write_bytes(b"no database " * 500)
    disk_is(monkeypatch, replace(ROOMY, f_bavail=0))
    file = SqliteFile(tmp_path / "records.sqlite", SCHEMA)
    with pytest.raises(TableUnavailable, match="not a database"):
        await file.run(lambda db: db.execute("SELECT 1"))
    file.close()


async def test_files_that_cannot_be_written_or_removed_are_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    files = FolderFiles(tmp_path / "files")
    await files.put("a/one.txt", b"1")

    def refuse(*arguments: object, **named: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "write_bytes", refuse)
    with pytest.raises(FilesUnavailable, match="files cannot be written: CARELINE_HOME is read-only"):
        await files.put("a/two.txt", b"2")
    monkeypatch.setattr(os, "unlink", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    for what in ("a/", "a/one.txt"):
        with pytest.raises(FilesUnavailable, match="files cannot be removed: CARELINE_HOME is read-only"):
            await files.remove(what)
    assert await files.exists("a/one.txt")


async def test_what_is_gone_already_is_removed(tmp_path: Path) -> None:
    files = FolderFiles(tmp_path / "files")
    await files.remove("never/")
    await files.remove("never/was.txt")
    await files.put("a/b/one.txt", b"1")
    await files.remove("a/")
    assert await files.names("") == []


def test_a_key_that_cannot_be_made_is_no_key_to_restore(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*arguments: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "open", full)
    with pytest.raises(SettingsInvalid, match=r"privacy\.key cannot be made: the disk .* is full"):
        kept_key(tmp_path / "privacy.key")
