"""What a person may ask for: everything that is held about them, and that it be gone.

A person is found by keyed digests of their user id, caller number, and of whatever identifies them in what they said;
under each of these every conversation, turn and audit entry of theirs is listed; nothing is searched. The audit chain
and the billing events stay: the first knows a person by the pseudonym alone, the second not at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from careline.audit import chain as audit
from careline.conversation import pending, question, store
from careline.log.event_log import EventLog
from careline.ports import Engines
from careline.privacy.redaction.identifiers import asked
from careline.records import keys
from careline.records.record_table import Body, Delete, Item, Put
from careline.schemas.oversight import Bill, Erasure, Export, HeldConversation, TurnRecord

log = EventLog(__name__)
_PSEUDONYM = re.compile(r"pseudonym:([0-9a-f]{16})")


@dataclass(frozen=True, slots=True)
class _Held:
    """Where a person's records are. `heads` are the conversations that are still there; `listed` what goes from the
    lists with an erasure: the person's own, and those of others who are named in the same conversations."""

    conversations: tuple[str, ...]
    heads: dict[str, Item]
    turns: tuple[str, ...]
    audit: tuple[int, ...]
    listed: tuple[Delete, ...]


def names_of(subject: str, key: bytes) -> tuple[str, ...]:
    """Every pseudonym a person may be listed under; `pseudonym:` and 16 digits name one that is known already.

    A subject is a user id, a telephone number, an e-mail address, a national, record or account number, or a name with
    a date of birth. Raises: BadRequest for an empty subject and a name alone, SettingsInvalid without a key.
    """
    known = _PSEUDONYM.fullmatch(subject.strip())
    return (known[1],) if known else asked(subject, key)


async def export(engines: Engines, tenant: str, subject: str) -> Export:
    """Everything that is held about a person, as JSON; that it was asked for is held too.

    A turn is part of it once it was taken out of the outbox. Raises: BadRequest, TableUnavailable, RecordDamaged.
    """
    names = names_of(subject, engines.key)
    held = await _held(engines, tenant, names)
    conversations = [await _conversation(engines, tenant, one, held.heads.get(one)) for one in held.conversations]
    conversations = [one for one in conversations if one["messages"] or one["conversation_id"] in held.heads]
    turns = await _bodies(engines, [keys.turn(tenant, one) for one in held.turns])
    billing = await _bodies(engines, [keys.bill(tenant, one) for one in held.turns])
    entries = [await audit.entry_of(engines, tenant, seq) for seq in held.audit]
    messages = sum(len(one["messages"]) for one in conversations)
    counts = {"conversations": len(conversations), "messages": messages, "turns": len(turns)}
    await audit.append(engines, tenant, "export", counts, subject=names[0])
    log.write("subject_exported", **counts)
    return {
        "subject": names[0],
        "exported_at": engines.clock.now().isoformat(),
        # As they were recorded; their kinds are told in `bodies`.
        "conversations": cast("list[HeldConversation]", conversations),
        "turns": [cast(TurnRecord, question.shown(one, tenant, engines.key)) for one in turns],
        "billing": cast("list[Bill]", billing),
        "audit": [entry.to_json() for entry in entries if entry is not None],
    }


async def erase(engines: Engines, tenant: str, subject: str) -> Erasure:
    """Delete a person's conversations with every message in them, and the records of their turns, for good.

    A conversation goes whole, with the turns of others in it. When this is interrupted, the person is still listed and
    it can be asked for again; the list goes in one transaction with the audit entry that tells of it. The record of a
    turn that still waits in the outbox is dropped when it is taken out. Raises: BadRequest, TableUnavailable.
    """
    names, now = names_of(subject, engines.key), engines.clock.now()
    held = await _held(engines, tenant, names)
    counts = await _counts(engines, tenant, held)
    told, until = {"at": now.isoformat()}, now + store.REMEMBERED
    notes = [Put(Item(*keys.subject_erased(tenant, name), told, expires_at=until)) for name in names]
    # From here on nothing of theirs that is still on its way is kept.
    for start in range(0, len(notes), store.AT_ONCE):
        await engines.table.write(*notes[start : start + store.AT_ONCE])
    # Turns first: some are known from the messages alone.
    await store.delete(engines, [Delete(*keys.turn(tenant, one)) for one in held.turns])
    for conversation in held.conversations:
        await store.remove(conversation, "erased", tenant, engines)
    await store.delete(engines, held.listed[store.AT_ONCE :])
    last = held.listed[: store.AT_ONCE]
    link = await audit.append(engines, tenant, "erase", counts, subject=names[0], alongside=last)
    await engines.table.scrub()
    await engines.outbox.scrub()
    log.write("subject_erased", **counts)
    return {"subject": names[0], "erased": counts, "audit": str(link)}


