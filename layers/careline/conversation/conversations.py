"""A conversation as its owner sees it, and its end."""

from __future__ import annotations

from careline.conversation import store
from careline.conversation.ownership import check_owner
from careline.errors import NotFound
from careline.installation import Installation
from careline.log.event_log import EventLog
from careline.records import keys
from careline.records.record_table import Delete, Item
from careline.schemas.questions import ConversationBody

log = EventLog(__name__)
SHOWN = 200
"""Messages of a conversation that are shown, newest ones."""


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
