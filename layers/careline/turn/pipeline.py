"""One turn, stage by stage. The order of the list is the order in which things happen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import assert_never

from careline.errors import CarelineError, EngineUnavailable, kind_and_place
from careline.installation import Installation
from careline.log import context
from careline.log.event_log import EventLog
from careline.model import Disposition
from careline.quoting.writer import NAME
from careline.safety.terminal import Terminal
from careline.schemas import wire
from careline.schemas.problem import problem
from careline.screened import ScreenedText
from careline.tracing.spans import LongSpan, span
from careline.turn.degraded import with_notice_of_degradation
from careline.turn.emergencies import not_recorded
from careline.turn.emergencies.emergency import (
    PATIENCE,
    RecordsSlow,
    answer_to,
    emergency_in,
    events_of,
    in_time,
    unless_emergency,
)
from careline.turn.outcome import Clarification, Confirmation, DirectoryAnswer, Reply, Written
from careline.turn.record import record
from careline.turn.speak.answer_accumulator import AnswerAccumulator
from careline.turn.speak.screen_output import reviewed
from careline.turn.speak.shape import as_reply, as_spoken
from careline.turn.speak.speak import finished, speak
from careline.turn.speculate import begin, committed, decided
from careline.turn.stages.add_directory import add_directory
from careline.turn.stages.admit import admit
from careline.turn.stages.ask_which import ask_which
from careline.turn.stages.in_order import ANSWERS, SCREENS, SEARCH, Stage
from careline.turn.stages.route_model import route_model
from careline.turn.stages.screening.screen_with_model import screen_with_model
from careline.turn.turn import Turn

CLIENT_LEFT = "CLIENT_LEFT"
"""Why an answer that was begun has no end: nobody was there any more. What was shown until then is recorded."""
log = EventLog(__name__)
Events = AsyncGenerator[wire.Event, None]

# fmt: off
STAGES: tuple[Stage, ...] = (
    *SCREENS,           # what ends a turn before anything is asked for
    screen_with_model,  # a language model that may add an emergency or a refusal, where there is one
    *ANSWERS,           # intent, the directory, a person, a question back
    *SEARCH,            # the documents
    route_model,        # local or cloud, small or large, and why
    ask_which,          # on the phone, which row of a table is meant
    add_directory,      # for a language model, what the directory holds of what is named
)
# fmt: on
"""After `admit`; then `speak` (generate, screen_output, shape, cite) and `record`."""


async def run(request: wire.QueryRequest, installation: Installation, trace_id: str) -> Events:
    """The wire events of one turn, ending in `done`, `dropped` or `error`; its record is durable before `done`.

    An emergency whose turn cannot go on ends in `done` all the same, with a warning that it is not recorded.
    """
    context.add(trace=trace_id)
    spanned = LongSpan("turn", {"careline.trace_id": trace_id, "careline.channel": request.channel})
    meta: wire.Meta | None = None
    try:
        async with aclosing(_run(request, installation, trace_id)) as events:
            async for event in events:
                meta = event if isinstance(event, wire.Meta) else meta
                _note(spanned, event)
                yield event
    except Exception as error:
        spanned.fail(error)
        instead = await _instead(error, meta, request, installation, trace_id)
        if instead is None:
            raise
        for event in instead:
            _note(spanned, event)
            yield event
    finally:
        spanned.end()
        context.add(turn=None)


async def _instead(
    error: Exception, meta: wire.Meta | None, request: wire.QueryRequest, installation: Installation, trace_id: str
) -> list[wire.Event] | None:
    """What ends a turn that broke: the answer to an emergency, else the problem; nothing for a defect of ours."""
    if not isinstance(error, CarelineError) or error.status >= CarelineError.status:
        emergency = await emergency_in(request, installation)
        if emergency is not None:
            answer = answer_to(emergency, request, installation, trace_id, meta)
            log.write("emergency_not_recorded", **kind_and_place(error))
            return events_of(answer, begun=meta is not None)
    if not isinstance(error, CarelineError):
        return None
    return [wire.Failed(problem=problem(error, trace_id, installation.engines.clock.now()))]


def _note(spanned: LongSpan, event: wire.Event) -> None:
    """What a turn's span says of it: ids of ours, codes and counts."""
    match event:
        case wire.Meta():
            spanned.note({"careline.turn_id": event.turn_id, "careline.pack": event.pack})
        case wire.Done():
            answer = event.answer
            spanned.note(
                {
                    "careline.language": answer.language,
                    "careline.disposition": answer.disposition,
                    "careline.reason": answer.reason,
                    "careline.citations": len(answer.citations),
                    "careline.warnings": " ".join(warning.code for warning in answer.warnings) or None,
                    "careline.writer": answer.model,
                    "gen_ai.usage.input_tokens": answer.tokens.input,
                    "gen_ai.usage.output_tokens": answer.tokens.output,
                }
            )


