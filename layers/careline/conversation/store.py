"""Keeps conversations: what a turn adds to one, what the next turn sees of it, and its end.

What people said and what is known about them is encrypted; in clear stand a message's role, time and turn, and the
names (keyed digests) under which the conversation is listed. A turn's part may be kept any number of times: the outbox
delivers it again after a kill, and by then newer turns, or an erasure, may have come.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from careline.model import Conversation, Message, Span, SpanType
from careline.ports import Engines, Records
from careline.privacy.redaction.encryption import decrypt, encrypt
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Body, Delete, Item, Put
from careline.schemas.questions import MessageBody

AT_ONCE = 80
"""Records in one write; the table port takes a hundred."""
TRIES = 100
"""Times a turn gives way to others of its conversation at once; each time one of them has got on."""
REMEMBERED = timedelta(days=30)
"""How long it is known that a conversation or a person was erased; no queue holds a turn's record for longer."""
HEAD, MESSAGE = "conversation", "message"


@dataclass(frozen=True, slots=True)
class Part:
    """What one turn adds. `head` and `messages` (sort key and body) are as they are stored, `names` those it is listed
    under; `until` is when it expires."""

    conversation_id: str
    turn_id: str
    began_at: datetime
    until: datetime
    head: Body
    messages: tuple[tuple[str, Body], ...]
    names: tuple[str, ...] = field(default=())

    def to_json(self) -> Body:
        """For the outbox."""
        return {
            "id": self.conversation_id, "turn_id": self.turn_id, "began_at": self.began_at.isoformat(),
            "until": self.until.isoformat(), "head": self.head, "messages": [list(one) for one in self.messages],
            "names": list(self.names),
        }  # fmt: skip


def part_of(kept: Body) -> Part:
    """The part that `to_json` wrote."""
    began, until = (datetime.fromisoformat(kept[name]) for name in ("began_at", "until"))
    messages = tuple((sort, body) for sort, body in kept["messages"])
    return Part(kept["id"], kept["turn_id"], began, until, kept["head"], messages, tuple(kept["names"]))


def head_body(said: Body, secret: Body, tenant: str, conversation_id: str, key: bytes) -> Body:
    """A conversation's record: `said` in clear, `secret` encrypted. Raises: SettingsInvalid without a key."""
    return {**said, "encrypted": encrypt(secret, key, HEAD, tenant, conversation_id)}


def message_body(message: Message, tenant: str, conversation_id: str, sort: str, key: bytes) -> Body:
    """A message's record. Raises: SettingsInvalid without a key."""
    personal = message.personal
    spans = None if personal is None else [[each.start, each.end, each.type, each.rule] for each in personal]
    secret = [message.text, spans, message.refused, message.disposition, message.reason]
    said = encrypt(secret, key, MESSAGE, tenant, conversation_id, sort)
    return {"role": message.role, "at": message.at.isoformat(), "turn_id": message.turn_id, "encrypted": said}


async def keep(part: Part, tenant: str, records: Records) -> bool:
    """Add a turn to its conversation; again, or after a newer one, without effect on that.

    False, and nothing is kept, when the conversation was erased since.
    Raises: Conflict when too many add to it at once, TableUnavailable.
    """
    listed = (keys.subject_conversation(tenant, name, part.conversation_id) for name in part.names)
    names = [Put(Item(*one, {}, expires_at=part.until)) for one in listed]

    async def decide() -> Update[bool]:
        if await erased(part.conversation_id, part.began_at, tenant, records) is not None:
            return Update(False)
        before = await records.table.get(*keys.conversation(tenant, part.conversation_id))
        if before is not None and await _holds(part, tenant, records):
            return Update(True)
        # Listed first: what is kept can always be found again, also after a kill in between.
        for start in range(0, len(names), AT_ONCE):
            await records.table.write(*names[start : start + AT_ONCE])
        return Update(True, _puts(part, tenant, before))

    return await optimistic_update(
        records.table, decide, busy="too many turns of one conversation at once; try again", tries=TRIES
    )


async def _holds(part: Part, tenant: str, records: Records) -> bool:
    last = part.messages[-1][0]
    return await records.table.get(*keys.message(tenant, part.conversation_id, last)) is not None


def _puts(part: Part, tenant: str, before: Item | None) -> list[Put]:
    """The messages, and the head unless a newer turn wrote it; either way nobody else may have written meanwhile."""
    newest = before is None or before.body["last_turn"] < part.turn_id
    head = {**part.head, "last_turn": part.turn_id} if newest or before is None else before.body
    if before is not None:
        head = {**head, "names": list(dict.fromkeys((*before.body["names"], *part.names)))}
    else:
        head = {**head, "names": list(part.names)}
    until = part.until if before is None or before.expires_at is None else max(part.until, before.expires_at)
    where, revision = part.conversation_id, before.revision if before is not None else 0
    puts = [Put(Item(*keys.conversation(tenant, where), head, expires_at=until), expects=revision)]
    for sort, body in part.messages:
        puts.append(Put(Item(*keys.message(tenant, where, sort), body, expires_at=part.until)))
    return puts


