"""The embedded index on disk: passages with their vectors in SQLite, and a log of what became live or stopped being so.

Keyword index and vectors in memory are caches that follow the log; either can be lost at any moment without loss.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Generator, Iterable, Sequence
from typing import Any

from careline.engines.embedded.passage_index.damage import checked
from careline.engines.embedded.passage_index.rows import (
    COLUMNS,
    Read,
    Stored,
    Version,
    about_checksum,
    about_version,
    part_checksum,
    to_passage,
    to_read,
    to_row,
    to_stored,
    to_version,
)
from careline.model import Passage
from careline.ports import Matrix


def add(db: sqlite3.Connection, passages: Sequence[Passage], vectors: Matrix, windows: Sequence[bytes] = ()) -> None:
    """Store the passages of one version, in place of what it held before; the log tells when it is live."""
    first = passages[0]
    about = json.dumps(about_version(first), ensure_ascii=False)
    key = (first.tenant, first.doc_key, first.version)
    sql = "INSERT OR IGNORE INTO versions (tenant, doc_key, version, about, about_sum) VALUES (?, ?, ?, ?, ?)"
    db.execute(sql, (*key, about, about_checksum(*key, about)))
    version_id = _version_id(db, *key)
    assert version_id is not None
    rows = [to_row(version_id, passage, vector) for passage, vector in zip(passages, vectors, strict=True)]
    vectors_of = [
        (version_id, passage.chunk.ordinal, content, part_checksum(version_id, content))
        for passage, content in zip(passages, windows, strict=False)
    ]
    if _holds(db, version_id, about, rows) and _window_rows(db, version_id) == sorted(vectors_of):
        return
    db.execute("DELETE FROM windows WHERE version_id = ?", (version_id,))
    db.executemany("INSERT INTO windows VALUES (?, ?, ?, ?)", vectors_of)
    db.execute("DELETE FROM passages WHERE version_id = ?", (version_id,))
    summed = (about, about_checksum(*key, about), version_id)
    db.execute("UPDATE versions SET about = ?, about_sum = ? WHERE id = ?", summed)
    db.executemany(f"INSERT INTO passages ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)  # noqa: S608
    db.execute("UPDATE live SET passages = ? WHERE version_id = ?", (len(rows), version_id))
    db.execute(
        "INSERT INTO log (tenant, version_id, is_live) SELECT tenant, version_id, 1 FROM live WHERE version_id = ?",
        (version_id,),
    )


def _holds(db: sqlite3.Connection, version_id: int | None, about: str, rows: Sequence[tuple[Any, ...]]) -> bool:
    """Whether a version is stored like this already; the time it was indexed at does not count."""
    (held,) = db.execute("SELECT about FROM versions WHERE id = ?", (version_id,)).fetchone()
    if {**json.loads(held), "indexed_at": ""} != {**json.loads(about), "indexed_at": ""}:
        return False
    sql = f"SELECT {COLUMNS} FROM passages WHERE version_id = ? ORDER BY ordinal"  # noqa: S608
    return db.execute(sql, (version_id,)).fetchall() == sorted(rows)


def activate(db: sqlite3.Connection, tenant: str, doc_key: str, version: int) -> None:
    """Log that a version is live and the one before it is not; an older version changes nothing."""
    db.execute("BEGIN IMMEDIATE")
    held = db.execute(
        "SELECT version, version_id FROM live WHERE tenant = ? AND doc_key = ?", (tenant, doc_key)
    ).fetchone()
    version_id = _version_id(db, tenant, doc_key, version)
    if held is not None and held[0] >= version:
        return
    if held is not None and held[1] is not None:
        db.execute("INSERT INTO log (tenant, version_id, is_live) VALUES (?, ?, 0)", (tenant, held[1]))
    (count,) = db.execute("SELECT count(*) FROM passages WHERE version_id = ?", (version_id,)).fetchone()
    db.execute("INSERT OR REPLACE INTO live VALUES (?, ?, ?, ?, ?)", (tenant, doc_key, version, version_id, count))
    db.execute("INSERT INTO log (tenant, version_id, is_live) VALUES (?, ?, 1)", (tenant, version_id))


def retire(db: sqlite3.Connection, tenant: str, doc_key: str, version: int) -> None:
    """Log that no version up to this one is live any more."""
    db.execute("BEGIN IMMEDIATE")
    held = db.execute(
        "SELECT version, version_id FROM live WHERE tenant = ? AND doc_key = ?", (tenant, doc_key)
    ).fetchone()
    if held is not None and (held[0] > version or held[1] is None):
        return
    if held is not None:
        db.execute("INSERT INTO log (tenant, version_id, is_live) VALUES (?, ?, 0)", (tenant, held[1]))
    db.execute("INSERT OR REPLACE INTO live VALUES (?, ?, ?, NULL, NULL)", (tenant, doc_key, version))


def withdraw(db: sqlite3.Connection, tenant: str, doc_key: str, version: int) -> None:
    """Log that a live version is live no more; it stands as before it was activated."""
    db.execute("BEGIN IMMEDIATE")
    key = (tenant, doc_key, version)
    sql = "SELECT version_id FROM live WHERE tenant = ? AND doc_key = ? AND version = ? AND version_id IS NOT NULL"
    if (held := db.execute(sql, key).fetchone()) is not None:
        db.execute("INSERT INTO log (tenant, version_id, is_live) VALUES (?, ?, 0)", (tenant, held[0]))
        db.execute("INSERT OR REPLACE INTO live VALUES (?, ?, ?, NULL, NULL)", (tenant, doc_key, version - 1))


def clear(db: sqlite3.Connection, tenant: str) -> None:
    """Forget a tenant's passages; the log tells the caches."""
    db.execute(
        "INSERT INTO log (tenant, version_id, is_live) SELECT tenant, version_id, 0 FROM live "
        "WHERE tenant = ? AND version_id IS NOT NULL",
        (tenant,),
    )
    db.execute("DELETE FROM passages WHERE version_id IN (SELECT id FROM versions WHERE tenant = ?)", (tenant,))
    db.execute("DELETE FROM windows WHERE version_id IN (SELECT id FROM versions WHERE tenant = ?)", (tenant,))
    db.execute("DELETE FROM versions WHERE tenant = ?", (tenant,))
    db.execute("DELETE FROM live WHERE tenant = ?", (tenant,))


