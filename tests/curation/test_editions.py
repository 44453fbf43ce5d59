"""A hospital's directory changes as a whole, says who changed what, and can be gone back to."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, date, datetime
from typing import Any

import pytest

from careline.curation.editions import (
    KEPT,
    DirectoryRejected,
    Edition,
    Known,
    change,
    current,
    edition,
    editions,
    keep,
    undo,
)
from careline.directory.directory import Directory
from careline.errors import Conflict, NotFound, TableUnavailable, TooLarge
from careline.ports import Engines
from careline.records import keys
from careline.records.record_table import Delete, Put
from careline.tenants import tenant_records
from careline.tenants.tenant_records import Tenant
from tests.builders import some_engines
from tests.fakes import FakeTable, SettableClock


def a_directory(**said: Any) -> Directory:
    written = {
        "campuses": [{"id": "north", "names": {"en": "North campus"}}],
        "departments": [{"id": "cardiology", "names": {"en": "Cardiology"}, "phone": "011 1", "campuses": ["north"]}],
        "doctors": [{"id": "ada", "last_name": "Byron", "department": "cardiology"}],
    }
    return Directory.model_validate({**written, **said})


def with_phone(phone: str) -> Directory:
    return a_directory(departments=[{"id": "cardiology", "names": {"en": "Cardiology"}, "phone": phone}])


async def test_what_was_kept_is_read_again() -> None:
    engines = some_engines()
    kept = await keep(a_directory(), "h", engines, by="ann")
    assert (await current("h", engines)) == kept
    assert kept.number == 1


async def test_an_edition_is_read_once_until_another_one_holds() -> None:
    engines, seen = some_engines(), dict[str, Known]()
    await keep(a_directory(), "h", engines, by="ann")
    first = await current("h", engines, seen)
    assert (await current("h", engines, seen)) is first
    await keep(with_phone("022 2"), "h", engines, by="ann")
    assert (await current("h", engines, seen)).directory.departments[0].phone == "022 2"


async def test_who_changed_which_field_is_told() -> None:
    engines = some_engines()
    await keep(a_directory(), "h", engines, by="ann")
    moved = {"id": "cardiology", "names": {"en": "Cardiology"}, "phone": "09", "campuses": ["north"]}
    await keep(a_directory(departments=[moved]), "h", engines, by="ben", note="moved")
    newest = await anext(editions("h", engines))
    assert (newest.by, newest.note) == ("ben", "moved")
    assert [(one.entry, one.what, one.fields) for one in newest.changes] == [("cardiology", "changed", ("phone",))]


async def test_a_change_stands_in_the_audit_chain() -> None:
    engines = some_engines()
    await keep(a_directory(), "h", engines, by="ann")
    entries = [one async for one in engines.table.query(keys.audit("h"))]
    assert ["directory" in one.body["sealed"] for one in entries] == [True]


async def test_nothing_is_kept_of_a_directory_that_names_what_is_not_there() -> None:
    engines = some_engines()
    stray = a_directory(doctors=[{"id": "ada", "last_name": "B", "department": "surgery"}])
    with pytest.raises(DirectoryRejected) as refused:
        await keep(stray, "h", engines, by="ann")
    assert [(one.section, one.entry, one.field) for one in refused.value.problems if not one.warning] == [
        ("doctors", "ada", "department")
    ]
    assert (await current("h", engines)) == Edition()


async def test_a_change_of_an_edition_that_holds_no_more_is_refused() -> None:
    engines = some_engines()
    await keep(a_directory(), "h", engines, by="ann")
    with pytest.raises(Conflict):
        await keep(with_phone("03"), "h", engines, by="ben", expects=0)


async def test_keeping_the_same_makes_no_edition() -> None:
    engines = some_engines()
    await keep(a_directory(), "h", engines, by="ann")
    assert (await keep(a_directory(), "h", engines, by="ben")).number == 1


async def test_a_change_is_taken_back_and_what_others_changed_stays() -> None:
    engines = some_engines()
    await keep(a_directory(), "h", engines, by="ann")
    await change("h", engines, lambda now: Directory.model_validate({**now.to_json(), "doctors": []}), by="ben")
    two = with_phone("07").departments
    await change("h", engines, lambda now: now.model_copy(update={"departments": two}), by="cat")
    after = await undo("h", 2, engines, by="ann")
    assert [one.id for one in after.directory.doctors] == ["ada"]
    assert after.directory.departments[0].phone == "07"


async def test_a_change_whose_entry_was_changed_again_is_not_taken_back() -> None:
    engines = some_engines()
    for phone in ("01", "02", "03"):
        await keep(with_phone(phone), "h", engines, by="ann")
    with pytest.raises(Conflict, match="cardiology"):
        await undo("h", 2, engines, by="ann")


async def test_of_an_old_edition_its_changes_are_left() -> None:
    engines = some_engines()
    for number in range(KEPT + 2):
        await keep(with_phone(f"0{number}"), "h", engines, by="ann")
    with pytest.raises(NotFound):
        await edition("h", 1, engines)
    assert len([one async for one in editions("h", engines, limit=100)]) == KEPT + 2


async def test_what_was_changed_is_confirmed_on_the_day_and_the_rest_stays_as_it_was() -> None:
    engines = some_engines()
    first = await keep(a_directory(), "h", engines, by="ann")
    day = first.directory.doctors[0].confirmed_on
    assert day == engines.clock.now().date()
    engines.clock.move(3 * 86_400)  # type: ignore[attr-defined]
    five = with_phone("05").departments
    after = await change("h", engines, lambda now: now.model_copy(update={"departments": five}), by="ben")
    assert after.directory.doctors[0].confirmed_on == day
    assert after.directory.departments[0].confirmed_on == engines.clock.now().date() != day


async def test_a_directory_of_many_doctors_is_kept_in_pieces() -> None:
    engines = some_engines()
    known = random.Random(7)
    many = [
        {"id": f"d{n}", "last_name": known.randbytes(40).hex(), "department": "cardiology"} for n in range(15_000)
    ]
    kept = await keep(a_directory(doctors=many), "h", engines, by="ann")
    assert (await current("h", engines)).directory == kept.directory


class BreaksOff(FakeTable):
    """A table of a process that ends before its n-th write, which is as if it had been killed."""

    def __init__(self, clock: Any, writes: int) -> None:
        super().__init__(clock)
        self.left = writes

    async def write(self, *changes: Put | Delete) -> None:
        if self.left == 0:
            raise TableUnavailable("the process has ended")
        self.left -= 1
        await super().write(*changes)


async def pieces_of(engines: Engines) -> list[str]:
    """The ids of the editions whose pieces are there, once for each piece."""
    return [one.sort.partition("#")[0] async for one in engines.table.query("h/directory_pieces")]


@pytest.mark.parametrize("written_at_once", [8, 0])
async def test_a_change_that_comes_second_leaves_nothing_behind(
    written_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("careline.curation.editions.WRITTEN_AT_ONCE", written_at_once)
    engines = some_engines()
    await keep(a_directory(), "h", engines, by="ann")
    made = [keep(with_phone(f"0{n}"), "h", engines, by="ann", expects=1) for n in range(5)]
    kept = await asyncio.gather(*made, return_exceptions=True)
    assert sum(isinstance(one, Edition) for one in kept) == 1
    assert sum(isinstance(one, Conflict) for one in kept) == 4
    assert len(await pieces_of(engines)) == len(set(await pieces_of(engines))) == 2


@pytest.mark.parametrize("writes", range(4))
async def test_a_change_that_is_broken_off_is_there_or_not(writes: int) -> None:
    clock = some_engines().clock
    engines = some_engines(clock=clock, table=BreaksOff(clock, 100))
    for number in range(KEPT + 1):
        await keep(with_phone(f"0{number}"), "h", engines, by="ann")
    engines.table.left = writes  # type: ignore[attr-defined]
    before = await current("h", engines)
    try:
        after = await keep(a_directory(), "h", engines, by="ben")
    except TableUnavailable:
        after = before
    assert await current("h", engines) == after
    assert len(await pieces_of(engines)) == KEPT
    for number in range(after.number - KEPT + 1, after.number + 1):
        assert (await edition("h", number, engines)).number == number


async def test_a_directory_that_no_transaction_holds_is_refused_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("careline.curation.editions.PIECE", 2)
    engines = some_engines()
    with pytest.raises(TooLarge):
        await keep(a_directory(), "h", engines, by="ann")
    assert await pieces_of(engines) == []


@pytest.mark.parametrize(
    ("record", "directory", "day"),
    [(None, None, 30), ("Pacific/Auckland", None, 30), (None, "America/New_York", 29), ("UTC", "Pacific/Auckland", 29)],
)
async def test_an_entry_is_confirmed_on_the_day_of_the_hospital(
    record: str | None, directory: str | None, day: int
) -> None:
    at = datetime(2026, 3, 29, 22, 30, tzinfo=UTC)
    engines = some_engines(clock=SettableClock(at))
    if record:
        await tenant_records.save(engines.table, Tenant("h", time_zone=record))
    kept = await keep(a_directory(hospital={"timezone": directory}), "h", engines, by="ann")
    assert kept.directory.doctors[0].confirmed_on == date(2026, 3, day)
