"""A conversation as its owner sees it, and its end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from careline.conversation import store
from careline.conversation.ownership import check_owner, owner_of
from careline.errors import NotFound, RecordDamaged
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.records import keys
from careline.records.record_table import Delete, Item
from careline.schemas.questions import ConversationBody, ConversationList, ConversationNote

log = EventLog(__name__)
Read = TypeVar("Read")
AT_ONCE = 10
"""Records that are read at the same time."""
FIRST = 160
"""Characters of the first question that a list shows."""
SHOWN = 200
"""Messages of a conversation that are shown, newest ones."""


async def listing(installation: Installation, limit: int) -> ConversationList:
    """Conversations of whoever asks, the `limit` that were taken up last, the last one first, each with its first
    question. One that cannot be read is left out. Raises: TableUnavailable.
    """
    heads = await _heads(installation)
    heads.sort(key=lambda head: str(head.body["last_active"]), reverse=True)
    found: list[ConversationNote] = []
    while heads and len(found) < limit:
        # As many as are missing: of those that were read some may be damaged.
        next_ones, heads = heads[: limit - len(found)], heads[limit - len(found) :]
        notes = await _few_at_a_time([partial(_shown, head, installation) for head in next_ones])
        found += [note for note in notes if note is not None]
    log.write("conversations_listed", count=len(found))
    return {"conversations": found}


async def _heads(installation: Installation) -> list[Item]:
    """The records of the asker's conversations, in no order of time."""
    engines, tenant, owner = installation.engines, installation.settings.tenant, owner_of(installation)
    listed = engines.table.query(keys.subject(tenant, owner), keys.OF_CONVERSATION)
    names = [item.sort.removeprefix(keys.OF_CONVERSATION) async for item in listed]
    heads = await _few_at_a_time([partial(_head, name, owner, installation) for name in names])
    return [head for head in heads if head is not None]


async def _head(name: str, owner: str, installation: Installation) -> Item | None:
    """The record of a conversation; None of one that is damaged, or not the owner's any more."""
    try:
        head = await installation.engines.table.get(*keys.conversation(installation.settings.tenant, name))
    except RecordDamaged as error:
        log.write("conversation_left_out", error=error.code, conversation=name)
        return None
    return head if head is not None and head.body.get("holder") == owner else None


async def _shown(head: Item, installation: Installation) -> ConversationNote | None:
    try:
        return await _note(head, installation)
    except RecordDamaged as error:
        log.write("conversation_left_out", error=error.code, conversation=head.sort)
        return None


async def _few_at_a_time(reads: Sequence[Callable[[], Awaitable[Read]]]) -> list[Read]:
    """What each of these reads comes to, in their order."""
    few = asyncio.Semaphore(AT_ONCE)

    async def one(read: Callable[[], Awaitable[Read]]) -> Read:
        async with few:
            return await read()

    return list(await asyncio.gather(*map(one, reads)))


async def _note(head: Item, installation: Installation) -> ConversationNote:
    """A conversation as a list shows it. Raises: RecordDamaged when its first question cannot be decrypted."""
    first = await store.first_question(installation.settings.tenant, head.sort, installation.engines)
    return {
        "conversation_id": head.sort,
        "language": head.body["language"],
        "pack": head.body["pack"],
        "last_active": head.body["last_active"],
        "first": first[:FIRST] if first is not None else None,
    }


async def show(conversation_id: str, installation: Installation) -> ConversationBody:
    """The messages of a conversation, oldest first.

    Raises: NotFound, also for somebody else's; RecordDamaged when it cannot be decrypted.
    """
    engines, tenant = installation.engines, installation.settings.tenant
    item = await _held(conversation_id, installation)
    messages = await store.last_messages(tenant, item.sort, SHOWN, engines)
    log.write("conversation_shown", count=len(messages))
    return {
        "conversation_id": item.sort,
        "language": item.body["language"],
        "pack": item.body["pack"],
        "last_active": item.body["last_active"],
        "clinical_context": store.secret_of(item, tenant, engines.key)["clinical_context"],
        "messages": [store.to_json(message) for message in messages],
    }


async def forget(conversation_id: str, installation: Installation) -> None:
    """Delete a conversation and its messages. Raises: NotFound, also for somebody else's."""
    engines, tenant = installation.engines, installation.settings.tenant
    item = await _held(conversation_id, installation)
    await store.remove(item.sort, "forgotten", tenant, engines)
    listed = (keys.subject_conversation(tenant, name, item.sort) for name in item.body["names"])
    await store.delete(engines, [Delete(*one) for one in listed])


async def _held(conversation_id: str, installation: Installation) -> Item:
    item = await check_owner(conversation_id, installation)
    if item is None:
        raise NotFound("there is no such conversation")
    return item