async def _run(request: wire.QueryRequest, installation: Installation, trace_id: str) -> Events:
    clock = installation.engines.clock
    began = clock.elapsed()
    turn = await unless_emergency(_admitted(request, trace_id, installation), request, installation)
    context.add(turn=turn.turn_id, tenant=turn.tenant.tenant_id)
    log.write("voice_history_loaded" if turn.voice else "chat_history_loaded", count=len(turn.conversation.messages))
    turn = turn.timed("admit", clock.elapsed() - began)
    yield wire.Meta(
        turn_id=turn.turn_id,
        trace_id=trace_id,
        conversation_id=turn.conversation.conversation_id,
        pack=turn.pack.name,
        channel=request.channel,
    )
    yield wire.Stage(**turn.timings[-1].model_dump())
    for stage in STAGES:
        if turn.is_decided:
            break
        # A stage may compute for hundredths of a second without waiting for anything: others are answered in between.
        await asyncio.sleep(0)
        before = clock.elapsed()
        with span(stage.__name__):
            turn = (await stage(turn, installation)).timed(stage.__name__, clock.elapsed() - before)
        yield wire.Stage(**turn.timings[-1].model_dump())
    turn = with_notice_of_degradation(turn, installation)
    for warning in turn.warnings:
        yield wire.Warned(code=warning.code, message=warning.message)
    said, before = AnswerAccumulator(), clock.elapsed()
    try:
        speaking = LongSpan("speak")
        try:
            async with aclosing(speak(turn, installation, said)) as events:
                async for event in events:
                    said.note_first(event, clock.elapsed() - began)
                    yield event
        finally:
            speaking.end()
        spoken = clock.elapsed() - before
        wanted = not request.speculative or await _wanted(turn, said, installation)
    except (GeneratorExit, asyncio.CancelledError):
        said.disposition, said.reason = Disposition.FAILED, CLIENT_LEFT
        try:
            if not request.speculative or await decided(turn.turn_id, installation):
                await _kept(_timed(turn, said, clock.elapsed() - before), said, installation)
        except CarelineError as error:
            log.write("turn_not_recorded", error=error.code)
        raise
    if not wanted:
        yield wire.Dropped()
        return
    answer = await _acknowledged(_timed(turn, said, spoken), said, installation)
    for warning in _told_last(answer):
        yield wire.Warned(code=warning.code, message=warning.message)
    yield wire.Done(answer=answer)


async def _admitted(request: wire.QueryRequest, trace_id: str, installation: Installation) -> Turn:
    turn = await admit(request, trace_id, installation)
    if request.speculative:
        await begin(turn.turn_id, installation)
    return turn


async def _wanted(turn: Turn, said: AnswerAccumulator, installation: Installation) -> bool:
    """Whether a speculative turn counts. An emergency whose decision cannot be read does: it was told already."""
    if not is_emergency(said):
        return await committed(turn.turn_id, installation)
    try:
        return await committed(turn.turn_id, installation, PATIENCE)
    except EngineUnavailable as error:
        log.write("emergency_not_recorded", **kind_and_place(error))
        return True


async def _acknowledged(turn: Turn, said: AnswerAccumulator, installation: Installation) -> wire.Answer:
    """The answer, recorded. That of an emergency goes out without its record where this fails or is slow.

    Raises: TableUnavailable for any other.
    """
    if not is_emergency(said):
        return await _kept(turn, said, installation)
    try:
        return await in_time(_kept(turn, said, installation))
    except Exception as error:
        # Whatever it is: nobody whose father does not breathe waits for a record.
        log.write("emergency_not_recorded", **kind_and_place(error))
        notice = not_recorded.not_recorded(said.language or turn.language, may_follow=isinstance(error, RecordsSlow))
    return answered(replace(turn, warnings=(*turn.warnings, notice)), said)


