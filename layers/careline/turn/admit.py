"""Begins the turn: the tenant, the pack, and what was said before in this conversation."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from careline import wire
from careline.errors import BadRequest, NotAllowed
from careline.model import Conversation, Message, Span, SpanType
from careline.ports import Table
from careline.tenants import directory
from careline.turn.ownership import check_owner, check_tenant
from careline.turn.turn import Installation, Turn

REMEMBERED = 10
"""Messages of a conversation that a turn sees."""


async def admit(request: wire.QueryRequest, trace_id: str, installation: Installation) -> Turn:
    """The turn at its start.

    Raises: BadRequest for an unknown pack, NotAllowed for somebody else's tenant or a pack for others, NotFound for
    somebody else's conversation, TableUnavailable.
    """
    engines, settings = installation.engines, installation.settings
    name = request.pack or settings.pack
    if name not in installation.packs:
        raise BadRequest(f"pack: there is no pack of this name; known: {', '.join(sorted(installation.packs))}")
    if not installation.asker.may_see(installation.packs[name].audience):
        raise NotAllowed("pack: this one is for clinicians; use the token of one")
    check_tenant(request.tenant, installation)
    now = engines.clock.now()
    tenant = await directory.tenant(engines.table, settings.tenant, settings)
    if request.conversation_id:
        await check_owner(request.conversation_id, installation)
    conversation_id = request.conversation_id or engines.new_id()
    idle = timedelta(minutes=settings.conversation_idle_minutes)
    conversation = await remembered(engines.table, tenant.tenant_id, conversation_id, now - idle)
    if request.history and not conversation.messages:
        earlier = tuple(Message("user", text, now) for text in request.history)
        conversation = replace(conversation, messages=earlier)
    return Turn(
        turn_id=engines.new_id(),
        trace_id=trace_id,
        began_at=now,
        request=request,
        tenant=tenant,
        pack=installation.packs[name],
        conversation=conversation,
    )


async def remembered(table: Table, tenant: str, conversation_id: str, active_since: datetime) -> Conversation:
    """The conversation as a turn sees it: its last ten messages, or a fresh start when it was idle for too long."""
    item = await table.get(f"{tenant}/conversations", conversation_id)
    if item is None:
        return Conversation(conversation_id, tenant)
    body = item.body
    last_active = datetime.fromisoformat(body["last_active"])
    if last_active < active_since:
        return Conversation(
            conversation_id,
            tenant,
            preferences=body["preferences"],
            revision=item.revision,
            redaction=body.get("redaction"),
            holder=body.get("holder"),
        )
    return Conversation(
        conversation_id,
        tenant,
        await last_messages(table, tenant, conversation_id, REMEMBERED),
        body["language"],
        body["disclaimed"],
        body["clinical_context"],
        body["preferences"],
        last_active,
        item.revision,
        body.get("redaction"),
        body.get("holder"),
    )


async def last_messages(table: Table, tenant: str, conversation_id: str, limit: int) -> tuple[Message, ...]:
    """The newest messages of a conversation, oldest first."""
    found: list[Message] = []
    async for item in table.query(f"{tenant}/messages/{conversation_id}", descending=True):
        found.append(_message(item.body))
        if len(found) == limit:
            break
    return tuple(reversed(found))


def _message(body: dict[str, Any]) -> Message:
    found = body.get("personal")
    spans = None if found is None else tuple(Span(start, end, SpanType(of), rule) for start, end, of, rule in found)
    return Message(body["role"], body["text"], datetime.fromisoformat(body["at"]), body["turn_id"], spans)
