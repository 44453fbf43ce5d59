"""Reads a tenant's whole audit chain and names the first entry that does not fit, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from careline.audit import chain as audit
from careline.audit.chain import AuditEntry, Link
from careline.errors import BadRequest, RecordDamaged
from careline.log.event_log import EventLog
from careline.ports import Engines
from careline.records import keys
from careline.records.record_table import Item
from careline.schemas.oversight import VerdictBody

log = EventLog(__name__)
Anchor = Literal["found", "expired"]
"""Whether an entry that was noted elsewhere is in the chain, or has expired since."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The first entry that does not fit, by its number where that is known, and why."""

    seq: int | None
    why: str


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """What was read. `first` and `last` are entries' numbers; `head` is worth noting elsewhere when all is well."""

    entries: int
    first: int | None
    last: int | None
    head: Link | None
    anchor: Anchor | None = None
    fault: Fault | None = None
    noted: int | None = None
    """How many heads that were noted along the way are part of it or have expired; None where none were compared."""

    @property
    def intact(self) -> bool:
        """Whether nothing that was read does not fit; that says nothing when there is nothing to verify."""
        return self.fault is None

    @property
    def nothing(self) -> str | None:
        """Why there was nothing to verify; None when there was something."""
        if self.entries or self.fault is not None:
            return None
        return "all entries have expired" if self.head else "there are no entries yet"

    def to_json(self) -> VerdictBody:
        """For programs: `head`, `nothing` and `fault` are null or say more; `intact` is null where nothing is."""
        return {
            "intact": None if self.nothing else self.intact, "nothing": self.nothing, "entries": self.entries,
            "first": self.first, "last": self.last,
            "head": {"seq": self.head.seq, "hash": self.head.hash} if self.head else None, "anchor": self.anchor,
            "noted": self.noted,
            "fault": {"seq": self.fault.seq, "why": self.fault.why} if self.fault else None,
        }  # fmt: skip


def read_anchor(written: str) -> Link:
    """`SEQ:HASH` as `careline audit head` prints it. Raises: BadRequest."""
    seq, _, hashed = written.partition(":")
    well = seq.isascii() and seq.isdigit() and len(seq) <= 12 and len(hashed) == 64 and hashed.isalnum()
    if not well or int(seq) == 0:
        raise BadRequest("head: SEQ:HASH is needed, as `careline audit head` prints it")
    return Link(int(seq), hashed.lower())


class _Walk:
    """The chain as far as it was read. `hashes` are those of the entries that something else names."""

    def __init__(self, tenant: str, key: bytes, wanted: set[int]) -> None:
        self._tenant, self._key, self._wanted = tenant, key, wanted
        self.hashes: dict[int, str] = {}
        self.entries = 0
        self.first: AuditEntry | None = None
        self.last: AuditEntry | None = None

    @property
    def expected(self) -> int | None:
        """The number that must come next; None at the beginning, which may have expired."""
        return self.last.seq + 1 if self.last else None

    def take(self, item: Item, now: datetime) -> Fault | None:
        """Read one more record."""
        if self.expected is not None and item.sort != keys.audit_number(self.expected):
            return Fault(self.expected, "is missing")
        seq = self.expected or _number(item.sort)
        entry = audit.read_entry(item, self._key)
        if entry is None:
            return Fault(seq, "is not what was sealed (or the installation has another key)")
        why = self._misplaced(entry, item) or self._unlinked(entry)
        if why is not None:
            return Fault(seq, why)
        if self.last is None and (gone := entry.previous.expires) is not None and gone > now:
            return Fault(entry.seq - 1, "is missing although it has not expired")
        self._add(entry)
        return None

    def _misplaced(self, entry: AuditEntry, item: Item) -> str | None:
        if entry.tenant != self._tenant or item.sort != keys.audit_number(entry.seq):
            return "stands where another entry was"
        if item.revision != 1:
            return "was written again"
        return None if item.expires_at == entry.expires else "has another expiry than was sealed"

    def _unlinked(self, entry: AuditEntry) -> str | None:
        before = self.last.link if self.last else Link(0, audit.BEGINNING)
        follows = entry.previous == before or (self.last is None and entry.seq > 1)
        return None if follows else "does not follow the one before"

    def _add(self, entry: AuditEntry) -> None:
        if self.first is None:
            self.first = entry
            self._note(entry.previous)
        self._note(entry.link)
        self.last = entry
        self.entries += 1

    def _note(self, link: Link) -> None:
        if link.seq in self._wanted:
            self.hashes[link.seq] = link.hash


