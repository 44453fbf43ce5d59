"""Keeps what language models have cost each month, so that a budget can be kept to."""

from __future__ import annotations

from datetime import datetime, timedelta

from careline.optimistic_update import Update, optimistic_update
from careline.ports import Engines
from careline.record_table import Item, Put
from careline.settings import Settings
from careline.tenants.directory import Tenant

TRIES = 50
"""Times a count gives way to others at once."""
NOTED = timedelta(days=60)
"""How long it is known that a turn was counted; no queue delivers its record later."""


def month(at: datetime) -> str:
    """The record's name for a point in time."""
    return f"{at:%Y-%m}"


async def budget_left(tenant: Tenant, at: datetime, engines: Engines, settings: Settings) -> float:
    """Share of this month's budget that is left, 0 to 1; 1 where there is no limit. Raises: TableUnavailable."""
    budget = tenant.monthly_budget or settings.monthly_budget
    if not budget:
        return 1.0
    item = await engines.table.get(f"{tenant.tenant_id}/spending", month(at))
    return max(0.0, 1 - (item.body["euro"] if item else 0.0) / budget)


async def add(tenant_id: str, at: datetime, euro: float, engines: Engines, *, once: str) -> None:
    """Count what the turn `once` cost, one time however often it is told.

    Raises: Conflict when too many count at once, TableUnavailable.
    """
    note = Item(f"{tenant_id}/spent", once, {}, expires_at=(at + NOTED).replace(microsecond=0))

    async def decide() -> Update[None]:
        if await engines.table.get(note.partition, note.sort) is not None:
            return Update(None)
        item = await engines.table.get(f"{tenant_id}/spending", month(at))
        spent = (item.body["euro"] if item else 0.0) + euro
        counted = Item(f"{tenant_id}/spending", month(at), {"euro": round(spent, 6)})
        return Update(None, (Put(note, expects=0), Put(counted, expects=item.revision if item else 0)))

    await optimistic_update(engines.table, decide, busy="too many turns are counted at once; try again", tries=TRIES)
