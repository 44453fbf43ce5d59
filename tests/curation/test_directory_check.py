"""What a person should look at in a directory is told entry by entry."""

from __future__ import annotations

from datetime import date, timedelta

from careline.curation.directory_check import findings
from careline.curation.editions import change, current, editions, keep
from careline.directory.directory import Directory
from tests.builders import some_engines

TODAY = date(2026, 3, 2)


def with_department(**said: object) -> Directory:
    one = {"id": "ent", "names": {"en": "Ear, nose and throat"}, "phone": "011 1", **said}
    return Directory.model_validate({"departments": [one]})


def found(directory: Directory) -> list[tuple[str, str]]:
    return [(one.entry, one.field) for one in findings(directory, TODAY)]


def test_a_directory_with_nothing_to_look_at_has_no_findings() -> None:
    assert found(with_department(confirmed_on=TODAY - timedelta(days=365))) == []


def test_what_is_missing_is_told() -> None:
    assert found(with_department(phone=None)) == [("ent", "phone")]


def test_an_entry_that_has_ended_is_told_from_the_day_after() -> None:
    assert found(with_department(valid_until=TODAY)) == []
    assert found(with_department(valid_until=TODAY - timedelta(days=1))) == [("ent", "valid_until")]


def test_an_entry_that_nobody_confirmed_for_a_year_is_told() -> None:
    assert found(with_department(confirmed_on=TODAY - timedelta(days=366))) == [("ent", "confirmed_on")]


async def test_a_person_confirms_an_entry_as_it_is_and_that_is_a_change() -> None:
    engines = some_engines()
    first = await keep(with_department(), "h", engines, by="ann")
    later = first.directory.departments[0].confirmed_on
    assert later is not None
    day = later + timedelta(days=400)
    same = first.directory.departments[0].model_copy(update={"confirmed_on": day})
    await change("h", engines, lambda now: now.model_copy(update={"departments": [same]}), by="ben")
    newest = await anext(editions("h", engines))
    assert (newest.by, [(one.entry, one.what) for one in newest.changes]) == ("ben", [("ent", "confirmed")])
    assert (await current("h", engines)).directory.departments[0].confirmed_on == day
