"""Takes turns out of the outbox and keeps them where people look: conversation, telemetry, audit, billing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from careline.audit import chain as audit
from careline.conversation import question, store
from careline.conversation.store import Part
from careline.errors import NotFound
from careline.log import context
from careline.log.event_log import EventLog
from careline.ports import Engines, Records
from careline.records import keys
from careline.records.outbox_message import OutboxEntry
from careline.records.record_table import Item, Put
from careline.tenants import spending, tenant_records

LOOKS, LOOK_SECONDS = 61, 0.05
"""How often, and how far apart, a record is looked for that may be on its way."""
RECENT = timedelta(minutes=2)
"""How long ago a turn may have begun whose record may be on its way: longer than any answer takes."""
ID_TIME = 11
"""Digits of an identifier that are its time: milliseconds, in hexadecimal."""
_ID = re.compile(r"[0-9a-f]{24}")
log = EventLog(__name__)


async def relay(engines: Engines) -> int:
    """Settle everything in the outbox and say how many turns that was. Delivered twice, a turn is kept once."""
    settled, erased = 0, False
    while entries := await engines.outbox.take():
        for entry in entries:
            with context.bound(tenant=entry.tenant, turn=entry.entry_id):
                erased = not await keep(entry, engines) or erased
                await engines.outbox.settle(entry)
                log.write("outbox_relayed")
            settled += 1
    if erased:
        await engines.outbox.scrub()
    return settled


async def keep(entry: OutboxEntry, records: Records) -> bool:
    """Write one turn: its messages, then its record, billing event and audit entry together or not at all.

    May be repeated, whatever was written of it before: what is there stays as it is, also when it was erased since.
    The messages come first, so that the audit chain never tells of a turn that the conversation lacks. False when the
    person was erased while the record waited: then nothing but the audit entry and the billing event is kept.
    """
    turn, tenant, subject = entry.body["turn"], entry.tenant, entry.body.get("subject")
    part = store.part_of(entry.body["conversation"]) if entry.body.get("conversation") else None
    names = tuple(dict.fromkeys((*([subject] if subject else []), *(part.names if part else ()))))
    retention = await tenant_records.retention_of(records, tenant)
    began = datetime.fromisoformat(turn["began_at"])
    turns, bills = retention.kept_until("turns", began), retention.kept_until("billing", began)
    billing = {name: turn[name] for name in ("turn_id", "began_at", "model", "tokens", "cost", "channel")}
    puts = [Put(Item(*keys.bill(tenant, entry.entry_id), billing, expires_at=bills))]
    erased = await _erased_since(began, names, part, tenant, records)
    if not erased:
        if part is not None:
            await store.keep(part, tenant, records)
        own = (keys.subject_turn(tenant, name, entry.entry_id) for name in names)
        listed = [Put(Item(*one, {}, expires_at=turns)) for one in own]
        for start in range(0, len(listed), store.AT_ONCE):
            await records.table.write(*listed[start : start + store.AT_ONCE])
        puts.append(Put(Item(*keys.turn(tenant, entry.entry_id), turn, expires_at=turns)))
    await _audited(entry, puts, records)
    if cost := turn["cost"]:
        spent = await spending.add(retention, began, cost, records, once=entry.entry_id)
        if spent is not None and (mark := spending.crossed(retention.monthly_budget, spent, cost)) is not None:
            with context.bound(tenant=tenant, turn=entry.entry_id):
                log.write("budget_crossed", percent=mark)
    return not erased


async def _audited(entry: OutboxEntry, alongside: list[Put], records: Records) -> None:
    body, subject = entry.body, entry.body.get("subject")
    if override := body.get("override"):
        again = f"{entry.entry_id}.override"
        await audit.append(records, entry.tenant, "phi_override", override, subject=subject, entry_id=again)
    await audit.append(
        records, entry.tenant, "turn", body["audit"], subject=subject, entry_id=entry.entry_id, alongside=alongside
    )


async def _erased_since(
    began: datetime, names: Sequence[str], part: Part | None, tenant: str, records: Records
) -> bool:
    if part is not None and await store.erased(part.conversation_id, began, tenant, records) == "erased":
        return True
    for name in names:
        note = await records.table.get(*keys.subject_erased(tenant, name))
        if note is not None and began <= datetime.fromisoformat(note.body["at"]):
            return True
    return False


async def show(turn_id: str, tenant: str, engines: Engines) -> dict[str, Any]:
    """The record of a turn; of one that was just answered, as soon as it has come out of the outbox.

    Raises: NotFound, RecordDamaged, TableUnavailable.
    """
    return question.shown((await recorded(turn_id, tenant, engines)).body, tenant, engines.key)


async def recorded(turn_id: str, tenant: str, engines: Engines) -> Item:
    """The stored record of a turn. It is in the outbox when the client is told that the turn is done, and in the table
    a moment later: whoever asks at once waits for that, three seconds at the most. Older ones are not waited for.

    Raises: NotFound, TableUnavailable.
    """
    looks = LOOKS if _is_recent(turn_id, engines.clock.now()) else 1
    for look in range(looks):
        if look:
            await asyncio.sleep(LOOK_SECONDS)
        item = await engines.table.get(*keys.turn(tenant, turn_id))
        if item is not None:
            return item
    raise NotFound("there is no record of such a turn")


def _is_recent(turn_id: str, now: datetime) -> bool:
    """Whether a turn began so lately that it may just have been answered; an id of ours says when."""
    if not _ID.fullmatch(turn_id):
        return False
    return abs(now - datetime.fromtimestamp(int(turn_id[:ID_TIME], 16) / 1000, UTC)) <= RECENT


async def ids(tenant: str, prefix: str, engines: Engines) -> AsyncIterator[str]:
    """Ids of turns that begin with a prefix, oldest first."""
    async for item in engines.table.query(keys.turns(tenant), prefix):
        yield item.sort


async def newest(tenant: str, limit: int, engines: Engines) -> list[dict[str, Any]]:
    """The newest turns first."""
    found: list[dict[str, Any]] = []
    async for item in engines.table.query(keys.turns(tenant), descending=True):
        found.append(question.shown(item.body, tenant, engines.key))
        if len(found) == limit:
            break
    log.write("turns_listed", count=len(found))
    return found
