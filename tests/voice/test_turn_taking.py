"""Who may speak: words stop the line, murmurs and noise do not, and what was asked too early is never recorded."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from careline_local.voice.handset import STEP
from careline_local.voice.sound import RATE, loud_frames
from careline_voice.call import NOT_HEARD_SECONDS
from tests.voice.telephone import Telephone, a_telephone, needs_espeak

pytestmark = needs_espeak
LONG = ["Bezoek is welkom van 14 tot 20 uur [1]. Op zondag is bezoek welkom van 14 tot 20 uur [1]."]
SLOW = {"hurry": 1.5}
"""The line speaks slowly enough to be spoken over."""


async def while_the_line_speaks(phone: Telephone, text: str, after: float = 1.0) -> tuple[float, float]:
    """Say something while the opening is being spoken; when the caller began and ended, in seconds of the recording."""
    audio = phone.expect(text)
    assert await phone.happened("line_speaks")
    begun = phone.simulation.handset.now()
    await phone.simulation.until(lambda: phone.simulation.handset.now() > begun + after)
    said_at = phone.simulation.handset.now()
    phone.simulation.handset.say(audio)
    await phone.simulation.until(lambda: not phone.simulation.handset.speaking)
    return said_at, phone.simulation.handset.now()


async def test_a_caller_who_says_something_stops_the_line_at_once() -> None:
    async with a_telephone(LONG, speaking=SLOW) as phone:
        said_at, _ = await while_the_line_speaks(phone, "wacht even ik heb een andere vraag over parkeren")
        assert await phone.happened("line_stops")
        heard = loud_frames(phone.simulation.handset.recordings()[1])
        words_known = phone.hearing.every + phone.hearing.interim
        assert not heard[int((said_at + words_known + 1.2) / STEP) :][:25].any(), "half a second of silence from there"


async def test_a_murmur_of_a_listening_caller_does_not_stop_the_line() -> None:
    async with a_telephone(LONG, speaking=SLOW) as phone:
        said_at, until = await while_the_line_speaks(phone, "ja ja oké")
        assert await phone.happened("murmur")
        heard = loud_frames(phone.simulation.handset.recordings()[1])
        assert heard[int(said_at / STEP) : int(until / STEP)].mean() > 0.5, "the line goes on"
        assert not await phone.happened("not_heard", NOT_HEARD_SECONDS + 1), "it was understood"
        assert "turn" not in phone.names()


async def test_a_cough_does_not_end_what_the_line_is_saying() -> None:
    async with a_telephone(LONG, speaking=SLOW) as phone:
        assert await phone.happened("line_speaks")
        noise = (np.random.default_rng(7).standard_normal(RATE // 4) * 6000).astype(np.int16)
        phone.simulation.handset.say(noise)
        await phone.simulation.until_quiet()
        assert "Waarmee kan ik u helpen" in phone.said()
        assert "turn" not in phone.names()