async def remembered(
    tenant: str, conversation_id: str, active_since: datetime, limit: int, engines: Engines
) -> Conversation:
    """The conversation as a turn sees it: its last messages, or a fresh start when it was idle for too long.

    Raises: TableUnavailable, RecordDamaged when it cannot be decrypted.
    """
    item = await engines.table.get(*keys.conversation(tenant, conversation_id))
    if item is None:
        return Conversation(conversation_id, tenant)
    body, secret = item.body, secret_of(item, tenant, engines.key)
    kept: dict[str, Any] = {
        "preferences": body["preferences"], "revision": item.revision, "redaction": secret["redaction"],
        "identity": secret["identity"], "owner": body["user"], "holder": body["holder"],
        # The patient is the conversation's, however long nobody asked.
        "clinical_context": secret["clinical_context"],
    }  # fmt: skip
    last_active = datetime.fromisoformat(body["last_active"])
    if last_active < active_since:
        return Conversation(conversation_id, tenant, **kept)
    return Conversation(
        conversation_id,
        tenant,
        await last_messages(tenant, conversation_id, limit, engines),
        body["language"],
        body["disclaimed"],
        # Older versions kept none.
        asked_back=tuple(secret.get("asked_back", ())),
        last_active=last_active,
        **kept,
    )


def secret_of(head: Item, tenant: str, key: bytes) -> Body:
    """What a conversation's record says of people. Raises: RecordDamaged."""
    found: Body = decrypt(head.body.get("encrypted"), key, HEAD, tenant, head.sort)
    return found


async def last_messages(tenant: str, conversation_id: str, limit: int, engines: Engines) -> tuple[Message, ...]:
    """The newest messages of a conversation, oldest first. Raises: RecordDamaged at one that cannot be decrypted."""
    found: list[Message] = []
    async for item in engines.table.query(keys.messages(tenant, conversation_id), descending=True):
        found.append(message_of(item, tenant, conversation_id, engines.key))
        if len(found) == limit:
            break
    return tuple(reversed(found))


async def first_question(tenant: str, conversation_id: str, engines: Engines) -> str | None:
    """What a person said first in a conversation, of what is kept; None where nothing is. Raises: RecordDamaged."""
    async for item in engines.table.query(keys.messages(tenant, conversation_id)):
        if item.body["role"] == "user":
            return message_of(item, tenant, conversation_id, engines.key).text
    return None


def message_of(item: Item, tenant: str, conversation_id: str, key: bytes) -> Message:
    """The message in a stored record. Raises: RecordDamaged."""
    text, found, *noted = decrypt(item.body.get("encrypted"), key, MESSAGE, tenant, conversation_id, item.sort)
    spans = None if found is None else tuple(Span(start, end, SpanType(of), rule) for start, end, of, rule in found)
    body = item.body
    # Older versions noted no refusals, and then not what kind of answer it is.
    refused, disposition, reason = (*noted, None, None, None)[:3]
    at = datetime.fromisoformat(body["at"])
    return Message(body["role"], text, at, body["turn_id"], spans, refused, disposition, reason)


def to_json(message: Message) -> MessageBody:
    """The message as whoever held the conversation reads it."""
    return {
        "role": message.role, "text": message.text, "at": message.at.isoformat(), "turn_id": message.turn_id,
        "disposition": message.disposition, "reason": message.reason,
    }  # fmt: skip


async def erased(conversation_id: str, began_at: datetime, tenant: str, records: Records) -> str | None:
    """How a conversation ended since a turn of it began: `forgotten` by its owner, or `erased`; None if it did not."""
    note = await records.table.get(*keys.forgotten(tenant, conversation_id))
    if note is None or began_at > datetime.fromisoformat(note.body["at"]):
        return None
    return str(note.body["how"])


async def remove(conversation_id: str, how: str, tenant: str, engines: Engines) -> None:
    """Delete a conversation, its messages and what it waits for; a turn of it that is still on its way is dropped when
    it arrives.

    It stays listed, so that this may be repeated after a kill. `how` is `forgotten` or `erased`.
    Raises: TableUnavailable.
    """
    now = engines.clock.now()
    body = {"at": now.isoformat(), "how": how}
    note = Item(*keys.forgotten(tenant, conversation_id), body, expires_at=now + REMEMBERED)
    await engines.table.write(Put(note))
    await delete_partition(keys.messages(tenant, conversation_id), engines)
    gone = (keys.pending(tenant, conversation_id), keys.conversation(tenant, conversation_id))
    await engines.table.write(*(Delete(*key) for key in gone))


async def delete_partition(partition: str, engines: Engines) -> None:
    """Delete every record of a partition, in as many writes as it takes."""
    await delete(engines, [Delete(partition, item.sort) async for item in engines.table.query(partition)])


async def delete(engines: Engines, deletes: Sequence[Delete]) -> None:
    """Delete records, in as many writes as it takes."""
    for start in range(0, len(deletes), AT_ONCE):
        await engines.table.write(*deletes[start : start + AT_ONCE])
