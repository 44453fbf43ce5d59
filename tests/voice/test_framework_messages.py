"""What `careline call --wav` leaves out of the framework's log, and what it says itself when something breaks."""

from __future__ import annotations

import logging
from typing import Any

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from livekit.agents import APIConnectionError, APIStatusError

from careline_local.voice import framework_messages
from tests.voice.telephone import a_telephone, needs_espeak

VISITS = ["Bezoek is welkom van 14 tot 20 uur [1]."]


def stays(logger: str, message: str, raised: BaseException | None = None) -> bool:
    """Whether the message of a logger is written."""
    info: Any = (type(raised), raised, None) if raised is not None else None
    record = logging.getLogger(logger).makeRecord(logger, logging.ERROR, "x.py", 1, message, (), info)
    return bool(logging.getLogger(logger).filter(record))


def test_a_connection_that_broke_is_not_told_a_second_time_by_the_framework() -> None:
    lost = APIStatusError("deepgram connection closed unexpectedly", status_code=1011)
    with framework_messages.left_out():
        assert not stays("livekit.plugins.deepgram", "Error in recv_task", lost)
        assert not stays("livekit.plugins.elevenlabs", "recv loop error", ConnectionResetError())
        assert not stays("livekit.agents", "failed to recognize speech: closed, retrying in 0.1s")
    assert stays("livekit.plugins.deepgram", "Error in recv_task", lost), "the call is over"


def test_whatever_else_the_framework_says_is_written() -> None:
    lost = APIConnectionError("gone")
    with framework_messages.left_out():
        assert stays("livekit.plugins.deepgram", "Error in recv_task", KeyError("channel")), "an error of the code"
        assert stays("livekit.plugins.deepgram", "failed to process deepgram message", lost)
        assert stays("livekit.agents", "AgentSession is closing due to unrecoverable error", lost)
        assert stays("livekit", "failed to recognize speech: closed", lost)
        assert stays("careline_voice.call", "Error in recv_task", lost)


def test_a_machine_that_is_too_slow_is_noticed_and_not_told_at_every_moment() -> None:
    with framework_messages.left_out() as noticed:
        assert not stays("livekit.agents", "VAD inference is slower than realtime")
        assert not stays("livekit.agents", "VAD inference is slower than realtime")
    assert noticed.slow == 2


@needs_espeak
async def test_recognition_that_is_taken_up_again_is_one_sentence(caplog: pytest.LogCaptureFixture) -> None:
    with framework_messages.left_out():
        async with a_telephone(VISITS, VISITS, hearing={"drop_after": 0.8}) as phone:
            await phone.ask("wanneer is er bezoek op de afdeling")
            assert await phone.happened("hearing_failed")
    assert written(caplog).count("speech recognition broke off and is taken up again") == 1


@needs_espeak
async def test_a_voice_that_is_refused_is_told_in_one_sentence(caplog: pytest.LogCaptureFixture) -> None:
    with framework_messages.left_out():
        async with a_telephone(speaking={"refuse": 401}) as phone:
            assert await phone.happened("transferred")
    assert written(caplog).count("the voice does not answer; the caller is told so from a recording") == 1


@needs_espeak
async def test_an_orchestrator_that_is_gone_is_told_in_sentences_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    with framework_messages.left_out():
        async with a_telephone(VISITS) as phone:
            await phone.simulation.until_quiet()
            await phone.stop_server()
            await phone.ask("en wat kost parkeren")
            assert await phone.happened("transferred")
    assert written(caplog).count("the orchestrator does not answer; the caller is told so") == 1


def written(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What a person reads on standard error of the command; nothing of it twice, and no traceback."""
    said = [one for one in caplog.records if one.levelno >= logging.WARNING]
    told_twice = [one.getMessage() for one in said if one.exc_info or "retrying in" in one.getMessage()]
    assert told_twice == []
    return [one.getMessage() for one in said]
