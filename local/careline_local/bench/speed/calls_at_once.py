"""How many calls one process carries before their audio comes late. The vendors are emulated in another process."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, replace

from careline.runtime.set_aside import set_aside
from careline.schemas import wire
from careline.settings import Settings
from careline_local.bench.measures import Measure, Share
from careline_local.voice import sound
from careline_local.voice.simulate import calling
from careline_local.voice.vendors import Vendors
from careline_local.voice.vendors_beside import vendors_beside
from careline_voice.asking.orchestrator import Orchestrator
from careline_voice.call import Caller
from careline_voice.line_setup import LineSetup

RAMP = (1, 5, 10, 15, 20, 25, 30)
RAMP_SECONDS = 20.0
RINGS_APART_SECONDS = 0.5
LATE_SHARE = 0.01
HURRY = 20.0
LANGUAGE = "nl"


class Immediate(Orchestrator):
    """An orchestrator that answers at once, without a network: what is left is the framework's own floor."""

    async def ask(self, question: wire.QueryRequest) -> AsyncGenerator[wire.Event, None]:
        """See `Orchestrator.ask`."""
        turn = secrets.token_hex(8)
        yield wire.Meta(turn_id=turn, trace_id=turn, conversation_id="c", pack="hospital_line", channel="voice")
        yield wire.Token.model_validate_json('{"text": "Dat kan elke dag van tien tot twaalf uur."}')
        yield wire.Dropped()

    async def decide(self, turn_id: str, commit: bool) -> None:
        """See `Orchestrator.decide`."""

    async def warm(self) -> None:
        """See `Orchestrator.warm`."""


async def calls_at_once(settings: Settings, texts: Sequence[str], ramp: Sequence[int] = RAMP) -> list[Measure | Share]:
    """More and more calls at once: how many of their frames come in time, and what processor time they take, which
    tells how many a process holds where other work is on the machine too. The callers' own audio is in it.
    """
    spoken = [sound.speak(text, LANGUAGE) for text in texts]
    held, passed = 0, True
    measured: list[Measure | Share] = []
    async with vendors_beside(texts, LANGUAGE, HURRY) as vendors:
        await _hold(vendors, settings, spoken[:1], 0, 1.0)
        set_aside()
        for count in ramp:
            spent = time.process_time()
            calls = await asyncio.gather(*(_hold(vendors, settings, spoken, at, RAMP_SECONDS) for at in range(count)))
            spent = (time.process_time() - spent) / sum(one.seconds for one in calls)
            late, frames = sum(one.late for one in calls), sum(one.frames for one in calls)
            measured.append(Share(f"frames in time with {count} calls at once", frames - late, frames))
            measured.append(Measure(f"processor time of a second of a call, {count} at once", "s", spent, spent, count))
            passed = passed and late <= LATE_SHARE * frames
            held = count if passed else held
    return [*measured, Measure("calls at once with 1 % of late frames at most", "calls", held, held, len(ramp))]


@dataclass(frozen=True, slots=True)
class Held:
    """One call of many: frames of 20 ms after its opening (before that it would still be ringing), those that came
    late, and how long all of it lasted.
    """

    late: int
    frames: int
    seconds: float


async def _hold(
    vendors: Vendors, settings: Settings, spoken: Sequence[sound.Samples], number: int, seconds: float
) -> Held:
    await asyncio.sleep(number * RINGS_APART_SECONDS)
    name = secrets.token_hex(6)
    chosen = settings.with_changes(orchestrator={"url": "http://127.0.0.1:9"})
    setup = LineSetup.of(vendors.settings(chosen, name))
    setup = replace(setup, orchestrator=Immediate(setup.settings.orchestrator))
    async with calling(setup, Caller(f"bench-{name}")) as simulation:
        await simulation.until_quiet()
        late, frames, at = simulation.handset.late, len(simulation.handset.said), 0
        # One question at least: on a busy machine the opening may have taken all of the time.
        while not at or simulation.handset.now() < seconds:
            await simulation.ask(spoken[at % len(spoken)])
            at += 1
        handset = simulation.handset
        held = Held(handset.late - late, len(handset.said) - frames, handset.now())
    await setup.orchestrator.close()
    return held
