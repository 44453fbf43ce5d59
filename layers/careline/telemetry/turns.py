"""Takes turn records out of the outbox and keeps them where operations look: telemetry, audit, billing."""

from __future__ import annotations

from typing import Any

from careline.errors import NotFound
from careline.ports import Engines, Item, OutboxEntry, Put


async def relay(engines: Engines) -> int:
    """Settle everything in the outbox and say how many turns that was. Delivered twice, a turn is kept once."""
    settled = 0
    while entries := await engines.outbox.take():
        for entry in entries:
            await keep(entry, engines)
            await engines.outbox.settle(entry)
            settled += 1
    return settled


async def keep(entry: OutboxEntry, engines: Engines) -> None:
    """Write one turn's telemetry, audit entry and billing event."""
    turn, audit = entry.body["turn"], entry.body["audit"]
    billing = {name: turn[name] for name in ("turn_id", "began_at", "model", "tokens", "cost", "channel")}
    await engines.table.write(
        Put(Item(f"{entry.tenant}/turns", entry.entry_id, turn)),
        Put(Item(f"{entry.tenant}/audit", entry.entry_id, audit)),
        Put(Item(f"{entry.tenant}/billing", entry.entry_id, billing)),
    )


async def show(turn_id: str, tenant: str, engines: Engines) -> dict[str, Any]:
    """The record of a turn. Raises: NotFound, also while it is still in the outbox."""
    item = await engines.table.get(f"{tenant}/turns", turn_id)
    if item is None:
        raise NotFound("there is no record of such a turn (yet)")
    return item.body


async def newest(tenant: str, limit: int, engines: Engines) -> list[dict[str, Any]]:
    """The newest turns first."""
    found: list[dict[str, Any]] = []
    async for item in engines.table.query(f"{tenant}/turns", descending=True):
        found.append(item.body)
        if len(found) == limit:
            break
    return found
