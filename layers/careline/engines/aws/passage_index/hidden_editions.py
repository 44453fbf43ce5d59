"""Which editions of the index nobody may find, as of one change of the corpus: what a search is filtered by.

Nearly everything in an index is live, so a search names what is not: editions that were announced and are not live yet,
and those that were replaced or deleted since the last `clear`. Each has a record, and each change of them an entry in a
log, whose numbers have no gap within a generation. A process keeps the set in memory and reads what changed since;
after a long silence, or at first, it reads the records and then the end of the log.

The corpus's record, the records and the log are written in one transaction, which DynamoDB may show item by item for
some milliseconds (developer guide, isolation levels of transactions). So a set is taken for one of a change only where
the log has that change, and what is not there yet is waited for.

What was announced after that change is kept out by its number: each passage carries the number of the change with which
its edition was announced, and a search finds none with a higher one. So a search that began before a document came sees
it whole or not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from careline.errors import TableUnavailable
from careline.records import keys
from careline.records.record_table import Delete, Item, Put, RecordTable

KEPT = 1000
"""Entries of the log that are kept; who has been silent for longer reads the records."""
TAIL = 100
"""Entries before a change that are followed once more after the records were read, whatever these showed already."""
SHOWN_SECONDS = 0.05
"""Within which everything that a transaction wrote is shown, a good deal longer than it takes."""
ROUNDS = 8
"""How often what was asked for is looked for before it is given up."""


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
    gone = [Delete(*keys.edition_change(tenant, generation, number - KEPT))] if number > KEPT else []
    return [
        *(Put(Item(*keys.hidden_edition(tenant, generation, name), {"since": number})) for name in change.hides),
        *(Delete(*keys.hidden_edition(tenant, generation, name)) for name in change.shows),
        Put(Item(*keys.edition_change(tenant, generation, number), entry)),
        *gone,
    ]


async def hidden_since(table: RecordTable, tenant: str, generation: int, edition: str) -> int | None:
    """The number of the change that hid an edition; None for one that is not hidden."""
    item = await table.get(*keys.hidden_edition(tenant, generation, edition))
    return None if item is None else int(item.body["since"])


async def hidden(table: RecordTable, tenant: str, generation: int, change: int, held: Hidden | None) -> Hidden:
    """What is hidden as of this change or a later one; `held` is what was known before.

    Raises: TableUnavailable, also where the log does not come to this change: the index was cleared meanwhile.
    """
    if held is not None and (held.generation != generation or change - held.change > KEPT):
        held = None
    if held is not None and held.change >= change:
        return held
    for attempt in range(ROUNDS):
        if attempt:
            await asyncio.sleep(SHOWN_SECONDS)
        found = await (_read(table, tenant, generation, change) if held is None else _followed(table, tenant, held))
        if found is None:
            held = None
        elif found.change >= change:
            return found
    raise TableUnavailable("what is live cannot be told now; ask again", retry_after=1)


async def _read(table: RecordTable, tenant: str, generation: int, change: int) -> Hidden | None:
    """The records, which may be of any moment since the corpus was read, and then the end of the log."""
    place = keys.editions(tenant, generation)
    names = [item.sort.removeprefix(keys.HIDDEN) async for item in table.query(place, keys.HIDDEN)]
    if not change:
        return Hidden(generation, 0, frozenset(names))
    await asyncio.sleep(SHOWN_SECONDS)
    first = max(change - TAIL, 0)
    entries = [item async for item in table.query(place, keys.CHANGES, after=_sort(tenant, generation, first))]
    if not entries:
        return None
    first = int(entries[0].sort.removeprefix(keys.CHANGES)) - 1
    return _applied(Hidden(generation, first, frozenset(names)), entries)


async def _followed(table: RecordTable, tenant: str, held: Hidden) -> Hidden | None:
    """What was held, with every change since; None where the log begins later."""
    place, after = keys.editions(tenant, held.generation), _sort(tenant, held.generation, held.change)
    return _applied(held, [item async for item in table.query(place, keys.CHANGES, after=after)])


def _applied(held: Hidden, entries: Sequence[Item]) -> Hidden | None:
    """None where an entry is missing. One says what is so from then on, so that it may be followed again."""
    editions = set(held.editions)
    for number, item in enumerate(entries, held.change + 1):
        if int(item.sort.removeprefix(keys.CHANGES)) != number:
            return None
        editions |= set(item.body["hides"])
        editions -= set(item.body["shows"])
    return Hidden(held.generation, held.change + len(entries), frozenset(editions))


def _sort(tenant: str, generation: int, number: int) -> str:
    return keys.edition_change(tenant, generation, number).sort
