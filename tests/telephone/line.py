"""The line that telephones call in tests: LiveKit or its double, our worker, emulated vendors, the orchestrator."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pytest

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")
pytest.importorskip("aiortc", reason="requirements/test.txt is not installed as it is now: `make test`")

import aiohttp
from aiohttp import web

from careline_local.voice import deepgram, elevenlabs, sound
from careline_local.voice.script import Script, ScriptedUtterance
from careline_local.voice.server_beside import serving
from tests.telephone.isolated import ADDRESS
from tests.telephone.phone import Phone, a_phone
from tests.telephone.processes import free_port, until
from tests.telephone.recording import SAME, STEP, likeness
from tests.telephone.stack import ARTEFACTS, LiveKit, a_double, a_worker, set_up_line

AGENT = os.environ.get("CARELINE_VOICE_AGENT_NAME", "careline-test")
CALLER, DESK = "32470111222", "desk"
QUIET_SECONDS = 1.2
"""Silence after which a caller takes it that the line has finished."""
ANSWER_SECONDS = 60.0
"""Longest that a caller lets it ring."""
LISTEN_SECONDS = 0.25
"""Between two looks at a recording: the emulated vendors are in this process too, and are not to be held up."""
REPLY_SECONDS = 45.0
"""Longest wait for a reply to begin and to end."""
SHARE = 0.9
"""Share of an utterance's speech that the telephone network lets through, at least: its edges are faint."""
speak = lru_cache(maxsize=200)(sound.speak)


@dataclass(slots=True)
class Line:
    """What a test can turn. `hearing` says how the connection is heard that speech recognition gets next, `speaking`
    how the next caller is spoken to, and `desk_port` is where the desk's telephone is.
    """

    livekit: LiveKit
    folder: Path
    address: str
    desk_port: int
    health_port: int
    hearing: Callable[[], deepgram.Recognition]
    speaking: elevenlabs.Speaking = field(default_factory=elevenlabs.Speaking)
    worker: asyncio.subprocess.Process | None = None

    def expect_call(self, drop_after: float | None = None, refuse_voice: int | None = None) -> deepgram.Recognition:
        """One caller is heard over however many connections. Speech recognition drops after so many seconds of speech,
        and the voice refuses with a status, where that is said.
        """
        hearing = deepgram.Recognition(Script([]), drop_after=drop_after)
        self.hearing, self.speaking = (lambda: hearing), elevenlabs.Speaking(refuse=refuse_voice)
        return hearing

    def expect_callers(self, text: str, language: str) -> None:
        """Several callers, who all say this."""
        self.hearing = lambda: deepgram.Recognition(Script([_scripted(text, language)]))
        self.speaking = elevenlabs.Speaking()

    def spoken(self) -> str:
        """Everything that the voice was told to say since a call was expected."""
        return " ".join(text for _, text in self.speaking.said)

    async def idle(self, seconds: float) -> bool:
        """Wait until the worker holds no call; False when it still does."""
        limit = asyncio.get_running_loop().time() + seconds
        async with aiohttp.ClientSession() as http:
            while asyncio.get_running_loop().time() < limit:
                async with http.get(f"http://127.0.0.1:{self.health_port}/worker") as told:
                    if not (await told.json()).get("active_jobs"):
                        return True
                await asyncio.sleep(0.2)
        return False


@dataclass(slots=True)
class Call:
    """A call that goes on."""

    line: Line
    phone: Phone
    hearing: deepgram.Recognition
    language: str = "nl"

    def hears(self, sentence: str) -> bool:
        """Whether the caller has heard a sentence."""
        return heard_in(self.phone, sentence, self.language)

    async def say(self, text: str) -> float:
        """Say something now. How long that takes, in seconds."""
        audio = speak(text, self.language)
        self.hearing.script.utterances.append(_scripted(text, self.language))
        await self.phone.say(audio)
        return len(audio) / sound.RATE

    async def ask(self, text: str) -> str:
        """Say something when the line is quiet, and wait for what is said to it. The text of that."""
        assert await quiet(self.phone)
        before = len(self.line.speaking.said)
        await asyncio.sleep(await self.say(text))
        assert await quiet(self.phone, after=len(self.phone.loud()))
        return " ".join(said for _, said in self.line.speaking.said[before:])


