"""Keeps a hospital's directory: every change makes an edition of the whole, and the head says which one holds.

So a change is there or not, an import never half; who changed what stands beside each edition, and the last fifty can
be gone back to.
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from careline.audit import chain as audit
from careline.directory import entry_json
from careline.directory.directory import SECTIONS, Directory, Problem, read_directory
from careline.errors import CarelineError, Conflict, NotFound, RecordDamaged, TooLarge
from careline.ports import Records
from careline.records import keys
from careline.records.record_table import Body, Delete, Item, Put
from careline.tenants import tenant_records

KEPT = 50
"""Editions that can be gone back to."""
PIECE = 300_000
"""Characters of a piece: a record of DynamoDB holds 400 KB."""
WRITTEN_AT_ONCE = 8
"""Pieces that are written in one transaction with the head: one of DynamoDB holds 4 MB."""
MOST_PIECES = 64
"""Of one edition, so that forgetting one fits into the transaction of the next: that has 90 changes at most."""
MOST_NAMED = 300
"""Changed entries that an edition names; of more it says how many."""
CHANGED_SINCE = "the directory was changed since; read it again and change that"


class DirectoryRejected(CarelineError):
    """A directory that cannot be used; `problems` says what is wrong where, and nothing of it was kept."""

    status = 422
    code = "DIRECTORY_REJECTED"
    component = "directory"

    def __init__(self, problems: Sequence[Problem]) -> None:
        wrong = [problem for problem in problems if not problem.warning]
        more = f"; and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        super().__init__("; ".join(map(str, wrong[:3])) + more)
        self.problems = tuple(problems)


Did = Literal["added", "changed", "removed", "confirmed"]


@dataclass(frozen=True, slots=True)
class EntryChange:
    """What a change did to one entry. `what` is `added`, `changed`, `removed`, or `confirmed` where a person said that
    it is right as it is; `fields` are those that differ."""

    section: str
    entry: str
    what: Did
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Edition:
    """The directory after a change: who made it, when and why. Number 0 is the empty one of the beginning."""

    number: int = 0
    directory: Directory = field(default_factory=Directory)
    at: datetime | None = None
    by: str = ""
    note: str = ""
    changes: tuple[EntryChange, ...] = ()
    more_changes: int = 0

    @property
    def etag(self) -> str:
        """By which a change says which edition it was made to."""
        return f'"{self.number}"'


@dataclass(frozen=True, slots=True)
class Known:
    """An edition that was read, so that it is read once: the head names it by an id that no other edition has."""

    edition_id: str
    edition: Edition


EMPTY = Edition()


async def current(tenant: str, records: Records, seen: dict[str, Known] | None = None) -> Edition:
    """The edition that holds. `seen` keeps what was read, by tenant. Raises: TableUnavailable, RecordDamaged."""
    head = await records.table.get(*keys.directory_head(tenant))
    if head is None:
        return EMPTY
    known = (seen or {}).get(tenant)
    if known is not None and known.edition_id == head.body["edition_id"]:
        return known.edition
    edition = await _read(tenant, int(head.body["number"]), records)
    if seen is not None:
        seen[tenant] = Known(head.body["edition_id"], edition)
    return edition


async def edition(tenant: str, number: int, records: Records) -> Edition:
    """One of the last editions. Raises: NotFound, TableUnavailable, RecordDamaged."""
    return await _read(tenant, number, records) if number else EMPTY


async def editions(tenant: str, records: Records, limit: int = KEPT) -> AsyncIterator[Edition]:
    """The changes, the last one first, each without the directory itself. Raises: TableUnavailable."""
    async for item in records.table.query(keys.directory_editions(tenant), descending=True):
        if limit <= 0:
            return
        limit -= 1
        yield _edition(item.body, Directory())


async def keep(
    directory: Directory,
    tenant: str,
    records: Records,
    *,
    by: str,
    note: str = "",
    expects: int | None = None,
    made_of: Edition | None = None,
) -> Edition:
    """Make a directory the one that holds. Entries that differ from before are confirmed today, by `by`.

    `expects` is the number of the edition that it was made of; `made_of` that edition, where it is at hand. Nothing is
    kept where it is the same as before.
    Raises: DirectoryRejected, Conflict where somebody else changed it since, TableUnavailable.
    """
    head = await records.table.get(*keys.directory_head(tenant))
    number = int(head.body["number"]) if head else 0
    wanted = expects if made_of is None else made_of.number
    if wanted is not None and wanted != number:
        raise Conflict(CHANGED_SINCE)
    before = made_of or await edition(tenant, number, records)
    today = await tenant_records.day_at(records, tenant, directory.hospital.time_zone)
    # Thousands of entries are compared in a second, during which others are answered.
    after, changes = await asyncio.to_thread(_compared, directory, before.directory, today)
    if not changes:
        return before
    made = Edition(
        number + 1, after, records.clock.now(), by, note, changes[:MOST_NAMED], max(0, len(changes) - MOST_NAMED)
    )
    await _write(made, tenant, records, head)
    return made


async def change(
    tenant: str,
    records: Records,
    decide: Callable[[Directory], Directory],
    *,
    by: str,
    note: str = "",
    expects: int | None = None,
) -> Edition:
    """Change the directory as it is now. Raises: as `keep`, and what `decide` raises."""
    now = await current(tenant, records)
    if expects is not None and expects != now.number:
        raise Conflict(CHANGED_SINCE)
    return await keep(decide(now.directory), tenant, records, by=by, note=note, made_of=now)


def _compared(directory: Directory, before: Directory, today: date) -> tuple[Directory, tuple[EntryChange, ...]]:
    """A directory as it is kept, and what that changes. Raises: DirectoryRejected."""
    after = _checked(_confirmed(directory, before, today))
    return after, (*changes_between(before, after), *_confirmations(before, after))


def planned(directory: Directory, now: Edition) -> tuple[EntryChange, ...]:
    """What keeping a directory would change. Raises: DirectoryRejected."""
    return changes_between(now.directory, _checked(directory))


async def undo(tenant: str, number: int, records: Records, *, by: str) -> Edition:
    """Take back one change: its entries are as they were before it. Whatever else was changed since stays.

    Raises: NotFound for one that is not kept any more, Conflict where one of its entries was changed again since,
    DirectoryRejected where others need what it added, TableUnavailable.
    """
    made, before = await edition(tenant, number, records), await edition(tenant, number - 1, records)
    now = await current(tenant, records)
    directory = now.directory
    for one in changes_between(before.directory, made.directory):
        if _held(directory, one) != _held(made.directory, one):
            raise Conflict(f"{one.section}, {one.entry}: was changed again since; take that change back first")
        directory = _with(directory, one, _held(before.directory, one))
    return await keep(directory, tenant, records, by=by, note=f"undo {number}", made_of=now)


def changes_between(before: Directory, after: Directory) -> tuple[EntryChange, ...]:
    """What differs, entry by entry; when an entry was confirmed is no difference."""
    return tuple(
        change
        for section in entry_json.ALL_SECTIONS
        for change in _section_changes(section, *_differing(before, after, section))
    )


def _differing(before: Directory, after: Directory, section: str) -> tuple[dict[str, Body], dict[str, Body]]:
    """Entries of a section as JSON, before and after, without those that are the same: of thousands a few differ."""
    if section not in SECTIONS:
        return entry_json.entries(before, section), entry_json.entries(after, section)
    old = {one.id: one for one in before.entries(section)}
    new = {one.id: one for one in after.entries(section)}
    same = {name for name, one in new.items() if name in old and (old[name] is one or old[name] == one)}
    left, right = (
        {name: entry_json.body_of(one) for name, one in entries.items() if name not in same} for entries in (old, new)
    )
    return left, right


def _section_changes(section: str, old: Mapping[str, Body], new: Mapping[str, Body]) -> list[EntryChange]:
    found = [EntryChange(section, name, "removed") for name in old if name not in new]
    for name, body in new.items():
        if name not in old:
            found.append(EntryChange(section, name, "added"))
            continue
        differs = (key for key in {*body, *old[name]} if body.get(key) != old[name].get(key))
        if fields := tuple(sorted(key for key in differs if key != "confirmed_on")):
            found.append(EntryChange(section, name, "changed", fields))
    return found


def _confirmations(before: Directory, after: Directory) -> Iterator[EntryChange]:
    """Entries that are as they were, and that somebody has confirmed since."""
    for section in SECTIONS:
        old = {one.id: one for one in before.entries(section)}
        for one in after.entries(section):
            was = old.get(one.id)
            if was is None or (one.confirmed_on or date.min) <= (was.confirmed_on or date.min):
                continue
            if was.model_copy(update={"confirmed_on": one.confirmed_on}) == one:
                yield EntryChange(section, one.id, "confirmed")


def _held(directory: Directory, one: EntryChange) -> Body | None:
    body = entry_json.entry(directory, one.section, one.entry)
    return None if body is None else {key: value for key, value in body.items() if key != "confirmed_on"}


def _with(directory: Directory, one: EntryChange, body: Body | None) -> Directory:
    """The directory with an entry as given, or without it."""
    return Directory.model_validate(entry_json.written_with(directory, one.section, one.entry, body))


def _checked(directory: Directory) -> Directory:
    # Its parts were read when they were made: what is looked at again is how many there are, and what they name.
    read, problems = read_directory({name: getattr(directory, name) for name in Directory.model_fields})
    if read is None:
        raise DirectoryRejected(problems)
    return read


def _confirmed(directory: Directory, before: Directory, today: date) -> Directory:
    """With the day of confirmation on every entry that differs from before, and the former day on the others."""
    updated: dict[str, Any] = {}
    for section in SECTIONS:
        old = {one.id: one for one in before.entries(section)}
        entries = []
        for one in directory.entries(section):
            was = old.get(one.id)
            if one is was and one.confirmed_on is not None:
                entries.append(one)
                continue
            is_same = was is not None and was.model_copy(update={"confirmed_on": one.confirmed_on}) == one
            day = one.confirmed_on or (was.confirmed_on if is_same and was is not None else today)
            if not is_same and was is not None and one.confirmed_on == was.confirmed_on:
                day = today
            entries.append(one.model_copy(update={"confirmed_on": day}))
        updated[section] = entries
    return directory.model_copy(update=updated)


async def _write(made: Edition, tenant: str, records: Records, head: Item | None) -> None:
    """Keep an edition, and forget the one that is too old by it. One transaction, so that of a change that is refused
    or broken off nothing stays; the pieces of a very large directory alone are written before it."""
    edition_id = records.new_id()
    pieces = await asyncio.to_thread(_packed, made.directory)
    puts = [
        Put(Item(*keys.directory_piece(tenant, edition_id, at), {"piece": piece})) for at, piece in enumerate(pieces)
    ]
    body: Body = {
        "number": made.number,
        "edition_id": edition_id,
        "pieces": len(pieces),
        "at": made.at.isoformat() if made.at else None,
        "by": made.by,
        "note": made.note,
        "changes": [[one.section, one.entry, one.what, list(one.fields)] for one in made.changes],
        "more_changes": made.more_changes,
    }
    told: Body = {"number": made.number, "by": made.by, "note": made.note, "changes": len(made.changes)}
    now = Put(
        Item(*keys.directory_head(tenant), {"number": made.number, "edition_id": edition_id}),
        expects=head.revision if head else 0,
    )
    listed = Put(Item(*keys.directory_edition(tenant, made.number), body))
    forgotten = await _forgotten(tenant, made.number - KEPT, records)
    ahead, together = (puts, []) if len(puts) > WRITTEN_AT_ONCE else ([], puts)
    for put in ahead:
        await records.table.write(put)
    try:
        await audit.append(records, tenant, "directory", told, alongside=[now, listed, *together, *forgotten])
    except Conflict:
        # Another change came first. After any other error this one may hold, so that its pieces stay.
        first = await records.table.get(*keys.directory_edition(tenant, made.number))
        if first is None or first.body["edition_id"] != edition_id:
            for put in ahead:
                await records.table.write(Delete(put.item.partition, put.item.sort))
        raise


def _packed(directory: Directory) -> list[str]:
    """A directory in pieces, each as long as a record may be. Raises: TooLarge."""
    written = json.dumps(directory.to_json()).encode()
    packed = base64.b85encode(gzip.compress(written, mtime=0)).decode("ascii")
    if len(packed) > PIECE * MOST_PIECES:
        raise TooLarge("the directory is larger than can be kept; leave some entries out")
    return [packed[at : at + PIECE] for at in range(0, len(packed), PIECE)]


async def _forgotten(tenant: str, number: int, records: Records) -> list[Put | Delete]:
    """The changes that leave of an old edition what was changed, and not the whole."""
    if number < 1:
        return []
    item = await records.table.get(*keys.directory_edition(tenant, number))
    if item is None or not item.body["pieces"]:
        return []
    pieces = range(item.body["pieces"])
    return [
        Put(Item(item.partition, item.sort, {**item.body, "pieces": 0})),
        *(Delete(*keys.directory_piece(tenant, item.body["edition_id"], place)) for place in pieces),
    ]


async def _read(tenant: str, number: int, records: Records) -> Edition:
    item = await records.table.get(*keys.directory_edition(tenant, number))
    if item is None or not item.body["pieces"]:
        raise NotFound(f"edition {number} of the directory is not kept any more")
    packed = ""
    for place in range(item.body["pieces"]):
        piece = await records.table.get(*keys.directory_piece(tenant, item.body["edition_id"], place))
        if piece is None:
            raise RecordDamaged(item.sort, "a piece of the directory is missing; import it again")
        packed += piece.body["piece"]
    return _edition(item.body, await asyncio.to_thread(_unpacked, packed))


def _unpacked(packed: str) -> Directory:
    return Directory.model_validate(json.loads(gzip.decompress(base64.b85decode(packed))))


def _edition(body: Body, directory: Directory) -> Edition:
    changes = tuple(EntryChange(section, entry, what, tuple(names)) for section, entry, what, names in body["changes"])
    at = datetime.fromisoformat(body["at"]) if body["at"] else None
    return Edition(body["number"], directory, at, body["by"], body["note"], changes, body["more_changes"])
