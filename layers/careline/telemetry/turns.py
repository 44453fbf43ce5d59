"""Takes turn records out of the outbox and keeps them where operations look: telemetry, audit, billing."""

from __future__ import annotations

import logging
from datetime import datetime
from typing import Any

from careline.errors import NotFound
from careline.ports import Engines, Item, OutboxEntry, Put
from careline.telemetry import audit
from careline.tenants import directory, spending

logger = logging.getLogger(__name__)


ERASED = "erased"
"""Sort key, under a person's pseudonym, of the note that their turns up to then were erased."""


async def relay(engines: Engines) -> int:
    """Settle everything in the outbox and say how many turns that was. Delivered twice, a turn is kept once."""
    settled, erased = 0, False
    while entries := await engines.outbox.take():
        for entry in entries:
            erased = not await keep(entry, engines) or erased
            await engines.outbox.settle(entry)
            settled += 1
    if erased:
        await engines.outbox.scrub()
    return settled


async def keep(entry: OutboxEntry, engines: Engines) -> bool:
    """Write one turn's telemetry, billing event and audit entry, together or not at all, each with its expiry.

    A turn whose audit entry is there already was kept before and stays as it is, also when it was erased since. False
    when the person was erased while the record waited: then nothing but the audit entry and the billing event is kept.
    """
    turn, tenant, subject = entry.body["turn"], entry.tenant, entry.body.get("subject")
    keeper = await directory.keeper(engines.table, tenant)
    began = datetime.fromisoformat(turn["began_at"])
    turns, bills = keeper.kept_until("turns", began), keeper.kept_until("billing", began)
    billing = {name: turn[name] for name in ("turn_id", "began_at", "model", "tokens", "cost", "channel")}
    puts = [Put(Item(f"{tenant}/billing", entry.entry_id, billing, expires_at=bills))]
    erased = subject is not None and await _erased_since(began, subject, tenant, engines)
    if not erased:
        puts.append(Put(Item(f"{tenant}/turns", entry.entry_id, turn, expires_at=turns)))
    if subject is not None and not erased:
        puts.append(Put(Item(f"{tenant}/subjects/{subject}", f"turn/{entry.entry_id}", {}, expires_at=turns)))
    if override := entry.body.get("override"):
        again = f"{entry.entry_id}.override"
        await audit.append(engines, tenant, "phi_override", override, subject=subject, entry_id=again)
    body = entry.body["audit"]
    await audit.append(engines, tenant, "turn", body, subject=subject, entry_id=entry.entry_id, alongside=puts)
    if turn["cost"]:
        await spending.add(tenant, began, turn["cost"], engines, once=entry.entry_id)
    return not erased


async def _erased_since(began: datetime, subject: str, tenant: str, engines: Engines) -> bool:
    note = await engines.table.get(f"{tenant}/subjects/{subject}", ERASED)
    return note is not None and began <= datetime.fromisoformat(note.body["at"])


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
    logger.info("turns listed", extra={"turns": len(found)})
    return found
