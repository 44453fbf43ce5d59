"""Circuits that processes share through the records: one learns from another, and one alone probes."""

from __future__ import annotations

import asyncio
import itertools
import logging
from typing import Any

import pytest

from careline.circuit.circuit import FAILURES
from careline.circuit.circuits import EMBEDDER, FRESH_SECONDS, MODEL, Circuits, Paused, is_degraded
from careline.errors import TableUnavailable
from careline.records import keys
from careline.records.record_table import Item, Put
from tests.fakes import FakeTable, SettableClock


class Counted(FakeTable):
    """Counts readings and writes, and may be out of order."""

    def __init__(self, clock: SettableClock) -> None:
        super().__init__(clock)
        self.reads, self.writes, self.broken = 0, 0, False

    async def get(self, partition: str, sort: str) -> Item | None:
        self.reads += 1
        if self.broken:
            raise TableUnavailable("the table cannot be read")
        return await super().get(partition, sort)

    async def write(self, *changes: Any) -> None:
        self.writes += 1
        await super().write(*changes)


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def table(clock: SettableClock) -> Counted:
    return Counted(clock)


def process(table: Counted, clock: SettableClock, name: str = "p") -> Circuits:
    """What one process knows, over the records that it shares with others."""
    numbers = itertools.count(1)
    return Circuits(table, clock, lambda: f"{name}{next(numbers)}")


async def fails(circuits: Circuits, times: int = FAILURES, component: str = MODEL) -> None:
    for _ in range(times):
        await circuits.end(await circuits.begin(component), "failed")


async def works(circuits: Circuits, component: str = MODEL) -> None:
    await circuits.end(await circuits.begin(component), "worked")


async def test_a_component_that_works_is_read_about_every_few_seconds_and_never_written_about(
    table: Counted, clock: SettableClock
) -> None:
    circuits = process(table, clock)
    for _ in range(50):
        await works(circuits)
    assert (table.reads, table.writes) == (1, 0)
    clock.move(FRESH_SECONDS)
    await works(circuits)
    assert (table.reads, table.writes) == (2, 0)


async def test_failures_of_several_processes_add_up_and_all_of_them_stop_asking(
    table: Counted, clock: SettableClock
) -> None:
    first, second = process(table, clock, "a"), process(table, clock, "b")
    await works(second)
    await fails(first, 3)
    await fails(second, 2)
    for circuits in (first, second):
        clock.move(FRESH_SECONDS)
        with pytest.raises(Paused) as raised:
            await circuits.begin(MODEL)
        assert 0 < raised.value.seconds <= 60


async def test_a_success_anywhere_begins_the_count_anew(table: Counted, clock: SettableClock) -> None:
    first, second = process(table, clock, "a"), process(table, clock, "b")
    await fails(first, 4)
    await works(second)
    await fails(first, 4)
    assert first.paused() == frozenset()


async def test_of_two_processes_one_probes_and_two_probes_that_work_open_the_way_for_both(
    table: Counted, clock: SettableClock
) -> None:
    first, second = process(table, clock, "a"), process(table, clock, "b")
    await fails(first)
    clock.move(60)
    probe = await first.begin(MODEL)
    with pytest.raises(Paused):
        await second.begin(MODEL)
    await first.end(probe, "worked")
    # A process that has not heard of it yet asks when its copy is old.
    clock.move(FRESH_SECONDS)
    await works(second)
    await works(first)
    assert first.paused() == second.paused() == frozenset()


async def test_processes_that_want_to_probe_at_the_same_moment_send_one_probe(
    table: Counted, clock: SettableClock
) -> None:
    processes = [process(table, clock, name) for name in "abcdefgh"]
    await fails(processes[0])
    clock.move(60)
    begun = await asyncio.gather(*(one.begin(MODEL) for one in processes), return_exceptions=True)
    assert sum(not isinstance(one, Paused) for one in begun) == 1


async def test_a_probe_that_fails_stops_everybody_for_another_minute(table: Counted, clock: SettableClock) -> None:
    first, second = process(table, clock, "a"), process(table, clock, "b")
    await fails(first)
    clock.move(60)
    await first.end(await first.begin(MODEL), "failed")
    clock.move(59)
    with pytest.raises(Paused):
        await second.begin(MODEL)


async def test_one_component_says_nothing_of_another(table: Counted, clock: SettableClock) -> None:
    circuits = process(table, clock)
    await fails(circuits)
    await works(circuits, EMBEDDER)
    assert circuits.paused() == {MODEL}
    assert not is_degraded(circuits.paused())
    await fails(circuits, component=EMBEDDER)
    assert is_degraded(circuits.paused())


async def test_where_the_records_do_not_answer_each_process_counts_for_itself_and_calls_go_on(
    table: Counted, clock: SettableClock
) -> None:
    circuits = process(table, clock)
    table.broken = True
    await fails(circuits)
    with pytest.raises(Paused):
        await circuits.begin(MODEL)
    await works(circuits, EMBEDDER)


async def test_a_record_in_another_form_is_as_none(table: Counted, clock: SettableClock) -> None:
    await table.write(Put(Item(*keys.circuits(), {"circuits": {"model": {"invented": 1}}})))
    circuits = process(table, clock)
    await fails(circuits)
    assert circuits.paused() == {MODEL}


async def test_the_record_is_gone_when_nothing_has_happened_for_an_hour(table: Counted, clock: SettableClock) -> None:
    await fails(process(table, clock))
    assert await table.get(*keys.circuits()) is not None
    clock.move(3600)
    assert await table.get(*keys.circuits()) is None
    after = process(table, clock)
    await works(after)
    assert after.paused() == set()


async def test_who_is_on_call_is_told_of_each_change_once_and_of_the_degraded_mode(
    table: Counted, clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = process(table, clock, "a"), process(table, clock, "b")
    with caplog.at_level(logging.INFO):
        await fails(first)
        await fails(second, component=EMBEDDER)
        clock.move(60)
        await works(first)
        await works(first)
    codes = [str(vars(record)["event_code"]) for record in caplog.records]
    assert codes == [
        "circuit_open", "circuit_open", "degraded_begun", "circuit_half_open", "circuit_closed", "degraded_over",
    ]  # fmt: skip
    assert vars(caplog.records[2])["components"] == "embedder model"
