"""Whom the directory names works at the hospital, and is no patient."""

from __future__ import annotations

from careline.curation.editions import keep
from careline.curation.staff import staff_of, with_current_staff, with_staff
from careline.directory.directory import Directory
from careline.tenants.tenant_records import Tenant
from tests.builders import some_engines

DIRECTORY = Directory.model_validate(
    {
        "departments": [{"id": "cardiology", "names": {"en": "Cardiology"}}],
        "doctors": [
            {
                "id": "ada", "title": "Dr.", "first_name": "Ada", "last_name": "Byron", "department": "cardiology",
                "synonyms": ["Lovelace"],
            },
            {"id": "curie", "last_name": "Curie", "department": "cardiology"},
        ],
    }
)  # fmt: skip


def test_doctors_are_known_by_their_names_and_by_the_other_ways_in_which_these_are_written() -> None:
    assert staff_of(DIRECTORY) == ["Ada Byron", "Lovelace", "Curie"]


def test_who_stands_in_the_record_of_the_hospital_too_is_named_once() -> None:
    held = with_staff(Tenant("h", staff=["Jo Porter", "Curie"]), DIRECTORY)
    assert held.staff == ["Jo Porter", "Curie", "Ada Byron", "Lovelace"]


async def test_of_a_hospital_without_a_directory_the_staff_are_those_of_its_record() -> None:
    assert (await with_current_staff(Tenant("h", staff=["Jo Porter"]), some_engines())).staff == ["Jo Porter"]


async def test_a_change_of_the_directory_changes_who_works_there() -> None:
    engines = some_engines()
    await keep(DIRECTORY, "h", engines, by="ann")
    assert "Ada Byron" in (await with_current_staff(Tenant("h"), engines)).staff
    await keep(DIRECTORY.model_copy(update={"doctors": []}), "h", engines, by="ann")
    assert (await with_current_staff(Tenant("h"), engines)).staff == []


def test_of_a_copy_the_staff_are_those_of_the_copy() -> None:
    assert staff_of(DIRECTORY)
    assert staff_of(DIRECTORY.model_copy(update={"doctors": []})) == []
