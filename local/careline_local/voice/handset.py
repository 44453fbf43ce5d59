"""The caller's end of a call without a telephone: one clock of 20 ms moves what is said and what is heard.

Both directions are recorded on it, so that times are read off the audio itself.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

import numpy as np
from livekit import rtc
from livekit.agents.voice.io import AudioInput, AudioOutput, AudioOutputCapabilities

from careline_local.voice.sound import FRAME, RATE, Samples

STEP = FRAME / RATE
LATE_SECONDS = STEP
"""A frame that comes later than this leaves a gap, as a telephone's buffer is one frame deep."""
_SILENCE: Samples = np.zeros(FRAME, np.int16)


class Mouth(AudioInput):
    """Frames of the caller, as the session takes them in."""

    def __init__(self) -> None:
        super().__init__(label="handset")
        self._frames: asyncio.Queue[rtc.AudioFrame | None] = asyncio.Queue()

    def push(self, samples: Samples) -> None:
        """One frame of speech or silence."""
        self._frames.put_nowait(rtc.AudioFrame(samples.tobytes(), RATE, 1, len(samples)))

    def end(self) -> None:
        """The caller is gone."""
        self._frames.put_nowait(None)

    async def __anext__(self) -> rtc.AudioFrame:
        frame = await self._frames.get()
        if frame is None:
            raise StopAsyncIteration
        return frame


class Ear(AudioOutput):
    """What the line says, played in real time; one segment at a time, as the session sends them."""

    def __init__(self) -> None:
        capabilities = AudioOutputCapabilities(pause=True)
        super().__init__(label="handset", capabilities=capabilities, sample_rate=RATE)
        self._waiting = bytearray()
        self._open = self._flushed = self._paused = self._interrupted = self._begun = False
        self._played = 0

    @property
    def busy(self) -> bool:
        """Whether there is something to say."""
        return self._open

    async def capture_frame(self, frame: rtc.AudioFrame) -> None:
        """See `AudioOutput`."""
        await super().capture_frame(frame)
        if not self._open:
            self._open, self._flushed, self._interrupted, self._begun, self._played = True, False, False, False, 0
        if not self._interrupted:
            self._waiting += bytes(frame.data)

    def flush(self) -> None:
        """See `AudioOutput`."""
        super().flush()
        self._flushed = True
        self._end_if_over()

    def clear_buffer(self) -> None:
        """See `AudioOutput`."""
        self._waiting.clear()
        self._interrupted = self._open
        self._end_if_over()

    def pause(self) -> None:
        """See `AudioOutput`."""
        self._paused = True

    def resume(self) -> None:
        """See `AudioOutput`."""
        self._paused = False

    def play(self) -> Samples:
        """The next frame; silence where there is nothing to say."""
        if self._paused or not self._waiting:
            return _SILENCE
        if not self._begun:
            self._begun = True
            self.on_playback_started(created_at=time.time())
        part = bytes(self._waiting[: 2 * FRAME])
        del self._waiting[: 2 * FRAME]
        self._played += len(part) // 2
        self._end_if_over()
        return np.frombuffer(part.ljust(2 * FRAME, b"\0"), np.int16)

    def _end_if_over(self) -> None:
        if self._open and self._flushed and not self._waiting:
            self._open = self._paused = False
            self.on_playback_finished(playback_position=self._played / RATE, interrupted=self._interrupted)


class Handset:
    """A caller's telephone. `said` and `heard` are the recordings, frame by frame from the same beginning."""

    def __init__(self) -> None:
        self.mouth, self.ear = Mouth(), Ear()
        self.said: list[Samples] = []
        self.heard: list[Samples] = []
        self.began: float | None = None
        self.late = 0
        self._to_say: deque[Samples] = deque()

    def say(self, samples: Samples) -> None:
        """Say something, after whatever is still being said."""
        whole = np.pad(samples, (0, -len(samples) % FRAME))
        self._to_say.extend(whole.reshape(-1, FRAME))

    @property
    def speaking(self) -> bool:
        """Whether the caller is saying something."""
        return bool(self._to_say)

    async def run(self) -> None:
        """Hold the line until cancelled."""
        loop = asyncio.get_running_loop()
        self.began = loop.time()
        while True:
            due = self.began + len(self.said) * STEP
            await asyncio.sleep(max(0.0, due - loop.time()))
            self.late += loop.time() - due > LATE_SECONDS
            frame = self._to_say.popleft() if self._to_say else _SILENCE
            self.said.append(frame)
            self.mouth.push(frame)
            self.heard.append(self.ear.play())

    def now(self) -> float:
        """Seconds since the line was taken."""
        return len(self.said) * STEP

    def recordings(self) -> tuple[Samples, Samples]:
        """What the caller said and what he heard."""
        return np.concatenate(self.said or [_SILENCE]), np.concatenate(self.heard or [_SILENCE])
