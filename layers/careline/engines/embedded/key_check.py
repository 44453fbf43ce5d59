"""Proves an installation's key by its records, and sets aside what hangs on a key that is lost.

Pseudonyms, what people said and the audit chain hang on the key. The records hold a digest that only the right key
makes, so that another one is told before it writes anything.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from careline.engines.embedded import outbox, table
from careline.engines.embedded.sqlite import SqliteFile
from careline.errors import SettingsInvalid, TableUnavailable
from careline.privacy.redaction.keyed_digest import digest
from careline.records import keys
from careline.records.lost_key import unreadable

PURPOSE = "key check"
_ANY = "%"
"""Any text, where SQL compares with LIKE."""
_QUESTIONS = ("question_encrypted", "standalone_encrypted")
"""Fields of a turn's record that nobody can read without the key."""
OTHER = (
    "{named} is not the key that the records in {home} were made with: restore the right one from a backup. If that is "
    "lost for good, `careline audit new-key --i-lost-it` makes a new one; what people said can then never be read "
    "again, and a new audit chain begins that tells of the break"
)


def holds_records(records: Path) -> bool:
    """Whether anything was ever recorded in a file; one that cannot be read counts as if it were."""
    if not records.exists():
        return False
    try:
        with _opened(records, table.SCHEMA) as file:
            return bool(file.run_now(lambda db: db.execute("SELECT 1 FROM items LIMIT 1").fetchone()))
    except TableUnavailable:
        return True


def proven(key: bytes, records: Path, named: str) -> bytes:
    """The key, when it is the one of the records; the first that is seen there is. A damaged file proves nothing here.

    Raises: SettingsInvalid when the records were made with another one.
    """
    if not fits(key, records):
        raise SettingsInvalid(OTHER.format(named=named, home=records.parent))
    return key


def fits(key: bytes, records: Path) -> bool:
    """Whether the records were made with this key, as far as they can be read."""
    try:
        with _opened(records, table.SCHEMA) as file:
            return file.run_now(lambda db: _fits(db, key))
    except TableUnavailable:
        # Whoever reads the records tells what is wrong with them; the key has no part in it.
        return True


def _fits(db: sqlite3.Connection, key: bytes) -> bool:
    sql = "SELECT body FROM items WHERE partition = ? AND sort = ?"
    if (row := db.execute(sql, keys.key_check()).fetchone()) is None:
        db.execute("INSERT OR IGNORE INTO items VALUES (?, ?, ?, 1, NULL)", (*keys.key_check(), _check(key)))
        row = db.execute(sql, keys.key_check()).fetchone()
    return hmac.compare_digest(str(row[0]).encode("utf-8", "surrogatepass"), _check(key).encode())


def _check(key: bytes) -> str:
    return json.dumps({"check": digest("careline", key, PURPOSE)}, separators=(",", ":"))


def set_aside(records: Path, waiting: Path, key: bytes, stamp: str) -> None:
    """Make the records those of a new key: what nobody can read any more goes, the old audit chains are put apart.

    For each tenant with a chain a note is left of what it was (`breaks`), for the chain that begins. The entries
    themselves stay under `<tenant>/audit before <stamp>`. Raises: TableUnavailable.
    """
    if waiting.exists():
        with _opened(waiting, outbox.SCHEMA) as file:
            # The audit entries and bills of these turns are still to be written; what was said cannot be read.
            sql = "UPDATE outbox SET body = json_remove(body, '$.conversation', ?, ?)"
            file.run_now(lambda db: db.execute(sql, [f"$.turn.{name}" for name in _QUESTIONS]))
    with _opened(records, table.SCHEMA) as file:
        file.run_now(lambda db: _set_aside(db, key, stamp))


def _set_aside(db: sqlite3.Connection, key: bytes, stamp: str) -> None:
    db.execute("BEGIN IMMEDIATE")
    for tenant in _tenants(db, keys.audit):
        kept_as = keys.former_audit(tenant, stamp)
        note = json.dumps({**_was(db, tenant), "kept_as": kept_as})
        db.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, 1, NULL)", (*keys.chain_break(tenant), note))
        db.execute("UPDATE items SET partition = ? WHERE partition = ?", (kept_as, keys.audit(tenant)))
    for tenant in _tenants(db, keys.turns):
        sql = "UPDATE items SET body = json_remove(body, ?, ?) WHERE partition = ?"
        db.execute(sql, (*(f"$.{name}" for name in _QUESTIONS), keys.turns(tenant)))
    for partition in unreadable(_ANY):
        db.execute("DELETE FROM items WHERE partition LIKE ?", (partition,))
    db.execute("INSERT OR REPLACE INTO items VALUES (?, ?, ?, 1, NULL)", (*keys.key_check(), _check(key)))


def _tenants(db: sqlite3.Connection, partition: Callable[[str], str]) -> list[str]:
    """Whoever has records in a tenant's partition."""
    sql = "SELECT DISTINCT partition FROM items WHERE partition LIKE ?"
    return [str(row[0]).removesuffix(partition("")) for row in db.execute(sql, (partition(_ANY),)).fetchall()]


def _was(db: sqlite3.Connection, tenant: str) -> dict[str, Any]:
    """What a chain was: entries, first and last number, and the SHA-256 of all of them, one after another."""
    sql = "SELECT sort, CAST(body AS BLOB) FROM items WHERE partition = ? ORDER BY sort"
    sorts: list[str] = []
    count, hashed = 0, hashlib.sha256()
    for sort, body in db.execute(sql, (keys.audit(tenant),)):
        hashed.update(len(body).to_bytes(8, "big") + body)
        sorts = [*sorts[:1], sort]
        count += 1
    return {"entries": count, "first": sorts[0], "last": sorts[-1], "sha256": hashed.hexdigest()}


def _opened(path: Path, schema: str) -> closing[SqliteFile]:
    return closing(SqliteFile(path, schema))
