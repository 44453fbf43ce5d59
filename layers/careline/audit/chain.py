"""The audit chain of a tenant: numbered entries, each sealed with the installation's key over the hash of the one
before, so that whoever can write the database can neither change nor remove one unnoticed.

An entry is stored as the exact text that was sealed (`sealed`) and its HMAC-SHA256 (`hash`): no other spelling of the
same content passes. An entry names the expiry of the one before it; as no entry expires before an older one, the oldest
that is left proves by itself that what is missing before it had to go. `careline.audit.verify` reads the chain.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from careline.errors import Conflict, RecordDamaged
from careline.log.event_log import EventLog
from careline.ports import Engines, Records
from careline.privacy.redaction.keyed_digest import digest
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Body, Delete, Item, Put, RecordTable
from careline.schemas.oversight import EntryBody
from careline.tenants import tenant_records

log = EventLog(__name__)
BEGINNING = "0" * 64
"""What the first entry names as the hash before it."""
TRIES = 200
"""Times an append gives way to others who append at once; each time one of them has got on."""
TOO_MANY = "too many append to the audit chain at once; try again"
ENTRY, HEAD = "audit entry", "audit head"
HEAD_DAMAGED = (
    "the head of the audit chain is damaged, or the installation has another key; nothing can be added. "
    "`careline audit verify` says how it is, and `careline audit resume` goes on from the last entry, by the right key"
)


@dataclass(frozen=True, slots=True)
class Link:
    """Where a chain stands: the number of an entry, its hash, and when it expires. Printed as `SEQ:HASH`."""

    seq: int
    hash: str
    expires: datetime | None = None

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash}"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One sealed entry. `subject` is the pseudonym of the person it is about; `previous` links to the one before."""

    tenant: str
    seq: int
    entry_id: str
    at: datetime
    kind: str
    subject: str | None
    body: Body
    expires: datetime
    previous: Link
    hash: str = ""

    @property
    def link(self) -> Link:
        """The place of this entry in the chain."""
        return Link(self.seq, self.hash, self.expires)

    def to_json(self) -> EntryBody:
        """For people and programs: everything but the seal of the one before."""
        return {
            "seq": self.seq, "at": self.at.isoformat(), "kind": self.kind, "subject": self.subject,
            "id": self.entry_id, "body": self.body, "expires": self.expires.isoformat(), "hash": self.hash,
        }  # fmt: skip


async def append(
    records: Records,
    tenant: str,
    kind: str,
    body: Body,
    *,
    subject: str | None = None,
    entry_id: str | None = None,
    alongside: Sequence[Put | Delete] = (),
) -> Link | None:
    """Add an entry, and write `alongside` in the same transaction (at most 90 changes).

    None, and nothing is written, when an entry of this `entry_id` is there already. Those who append at once get
    numbers one after the other. Raises: RecordDamaged when the head does not fit, Conflict when a record of `alongside`
    is another than it expects, Contended, TableUnavailable, SettingsInvalid.
    """
    entry_id = entry_id or records.new_id()
    retention = await tenant_records.retention_of(records, tenant)
    tried: Link | None = None

    async def decide() -> Update[Link | None]:
        nonlocal tried
        if tried is not None and await _kept(records, tenant, entry_id):
            return Update(None)
        item, last = await _head(records, tenant)
        if last == tried:
            await _check_expected(records.table, alongside)
            # Nobody else was first, and yet the entry could not be written after what the head names as the last.
            raise RecordDamaged(keys.audit_number(last.seq + 1), HEAD_DAMAGED)
        tried, now = last, records.clock.now()
        # No entry expires before an older one, whatever was decided about retention in between.
        expires = max(retention.kept_until("audit", now), last.expires or now)
        entry = AuditEntry(tenant, last.seq + 1, entry_id, now, kind, subject, body, expires, last)
        changes, link = _written(entry, records.key, item.revision if item else 0)
        return Update(link, (*changes, *alongside))

    return await optimistic_update(records.table, decide, busy=TOO_MANY, tries=TRIES)


async def _check_expected(table: RecordTable, alongside: Sequence[Put | Delete]) -> None:
    """Raises: Conflict for a record that was changed since it was read, TableUnavailable."""
    for change in alongside:
        if not isinstance(change, Put) or (change.expects is None and change.below is None):
            continue
        found = await table.get(change.item.partition, change.item.sort)
        if not change.fits(found.revision if found else 0):
            raise Conflict("somebody else changed it first; look at it again")


async def _kept(records: Records, tenant: str, entry_id: str) -> bool:
    """Whether the chain holds this entry. A note that it does is believed only when the entry says so too."""
    noted = await records.table.get(*keys.audit_id(tenant, entry_id))
    if noted is None:
        return False
    entry = await entry_of(records, tenant, int(noted.body["seq"]))
    if entry is None or entry.entry_id != entry_id:
        raise RecordDamaged(entry_id, "an entry is noted as being in the audit chain and is not there")
    return True


def _written(entry: AuditEntry, key: bytes, head_revision: int) -> tuple[list[Put | Delete], Link]:
    sealed = _sealed(_entry_text(entry), key, ENTRY)
    link = Link(entry.seq, sealed["hash"], entry.expires)
    until, where = entry.expires, {"seq": entry.seq}
    changes: list[Put | Delete] = [
        Put(Item(*keys.audit_id(entry.tenant, entry.entry_id), where, expires_at=until), expects=0),
        Put(Item(*keys.audit_entry(entry.tenant, entry.seq), sealed, expires_at=until), expects=0),
        Put(_head_item(entry.tenant, link, key), expects=head_revision),
    ]
    if entry.subject is not None:
        named = keys.subject_audit(entry.tenant, entry.subject, entry.seq)
        changes.append(Put(Item(*named, where, expires_at=until)))
    return changes, link