def _version_id(db: sqlite3.Connection, tenant: str, doc_key: str, version: int) -> int | None:
    row = db.execute(
        "SELECT id FROM versions WHERE tenant = ? AND doc_key = ? AND version = ?", (tenant, doc_key, version)
    ).fetchone()
    return None if row is None else int(row[0])


def last_change(db: sqlite3.Connection) -> int:
    """The number of the newest log entry, 0 for an empty log."""
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'log'").fetchone()
    return int(row[0]) if row else 0


def corpus_version(db: sqlite3.Connection, tenant: str) -> int:
    """The number of the tenant's newest log entry."""
    row = db.execute("SELECT max(n) FROM log WHERE tenant = ?", (tenant,)).fetchone()
    return int(row[0] or 0)


def changes(db: sqlite3.Connection, after: int) -> dict[int, bool]:
    """The versions whose liveness changed after a log entry, and whether each is live now."""
    rows = db.execute("SELECT DISTINCT version_id FROM log WHERE n > ?", (after,)).fetchall()
    if not rows:
        return {}
    if after == 0:
        return {int(row[0]): True for row in db.execute("SELECT version_id FROM live WHERE version_id IS NOT NULL")}
    touched = [int(row[0]) for row in rows]
    alive = {int(row[0]) for row in in_groups(db, "SELECT version_id FROM live WHERE version_id IN ({})", touched)}
    return {version_id: version_id in alive for version_id in touched}


