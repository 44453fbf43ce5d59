"""What a caller hears when something behind the line fails: an apology in his language, a person, never dead air."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from careline.errors import BadRequest
from careline.schemas import wire

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from careline_local.voice.handset import STEP
from careline_local.voice.sound import loud_frames
from careline_voice.asking.orchestrator import Orchestrator
from careline_voice.speaking.recordings import SHIPPED, Recordings, sentence, sentence_keys
from tests.voice.telephone import Telephone, a_telephone, needs_espeak

pytestmark = needs_espeak
DEAD_AIR_SECONDS = 10.0
VISITS = ["Bezoek is welkom van 14 tot 20 uur [1]."]


def longest_silence(phone: Telephone) -> float:
    """Seconds in which neither the line nor the caller was heard."""
    longest = silent = 0
    for said, heard in zip(phone.simulation.handset.said, phone.simulation.handset.heard, strict=False):
        silent = 0 if loud_frames(said).any() or loud_frames(heard).any() else silent + 1
        longest = max(longest, silent)
    return longest * STEP


@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_everything_that_only_the_worker_says_is_recorded_in_every_language(language: str) -> None:
    missing = [key for key in sentence_keys() if Recordings().path(sentence(key, language), language) is None]
    assert missing == [], f"run python -m careline_local.voice.record (into {SHIPPED})"


async def test_a_voice_that_refuses_the_key_is_replaced_by_recordings_and_the_caller_put_through() -> None:
    async with a_telephone(speaking={"refuse": 401}) as phone:
        assert await phone.happened("transferred")
        assert phone.names().index("outage") < phone.names().index("transfer")
        assert loud_frames(phone.simulation.handset.recordings()[1]).sum() * STEP > 2, "an apology was heard"
        assert longest_silence(phone) < DEAD_AIR_SECONDS


async def test_an_orchestrator_that_dies_is_told_in_the_callers_language_and_a_person_takes_over() -> None:
    async with a_telephone(VISITS) as phone:
        await phone.ask("wanneer is er bezoek")
        await phone.stop_server()
        await phone.ask("en wat kost parkeren")
        assert await phone.happened("transferred")
        assert "technische storing" in phone.said()
        assert phone.simulation.desk.transfers[0][1].reason == "outage"
        assert longest_silence(phone) < DEAD_AIR_SECONDS


async def test_an_apology_is_not_begun_before_the_caller_has_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(self: Orchestrator, question: wire.QueryRequest) -> AsyncGenerator[wire.Event, None]:
        raise BadRequest("refused")
        yield

    async with a_telephone() as phone:
        await phone.simulation.until_quiet()
        monkeypatch.setattr(Orchestrator, "ask", refuse)
        await phone.ask("en wat kost parkeren hier per uur")
        assert await phone.happened("transferred")
        assert phone.names().index("outage") > phone.names().index("turn"), "what he says last would cut it off"


async def test_without_anybody_to_put_callers_through_to_a_menu_by_key_is_read_out() -> None:
    async with a_telephone(person=None) as phone:
        await phone.simulation.until_quiet()
        await phone.stop_server()
        await phone.ask("wat kost parkeren")
        assert await phone.happened("menu")
        before = len(phone.speaking.said)
        phone.simulation.call.press("9")
        assert await phone.simulation.until(lambda: len(phone.speaking.said) > before)
        assert "één één twee" in phone.said()
        assert "112" not in phone.said(), "the apology is said for the ear as well"


async def test_speech_recognition_that_drops_in_the_middle_of_a_sentence_is_taken_up_again() -> None:
    async with a_telephone(VISITS, VISITS, hearing={"drop_after": 0.8}) as phone:
        await phone.ask("wanneer is er bezoek op de afdeling")
        assert await phone.simulation.until(lambda: len(phone.hearing.connections) > 1)
        assert {"answered", "not_heard"} & set(phone.names()), "answered, or asked to say it again"
        assert longest_silence(phone) < DEAD_AIR_SECONDS


async def test_speech_recognition_that_stays_away_is_an_outage() -> None:
    async with a_telephone(hearing={"refuse": 503}) as phone:
        assert await phone.happened("transferred", 20)
        assert "technische storing" in phone.said()


async def test_a_silent_caller_is_asked_twice_and_then_the_call_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("careline_voice.call.BETWEEN_SECONDS", 1.5)
    async with a_telephone() as phone:
        assert await phone.happened("hang_up", 45)
        assert phone.names().count("silence") == 3
        assert longest_silence(phone) < DEAD_AIR_SECONDS


async def test_a_caller_who_hangs_up_in_the_middle_of_an_answer_leaves_nothing_running() -> None:
    async with a_telephone(VISITS) as phone:
        await phone.simulation.until_quiet()
        phone.simulation.handset.say(phone.expect("wanneer is er bezoek"))
        assert await phone.happened("turn")
        tasks = asyncio.all_tasks()
    left = [task for task in tasks if not task.done() and task is not asyncio.current_task()]
    assert [task.get_name() for task in left if "Agent" in task.get_name()] == []
