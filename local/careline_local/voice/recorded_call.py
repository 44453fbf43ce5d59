"""A call of recorded callers: WAV files in, and a recording, a transcript and a waterfall out."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from livekit.agents import llm

from careline.errors import BadRequest
from careline.settings import Settings
from careline.text.languages import by_frequent_words
from careline_local.voice import sound, waterfall
from careline_local.voice.handset import STEP
from careline_local.voice.script import Script, ScriptedUtterance
from careline_local.voice.server_beside import serving
from careline_local.voice.simulate import Reply, Simulation, calling
from careline_local.voice.vendors import Vendors, emulated
from careline_voice.asking.orchestrator import Orchestrator
from careline_voice.call import Caller
from careline_voice.line_setup import LineSetup

SIDECAR = ".txt"
Failing = Literal["hearing", "voice", "orchestrator"]
DROPS_AFTER_SECONDS = 0.8
"""Speech after which recognition breaks off, in the middle of any question."""
UNAUTHORIZED = 401
NOBODY = "http://127.0.0.1:9"
"""An orchestrator that has ended since the line was heard of: the port is that of `discard`, which nobody serves."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """What the caller says: a recording and the words in it."""

    name: str
    audio: sound.Samples
    words: ScriptedUtterance


@dataclass(frozen=True, slots=True)
class Finished:
    """A call that is over."""

    turns: list[tuple[Spoken, Reply, str]]
    """What was said, how the reply came, and its text."""
    opening: str
    caller: sound.Samples
    line: sound.Samples
    began: float
    late: int
    transfers: list[str]
    unused: tuple[str, ...] = ()
    """Names of the WAVs that the caller had no chance to say, as the call was over."""

    @property
    def longest_silence(self) -> float:
        """The longest time in which neither was heard, in seconds."""
        longest = silent = 0
        for loud in sound.loud_frames(self.caller) | sound.loud_frames(self.line):
            silent = 0 if loud else silent + 1
            longest = max(longest, silent)
        return longest * STEP

    def as_json(self) -> dict[str, Any]:
        """The call for programs."""
        shown = [
            {
                "wav": spoken.name, "caller": spoken.words.text, "spoken": text,
                "first_audio_seconds": reply.first_audio,
                "waterfall": {bar.name: round(bar.end - bar.start, 3) for bar in waterfall.bars(reply, self.began)},
                "events": [moment.name for moment in reply.moments],
            }
            for spoken, reply, text in self.turns
        ]  # fmt: skip
        seconds = round(len(self.line) / sound.RATE, 2)
        return {
            "opening": self.opening, "turns": shown, "transfers": self.transfers, "seconds": seconds,
            "unused": list(self.unused), "late_frames": self.late,
            "longest_silence_seconds": round(self.longest_silence, 2),
        }  # fmt: skip


def spoken(path: Path, said: str | None, language: str | None) -> Spoken:
    """A WAV with its words: `said`, else the text file beside it. Raises: BadRequest where there are none."""
    beside = path.with_suffix(SIDECAR)
    if said is None:
        try:
            said = beside.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise BadRequest(
                f"{path.name}: say what is spoken in it, with --said or in {beside.name} beside it; "
                "speech is not recognised on this machine"
            ) from None
    text = " ".join(said.split())
    if not text:
        raise BadRequest(f"{path.name}: the words that are spoken in it are missing")
    audio = sound.read_wav(path)
    if not sound.loud_frames(audio).any():
        raise BadRequest(f"{path.name}: no speech is heard in it; record it louder")
    told = by_frequent_words(text[:1000])
    return Spoken(path.name, audio, ScriptedUtterance.of(text, language or (told[0] if told else "nl"), audio))


async def hold(
    said: Sequence[Spoken],
    settings: Settings,
    server: str | None = None,
    *,
    language: str | None = None,
    failing: Failing | None = None,
) -> Finished:
    """Hold the call. `server` is the address of a running orchestrator; one is started beside the call otherwise.
    `language` is the one that the line opens in, and `failing` what breaks in the call.

    Raises: EngineUnavailable, SettingsInvalid.
    """
    name = secrets.token_hex(8)
    async with emulated() as vendors, _orchestrator(settings, server) as address:
        hearing, speaking = vendors.expect(name, Script([one.words for one in said]))
        hearing.drop_after = DROPS_AFTER_SECONDS if failing == "hearing" else None
        speaking.refuse = UNAUTHORIZED if failing == "voice" else None
        setup = await _setup(settings, address, vendors, name)
        if language is not None and setup.line is not None:
            setup.line = setup.line.model_copy(update={"default_language": language})
        if failing == "orchestrator":
            await setup.orchestrator.close()
            gone = setup.settings.orchestrator.with_changes(url=NOBODY)
            setup = replace(setup, orchestrator=Orchestrator(gone, setup.settings.aws.aws_region))
        try:
            async with calling(setup, Caller(f"call-{name}")) as simulation:
                return await _converse(said, simulation)
        finally:
            await setup.orchestrator.close()


@asynccontextmanager
async def _orchestrator(settings: Settings, server: str | None) -> AsyncIterator[str]:
    if server is not None:
        yield server
        return
    async with serving(settings.home) as address:
        yield address


async def _setup(settings: Settings, address: str, vendors: Vendors, name: str) -> LineSetup:
    chosen = {"url": address, "token": settings.orchestrator.token or settings.access.token}
    setup = LineSetup.of(vendors.settings(settings.with_changes(orchestrator=chosen), name))
    await setup.refresh()
    return setup


async def _converse(said: Sequence[Spoken], simulation: Simulation) -> Finished:
    await simulation.until_quiet()
    opening = _texts(simulation)
    turns = []
    for one in said:
        if simulation.over:
            break
        known = len(_texts(simulation))
        reply = await simulation.ask(one.audio)
        turns.append((one, reply, " ".join(_texts(simulation)[known:])))
    caller, line = simulation.handset.recordings()
    return Finished(
        turns, " ".join(opening), caller, line, simulation.handset.began or 0.0, simulation.handset.late,
        [hand_over.reason for _, hand_over in simulation.desk.transfers], tuple(one.name for one in said[len(turns) :]),
    )  # fmt: skip


def _texts(simulation: Simulation) -> list[str]:
    """What the line has said so far, sentence by sentence."""
    items = simulation.call.session.history.items
    messages = [item for item in items if isinstance(item, llm.ChatMessage) and item.role == "assistant"]
    return [message.text_content or "" for message in messages]


def write(finished: Finished, folder: Path) -> dict[str, Path]:
    """The recordings and the picture as files: `reply.wav`, `call.wav` (caller left, line right), `waterfall.svg`."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {"reply": folder / "reply.wav", "call": folder / "call.wav", "waterfall": folder / "waterfall.svg"}
    sound.write_wav(files["reply"], finished.line)
    sound.write_wav(files["call"], finished.caller, finished.line)
    rows = [(one.words.text, reply) for one, reply, _ in finished.turns]
    files["waterfall"].write_text(waterfall.draw(rows, finished.began), "utf-8")
    return files
