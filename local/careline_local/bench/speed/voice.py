"""Phone calls measured from their audio: how long a caller waits and who stops whom; and how many a process holds.

The worker's own session runs over a simulated handset; vendors are emulated with the delays that stand in their
modules, and the line speaks quickly, so that a turn takes little longer than the caller's question.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from careline.settings import Settings
from careline_local.bench.measures import Measure, Share, figure
from careline_local.bench.questions import QUESTIONS
from careline_local.bench.speed.calls_at_once import Immediate, calls_at_once
from careline_local.voice import chat_model, sound
from careline_local.voice.handset import STEP
from careline_local.voice.script import Script, ScriptedUtterance
from careline_local.voice.server_beside import serving
from careline_local.voice.simulate import Simulation, calling
from careline_local.voice.vendors import Vendors, emulated
from careline_voice.call import Caller
from careline_voice.line_setup import LineSetup

TURNS_OF_A_CALL = 10
HURRY = 20.0
SLOW = 1.0
DUTCH = QUESTIONS[:8]
REFUSED = ("hoeveel paracetamol mag ik nemen", "mag ik ibuprofen en aspirine samen nemen")
MURMURS = ("ja ja", "mhm", "oké", "ja", "ja oké")
WORDS = ("wacht even ik heb nog een andere vraag", "stop dat bedoel ik niet", "nee ik wil iets anders weten")
STOPS_WITHIN_SECONDS = 2.5


@dataclass(slots=True)
class Bench:
    """What all measurements share."""

    vendors: Vendors
    settings: Settings
    spoken: dict[str, sound.Samples] = field(default_factory=dict)

    def audio(self, text: str) -> sound.Samples:
        """The text as a caller says it; made once."""
        if text not in self.spoken:
            self.spoken[text] = sound.speak(text, "nl")
        return self.spoken[text]

    async def setup(self, address: str | None, texts: Sequence[str], hurry: float) -> tuple[LineSetup, str]:
        """A line for one call that says these texts; without an address the orchestrator answers at once."""
        name = secrets.token_hex(6)
        script = Script([ScriptedUtterance.of(text, "nl", self.audio(text)) for text in texts])
        self.vendors.expect(name, script)[1].hurry = hurry
        chosen = self.settings.with_changes(orchestrator={"url": address or "http://127.0.0.1:9"})
        setup = LineSetup.of(self.vendors.settings(chosen, name))
        if address is None:
            return replace(setup, orchestrator=Immediate(setup.settings.orchestrator)), name
        await setup.refresh()
        return setup, name

    async def call(self, address: str | None, texts: Sequence[str]) -> list[float]:
        """Ask these one after another; seconds from the end of speech to the first audible word of each."""
        setup, name = await self.setup(address, texts, HURRY)
        async with calling(setup, Caller(f"bench-{name}")) as simulation:
            waited = [(await simulation.ask(self.audio(text))).first_audio for text in texts]
        await setup.orchestrator.close()
        return [one for one in waited if one is not None]

    async def turns(self, address: str | None, texts: Sequence[str], count: int, at_once: int) -> list[float]:
        """`count` turns, in calls of ten of which `at_once` go on at a time."""
        asked = [texts[at % len(texts)] for at in range(count)]
        calls = [asked[at : at + TURNS_OF_A_CALL] for at in range(0, count, TURNS_OF_A_CALL)]
        gate = asyncio.Semaphore(at_once)

        async def one(said: list[str]) -> list[float]:
            async with gate:
                return await self.call(address, said)

        return [seconds for waited in await asyncio.gather(*map(one, calls)) for seconds in waited]


async def run(home: Path, turns: int, overlaps: int, at_once: int, ramp: bool) -> list[Measure | Share]:
    """Every measurement. `turns` are shared out over the kinds of answer, `overlaps` over murmurs and words."""
    each = max(TURNS_OF_A_CALL, turns // 4)
    measured: list[Measure | Share] = []
    async with emulated(*chat_model.routes()) as vendors:
        bench = Bench(vendors, Settings(home=home))
        measured.append(
            _first_word("framework's floor: an answer at once", await bench.turns(None, DUTCH, each, at_once))
        )
        unlimited = {"CARELINE_QUESTIONS_PER_MINUTE": "0", "CARELINE_WRITES_PER_MINUTE": "0"}
        async with serving(home, unlimited) as address:
            refused = await bench.turns(address, REFUSED, each, at_once)
            measured.append(_first_word("a reply that needs no search", refused))
            measured.append(_first_word("quoted from a document", await bench.turns(address, DUTCH, each, at_once)))
            measured += await _overlaps(bench, address, overlaps, at_once)
        async with serving(home, {**unlimited, **chat_model.environment(vendors.port)}) as address:
            measured.append(_first_word("written by a model", await bench.turns(address, DUTCH, each, at_once)))
        if ramp:
            measured += await calls_at_once(bench.settings, DUTCH)
    return measured


def _first_word(kind: str, seconds: Sequence[float]) -> Measure:
    return figure(f"first audible word, {kind}", "s", seconds)


async def _overlaps(bench: Bench, address: str, count: int, at_once: int) -> list[Measure | Share]:
    """Callers who speak while the line does: the half murmur, the others want the floor."""
    gate, stops = asyncio.Semaphore(at_once), list[Stop]()

    async def one(text: str) -> bool:
        async with gate:
            stopped = await _speak_over(bench, address, text)
        if stopped is not None and text in WORDS:
            stops.append(stopped)
        return stopped is None

    half = max(1, count // 2)
    murmured = await asyncio.gather(*(one(MURMURS[at % len(MURMURS)]) for at in range(half)))
    worded = await asyncio.gather(*(one(WORDS[at % len(WORDS)]) for at in range(half)))
    shares = [
        Share("murmurs that did not stop the line", sum(murmured), half),
        Share("words that stopped the line", half - sum(worded), half),
    ]
    return [*shares, *(_stops(stops) if stops else [])]


def _stops(stops: Sequence[Stop]) -> list[Measure]:
    """How long interruptions take. A murmur sounds like one until its words are known, so that they are waited for."""
    since_words = [one.since_words for one in stops if one.since_words is not None]
    told = [figure("from a caller's first sound to a silent line", "s", [one.since_sound for one in stops])]
    if since_words:
        told.append(figure("of that, after recognition has given the first word", "s", since_words))
    return told


@dataclass(frozen=True, slots=True)
class Stop:
    """Seconds until the line fell silent: after the caller's first sound, and after the first word was recognised."""

    since_sound: float
    since_words: float | None