def _told_last(answer: wire.Answer) -> list[wire.Notice]:
    """What is known only once the turn was recorded, or was not."""
    return [warning for warning in answer.warnings if warning.code == not_recorded.CODE]


def _timed(turn: Turn, said: AnswerAccumulator, seconds: float) -> Turn:
    turn = finished(turn, said).timed("speak", seconds)
    return turn if said.model is None else turn.timed("screen_output", said.screening_seconds)


async def _kept(turn: Turn, said: AnswerAccumulator, installation: Installation) -> wire.Answer:
    """The answer, recorded: a client that leaves meanwhile does not leave half a record behind."""
    answer = answered(turn, said)
    recording = asyncio.ensure_future(record(turn, said, answer, installation))
    left: asyncio.CancelledError | None = None
    while not recording.done():
        try:
            await asyncio.wait({recording})
        except asyncio.CancelledError as cancelled:
            left = cancelled
    recording.result()
    _log(turn, answer)
    if left is not None:
        raise left
    return answer


def _log(turn: Turn, answer: wire.Answer) -> None:
    """The figures of a turn that was recorded, for whoever has its lines alone."""
    log.write("voice_citations_written" if turn.voice else "chat_citations_written", count=len(answer.citations))
    log.write(
        "turn_finished",
        channel=answer.channel,
        pack=answer.pack,
        language=answer.language,
        disposition=answer.disposition,
        reason=answer.reason,
        hits=len(turn.hits),
        citations=len(answer.citations),
        model=answer.model,
        tokens_in=answer.tokens.input,
        tokens_out=answer.tokens.output,
        cost=answer.cost,
        # The screens of an answer work while it is spoken.
        ms=round(sum(timing.ms for timing in answer.timings if timing.stage != "screen_output")),
    )


def answered(turn: Turn, said: AnswerAccumulator) -> wire.Answer:
    """The whole answer as JSON clients get it."""
    text = said.text() if said.parts else reviewed(turn.pack, "unknown", turn.language, turn).reshaped(lambda _: "")
    return wire.Answer(
        id=turn.turn_id,
        trace_id=turn.trace_id,
        conversation_id=turn.conversation.conversation_id,
        text=text,
        spoken=_spoken(text, turn, said),
        language=said.language or turn.language,
        disposition=said.disposition.value,
        reason=said.reason,
        emergency_number=turn.tenant.emergency_number if is_emergency(said) else None,
        intent=turn.intent.name,
        pack=turn.pack.name,
        channel=turn.request.channel,
        citations=said.citations,
        warnings=list(turn.warnings),
        choices=said.choices,
        model=said.model,
        tokens=wire.Tokens(
            input=said.usage.tokens_in,
            output=said.usage.tokens_out,
            cached=said.usage.tokens_cached,
            estimated=said.usage.is_estimated,
        ),
        cost=said.usage.cost,
        phi=None if turn.phi is None or turn.phi.state == "off" else turn.phi.state != "clear",
        phi_found=[wire.PhiSpan(start=s.start, end=s.end, type=s.type) for s in (turn.phi.spans if turn.phi else ())],
        sources_searched=list(turn.searched),
        timings=list(turn.timings),
    )


def _quoted_sources(turn: Turn, said: AnswerAccumulator) -> dict[int, int]:
    """Of an answer in the words of its sources, the source of each number that the reader sees."""
    if said.model != NAME:
        return {}
    numbers = {source.hit.passage.chunk_id: source.number for source in turn.sources}
    return {cited.number: numbers[cited.chunk_id] for cited in said.citations if cited.chunk_id in numbers}


def is_emergency(said: AnswerAccumulator) -> bool:
    """Whether the answer is the one to an emergency."""
    return said.reason == Terminal.EMERGENCY


def _spoken(text: ScreenedText, turn: Turn, said: AnswerAccumulator) -> ScreenedText:
    """The answer as the phone says it; the pack's replies are written to be said and never cut short."""
    if turn.voice or not text:
        return text
    match turn.outcome:
        case Written() | DirectoryAnswer():
            return as_spoken(text, turn, said.language, _quoted_sources(turn, said))
        case Reply() | Clarification() | Confirmation():
            return as_reply(text, said.language)
        case _:
            assert_never(turn.outcome)
