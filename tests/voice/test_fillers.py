"""What is said while an answer is being made: in order, once the caller has finished, never after it has begun."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from careline.speech.filler import FillerStep

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from careline_voice.speaking.fillers import AnswerTooSlow, with_fillers

LADDER = (FillerStep(0.02, "one"), FillerStep(0.04, "two"), FillerStep(0.06, "three"))


async def an_answer(*pieces: str, until: asyncio.Event | None = None) -> AsyncIterator[str]:
    if until is not None:
        await until.wait()
    for piece in pieces:
        yield piece


def confirmed(already: bool = True) -> asyncio.Event:
    event = asyncio.Event()
    if already:
        event.set()
    return event


async def test_an_answer_that_is_there_is_said_without_a_filler() -> None:
    assert [one async for one in with_fillers(an_answer("a", "b"), LADDER, confirmed())] == ["a", "b"]


async def test_fillers_come_in_order_until_the_answer_begins_and_none_after() -> None:
    ready, heard = asyncio.Event(), []
    steps = (*LADDER[:2], FillerStep(30.0, "three"))
    async for piece in with_fillers(an_answer("a", "b", until=ready), steps, confirmed()):
        heard.append(piece)
        if piece == "two ":
            ready.set()
    assert heard == ["one ", "two ", "a", "b"]


async def test_no_filler_is_said_as_long_as_the_caller_may_go_on() -> None:
    certain, ready = confirmed(already=False), asyncio.Event()
    coming = asyncio.ensure_future(anext(with_fillers(an_answer("a", until=ready), LADDER, certain)))
    await asyncio.sleep(0.1)
    assert not coming.done()
    certain.set()
    assert await coming == "one "


async def test_an_answer_that_does_not_come_is_given_up_after_the_last_filler() -> None:
    pieces = with_fillers(an_answer("a", until=asyncio.Event()), LADDER, confirmed(), give_up=0.08)
    assert [await anext(pieces) for _ in LADDER] == ["one ", "two ", "three "]
    with pytest.raises(AnswerTooSlow):
        await anext(pieces)