async def _speak_over(bench: Bench, address: str, text: str) -> Stop | None:
    """How the line fell silent after the caller had begun; None when it went on."""
    setup, name = await bench.setup(address, [text], SLOW)
    try:
        async with calling(setup, Caller(f"bench-{name}")) as simulation:
            await simulation.until(lambda: simulation.heard_after(0) is not None)
            speaks = simulation.handset.now()
            await simulation.until(lambda: simulation.handset.now() > speaks + 1)
            begun = simulation.handset.now()
            simulation.handset.say(bench.audio(text))
            await simulation.until(lambda: simulation.handset.now() > begun + STOPS_WITHIN_SECONDS + 0.5)
            silent = _silent_from(simulation, begun)
            if silent is None:
                return None
            given, began = bench.vendors.hearing[name].given, simulation.handset.began or 0.0
            words = given[0] - began - begun if given else None
            return Stop(silent, None if words is None else round(max(0.0, silent - words), 3))
    finally:
        await setup.orchestrator.close()


def _silent_from(simulation: Simulation, begun: float) -> float | None:
    """The first moment after `begun` from which half a second is silent, in seconds after it."""
    loud = [bool(sound.loud_frames(frame).any()) for frame in simulation.handset.heard[int(begun / STEP) :]]
    span = int(0.5 / STEP)
    quiet = (at for at in range(len(loud) - span) if not any(loud[at : at + span]))
    first = next(quiet, None)
    return None if first is None or first * STEP > STOPS_WITHIN_SECONDS else first * STEP
