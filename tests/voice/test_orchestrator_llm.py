"""Answers that are begun too early: only what the caller turns out to have said is kept, and the voice gets nothing
that was not screened."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from careline.installation import Installation
from careline.schemas import wire
from careline.settings import OrchestratorSettings
from tests.fakes import FakeOutbox
from tests.turn.turns import a_hospital
from tests.voice.telephone import served

from livekit.agents import APIConnectionError, llm  # isort: skip
from careline_voice.asking.orchestrator_llm import OrchestratorLLM, OrchestratorStream  # isort: skip
from careline_voice.asking.orchestrator import Orchestrator, OrchestratorRefused, OrchestratorUnavailable
from careline_voice.call_events import CallEvents

VISITS = ["Bezoek is welkom van 14 tot 20 uur [1]."]


def a_request(text: str) -> wire.QueryRequest:
    return wire.QueryRequest(text=text, conversation_id="talk", channel="voice", language="nl", speculative=True)


@asynccontextmanager
async def a_brain(installation: Installation) -> AsyncIterator[tuple[OrchestratorLLM, list[wire.Answer]]]:
    answers: list[wire.Answer] = []
    async with served(installation) as (address, _):
        orchestrator = Orchestrator(OrchestratorSettings(url=address))
        yield OrchestratorLLM(orchestrator, a_request, answers.append, CallEvents()), answers
        await orchestrator.close()


def said(text: str) -> llm.ChatContext:
    context = llm.ChatContext.empty()
    context.add_message(role="user", content=text)
    return context


def recorded(installation: Installation) -> int:
    outbox = installation.engines.outbox
    assert isinstance(outbox, FakeOutbox)
    return len([*outbox.waiting, *outbox.settled])


async def test_of_two_answers_to_a_growing_sentence_the_last_one_alone_is_recorded() -> None:
    installation = await a_hospital(VISITS, VISITS)
    async with a_brain(installation) as (brain, answers):
        early, whole = said("wanneer is er"), said("wanneer is er bezoek")
        first, second = brain.chat(chat_ctx=early), brain.chat(chat_ctx=whole)
        texts = [await anext(aiter(stream)) for stream in (first, second)]
        assert all(text.delta is not None and text.delta.content for text in texts)
        assert recorded(installation) == 0
        brain.commit(second.message_id)
        async with first, second:
            async for _ in second:
                pass
            async for _ in first:
                pass
        await brain.settled()
        assert [answer.disposition for answer in answers] == ["answered"]
        assert recorded(installation) == 1


async def test_an_answer_that_the_framework_gives_up_is_dropped_at_once() -> None:
    installation = await a_hospital(VISITS)
    async with a_brain(installation) as (brain, answers):
        stream = brain.chat(chat_ctx=said("wanneer is er bezoek"))
        await anext(aiter(stream))
        await stream.aclose()
        await brain.settled()
        assert (recorded(installation), answers) == (0, [])


async def test_a_commit_that_comes_before_the_turn_has_a_number_is_not_lost() -> None:
    installation = await a_hospital(VISITS)
    async with a_brain(installation) as (brain, answers):
        stream = brain.chat(chat_ctx=said("wanneer is er bezoek"))
        brain.commit(stream.message_id)
        async with stream:
            assert "".join([chunk.delta.content or "" async for chunk in stream if chunk.delta])
        await brain.settled()
        assert len(answers) == recorded(installation) == 1


async def test_nothing_goes_to_the_voice_that_is_no_screened_text() -> None:
    async with a_brain(await a_hospital(VISITS)) as (brain, _):
        async with brain.chat(chat_ctx=said("wanneer is er bezoek")) as stream:
            assert isinstance(stream, OrchestratorStream)
            with pytest.raises(AssertionError):
                stream.say("bezoek")  # type: ignore[arg-type]


async def test_an_orchestrator_that_is_not_there_is_an_error_and_no_silence() -> None:
    orchestrator = Orchestrator(OrchestratorSettings(url="http://127.0.0.1:9"))
    stream = OrchestratorLLM(orchestrator, a_request, lambda _: None, CallEvents()).chat(chat_ctx=said("bezoek"))
    async with stream:
        with pytest.raises(APIConnectionError):
            await anext(aiter(stream))
    with pytest.raises(OrchestratorUnavailable):
        await orchestrator.line(None)
    await orchestrator.close()


async def test_a_refusal_of_the_orchestrator_keeps_its_code() -> None:
    async with served(await a_hospital()) as (address, _):
        orchestrator = Orchestrator(OrchestratorSettings(url=address))
        with pytest.raises(OrchestratorRefused) as refused:
            await orchestrator.decide("no-such-turn", True)
        assert (refused.value.status, refused.value.code) == (404, "NOT_FOUND")
        await orchestrator.close()
        await asyncio.sleep(0)
