"""Begins the turn: the tenant, the pack, what was said before in this conversation, and what it was asked back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from careline.conversation import names, pending
from careline.conversation.ownership import check_owner, check_tenant
from careline.conversation.store import remembered
from careline.curation.editions import current
from careline.curation.hospital import as_last_read, described
from careline.installation import Installation
from careline.model import Conversation, Message
from careline.packs.packs import Pack
from careline.ports import Engines
from careline.schemas import wire
from careline.tenants import tenant_records
from careline.text.asked_words import words_of
from careline.turn.chosen_pack import chosen_pack
from careline.turn.turn import Turn
from careline.understanding.kidney_function import said_stage, stages_of, with_stage
from careline.understanding.taken_choice import affirms, named_choice, taken_choice, takes_none

REMEMBERED = 10
"""Messages of a conversation that a turn sees."""
FEW = 3
"""Words of a reply that says a stage and nothing else."""


async def admit(request: wire.QueryRequest, trace_id: str, installation: Installation) -> Turn:
    """The turn at its start.

    Raises: BadRequest for a pack that is unknown or not for this channel, NotAllowed for somebody else's tenant or a
    pack for others, NotFound for somebody else's conversation, TableUnavailable, RecordDamaged.
    """
    engines, settings = installation.engines, installation.settings
    check_tenant(request.tenant, installation)
    now = engines.clock.now()
    kept, _ = await tenant_records.held(engines.table, settings.tenant, settings)
    # Whom an emergency calls is known from here on, whether the directory can be read or not.
    installation.tenants_seen[kept.tenant_id] = as_last_read(kept, settings, installation.directories_seen)
    edition = await current(kept.tenant_id, engines, installation.directories_seen)
    tenant = described(kept, edition.directory, settings)
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
        edition=edition,
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
    """The choice that is taken of those of a question back: by its id, else by words that are read in the language in
    which it was asked."""
    if asked_back is None or not isinstance(asked_back.awaited, pending.Clarification):
        return None
    choices = asked_back.awaited.choices
    for place, choice in enumerate(choices, 1):
        if request.choice == pending.choice_id(asked_back.turn_id, place):
            return choice
    known = [each for each in (request.language, conversation.language) if each in pack.languages]
    taken = (_said(request.text, asked_back.awaited, each) for each in known[:1] or pack.languages)
    return next((each for each in taken if each is not None), None)


def _said(text: str, asked: pending.Clarification, language: str) -> pending.Choice | None:
    """The choice that words take: one that was told, what would be asked of it next ("chronic, stage 3"), or none of
    them, with which the question goes on as it was. A stage may be said more finely than it was told: "3b".
    A yes to pages that come close takes the closest."""
    if asked.question and takes_none(text, language):
        # "Something else" is no other one of two.
        return pending.Choice("", asked.question)
    if not asked.question and affirms(text, language):
        return asked.choices[0]
    stage = said_stage(text, language) if _are_stages(asked.choices) else None
    if stage is None:
        return _named(text, asked.choices, language)
    taken = _named(f"{text[: stage.start]}{stage.number}{text[stage.end :]}", asked.choices, language)
    if taken is None and len(words_of(text)) <= FEW:
        # "3b" alone: of what would be asked next one has it.
        taken = next((one for one in _next(asked.choices) if stage.number in stages_of(one.told)), None)
    return taken if taken is None else replace(taken, question=with_stage(taken.question, stage))


def _are_stages(choices: Sequence[pending.Choice]) -> bool:
    return any(stages_of(one.told) for one in (*choices, *_next(choices)))


def _next(choices: Sequence[pending.Choice]) -> list[pending.Choice]:
    """What may be asked of choices when one of them is taken."""
    return [each for one in choices for each in one.then]


def _named(text: str, choices: Sequence[pending.Choice], language: str) -> pending.Choice | None:
    place = taken_choice(text, [one.told for one in choices], language)
    if place is not None:
        return choices[place]
    told = [f"{one.told} {each.told}" for one in choices for each in one.then]
    place = named_choice(text, told, language)
    return None if place is None else _next(choices)[place]
