"""A conversation as its owner sees it, and its end."""

from __future__ import annotations

import logging
from typing import Any

from careline.errors import NotFound
from careline.ports import Delete
from careline.turn.admit import last_messages
from careline.turn.ownership import check_owner
from careline.turn.turn import Installation

logger = logging.getLogger(__name__)
SHOWN = 200
"""Messages of a conversation that are shown, newest ones."""
AT_ONCE = 90
"""Records deleted in one write; the table port takes a hundred."""


async def show(conversation_id: str, installation: Installation) -> dict[str, Any]:
    """The messages of a conversation, oldest first. Raises: NotFound, also for somebody else's."""
    tenant = installation.settings.tenant
    item = await check_owner(conversation_id, installation)
    if item is None:
        raise NotFound("there is no such conversation")
    messages = await last_messages(installation.engines.table, tenant, conversation_id, SHOWN)
    logger.info("conversation shown", extra={"messages": len(messages)})
    return {
        "conversation_id": conversation_id,
        "language": item.body["language"],
        "pack": item.body["pack"],
        "last_active": item.body["last_active"],
        "messages": [{"role": m.role, "text": m.text, "at": m.at.isoformat(), "turn_id": m.turn_id} for m in messages],
    }


async def forget(conversation_id: str, installation: Installation) -> None:
    """Delete a conversation and its messages. Raises: NotFound, also for somebody else's."""
    table, tenant = installation.engines.table, installation.settings.tenant
    kept = await check_owner(conversation_id, installation)
    if kept is None:
        raise NotFound("there is no such conversation")
    partition = f"{tenant}/messages/{conversation_id}"
    sorts = [item.sort async for item in table.query(partition)]
    for start in range(0, len(sorts), AT_ONCE):
        await table.write(*(Delete(partition, sort) for sort in sorts[start : start + AT_ONCE]))
    gone = [Delete(f"{tenant}/conversations", conversation_id)]
    if owner := kept.body.get("user"):
        gone.append(Delete(f"{tenant}/subjects/{owner}", f"conversation/{conversation_id}"))
    await table.write(*gone)
