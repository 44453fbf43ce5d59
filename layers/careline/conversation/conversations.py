"""A conversation as its owner sees it, and its end."""

from __future__ import annotations

from careline.conversation import store
from careline.conversation.ownership import check_owner, owner_of
from careline.errors import NotFound
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.records import keys
from careline.records.record_table import Delete, Item
from careline.schemas.questions import ConversationBody, ConversationList, ConversationNote

log = EventLog(__name__)
FIRST = 160
"""Characters of the first question that a list shows."""
SHOWN = 200
"""Messages of a conversation that are shown, newest ones."""


async def listing(installation: Installation, limit: int) -> ConversationList:
    """Conversations of whoever asks, the last one first, each with its first question.

    Raises: TableUnavailable, RecordDamaged when one cannot be decrypted.
    """
    engines, tenant = installation.engines, installation.settings.tenant
    found: list[ConversationNote] = []
    partition = keys.subject(tenant, owner_of(installation))
    async for listed in engines.table.query(partition, keys.OF_CONVERSATION, descending=True):
        if len(found) == limit:
            break
        item = await engines.table.get(*keys.conversation(tenant, listed.sort.removeprefix(keys.OF_CONVERSATION)))
        if item is None or item.body.get("holder") != owner_of(installation):
            continue
        first = await store.first_question(tenant, item.sort, engines)
        found.append({
            "conversation_id": item.sort,
            "language": item.body["language"],
            "pack": item.body["pack"],
            "last_active": item.body["last_active"],
            "first": first[:FIRST] if first is not None else None,
        })  # fmt: skip
    # Names are in the order in which conversations began; what was taken up again stands on top.
    found.sort(key=lambda one: one["last_active"], reverse=True)
    log.write("conversations_listed", count=len(found))
    return {"conversations": found}


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
        "messages": [{"role": m.role, "text": m.text, "at": m.at.isoformat(), "turn_id": m.turn_id} for m in messages],
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
