"""One way to change records that others change too: nothing is lost, and nobody tries for ever."""

from __future__ import annotations

import asyncio

import pytest

from careline.errors import Conflict, Contended, TableUnavailable
from careline.records import optimistic_update as module
from careline.records.optimistic_update import LONGEST_SECONDS, STEP_SECONDS, Update, optimistic_update, pause_at_random
from careline.records.record_table import Delete, Item, Put
from tests.fakes import FakeTable

PLACE = ("counts", "visits")


class Counter:
    """Adds one to a record, and remembers how it went."""

    def __init__(self, table: FakeTable) -> None:
        self.table, self.readings, self.pauses = table, 0, list[int]()

    async def pause(self, attempt: int) -> None:
        self.pauses.append(attempt)
        await asyncio.sleep(0)

    async def decide(self) -> Update[int]:
        self.readings += 1
        item = await self.table.get(*PLACE)
        count = (item.body["count"] if item else 0) + 1
        return Update(count, [Put(Item(*PLACE, {"count": count}), expects=item.revision if item else 0)])

    async def add(self, tries: int = 8) -> int:
        return await optimistic_update(self.table, self.decide, busy="too busy", tries=tries, pause=self.pause)


class AlwaysLate(FakeTable):
    """Somebody else was always first."""

    async def write(self, *changes: Put | Delete) -> None:
        raise Conflict("somebody else changed this record first; read it again")


async def test_what_many_do_at_once_is_done_once_by_each() -> None:
    counter = Counter(FakeTable())
    counts = await asyncio.gather(*(counter.add(tries=30) for _ in range(30)))
    assert sorted(counts) == list(range(1, 31))
    assert counter.readings > 30


async def test_a_record_that_is_always_taken_is_given_up_with_words_that_say_what_was_busy() -> None:
    counter = Counter(AlwaysLate())
    with pytest.raises(Contended, match="too busy") as given_up:
        await counter.add(tries=4)
    assert given_up.value.retry_after == 5
    assert (counter.readings, counter.pauses) == (4, [1, 2, 3])


async def test_nothing_is_written_when_there_is_nothing_to_change() -> None:
    async def decide() -> Update[str]:
        return Update("as it was")

    assert await optimistic_update(AlwaysLate(), decide, busy="too busy") == "as it was"


@pytest.mark.parametrize("error", [Conflict("a completed job cannot become pending"), TableUnavailable("locked")])
async def test_what_is_wrong_with_the_change_itself_is_said_at_once(error: Exception) -> None:
    tried = 0

    async def decide() -> Update[None]:
        nonlocal tried
        tried += 1
        raise error

    with pytest.raises(type(error), match=str(error)) as raised:
        await optimistic_update(FakeTable(), decide, busy="too busy")
    assert (tried, raised.value) == (1, error)


async def test_the_longest_pause_grows_with_the_tries_and_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(module.asyncio, "sleep", sleep)
    monkeypatch.setattr(module.random, "uniform", lambda least, most: (least + most) / 2)
    for attempt in (1, 2, 100):
        await pause_at_random(attempt)
    assert slept == [STEP_SECONDS / 2, STEP_SECONDS, LONGEST_SECONDS / 2]
