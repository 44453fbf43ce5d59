"""Begins the turn: the tenant, the pack, and what was said before in this conversation."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from careline import wire
from careline.conversation import names
from careline.conversation.ownership import check_owner, check_tenant
from careline.conversation.store import remembered
from careline.errors import BadRequest, NotAllowed
from careline.installation import Installation
from careline.model import Conversation, Message
from careline.tenants import directory
from careline.turn.turn import Turn

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
    idle = timedelta(minutes=settings.conversation_idle_minutes)
    if request.conversation_id is None:
        conversation = Conversation(names.made(engines.new_id(), tenant.tenant_id, engines.key), tenant.tenant_id)
    else:
        named = names.ours(request.conversation_id, tenant.tenant_id, engines.key)
        conversation = await remembered(tenant.tenant_id, named, now - idle, REMEMBERED, engines)
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