def in_groups(db: sqlite3.Connection, sql: str, ids: Sequence[int], size: int = 500) -> Iterable[Any]:
    """Rows of a query whose `{}` is filled with the ids, some hundred at a time."""
    for start in range(0, len(ids), size):
        group = ids[start : start + size]
        cursor = db.execute(sql.format(",".join("?" * len(group))), group)
        while rows := cursor.fetchmany(size):
            yield from rows


def versions(db: sqlite3.Connection, ids: Sequence[int]) -> list[Version]:
    """What is known of these versions."""
    sql = "SELECT id, tenant, doc_key, version, about, about_sum FROM versions WHERE id IN ({})"
    return [to_version(row) for row in in_groups(db, sql, ids)]


def is_whole(db: sqlite3.Connection) -> bool:
    """Whether every live version is there with all its passages. Reads indexes only."""
    sql = (
        "SELECT 1 FROM live LEFT JOIN versions ON versions.id = live.version_id WHERE live.version_id IS NOT NULL "
        "AND (versions.id IS NULL OR versions.tenant != live.tenant OR versions.doc_key != live.doc_key "
        "OR versions.version != live.version OR live.passages IS NOT "
        "(SELECT count(*) FROM passages WHERE passages.version_id = live.version_id)) LIMIT 1"
    )
    return db.execute(sql).fetchone() is None


def is_sound(db: sqlite3.Connection) -> bool:
    """Whether the file is in order and everything in it is what was written. Reads all of it. Raises: IndexDamaged."""
    if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
        return False
    for row in db.execute("SELECT id, tenant, doc_key, version, about, about_sum FROM versions"):
        to_version(row)
    for row in db.execute(f"SELECT {COLUMNS} FROM passages"):  # noqa: S608
        for content, stated in zip(row[2:5], row[5:8], strict=True):
            checked(stated, str(row[0]), content)
    for version_id, _, content, stated in db.execute("SELECT * FROM windows"):
        checked(stated, str(version_id), content)
    return is_whole(db)


def stored(db: sqlite3.Connection, version_ids: Sequence[int]) -> Generator[Stored, None, None]:
    """Every passage of these versions."""
    sql = (
        "SELECT id, version_id, chunk, chunk_sum, vector, vector_sum FROM passages WHERE version_id IN ({}) ORDER BY id"
    )
    return (to_stored(row) for row in in_groups(db, sql, version_ids))


def read(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, Read]:
    """What a search needs of these passages, by passage."""
    sql = "SELECT id, version_id, chunk, chunk_sum, words, words_sum FROM passages WHERE id IN ({})"
    return {int(row[0]): to_read(row) for row in in_groups(db, sql, passage_ids)}


def windows(db: sqlite3.Connection, passage_ids: Sequence[int]) -> dict[int, bytes]:
    """The packed vectors of the windows of these passages, by passage, as far as there are any."""
    sql = (
        "SELECT passages.id, windows.version_id, vectors, vectors_sum FROM passages JOIN windows "
        "USING (version_id, ordinal) WHERE passages.id IN ({})"
    )
    found: dict[int, bytes] = {}
    for number, version_id, content, stated in in_groups(db, sql, passage_ids):
        checked(stated, str(version_id), content)
        found[int(number)] = content
    return found


def _window_rows(db: sqlite3.Connection, version_id: int) -> list[tuple[Any, ...]]:
    return db.execute("SELECT * FROM windows WHERE version_id = ? ORDER BY ordinal", (version_id,)).fetchall()


def of_version(db: sqlite3.Connection, tenant: str, doc_key: str, version: int) -> list[Passage]:
    """Every passage of one version in document order."""
    version_id = _version_id(db, tenant, doc_key, version)
    if version_id is None:
        return []
    (about,) = versions(db, [version_id])
    found = sorted(stored(db, [version_id]), key=lambda one: one.chunk.ordinal)
    return [to_passage(about, one.chunk) for one in found]
