"""What all processes of an installation count together, on each table, and what holds while the records are away."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from careline.access.shared_rate_limit import Outage, SharedRateLimit, take_together
from careline.engines.embedded.table import SqliteTable
from careline.errors import TableUnavailable, TooManyRequests
from careline.ports import Engines
from careline.records.record_table import Delete, Put, RecordTable
from tests.builders import some_engines
from tests.engines.conftest import aws as aws
from tests.engines.conftest import dynamo as dynamo
from tests.engines.conftest import dynamodb as dynamodb
from tests.fakes import FakeTable, SettableClock


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture(params=["embedded", "aws", "fake"], name="engines")
def the_engines(request: pytest.FixtureRequest, tmp_path: Path, clock: SettableClock) -> Iterator[Engines]:
    """The engines of one of several processes; each test makes its limits of them, one for each process."""
    if request.param != "embedded":
        table: RecordTable = request.getfixturevalue("dynamo") if request.param == "aws" else FakeTable(clock)
        yield replace(some_engines(), table=table, clock=clock)
        return
    sqlite = SqliteTable(tmp_path / "records.sqlite", clock)
    yield replace(some_engines(), table=sqlite, clock=clock)
    sqlite.close()


async def taken(limits: list[SharedRateLimit], times: int, subject: str = "login:jan", tenant: str = "anna") -> int:
    """How many of so many requests, shared out among the processes and sent at once, are let through."""

    async def one(limit: SharedRateLimit) -> bool:
        try:
            await limit.take(tenant, subject, "wait")
        except TooManyRequests:
            return False
        return True

    return sum(await asyncio.gather(*(one(limits[n % len(limits)]) for n in range(times))))


async def test_processes_share_a_minutes_share_and_the_next_minute_has_its_own(
    engines: Engines, clock: SettableClock
) -> None:
    processes = [SharedRateLimit("questions", 5, engines) for _ in range(3)]
    assert await taken(processes, 12) == 5
    assert await taken(processes, 12) == 0
    clock.move(60)
    assert await taken(processes, 12) == 5


async def test_logins_hospitals_and_limits_do_not_use_up_each_others_share(engines: Engines) -> None:
    questions, writes = (SharedRateLimit(name, 2, engines) for name in ("questions", "writes"))
    assert await taken([questions], 3) == 2
    assert await taken([questions], 3, subject="login:an") == 2
    assert await taken([questions], 3, tenant="elisabeth") == 2
    assert await taken([writes], 3) == 2
    assert await taken([SharedRateLimit("none", 0, engines)], 500) == 500


async def test_the_seconds_to_wait_are_those_to_the_next_minute(engines: Engines, clock: SettableClock) -> None:
    limit = SharedRateLimit("questions", 1, engines)
    clock.move(60 - clock.now().second + 12.5)
    await limit.take("anna", "login:jan", "wait")
    with pytest.raises(TooManyRequests, match="wait") as refused:
        await limit.take("anna", "login:jan", "wait")
    assert refused.value.retry_after == 48
    clock.move(refused.value.retry_after)
    await limit.take("anna", "login:jan", "wait")


class WatchedTable(FakeTable):
    """Remembers the keys of what is written, and is away when it is told to be."""

    def __init__(self, clock: SettableClock) -> None:
        super().__init__(clock)
        self.written: list[str] = []
        self.is_away = False

    async def write(self, *changes: Put | Delete) -> None:
        self.written += [f"{one.item.partition} {one.item.sort}" for one in changes if isinstance(one, Put)]
        if self.is_away:
            raise TableUnavailable("the table cannot be written")
        await super().write(*changes)


async def test_a_login_is_no_word_of_a_key_and_a_flood_writes_once_more_than_it_may(clock: SettableClock) -> None:
    table = WatchedTable(clock)
    limit = SharedRateLimit("questions", 3, replace(some_engines(), table=table, clock=clock))
    for _ in range(20):
        await taken([limit], 1)
    assert len(table.written) == 4
    assert not any("jan" in key for key in table.written)
    assert len(set(table.written)) == 1


async def test_while_the_records_are_away_each_process_counts_alone_and_says_so_once_a_minute(
    clock: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    table = WatchedTable(clock)
    engines = replace(some_engines(), table=table, clock=clock)
    processes = [SharedRateLimit("questions", 2, engines) for _ in range(2)]
    table.is_away = True
    with caplog.at_level(logging.WARNING):
        assert await taken(processes, 10) == 4
    assert [record.getMessage() for record in caplog.records] == ["requests are counted by this process alone"] * 2
    table.is_away = False
    clock.move(60)
    assert await taken(processes, 10) == 2


async def test_a_table_that_hangs_is_not_waited_for(clock: SettableClock, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hanging(FakeTable):
        async def write(self, *changes: Put | Delete) -> None:
            await asyncio.sleep(30)

    monkeypatch.setattr("careline.access.shared_rate_limit.PATIENCE", 0.01)
    limit = SharedRateLimit("questions", 1, replace(some_engines(), table=Hanging(clock), clock=clock))
    assert await taken([limit], 2) == 1


class LateAnswers(FakeTable):
    """A table that says at once that there is nothing left, and late that it has counted."""

    async def write(self, *changes: Put | Delete) -> None:
        await super().write(*changes)
        for _ in range(20):
            await asyncio.sleep(0)


async def test_what_was_counted_is_let_through_though_another_was_refused_before_its_answer_came(
    clock: SettableClock,
) -> None:
    limit = SharedRateLimit("questions", 3, replace(some_engines(), table=LateAnswers(clock), clock=clock))
    assert await taken([limit], 9) == 3


class Sleeping(FakeTable):
    """A table that does not answer, and counts how often it is asked."""

    asked = 0

    async def write(self, *changes: Put | Delete) -> None:
        self.asked += 1
        await asyncio.sleep(30)


async def test_a_table_that_hangs_is_asked_once_a_minute_for_all_limits(
    clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("careline.access.shared_rate_limit.PATIENCE", 0.01)
    table, outage = Sleeping(clock), Outage()
    engines = replace(some_engines(), table=table, clock=clock)
    mine, ours = (SharedRateLimit(name, 9, engines, outage) for name in ("questions", "tenant"))
    for minute in (1, 2):
        for _ in range(3):
            await take_together(mine.share("anna", "login:jan", "wait"), ours.share("anna", "", "wait"))
        assert table.asked == minute
        clock.move(60)


@pytest.mark.parametrize("is_away", [False, True])
async def test_a_question_that_the_hospitals_limit_refuses_is_not_counted_for_its_login(
    clock: SettableClock, is_away: bool
) -> None:
    table = WatchedTable(clock)
    table.is_away = is_away
    engines = replace(some_engines(), table=table, clock=clock)
    mine, ours = SharedRateLimit("questions", 9, engines), SharedRateLimit("tenant", 1, engines)
    await take_together(mine.share("anna", "login:jan", "wait"), ours.share("anna", "", "all wait"))
    for _ in range(5):
        with pytest.raises(TooManyRequests, match=r"^all wait$"):
            await take_together(mine.share("anna", "login:jan", "wait"), ours.share("anna", "", "all wait"))
    counted = [key for key in table.written if "/questions/" in key]
    # One is counted; of another it is found out that nothing is left of the hospital's minute.
    assert len(counted) <= 2
    assert await taken([mine], 20) == 9 - (1 if is_away else 2)


async def test_a_flood_of_one_login_uses_up_nothing_of_its_hospitals_share(clock: SettableClock) -> None:
    table = WatchedTable(clock)
    engines = replace(some_engines(), table=table, clock=clock)
    mine, ours = SharedRateLimit("questions", 2, engines), SharedRateLimit("tenant", 9, engines)
    asked = (take_together(mine.share("anna", "login:jan", "wait"), ours.share("anna", "", "wait")) for _ in range(20))
    await asyncio.gather(*asked, return_exceptions=True)
    assert await taken([ours], 20, subject="") == 7
