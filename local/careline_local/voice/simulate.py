"""Holds a call between a recorded caller and the worker's own session, and reads off the audio how long it took."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import numpy as np

from careline_local.voice.handset import STEP, Handset
from careline_local.voice.sound import Samples, loud_frames
from careline_voice.call import Call, Caller
from careline_voice.call_events import CallEvents, Moment
from careline_voice.call_transfer import HandOver
from careline_voice.line_setup import LineSetup

QUIET_SECONDS = 0.7
"""Silence on the line after which the caller takes it that the line has finished."""
REPLY_SECONDS = 30.0
"""Longest wait for a reply."""
LONGEST_SPEECH_SECONDS = 180.0
"""Longest that the line may go on speaking."""
LOOK_SECONDS = 0.02


@dataclass(slots=True)
class SimulatedDesk:
    """Takes note of transfers instead of making them; `accepts` says what becomes of them."""

    accepts: bool = True
    transfers: list[tuple[str, HandOver]] = field(default_factory=list)
    hung_up: asyncio.Event = field(default_factory=asyncio.Event)

    async def transfer(self, to: str, hand_over: HandOver) -> bool:
        """See `careline_voice.call_transfer.Desk`."""
        self.transfers.append((to, hand_over))
        return self.accepts

    async def hang_up(self) -> None:
        """See `careline_voice.call_transfer.Desk`."""
        self.hung_up.set()


@dataclass(slots=True)
class Simulation:
    """A call that is going on."""

    call: Call
    handset: Handset
    desk: SimulatedDesk

    async def until(self, reached: Callable[[], bool], seconds: float = REPLY_SECONDS) -> bool:
        """Wait for something; False when it does not happen in time."""
        limit = self.handset.now() + seconds
        while not reached():
            if self.handset.now() > limit:
                return False
            await asyncio.sleep(LOOK_SECONDS)
        return True

    async def until_quiet(self, seconds: float = LONGEST_SPEECH_SECONDS) -> bool:
        """Wait until the line has said what it has to say and waits for the caller."""
        return await self.until(self._waits, seconds)

    async def ask(self, audio: Samples) -> Reply:
        """Say something when the line is quiet, and wait until the answer is over or the call is."""
        await self.until_quiet()
        began, first = self.handset.now(), len(self.call.call_events.moments)
        self.handset.say(audio)
        await self.until(lambda: not self.handset.speaking, REPLY_SECONDS + len(audio) / 16_000)
        ended = began + _end_of_speech(audio)
        await self.until(lambda: self.heard_after(ended) is not None or self.over)
        await self.until_quiet()
        audible = self.heard_after(ended)
        moments = tuple(self.call.call_events.moments[first:])
        return Reply(ended, None if audible is None else round(audible - ended, 3), moments)

    def heard_after(self, seconds: float) -> float | None:
        """When the line was first audible after a time, in seconds of the recording; None when it was not."""
        frames = self.handset.heard[int(seconds / STEP) :]
        loud = next((at for at, frame in enumerate(frames) if loud_frames(frame).any()), None)
        return None if loud is None else (int(seconds / STEP) + loud) * STEP

    @property
    def over(self) -> bool:
        """Whether the line has hung up or put the caller through."""
        return self.desk.hung_up.is_set()

    def _waits(self) -> bool:
        if self.over:
            return True
        if "line_speaks" not in self.call.call_events.names():
            return False
        quiet = int(QUIET_SECONDS / STEP)
        last = self.handset.heard[-quiet:]
        silent = len(last) == quiet and not loud_frames(np.concatenate(last)).any()
        return silent and not self.handset.ear.busy and self.call.session.agent_state in {"listening", "idle"}


@dataclass(frozen=True, slots=True)
class Reply:
    """How one answer came: when the caller's speech ended in the recording, seconds from there to the first audible
    word (None: nothing was heard), and what happened meanwhile."""

    ended: float
    first_audio: float | None
    moments: tuple[Moment, ...]


@asynccontextmanager
async def calling(setup: LineSetup, caller: Caller, accepts: bool = True) -> AsyncIterator[Simulation]:
    """A call, opened and held for as long as the block runs."""
    handset, desk = Handset(), SimulatedDesk(accepts)
    async with aiohttp.ClientSession() as http:
        call = Call(setup, caller, desk, http, CallEvents(clock=asyncio.get_running_loop().time))
        line = asyncio.create_task(handset.run())
        try:
            await call.start(heard=handset.mouth, spoken=handset.ear)
            yield Simulation(call, handset, desk)
        finally:
            await call.close()
            line.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await line


def _end_of_speech(audio: Samples) -> float:
    loud = np.flatnonzero(loud_frames(audio))
    return (int(loud[-1]) + 1) * STEP if len(loud) else len(audio) / 16_000
