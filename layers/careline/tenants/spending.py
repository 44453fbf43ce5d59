"""Keeps what language models have cost each month, so that a budget can be kept to."""

from __future__ import annotations

from datetime import datetime, timedelta

from careline.ports import Engines, Records
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Item, Put
from careline.settings import Settings
from careline.tenants.tenant_records import Tenant

TRIES = 50
"""Times a count gives way to others at once."""
NOTED = timedelta(days=60)
"""How long it is known that a turn was counted; no queue delivers its record later."""


def month(at: datetime) -> str:
    """The record's name for a point in time, by the clocks of the hospital."""
    return f"{at:%Y-%m}"


async def budget_left(tenant: Tenant, at: datetime, engines: Engines, settings: Settings) -> float:
    """Share of this month's budget that is left, 0 to 1; 1 where there is no limit. Raises: TableUnavailable."""
    budget = tenant.monthly_budget or settings.routing.monthly_budget
    if not budget:
        return 1.0
    item = await engines.table.get(*keys.spending(tenant.tenant_id, month(tenant.local(at))))
    return max(0.0, 1 - (item.body["euro"] if item else 0.0) / budget)


MARKS = (80, 100)
"""Per cent of a month's budget at which people are told."""


async def add(tenant: Tenant, at: datetime, euro: float, records: Records, *, once: str) -> float | None:
    """Count what the turn `once` cost, one time however often it is told, and say what the month has cost with it; None
    where it was counted before.

    Raises: Conflict when too many count at once, TableUnavailable.
    """
    place = keys.spending(tenant.tenant_id, month(tenant.local(at)))
    note = Item(*keys.counted(tenant.tenant_id, once), {}, expires_at=(at + NOTED).replace(microsecond=0))

    async def decide() -> Update[float | None]:
        if await records.table.get(note.partition, note.sort) is not None:
            return Update(None)
        item = await records.table.get(*place)
        spent = (item.body["euro"] if item else 0.0) + euro
        counted = Item(*place, {"euro": round(spent, 6)})
        return Update(spent, (Put(note, expects=0), Put(counted, expects=item.revision if item else 0)))

    busy = "too many turns are counted at once; try again"
    return await optimistic_update(records.table, decide, busy=busy, tries=TRIES)


def crossed(budget: float | None, spent: float, euro: float) -> int | None:
    """The highest mark of a budget that the last `euro` of what was spent went past, in per cent; None where none."""
    if not budget:
        return None
    before, after = round(spent - euro, 6), round(spent, 6)
    passed = [mark for mark in MARKS if before < round(budget * mark / 100, 6) <= after]
    return max(passed, default=None)
