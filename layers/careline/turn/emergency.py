"""The answer to an emergency where its turn cannot go the usual way: what it needs is in memory.

It reads the words, the pack's rules and lexical classifiers, and the tenant as it was last read, else as the settings
have it. It opens no file, asks no engine and writes nothing down, so it holds whatever else does not: records, disk,
index, models, the audit chain, who may ask and how often. Whoever asked is told that nothing of it is recorded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from typing import Any, TypeVar

from careline.errors import EngineUnavailable, kind_and_place
from careline.installation import Installation, usual_pack
from careline.log.event_log import EventLog
from careline.packs.packs import Pack
from careline.safety.terminal import Terminal
from careline.schemas import wire
from careline.tenants import tenant_records
from careline.turn.endings.end_by_verdict import ANSWERS
from careline.turn.endings.words_alone import words_alone
from careline.turn.speak.screen_output import reviewed_of
from careline.turn.speak.shape import as_reply
from careline.understanding.question import GENERAL

Worked = TypeVar("Worked")
log = EventLog(__name__)
PATIENCE = 1.0
"""Seconds that an emergency waits for anything but its answer: records of a laptop take milliseconds, those of DynamoDB
five."""
NOT_RECORDED = wire.Notice(code="NOT_RECORDED", message="This answer to an emergency is not recorded.")


class RecordsSlow(EngineUnavailable):
    """What an emergency would have to wait for has not come in time."""

    code = "RECORDS_SLOW"
    component = "table"


def emergency_answer(
    request: wire.QueryRequest, installation: Installation, trace_id: str, meta: wire.Meta | None = None
) -> wire.Answer | None:
    """The pack's reply to an emergency, marked as not recorded; None where the words are none, or no pack can tell.

    `meta` is how the turn that could not go on began; None where it had not.
    """
    pack, tenant = _pack_and_tenant(request, installation)
    if pack is None:
        return None
    verdict = words_alone(request.text, request.language, pack.terminal)
    if verdict.terminal is not Terminal.EMERGENCY:
        return None
    asked_in = request.language if request.language in pack.languages else None
    language = asked_in or verdict.language or pack.default_language
    disposition, reply = ANSWERS[Terminal.EMERGENCY]
    text = reviewed_of(pack, reply, language, tenant)
    spoken = as_reply(text, language)
    new_id = installation.engines.new_id
    return wire.Answer(
        id=meta.turn_id if meta else new_id(),
        trace_id=trace_id,
        conversation_id=meta.conversation_id if meta else request.conversation_id or new_id(),
        text=spoken if request.channel == "voice" else text,
        spoken=spoken,
        language=language,
        disposition=disposition.value,
        reason=verdict.terminal.value,
        emergency_number=tenant.emergency_number,
        intent=GENERAL.name,
        pack=pack.name,
        channel=request.channel,
        warnings=[NOT_RECORDED],
    )


def events_of(answer: wire.Answer, *, begun: bool = False) -> list[wire.Event]:
    """The answer as a stream has it; without its beginning where that was sent."""
    meta = wire.Meta(
        turn_id=answer.id, trace_id=answer.trace_id, conversation_id=answer.conversation_id, pack=answer.pack,
        channel=answer.channel,
    )  # fmt: skip
    warned = [wire.Warned(code=one.code, message=one.message) for one in answer.warnings]
    return [*([] if begun else [meta]), wire.Token(text=answer.text), *warned, wire.Done(answer=answer)]


async def unless_emergency(
    work: Coroutine[Any, Any, Worked], request: wire.QueryRequest, installation: Installation
) -> Worked:
    """What the work comes to; an emergency waits for it no longer than `PATIENCE`.

    Raises: RecordsSlow, and what the work raises.
    """
    working = asyncio.ensure_future(work)
    try:
        await asyncio.wait({working}, timeout=PATIENCE)
        if not working.done() and is_emergency(request, installation):
            raise RecordsSlow("what a turn begins with was not there in time")
        return await working
    finally:
        working.cancel()


async def in_time(work: Awaitable[Worked]) -> Worked:
    """What the work comes to within `PATIENCE`; later it goes on, and nobody waits for it.

    Raises: RecordsSlow, and what the work raises.
    """
    working = asyncio.ensure_future(work)
    try:
        await asyncio.wait({working}, timeout=PATIENCE)
    except asyncio.CancelledError:
        # A client that leaves meanwhile leaves no half of a record behind.
        await asyncio.wait({working}, timeout=PATIENCE)
        raise
    if working.done():
        return working.result()
    _unwaited.add(working)
    working.add_done_callback(_ended_unwaited)
    raise RecordsSlow("the records took too long")


_unwaited: set[asyncio.Future[Any]] = set()
"""What goes on though nobody waits for it; a task that nobody holds may be collected half way."""


def _ended_unwaited(working: asyncio.Future[Any]) -> None:
    _unwaited.discard(working)
    if not working.cancelled() and (error := working.exception()) is not None and isinstance(error, Exception):
        log.write("emergency_not_recorded", **kind_and_place(error))


def is_emergency(request: wire.QueryRequest, installation: Installation) -> bool:
    """Whether the words are one, as far as they tell by themselves."""
    pack, _ = _pack_and_tenant(request, installation)
    if pack is None:
        return False
    return words_alone(request.text, request.language, pack.terminal).terminal is Terminal.EMERGENCY


def _pack_and_tenant(
    request: wire.QueryRequest, installation: Installation
) -> tuple[Pack | None, tenant_records.Tenant]:
    settings = installation.settings
    tenant = installation.tenants_seen.get(settings.tenant) or tenant_records.of_settings(settings.tenant, settings)
    pack = installation.packs.get(request.pack or usual_pack(tenant, installation))
    return (None if pack is None else pack.in_languages(tenant.languages, tenant.default_language)), tenant