def _entry_text(entry: AuditEntry) -> str:
    before = entry.previous
    content = {
        "tenant": entry.tenant, "seq": entry.seq, "id": entry.entry_id, "at": entry.at.isoformat(), "kind": entry.kind,
        "subject": entry.subject, "body": entry.body, "expires": entry.expires.isoformat(), "previous": before.hash,
        "previous_expires": before.expires.isoformat() if before.expires else None,
    }  # fmt: skip
    return json.dumps(content, separators=(",", ":"), allow_nan=False)


def _head_item(tenant: str, link: Link, key: bytes) -> Item:
    assert link.expires is not None
    content = {"tenant": tenant, "seq": link.seq, "hash": link.hash, "expires": link.expires.isoformat()}
    return Item(*keys.audit_head(tenant), _sealed(json.dumps(content, separators=(",", ":")), key, HEAD))


def _sealed(text: str, key: bytes, purpose: str) -> Body:
    return {"sealed": text, "hash": digest(text, key, purpose)}


def _unsealed(body: Body, key: bytes, purpose: str) -> dict[str, Any] | None:
    """What a stored record says; None when it is not exactly what was sealed."""
    text, stated = body.get("sealed"), body.get("hash")
    if not isinstance(text, str) or not isinstance(stated, str) or len(body) != 2:
        return None
    # As bytes: a digest that was tampered with may hold anything.
    stated_bytes = stated.encode("utf-8", "surrogatepass")
    if not hmac.compare_digest(stated_bytes, digest(text, key, purpose).encode()):
        return None
    content: dict[str, Any] = json.loads(text)
    return content


def read_entry(item: Item, key: bytes) -> AuditEntry | None:
    """The entry in a stored record; None when it is not exactly what was sealed."""
    content = _unsealed(item.body, key, ENTRY)
    if content is None:
        return None
    before = content["previous_expires"]
    return AuditEntry(
        content["tenant"], content["seq"], content["id"], datetime.fromisoformat(content["at"]), content["kind"],
        content["subject"], content["body"], datetime.fromisoformat(content["expires"]),
        Link(content["seq"] - 1, content["previous"], datetime.fromisoformat(before) if before else None),
        item.body["hash"],
    )  # fmt: skip


async def head(engines: Engines, tenant: str) -> Link | None:
    """Where the chain stands, None before its first entry. Raises: RecordDamaged when that is not what was sealed."""
    return await head_of(engines.table, engines.key, tenant)


async def head_of(table: RecordTable, key: bytes, tenant: str) -> Link | None:
    """The same, for who has no other engine than the table and the installation's key."""
    item, link = await _read_head(table, key, tenant)
    return link if item is not None else None


async def _head(records: Records, tenant: str) -> tuple[Item | None, Link]:
    return await _read_head(records.table, records.key, tenant)


async def _read_head(table: RecordTable, key: bytes, tenant: str) -> tuple[Item | None, Link]:
    try:
        item = await table.get(*keys.audit_head(tenant))
    except RecordDamaged as error:
        raise RecordDamaged(error.sort, HEAD_DAMAGED) from None
    if item is None:
        return None, Link(0, BEGINNING)
    content = _unsealed(item.body, key, HEAD)
    if content is None or content["tenant"] != tenant or item.expires_at is not None:
        raise RecordDamaged("head", HEAD_DAMAGED)
    return item, Link(content["seq"], content["hash"], datetime.fromisoformat(content["expires"]))


async def newest(engines: Engines, tenant: str, limit: int, kind: str | None = None) -> list[AuditEntry]:
    """The newest entries first, of one kind if that is given. Raises: RecordDamaged at one that was changed."""
    found: list[AuditEntry] = []
    async for item in engines.table.query(keys.audit(tenant), descending=True):
        entry = _intact(item, engines.key)
        if kind is None or entry.kind == kind:
            found.append(entry)
        if len(found) == limit:
            break
    log.write("audit_entries_listed", count=len(found))
    return found


async def entry_of(records: Records, tenant: str, seq: int) -> AuditEntry | None:
    """One entry by its number, None when it has expired. Raises: RecordDamaged when it was changed."""
    item = await records.table.get(*keys.audit_entry(tenant, seq))
    return _intact(item, records.key) if item is not None else None


def _intact(item: Item, key: bytes) -> AuditEntry:
    entry = read_entry(item, key)
    if entry is None:
        raise RecordDamaged(item.sort, "an entry of the audit chain was changed; `careline audit verify` says which")
    return entry


async def resume(engines: Engines, tenant: str) -> Link:
    """Go on from the last entry after the head was damaged, and say so in the chain.

    Raises: RecordDamaged when the last entry is damaged too; then only a backup helps. Conflict when the head fits.
    """
    if (last := next(iter(await newest(engines, tenant, 1)), None)) is None:
        raise Conflict("the chain has no entry to go on from")
    with_head = _fitting(await _head_or_none(engines, tenant), last)
    if with_head:
        raise Conflict("the head fits the last entry; there is nothing to resume")
    await engines.table.write(Put(_head_item(tenant, last.link, engines.key)))
    link = await append(engines, tenant, "chain_resumed", {"after": last.seq})
    assert link is not None
    return link


async def _head_or_none(engines: Engines, tenant: str) -> Link | None:
    try:
        return await head(engines, tenant)
    except RecordDamaged:
        return None


def _fitting(found: Link | None, last: AuditEntry) -> bool:
    return found is not None and replace(found, expires=None) == replace(last.link, expires=None)
