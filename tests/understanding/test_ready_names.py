"""The names of a directory are made once, beside everything else that is going on."""

from __future__ import annotations

import asyncio
import threading
from datetime import date

import pytest

from careline.directory.directory import Directory
from careline.understanding.entities import recognise
from careline.understanding.entities.recognise import HospitalNames, hospital_names, ready_names

DAY, NEXT = date(2026, 10, 24), date(2026, 10, 25)
PATIENCE = 10.0
"""Seconds that a test waits for what should be there at once."""


def a_hospital() -> Directory:
    return Directory.model_validate({"departments": [{"id": "heart", "names": {"en": "Cardiology"}}]})


class Slow(HospitalNames):
    """Names whose making lasts until somebody lets it go on."""

    slow: Directory
    begun: threading.Event
    goes_on: threading.Event
    made: list[Directory]

    def __init__(self, directory: Directory, day: date, asked: tuple[date, date] | None = None) -> None:
        self.made.append(directory)
        if directory is self.slow:
            self.begun.set()
            assert self.goes_on.wait(PATIENCE)
        super().__init__(directory, day, asked)


@pytest.fixture(name="slow")
def slow_names(monkeypatch: pytest.MonkeyPatch) -> type[Slow]:
    own = {"slow": a_hospital(), "begun": threading.Event(), "goes_on": threading.Event(), "made": []}
    made = type("Slow", (Slow,), own)
    monkeypatch.setattr(recognise, "HospitalNames", made)
    return made


async def test_others_go_on_while_names_are_made(slow: type[Slow]) -> None:
    making = asyncio.create_task(ready_names(slow.slow, DAY))
    assert await asyncio.to_thread(slow.begun.wait, PATIENCE)
    # The loop is free, and so is who asks for another hospital.
    other = a_hospital()
    assert hospital_names(other, DAY).written is other
    assert not making.done()
    slow.goes_on.set()
    assert (await asyncio.wait_for(making, PATIENCE)).written is slow.slow


async def test_names_that_many_want_at_once_are_made_once(slow: type[Slow]) -> None:
    wanted = [asyncio.create_task(ready_names(slow.slow, DAY)) for _ in range(5)]
    assert await asyncio.to_thread(slow.begun.wait, PATIENCE)
    slow.goes_on.set()
    found = await asyncio.wait_for(asyncio.gather(*wanted), PATIENCE)
    assert len({id(one) for one in found}) == len(slow.made) == 1
    assert hospital_names(slow.slow, DAY) is found[0]


async def test_what_ends_at_midnight_is_named_until_then() -> None:
    ends = {"id": "heart", "names": {"en": "Cardiology"}, "valid_until": DAY.isoformat()}
    directory = Directory.model_validate({"departments": [ends]})
    held = [[one.id for one in (await ready_names(directory, day)).directory.departments] for day in (DAY, NEXT)]
    assert held == [["heart"], []]
