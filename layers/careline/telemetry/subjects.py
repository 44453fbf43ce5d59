"""What a person may ask for: everything that is held about them, and that it be gone.

A person is found by the pseudonym of their user id or caller number, under which each conversation, turn and audit
entry of theirs is listed; nothing is searched. The audit chain and the billing events stay: the first knows a person by
the pseudonym alone, the second not at all.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from careline.errors import BadRequest
from careline.ports import Body, Delete, Engines, Item, Put
from careline.privacy.pseudonym import pseudonym
from careline.telemetry import audit
from careline.telemetry.turns import ERASED

logger = logging.getLogger(__name__)
AT_ONCE = 80
"""Records deleted in one write, with room for the audit entry beside the last of them."""
REMEMBERED = timedelta(days=30)
"""How long it is known that a person's earlier turns were erased; no queue holds a turn's record for longer."""
_PSEUDONYM = re.compile(r"pseudonym:([0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class _Held:
    """Where a person's records are. `listed` are the sort keys under the pseudonym that go with an erasure."""

    conversations: tuple[str, ...]
    turns: tuple[str, ...]
    audit: tuple[int, ...]
    listed: tuple[str, ...]


def name_of(subject: str, key: bytes) -> str:
    """The pseudonym of a user id or caller number; `pseudonym:` and 16 digits name one that is known already.

    Raises: BadRequest for an empty subject, SettingsInvalid without a key.
    """
    if not subject.strip():
        raise BadRequest("subject: a user id or a caller number is needed")
    known = _PSEUDONYM.fullmatch(subject.strip())
    return known[1] if known else pseudonym(subject, key)


async def export(engines: Engines, tenant: str, subject: str) -> dict[str, Any]:
    """Everything that is held about a person, as JSON; that it was asked for is held too.

    A turn is part of it once it was taken out of the outbox. Raises: BadRequest, TableUnavailable, RecordDamaged.
    """
    name = name_of(subject, engines.key)
    held = await _held(engines, tenant, name)
    conversations = await _conversations(engines, tenant, held.conversations)
    turns = await _bodies(engines, f"{tenant}/turns", held.turns)
    billing = await _bodies(engines, f"{tenant}/billing", held.turns)
    entries = [await audit.entry_of(engines, tenant, seq) for seq in held.audit]
    counts = _counts(conversations, turns)
    await audit.append(engines, tenant, "export", counts, subject=name)
    logger.info("a person's records exported", extra=counts)
    return {
        "subject": name,
        "exported_at": engines.clock.now().isoformat(),
        "conversations": conversations,
        "turns": turns,
        "billing": billing,
        "audit": [entry.to_json() for entry in entries if entry is not None],
    }


async def erase(engines: Engines, tenant: str, subject: str) -> dict[str, Any]:
    """Delete a person's conversations with every message in them, and the records of their turns, for good.

    A conversation goes whole, with the turns of others in it. When this is interrupted, the person is still listed and
    it can be asked for again; the list goes in one transaction with the audit entry that tells of it. The record of a
    turn that still waits in the outbox is dropped when it is taken out. Raises: BadRequest, TableUnavailable.
    """
    name, now = name_of(subject, engines.key), engines.clock.now()
    held = await _held(engines, tenant, name)
    conversations = await _conversations(engines, tenant, held.conversations)
    turns = await _bodies(engines, f"{tenant}/turns", held.turns)
    counts = _counts(conversations, turns)
    # Turns first: some are known from the messages alone.
    await _delete(engines, [Delete(f"{tenant}/turns", one) for one in held.turns])
    for conversation in held.conversations:
        await _delete_partition(engines, f"{tenant}/messages/{conversation}")
    await _delete(engines, [Delete(f"{tenant}/conversations", one) for one in held.conversations])
    listed = [Delete(f"{tenant}/subjects/{name}", sort) for sort in held.listed]
    await _delete(engines, listed[AT_ONCE:])
    note = Item(f"{tenant}/subjects/{name}", ERASED, {"at": now.isoformat()}, expires_at=now + REMEMBERED)
    last: list[Put | Delete] = [*listed[:AT_ONCE], Put(note)]
    link = await audit.append(engines, tenant, "erase", counts, subject=name, alongside=last)
    await engines.table.scrub()
    await engines.outbox.scrub()
    logger.info("a person's records erased", extra=counts)
    return {"subject": name, "erased": counts, "audit": str(link)}


async def _held(engines: Engines, tenant: str, name: str) -> _Held:
    listed = [item async for item in engines.table.query(f"{tenant}/subjects/{name}")]
    own = [item.sort for item in listed if item.sort.startswith(("conversation/", "turn/"))]
    conversations = tuple(sort.removeprefix("conversation/") for sort in own if sort.startswith("conversation/"))
    turns = [sort.removeprefix("turn/") for sort in own if sort.startswith("turn/")]
    for conversation in conversations:
        # A turn of the same conversation that named nobody is the same person's as far as anybody knows.
        async for message in engines.table.query(f"{tenant}/messages/{conversation}"):
            turns.append(message.body["turn_id"])
    entries = tuple(int(item.body["seq"]) for item in listed if item.sort.startswith("audit/"))
    return _Held(conversations, tuple(dict.fromkeys(filter(None, turns))), entries, tuple(own))


async def _conversations(engines: Engines, tenant: str, names: Sequence[str]) -> list[Body]:
    """The conversations that are still there; one may have been forgotten or have expired meanwhile."""
    found = []
    for name in names:
        item = await engines.table.get(f"{tenant}/conversations", name)
        messages = [item.body async for item in engines.table.query(f"{tenant}/messages/{name}")]
        if item is not None or messages:
            found.append({"conversation_id": name, **(item.body if item else {}), "messages": messages})
    return found


async def _bodies(engines: Engines, partition: str, sorts: Sequence[str]) -> list[Body]:
    found = [await engines.table.get(partition, sort) for sort in sorts]
    return [item.body for item in found if item is not None]


def _counts(conversations: Sequence[Body], turns: Sequence[Body]) -> dict[str, int]:
    messages = sum(len(one["messages"]) for one in conversations)
    return {"conversations": len(conversations), "messages": messages, "turns": len(turns)}


async def _delete_partition(engines: Engines, partition: str) -> None:
    await _delete(engines, [Delete(partition, item.sort) async for item in engines.table.query(partition)])


async def _delete(engines: Engines, deletes: Sequence[Delete]) -> None:
    for start in range(0, len(deletes), AT_ONCE):
        await engines.table.write(*deletes[start : start + AT_ONCE])
