"""Which editions of the index nobody may find, as of one change of the corpus: what a search is filtered by.

Nearly everything in an index is live, so a search names what is not: editions that were announced and are not live yet,
and those that were replaced or deleted since the last `clear`. Each has a record, and each change of them an entry in a
log, whose numbers have no gap. A process keeps the set in memory and reads what changed since; after a long silence, or
at first, it reads the records and then what changed while it read, which gives the set as of exactly one change.

What was announced after that change is kept out by its number: each passage carries the number of the change with which
its edition was announced, and a search finds none with a higher one. So a search that began before a document came sees
it whole or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.errors import TableUnavailable
from careline.records import keys
from careline.records.record_table import Delete, Item, Put, RecordTable

KEPT = 1000
"""Entries of the log that are kept; who has been silent for longer reads the records."""
ROUNDS = 5
"""How often the records are read before it is given up that none of `KEPT` changes comes in meanwhile."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """The editions that nobody may find, as of one change of a generation."""

    generation: int
    change: int
    editions: frozenset[str]


@dataclass(frozen=True, slots=True)
class Change:
    """What one change hides and shows."""

    hides: Sequence[str] = ()
    shows: Sequence[str] = ()


def written(tenant: str, generation: int, number: int, change: Change) -> list[Put | Delete]:
    """The records of a change of this number; they are written with the corpus, on condition of its revision."""
    entry = {"hides": list(change.hides), "shows": list(change.shows)}
    return [
        *(Put(Item(*keys.hidden_edition(tenant, generation, name), {"since": number})) for name in change.hides),
        *(Delete(*keys.hidden_edition(tenant, generation, name)) for name in change.shows),
        Put(Item(*keys.edition_change(tenant, generation, number), entry)),
        Delete(*keys.edition_change(tenant, generation, number - KEPT)),
    ]


async def hidden_since(table: RecordTable, tenant: str, generation: int, edition: str) -> int | None:
    """The number of the change that hid an edition; None for one that is not hidden."""
    item = await table.get(*keys.hidden_edition(tenant, generation, edition))
    return None if item is None else int(item.body["since"])


async def hidden(table: RecordTable, tenant: str, generation: int, change: int, held: Hidden | None) -> Hidden:
    """What is hidden as of this change or a later one; `held` is what was known before.

    Raises: TableUnavailable, also where changes come in faster than they can be read.
    """
    if held is not None and held.generation == generation:
        if held.change >= change:
            return held
        found = await _followed(table, tenant, held)
        if found is not None and found.change >= change:
            return found
    for _ in range(ROUNDS):
        known = await _read(table, tenant, generation, change)
        found = await _followed(table, tenant, known)
        if found is not None:
            return found
        change = max(change, await _newest(table, tenant, generation))
    raise TableUnavailable("the corpus changes faster than it can be read", retry_after=5)


async def _read(table: RecordTable, tenant: str, generation: int, change: int) -> Hidden:
    """The records, which may be of any moment since this change."""
    place = keys.editions(tenant, generation)
    names = [item.sort.removeprefix(keys.HIDDEN) async for item in table.query(place, keys.HIDDEN)]
    return Hidden(generation, change, frozenset(names))


async def _followed(table: RecordTable, tenant: str, held: Hidden) -> Hidden | None:
    """What was held, with every change since; None where the log begins later.

    An entry says what is so from then on, so that one may be followed that the records showed already.
    """
    place, number, editions = keys.editions(tenant, held.generation), held.change, set(held.editions)
    after = keys.edition_change(tenant, held.generation, held.change).sort
    async for item in table.query(place, keys.CHANGES, after=after):
        number += 1
        if item.sort != keys.edition_change(tenant, held.generation, number).sort:
            return None
        editions |= set(item.body["hides"])
        editions -= set(item.body["shows"])
    return Hidden(held.generation, number, frozenset(editions))


async def _newest(table: RecordTable, tenant: str, generation: int) -> int:
    place = keys.editions(tenant, generation)
    async for item in table.query(place, keys.CHANGES, descending=True):
        return int(item.sort.removeprefix(keys.CHANGES))
    return 0
