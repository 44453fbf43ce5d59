"""Calls that take longer: a conversation, murmurs, transfers that fail, outages, and ten callers at once."""

from __future__ import annotations

import asyncio

import pytest

from careline_voice.speaking.recordings import sentence
from tests.telephone.line import LISTEN_SECONDS, Line, a_call, a_caller, a_desk, quiet, speak
from tests.telephone.processes import until
from tests.telephone.recording import longest_silence
from tests.telephone.sipp import a_scenario

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long_call, pytest.mark.timeout(300)]
DEAD_AIR_SECONDS = 10.0
INVITING = "Waarmee kan ik u helpen?"
VISITS, WELCOME = "Wanneer is het bezoekuur op de afdeling?", "welkom van veertien uur tot twintig uur"
MISHEARD_SECONDS = 4.0
"""After which a caller who was not understood would be asked to say it again."""
REFUSED, OUTAGE = sentence("transfer_failed", "nl"), sentence("outage", "nl")
ADVICE, NO_ADVICE = "Hoeveel paracetamol mag ik nemen?", "Medisch advies mag ik op deze lijn niet geven."
"""A question that is answered without a search: ten calls are made for how they sound, beside all that makes them."""
CALLERS, BETWEEN_SECONDS = 10, 1.5
"""Ten callers, who ring so far apart: the tenth is answered before the first has heard the answer."""
SPOKEN_SECONDS, LONGEST_SECONDS = 6.0, 40.0
"""How much of the greeting and of the answer is heard at least, of eight and nine seconds: more than the sentences of
ten seconds' wait take, and less than all, as a gap in one of ten calls is no failure. And how long it may take.
"""


async def test_a_conversation_of_four_turns(line: Line) -> None:
    async with a_call(line, "four-turns") as call:
        assert "Cardiologie" in await call.ask("Ik heb last van hartkloppingen, bij welke dienst moet ik zijn?")
        assert "Karim El Ouassi" in await call.ask("Welke artsen werken er op de dienst cardiologie?")
        assert "Karim El Ouassi" in await call.ask("Vertel me meer over dokter El Ouassi.")
        assert "Karim El Ouassi houdt raadpleging op" in await call.ask("Wanneer werkt hij?")
        assert longest_silence(call.phone.said(), call.phone.heard()) < DEAD_AIR_SECONDS


async def test_a_murmur_does_not_stop_the_line(line: Line) -> None:
    async with a_call(line, "murmur") as call:
        assert await until(lambda: call.phone.heard_seconds() > 1, 15)
        await call.say("ja ja")
        assert await quiet(call.phone)
        assert call.hears(INVITING), "the greeting was heard to its end"
        await asyncio.sleep(MISHEARD_SECONDS)
        assert line.spoken().endswith(INVITING), "nothing is said about it"


async def test_a_caller_who_hangs_up_in_the_middle_of_an_answer_is_let_go(line: Line) -> None:
    async with a_call(line, "hung-up") as call:
        assert await quiet(call.phone)
        before = call.phone.heard_seconds()
        await asyncio.sleep(await call.say(VISITS))
        assert await until(lambda: call.phone.heard_seconds() > before + 0.5, 15)
        await call.phone.hang_up()
        assert await call.phone.reported("CALL_CLOSED")
        assert await line.idle(15), "the worker is free again"


async def test_a_transfer_that_the_carrier_refuses_comes_back_to_the_caller(line: Line) -> None:
    line.expect_call()
    log = line.folder / "carrier-refuses.log"
    async with a_scenario("carrier_refuses_transfer", log, line.address, calling=line.livekit.line) as carrier:
        assert await asyncio.wait_for(carrier.wait(), 60) == 0, "the scenario was not kept to"
    assert REFUSED in line.spoken()


async def test_a_desk_that_is_busy_brings_the_caller_back(line: Line) -> None:
    log = line.folder / "desk-is-busy.log"
    async with a_scenario("desk_is_busy", log, line.address, port=line.desk_port), a_call(line, "busy") as call:
        assert await until(lambda: call.phone.heard_seconds() > 1, 15)
        await call.phone.press("0")
        assert await until(lambda: REFUSED in line.spoken(), 20)
        assert await quiet(call.phone)
        assert WELCOME in await call.ask(VISITS), "the call goes on"


async def test_speech_recognition_that_drops_is_taken_up_again(line: Line) -> None:
    async with a_call(line, "recognition-drops", drop_after=0.8) as call:
        told = await call.ask(VISITS)
        assert WELCOME in told or sentence("not_heard", "nl") in told, "answered, or asked to say it again"
        assert longest_silence(call.phone.said(), call.phone.heard()) < DEAD_AIR_SECONDS


async def test_a_voice_that_refuses_is_replaced_by_a_recording_and_the_caller_put_through(line: Line) -> None:
    async with a_desk(line) as desk, a_call(line, "voice-refuses", refuse_voice=401) as call:
        assert await desk.reported("CALL_ESTABLISHED")
        assert call.hears(OUTAGE)
        assert longest_silence(call.phone.said(), call.phone.heard()) < DEAD_AIR_SECONDS


async def test_ten_callers_at_once_are_all_answered(line: Line) -> None:
    line.expect_callers(ADVICE, "nl")
    begun: list[int] = []

    async def calls(number: int) -> tuple[float, float]:
        """For how long the greeting is heard, and the answer."""
        await asyncio.sleep(number * BETWEEN_SECONDS)
        async with a_caller(line, f"ten-{number}") as phone:
            begun.append(number)
            assert await quiet(phone)
            greeting, asked = phone.heard_seconds(), len(phone.loud())
            await phone.say(speak(ADVICE, "nl"))
            await until(lambda: phone.heard_seconds(asked) > SPOKEN_SECONDS, LONGEST_SECONDS, LISTEN_SECONDS)
            assert await until(lambda: len(begun) == CALLERS, LONGEST_SECONDS), "all of them call at once"
            return greeting, phone.heard_seconds(asked)

    heard = await asyncio.gather(*(calls(number) for number in range(CALLERS)))
    assert min(seconds for both in heard for seconds in both) > SPOKEN_SECONDS, heard
    assert line.spoken().count(NO_ADVICE) >= CALLERS, line.spoken()
