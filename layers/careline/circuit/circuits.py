"""The circuits of an installation: one record that all its processes share, and a copy of it for some seconds.

A component that works costs nothing beside a reading of that record every few seconds: it is written when something
fails, and when that is over. Where the table does not answer, each process counts for itself.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from careline.circuit.circuit import LEASE, Circuit, Verdict
from careline.errors import Contended, EngineUnavailable
from careline.log.event_log import EventLog
from careline.ports import Clock
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Item, Put, RecordTable

FRESH_SECONDS = 5.0
"""How long the copy is believed."""
HOLD_SECONDS = LEASE.total_seconds() / 3
"""How often a probe that goes on is held: twice may fail."""
KEPT = timedelta(hours=1)
"""After which a record that nobody writes is gone: then nothing has failed for long, or nobody has asked."""
MODEL, LOCAL_MODEL, EMBEDDER, INDEX = "model", "local_model", "embedder", "index"
CRITICAL: Final = frozenset({MODEL, LOCAL_MODEL, EMBEDDER, INDEX})
"""What answers are poor without. Two of them open is the degraded mode."""
DEGRADED_FROM = 2
Known = Mapping[str, Circuit]
Sleep = Callable[[float], Awaitable[None]]
log = EventLog(__name__)


class Paused(Exception):
    """A component is not asked for so many seconds."""

    def __init__(self, component: str, seconds: int) -> None:
        super().__init__(f"{component} failed again and again and is not asked for {seconds} s")
        self.component, self.seconds = component, seconds


@dataclass(frozen=True, slots=True)
class Call:
    """A call that may be made. `probe` names the one by which it is seen whether the component works again."""

    component: str
    probe: str = ""


class Circuits:
    """Says whether a component may be asked, and is told how that went."""

    def __init__(
        self, table: RecordTable, clock: Clock, new_id: Callable[[], str], sleep: Sleep = asyncio.sleep
    ) -> None:
        self._table, self._clock, self._new_id, self._sleep = table, clock, new_id, sleep
        self._copy: dict[str, Circuit] = {}
        self._read_at = -math.inf
        self._changes = 0

    def paused(self) -> frozenset[str]:
        """The components that are not asked as always, as far as this process knows."""
        return frozenset(name for name, circuit in self._copy.items() if circuit.state != "closed")

    async def begin(self, component: str) -> Call:
        """Let a call begin. Raises: Paused."""
        circuit = (await self._known()).get(component, Circuit())
        if circuit.state == "closed":
            return Call(component)
        self._check(component, circuit)
        call = Call(component, self._new_id())
        changed = await self._change(component, lambda now: self._probed(now, call))
        if changed.state == "closed":
            return Call(component)
        if changed.probe != call.probe:
            self._check(component, changed)
            raise Paused(component, 1)
        return call

    async def hold(self, call: Call) -> None:
        """Keep a probe waited for as long as it goes on; whoever made it stops this when it has ended.

        A probe of documents may take minutes, and one that others displace would never count.
        """

        def held(known: Circuit) -> Circuit:
            return known.held(call.probe, self._clock.now())

        is_ours = True
        while is_ours:
            await self._sleep(HOLD_SECONDS)
            is_ours = (await self._change(call.component, held)).probe == call.probe

    async def end(self, call: Call, verdict: Verdict) -> None:
        """Note how a call went. What was well and is well is not written."""
        circuit = self._copy.get(call.component, Circuit())
        if not call.probe and (verdict == "unknown" or (verdict == "worked" and not circuit.failures)):
            return
        now = self._clock.now()
        await self._change(call.component, lambda known: known.after(verdict, call.probe, now))

    def _check(self, component: str, circuit: Circuit) -> None:
        waits = circuit.waits(self._clock.now())
        if waits:
            raise Paused(component, math.ceil(waits.total_seconds()))

    def _probed(self, known: Circuit, call: Call) -> Circuit:
        now = self._clock.now()
        if known.state == "closed" or known.waits(now):
            return known
        return known.probed(call.probe, now)

    async def _known(self) -> Known:
        if self._clock.elapsed() - self._read_at < FRESH_SECONDS:
            return self._copy
        # Whoever comes meanwhile goes by the copy that there is.
        self._read_at, changes = self._clock.elapsed(), self._changes
        try:
            read = _circuits(await self._table.get(*keys.circuits()))
            # What was changed here meanwhile is newer than what was read.
            self._copy = read if changes == self._changes else self._copy
        except EngineUnavailable as error:
            log.write("circuits_not_shared", error=error.code)
        return self._copy

    async def _change(self, component: str, change: Callable[[Circuit], Circuit]) -> Circuit:
        """The circuit as it is after the change, for everybody where the table answers."""

        async def decide() -> Update[tuple[dict[str, Circuit], dict[str, Circuit]]]:
            item = await self._table.get(*keys.circuits())
            before = _circuits(item)
            after = _changed(before, component, change)
            if after == before:
                return Update((before, after))
            body = {"circuits": {name: one.to_json() for name, one in after.items()}}
            expires = self._clock.now() + KEPT
            held = Item(*keys.circuits(), body, item.revision if item else 0, expires_at=expires)
            return Update((before, after), (Put(held, held.revision),))

        try:
            before, after = await optimistic_update(self._table, decide, busy="the circuits are being changed")
            self._read_at = self._clock.elapsed()
        except (EngineUnavailable, Contended) as error:
            log.write("circuits_not_shared", error=error.code)
            before = self._copy
            after = _changed(before, component, change)
        self._copy, self._changes = after, self._changes + 1
        _tell(before, after, component)
        return after.get(component, Circuit())


def is_degraded(paused: frozenset[str]) -> bool:
    """Whether two components are not asked that answers are poor without."""
    return len(paused & CRITICAL) >= DEGRADED_FROM


def _circuits(item: Item | None) -> dict[str, Circuit]:
    """What a record says; nothing where another version of Careline wrote it in a way of its own."""
    try:
        return {} if item is None else {name: Circuit.from_json(one) for name, one in item.body["circuits"].items()}
    except (AttributeError, KeyError, TypeError, ValueError):
        return {}


def _changed(before: Known, component: str, change: Callable[[Circuit], Circuit]) -> dict[str, Circuit]:
    """All circuits after the change of one; what is as if nothing had happened is not kept."""
    after = {**before, component: change(before.get(component, Circuit()))}
    return {name: circuit for name, circuit in after.items() if circuit != Circuit()}


def _tell(before: Known, after: Known, component: str) -> None:
    """The changes that somebody should know of, told by the process that made them."""
    was, now = before.get(component, Circuit()).state, after.get(component, Circuit()).state
    if was != now and now == "open":
        log.write("circuit_open", component=component)
    elif was != now and now == "half_open":
        log.write("circuit_half_open", component=component)
    elif was != now:
        log.write("circuit_closed", component=component)
    were, are = (frozenset(name for name, one in each.items() if one.state != "closed") for each in (before, after))
    if is_degraded(are) != is_degraded(were):
        components = " ".join(sorted(are & CRITICAL))
        log.write("degraded_begun" if is_degraded(are) else "degraded_over", components=components)