def _number(sort: str) -> int | None:
    return int(sort) if sort.isascii() and sort.isdigit() else None


async def verify(
    engines: Engines, tenant: str, anchor: Link | None = None, noted: Sequence[Link] | None = None
) -> ChainVerdict:
    """Read the whole chain, and look for an entry that was noted elsewhere, and for those `noted` along the way, which
    were read before the chain is. Entries may be added meanwhile.

    Raises: TableUnavailable, SettingsInvalid without a key.
    """
    fault: Fault | None = None
    head: Link | None = None
    try:
        head = await audit.head(engines, tenant)
    except RecordDamaged:
        fault = Fault(None, "the head is not what was sealed (or the installation has another key)")
    wanted = {link.seq for link in (head, anchor, *(noted or ())) if link is not None}
    walk = _Walk(tenant, engines.key, wanted)
    broken = await _walked(walk, engines, tenant)
    fault = broken or fault or await _head_fault(walk, head, engines, tenant) or await _absence(walk, engines, tenant)
    found: Anchor | None = None
    if fault is None and anchor is not None:
        found, fault = _anchored(walk, head, anchor)
    for link in noted or ():
        fault = fault or _anchored(walk, head, link)[1]
    log.write("audit_chain_read", count=walk.entries, intact=fault is None)
    first, last = (entry.seq if entry else None for entry in (walk.first, walk.last))
    fitting = len(noted) if noted is not None and fault is None else None
    return ChainVerdict(walk.entries, first, last, head, found, fault, fitting)


async def _walked(walk: _Walk, engines: Engines, tenant: str) -> Fault | None:
    try:
        async for item in engines.table.query(keys.audit(tenant)):
            if (fault := walk.take(item, engines.clock.now())) is not None:
                return fault
    except RecordDamaged as damaged:
        return Fault(walk.expected or _number(damaged.sort), "is damaged and cannot be read")
    return None


async def _head_fault(walk: _Walk, head: Link | None, engines: Engines, tenant: str) -> Fault | None:
    """Whether what the head says, which was read before the entries, is what they are."""
    last = walk.last
    if head is None:
        # Another process may have added the first entry since; then there is a head now.
        missing = last is not None and await audit.head(engines, tenant) is None
        return Fault(last.seq, "has no head after it: the head is missing") if missing and last else None
    if last is None or last.seq < head.seq:
        gone = last is None and head.expires is not None and head.expires <= engines.clock.now()
        return None if gone else Fault(last.seq + 1 if last else None, "is missing: the chain ends before its head")
    if walk.hashes.get(head.seq, head.hash) != head.hash:
        return Fault(head.seq, "is not the one that the head names")
    if last.seq > head.seq:
        now = await audit.head(engines, tenant)
        if now is None or now.seq < last.seq:
            return Fault(head.seq + 1, "stands after the head: an older head was put back")
    return None


async def _absence(walk: _Walk, engines: Engines, tenant: str) -> Fault | None:
    """Whether what was not found is really not there."""
    if not await engines.table.sound():
        return Fault(None, "may be hidden: the database file itself is damaged")
    if walk.last is None and await audit.head(engines, tenant) is None:
        async for _ in engines.table.query(keys.turns(tenant)):
            return Fault(None, "is there although turns are recorded: the whole chain is missing")
    return None


def _anchored(walk: _Walk, head: Link | None, anchor: Link) -> tuple[Anchor | None, Fault | None]:
    if anchor.seq in walk.hashes:
        same = walk.hashes[anchor.seq] == anchor.hash
        return ("found", None) if same else (None, Fault(anchor.seq, "is not the entry that was noted elsewhere"))
    end = head.seq if head else 0
    if anchor.seq > (walk.last.seq if walk.last else end):
        return None, Fault(end + 1, f"is missing: entry {anchor.seq} was noted elsewhere and the chain ends before it")
    if walk.last is None and head is not None and head.seq == anchor.seq:
        same = head.hash == anchor.hash
        return ("found", None) if same else (None, Fault(anchor.seq, "is not the entry that was noted elsewhere"))
    return "expired", None
