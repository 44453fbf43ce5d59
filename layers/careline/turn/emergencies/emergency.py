"""The answer to an emergency where its turn cannot go the usual way: what it needs is in memory.

It reads the words, the pack's rules and lexical classifiers, and the tenant as it was last read, else as the settings
have it. It opens no file and writes nothing down, so it holds whatever else does not: records, disk, index, models, the
audit chain, who may ask and how often. Where words leave a doubt it waits a moment for their sentence embedding; a
doubt that nothing settles counts as an emergency, as the other end is an error. Whoever asked is told that nothing of
it is recorded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from careline.curation.hospital import as_last_read, hospital
from careline.errors import EngineUnavailable, kind_and_place
from careline.installation import Installation, usual_pack
from careline.log.event_log import EventLog
from careline.packs.packs import Pack
from careline.safety.terminal import Terminal
from careline.schemas import wire
from careline.tenants import tenant_records
from careline.text.languages import told_apart
from careline.turn.emergencies.not_recorded import not_recorded
from careline.turn.emergencies.words_in_doubt import words_in_doubt
from careline.turn.endings.end_by_request import MOST_READ
from careline.turn.endings.end_by_verdict import ANSWERS
from careline.turn.speak.screen_output import reviewed_of
from careline.turn.speak.shape import as_reply
from careline.understanding.question import GENERAL

Worked = TypeVar("Worked")
log = EventLog(__name__)
PATIENCE = 1.0
"""Seconds that an emergency waits for anything but its answer: records of a laptop take milliseconds, those of DynamoDB
five."""
SETTLES = 0.5
"""Seconds that it waits for the sentence embedding of words in doubt: it takes hundredths, and more under load."""


class RecordsSlow(EngineUnavailable):
    """What an emergency would have to wait for has not come in time."""

    code = "RECORDS_SLOW"
    component = "table"


@dataclass(frozen=True, slots=True)
class Emergency:
    """What a question is that is one, in the words of `pack` and in `language`. Where it is not certain, its words
    leave that open and nothing settled it in time."""

    pack: Pack
    language: str
    is_certain: bool = True


async def emergency_in(request: wire.QueryRequest, installation: Installation) -> Emergency | None:
    """The emergency that a question is; None where it is none, or no pack can tell."""
    pack = _pack(request, installation)
    if pack is None:
        return None
    embedder = installation.engines.sentence_embedder
    verdict = await words_in_doubt(request.text, request.language, pack.terminal, embedder, SETTLES)
    if verdict is not None and verdict.terminal is not Terminal.EMERGENCY:
        return None
    said_in = (request.language, verdict and verdict.language, told_apart(request.text[:MOST_READ]))
    language = next((one for one in said_in if one in pack.languages), pack.default_language)
    return Emergency(pack, language, is_certain=verdict is not None)


async def see_tenant(installation: Installation) -> None:
    """Read the hospital where this process never has, so that the number told is its own; where that fails or is slow,
    it is the setting's."""
    settings, seen = installation.settings, installation.directories_seen
    tenant = settings.tenant
    if tenant in installation.tenants_seen:
        return
    try:
        async with asyncio.timeout(PATIENCE):
            kept, _ = await tenant_records.held(installation.engines.table, tenant, settings)
            installation.tenants_seen[tenant] = as_last_read(kept, settings, seen)
            installation.tenants_seen[tenant], _ = await hospital(installation.engines, tenant, settings, seen)
    except Exception as error:
        log.write("emergency_number_not_read", **kind_and_place(error))


def answer_to(
    emergency: Emergency,
    request: wire.QueryRequest,
    installation: Installation,
    trace_id: str,
    meta: wire.Meta | None = None,
) -> wire.Answer:
    """The pack's reply to an emergency, marked as not recorded.

    `meta` is how the turn that could not go on began; None where it had not.
    """
    pack, language, tenant = emergency.pack, emergency.language, _tenant(installation)
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
        reason=Terminal.EMERGENCY.value,
        emergency_number=tenant.emergency_number,
        intent=GENERAL.name,
        pack=pack.name,
        channel=request.channel,
        warnings=[not_recorded(language)],
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
        if not working.done() and await emergency_in(request, installation) and not working.done():
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


def _pack(request: wire.QueryRequest, installation: Installation) -> Pack | None:
    tenant = _tenant(installation)
    pack = installation.packs.get(request.pack or usual_pack(tenant, installation))
    return None if pack is None else pack.in_languages(tenant.languages, tenant.default_language)


def _tenant(installation: Installation) -> tenant_records.Tenant:
    settings = installation.settings
    return installation.tenants_seen.get(settings.tenant) or tenant_records.of_settings(settings.tenant, settings)