async def _held(engines: Engines, tenant: str, names: Sequence[str]) -> _Held:
    listed = [item for name in names async for item in engines.table.query(keys.subject(tenant, name))]
    own = [item for item in listed if item.sort.startswith((keys.OF_CONVERSATION, keys.OF_TURN))]
    conversations = _after(keys.OF_CONVERSATION, own)
    turns = list(_after(keys.OF_TURN, own))
    heads: dict[str, Item] = {}
    others: list[Delete] = []
    for conversation in conversations:
        # A turn of the same conversation that named nobody is the same person's as far as anybody knows.
        said = [item.body["turn_id"] async for item in engines.table.query(keys.messages(tenant, conversation))]
        turns += said
        if (head := await engines.table.get(*keys.conversation(tenant, conversation))) is not None:
            heads[conversation] = head
            others += _listed_elsewhere(head, dict.fromkeys(filter(None, said)), tenant)
    known = tuple(dict.fromkeys(filter(None, turns)))
    own_deletes = (Delete(item.partition, item.sort) for item in own)
    deletes = tuple(dict.fromkeys((*others, *own_deletes)))
    entries = {int(item.body["seq"]) for item in listed if item.sort.startswith(keys.OF_AUDIT)}
    for turn in known:
        # A turn that named no user is in the chain without a person.
        if (noted := await engines.table.get(*keys.audit_id(tenant, turn))) is not None:
            entries.add(int(noted.body["seq"]))
    return _Held(conversations, heads, known, tuple(sorted(entries)), deletes)


def _listed_elsewhere(head: Item, turns: Sequence[str] | dict[str, None], tenant: str) -> list[Delete]:
    """Where a conversation and its turns are listed under any of its people."""
    found: list[keys.Key] = []
    for name in head.body.get("names", ()):
        found.append(keys.subject_conversation(tenant, name, head.sort))
        found += (keys.subject_turn(tenant, name, turn) for turn in turns)
    return [Delete(*one) for one in found]


def _after(prefix: str, listed: Sequence[Item]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.sort.removeprefix(prefix) for item in listed if item.sort.startswith(prefix)))


async def _conversation(engines: Engines, tenant: str, conversation: str, head: Item | None) -> Body:
    """One conversation as its person reads it. Raises: RecordDamaged when it cannot be decrypted."""
    messages = [
        store.message_of(item, tenant, conversation, engines.key)
        async for item in engines.table.query(keys.messages(tenant, conversation))
    ]
    told = ("language", "pack", "last_active", "preferences", "user")
    about = {name: head.body.get(name) for name in told} if head is not None else {}
    if head is not None:
        about["clinical_context"] = store.secret_of(head, tenant, engines.key)["clinical_context"]
    if (waiting := await pending.waited_for(conversation, tenant, engines)) is not None:
        about["pending"] = pending.written(waiting.awaited)
    return {"conversation_id": conversation, **about, "messages": [store.to_json(message) for message in messages]}


async def _counts(engines: Engines, tenant: str, held: _Held) -> dict[str, int]:
    """What is there of a person, without reading what they said: what cannot be decrypted can be erased."""
    messages = 0
    for conversation in held.conversations:
        messages += len([1 async for _ in engines.table.query(keys.messages(tenant, conversation))])
    turns = await _bodies(engines, [keys.turn(tenant, one) for one in held.turns])
    return {"conversations": len(held.heads), "messages": messages, "turns": len(turns)}


async def _bodies(engines: Engines, wanted: Sequence[keys.Key]) -> list[Body]:
    found = [await engines.table.get(*key) for key in wanted]
    return [item.body for item in found if item is not None]
