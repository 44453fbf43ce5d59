"""A telephone rings, and the line greets, lets itself be interrupted, and puts through to a person."""

from __future__ import annotations

import asyncio

import pytest

from tests.telephone.line import Line, a_call, a_desk, quiet, speak
from tests.telephone.processes import until
from tests.telephone.recording import seconds_to_silence

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]
MACHINE = "Ik ben een computer met artificiële intelligentie, geen mens."
INVITING = "Waarmee kan ik u helpen?"


async def test_a_caller_hears_a_greeting_that_says_it_is_a_machine(line: Line) -> None:
    async with a_call(line, "greeting") as call:
        assert await quiet(call.phone)
        assert MACHINE in line.spoken()
        assert call.hears(MACHINE)
        assert call.hears(INVITING)


async def test_the_line_stops_when_the_caller_speaks_and_answers_what_was_asked(line: Line) -> None:
    async with a_call(line, "interruption") as call:
        assert await until(lambda: call.phone.heard_seconds() > 1, 15)
        await asyncio.sleep(await call.say("Wanneer is het bezoekuur op de afdeling?"))
        assert await quiet(call.phone, after=len(call.phone.loud()))
        assert not call.hears(INVITING), "the greeting went on"
        stopped = seconds_to_silence(call.phone.said(), call.phone.heard())
        assert stopped < 2, f"the line stopped {stopped:.2f} s after the caller's first sound"
        assert "welkom" in line.spoken()


async def test_zero_puts_the_caller_through_to_the_desk(line: Line) -> None:
    async with a_desk(line) as desk, a_call(line, "put-through") as call:
        assert await until(lambda: call.phone.heard_seconds() > 1, 15)
        await call.phone.press("0")
        assert await desk.reported("CALL_ESTABLISHED")
        assert "medewerker" in line.spoken(), "the caller is told before"
        before = len(call.phone.loud())
        await desk.say(speak("Goeiedag, met het onthaal.", "nl"))
        assert await until(lambda: call.phone.heard_seconds(before) > 1, 15), "the caller hears the desk"
