"""Calls at once, second by second: a discrete simulation of who waits for what.

A call is a caller who speaks, an answer that streams, and the time in which it is spoken. Each turn leaves a record
that one reader of its hospital takes in batches, in order. Times are drawn from exponential distributions.
"""

from __future__ import annotations

import heapq
import random
from dataclasses import dataclass, field

from careline_local.cost.usage import Usage

_USED = Usage(queries=0)
PER_BATCH = 10
"""The most a FIFO queue gives at once."""
SEED = 11


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds, and what a turn writes. Means; where a figure was measured, its source stands beside it, and what costs
    are computed from too is taken from there."""

    speaks: float = 5.0
    """A caller, from the end of an answer to the end of the next question."""
    answer: float = _USED.turn_seconds
    """An orchestrator, while a model streams; 0.17 processor seconds of it are its own."""
    says: float = 8.0
    """An answer of 180 characters aloud."""
    speculative: float = _USED.speculative_seconds
    """An orchestrator for a question that is dropped."""
    speculative_share: float = _USED.speculative_per_turn
    record: float = 0.06
    """One turn kept: 7 reads and 2 transactions of about 7 ms each."""
    batch: float = 0.03
    """A batch besides."""
    synthesis: float = 0.8
    """A vendor making the sound of an answer."""
    record_writes: float = 10.0
    """Write units of a turn that go to its hospital's partitions: 5 items, twice in a transaction."""
    tokens: float = _USED.prompt_tokens + _USED.answer_tokens


@dataclass
class Load:
    """What was seen. Peaks are the most at any moment."""

    seconds: float
    turns: int = 0
    orchestrators: int = 0
    voices: int = 0
    longest_wait: float = 0.0
    last_wait: float = 0.0
    """How long the records that were written last had waited: grows with the run where a reader does not keep up."""
    requests: int = 0

    @property
    def turns_a_second(self) -> float:
        """The mean."""
        return self.turns / self.seconds

    @property
    def requests_a_second(self) -> float:
        """With those that were dropped."""
        return self.requests / self.seconds


@dataclass
class _State:
    load: Load
    busy: int = 0
    speaking: int = 0
    queues: list[list[float]] = field(default_factory=list)
    reading: list[bool] = field(default_factory=list)


def calls(at_once: int, times: Times, hospitals: int = 1, seconds: float = 300.0, seed: int = SEED) -> Load:
    """What so many calls, which go on for the whole time, ask of the cloud."""
    return _Simulation(at_once, times, hospitals, seconds, seed).run()


class _Simulation:
    """Events in order of their time: (time, number, kind, which)."""

    def __init__(self, at_once: int, times: Times, hospitals: int, seconds: float, seed: int) -> None:
        self._times, self._hospitals, self._until = times, hospitals, seconds
        self._chance = random.Random(seed)  # noqa: S311 - a simulation
        self._state = _State(
            Load(seconds), queues=[[] for _ in range(hospitals)], reading=[False] * hospitals
        )
        self._numbers = iter(range(10**12))
        cycle = times.speaks + times.answer + times.says
        # Calls do not begin at one moment: each is somewhere in its turn.
        self._events = [
            (self._chance.uniform(0, cycle), next(self._numbers), "asks", call) for call in range(at_once)
        ]
        heapq.heapify(self._events)

    def run(self) -> Load:
        """All events until the time is over."""
        while self._events and self._events[0][0] < self._until:
            now, _, kind, which = heapq.heappop(self._events)
            getattr(self, f"_{kind}")(now, which)
        return self._state.load

    def _later(self, when: float, kind: str, which: int) -> None:
        heapq.heappush(self._events, (when, next(self._numbers), kind, which))

    def _drawn(self, mean: float) -> float:
        return self._chance.expovariate(1 / mean) if mean else 0.0

    def _asks(self, now: float, call: int) -> None:
        """A question ends: it is answered, and an earlier guess at it is dropped."""
        state, times = self._state, self._times
        guesses = int(self._chance.random() < times.speculative_share)
        state.load.requests += 1 + guesses
        for seconds, kind in ((times.answer, "answered"), *([(times.speculative, "dropped")] * guesses)):
            state.busy += 1
            self._later(now + self._drawn(seconds), kind, call)
        state.load.orchestrators = max(state.load.orchestrators, state.busy)

    def _dropped(self, now: float, call: int) -> None:
        self._state.busy -= 1

    def _answered(self, now: float, call: int) -> None:
        """An answer ends: its record waits for the hospital's reader, the caller listens and speaks again."""
        state, times = self._state, self._times
        state.busy -= 1
        state.load.turns += 1
        state.speaking += 1
        state.load.voices = max(state.load.voices, state.speaking)
        self._later(now + self._drawn(times.synthesis), "voiced", call)
        hospital = call % self._hospitals
        state.queues[hospital].append(now)
        if not state.reading[hospital]:
            self._read(now, hospital)
        self._later(now + times.says + self._drawn(times.speaks), "asks", call)

    def _voiced(self, now: float, call: int) -> None:
        self._state.speaking -= 1

    def _read(self, now: float, hospital: int) -> None:
        """A reader takes a batch; the next when that is written."""
        state, times = self._state, self._times
        queue = state.queues[hospital]
        taken, queue[:] = queue[:PER_BATCH], queue[PER_BATCH:]
        state.reading[hospital] = bool(taken)
        if taken:
            ended = now + times.batch + times.record * len(taken)
            state.load.last_wait = ended - taken[0]
            state.load.longest_wait = max(state.load.longest_wait, state.load.last_wait)
            self._later(ended, "read", hospital)