async def quiet(phone: Phone, after: int = 0, seconds: float = REPLY_SECONDS) -> bool:
    """Wait until a caller has heard something, after a number of frames, and then nothing more for a while."""
    pause = int(QUIET_SECONDS / STEP)

    def finished() -> bool:
        loud = phone.loud()[after:]
        return len(loud) >= pause and bool(loud.any()) and not loud[-pause:].any()

    return await until(finished, seconds, LISTEN_SECONDS)


def heard_in(phone: Phone, sentence: str, language: str) -> bool:
    """Whether a sentence can be heard in what a telephone has recorded."""
    return likeness(phone.heard(), speak(sentence, language)) > SAME


@asynccontextmanager
async def a_caller(line: Line, name: str) -> AsyncIterator[Phone]:
    """A telephone that has dialled the line and was answered. The recording of both sides stays in the artefacts."""
    async with a_phone(line.folder / name / "caller", line.address, CALLER) as phone:
        await phone.dial(line.livekit.line)
        assert await phone.reported("CALL_ESTABLISHED", ANSWER_SECONDS), "nobody has answered"
        try:
            yield phone
        finally:
            if "CALL_CLOSED" not in phone.events:
                await phone.hang_up()
                await phone.reported("CALL_CLOSED", 5)
            sound.write_wav(line.folder / f"{name}.wav", phone.said(), phone.heard())


@asynccontextmanager
async def a_call(
    line: Line, name: str, *, drop_after: float | None = None, refuse_voice: int | None = None
) -> AsyncIterator[Call]:
    """A caller and what the emulated vendors know of the call; see `Line.expect_call`."""
    hearing = line.expect_call(drop_after, refuse_voice)
    async with a_caller(line, name) as phone:
        yield Call(line, phone, hearing)


@asynccontextmanager
async def a_desk(line: Line, name: str = "desk") -> AsyncIterator[Phone]:
    """The telephone that callers are put through to; it takes calls by itself."""
    async with a_phone(line.folder / name, line.address, DESK, sip=line.desk_port, answers="auto") as phone:
        yield phone


@asynccontextmanager
async def a_line(name: str, home: Path, livekit: LiveKit | None = None, **more: str) -> AsyncIterator[Line]:
    """The whole line. LiveKit is the one of the environment, else a double. `more` are settings of the worker."""
    address, folder = os.environ.get(ADDRESS, "127.0.0.1"), ARTEFACTS / name
    health = free_port()
    line = Line(livekit or LiveKit.of_our_own(), folder, address, free_port(), health, _nobody)
    told = {
        "CARELINE_VOICE_HEALTH_PORT": str(health),
        "CARELINE_VOICE_AGENT_NAME": AGENT,
        "CARELINE_TRANSFER_TO": f"sip:{DESK}@{address}:{line.desk_port}",
        **more,
    }
    async with (
        _livekit(line, given=livekit is not None),
        _vendors(line) as port,
        serving(home) as orchestrator,
        a_worker(line.livekit, port, orchestrator, home, folder / "worker.log", **told) as line.worker,
    ):
        yield line


def _scripted(text: str, language: str) -> ScriptedUtterance:
    told = ScriptedUtterance.of(text, language, speak(text, language))
    return ScriptedUtterance(text, language, int(told.frames * SHARE))


def _nobody() -> deepgram.Recognition:
    return deepgram.Recognition(Script([]))


@asynccontextmanager
async def _livekit(line: Line, given: bool) -> AsyncIterator[None]:
    if given:
        yield
        return
    async with a_double(line.livekit, line.folder / "double.log"):
        await set_up_line(line.livekit, AGENT)
        yield


@asynccontextmanager
async def _vendors(line: Line) -> AsyncIterator[int]:
    """The emulated vendors. A worker has one address for each, so they ask the line how the call at hand is."""
    app = web.Application()
    app.add_routes(deepgram.routes(lambda _: line.hearing()))
    app.add_routes(elevenlabs.routes(lambda _: line.speaking))
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()
