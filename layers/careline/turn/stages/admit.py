"""Begins the turn: the tenant, the pack, what was said before in this conversation, and what it was asked back."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from careline.conversation import names, pending
from careline.conversation.ownership import check_owner, check_tenant
from careline.conversation.store import remembered
from careline.installation import Installation
from careline.model import Conversation, Message
from careline.packs.packs import Pack
from careline.ports import Engines
from careline.schemas import wire
from careline.tenants import tenant_records
from careline.turn.chosen_pack import chosen_pack
from careline.turn.turn import Turn
from careline.understanding.taken_choice import taken_choice

REMEMBERED = 10
"""Messages of a conversation that a turn sees."""


async def admit(request: wire.QueryRequest, trace_id: str, installation: Installation) -> Turn:
    """The turn at its start.

    Raises: BadRequest for a pack that is unknown or not for this channel, NotAllowed for somebody else's tenant or a
    pack for others, NotFound for somebody else's conversation, TableUnavailable, RecordDamaged.
    """
    engines, settings = installation.engines, installation.settings
    check_tenant(request.tenant, installation)
    now = engines.clock.now()
    tenant = await tenant_records.tenant(engines.table, settings.tenant, settings)
    installation.tenants_seen[tenant.tenant_id] = tenant
    pack = chosen_pack(request.pack, request.channel, tenant, installation)
    if request.conversation_id:
        await check_owner(request.conversation_id, installation)
    idle = timedelta(minutes=settings.limits.conversation_idle_minutes)
    asked_back = None
    if request.conversation_id is None:
        conversation = Conversation(names.made(engines.new_id(), tenant.tenant_id, engines.key), tenant.tenant_id)
    else:
        named = names.ours(request.conversation_id, tenant.tenant_id, engines.key)
        conversation = await remembered(tenant.tenant_id, named, now - idle, REMEMBERED, engines)
        asked_back = await _asked_back(conversation, engines)
    if request.history and not conversation.messages:
        earlier = tuple(Message("user", text, now) for text in request.history)
        conversation = replace(conversation, messages=earlier)
    return Turn(
        turn_id=engines.new_id(),
        trace_id=trace_id,
        began_at=now,
        request=request,
        tenant=tenant,
        pack=pack,
        conversation=conversation,
        asked_back=asked_back,
        choice=_taken(request, conversation, pack, asked_back),
    )


async def _asked_back(conversation: Conversation, engines: Engines) -> pending.Pending | None:
    """The question back that the last turn of a conversation left open. Raises: TableUnavailable, RecordDamaged."""
    if not conversation.messages:
        return None
    held = await pending.waited_for(conversation.conversation_id, conversation.tenant, engines)
    is_last = held is not None and held.turn_id == conversation.messages[-1].turn_id
    return held if is_last and held is not None and isinstance(held.awaited, pending.Clarification) else None


def _taken(
    request: wire.QueryRequest, conversation: Conversation, pack: Pack, asked_back: pending.Pending | None
) -> pending.Choice | None:
    """The choice that is taken of those of a question back, read in the language in which it was asked."""
    if asked_back is None or not isinstance(asked_back.awaited, pending.Clarification):
        return None
    choices = asked_back.awaited.choices
    known = [each for each in (request.language, conversation.language) if each in pack.languages]
    told = [choice.told for choice in choices]
    places = (taken_choice(request.text, told, each) for each in known[:1] or pack.languages)
    place = next((each for each in places if each is not None), None)
    return None if place is None else choices[place]
