"""What several documents say of one thing becomes one entry when it is confirmed at once; what is two stays two."""

from __future__ import annotations

import pytest

from careline.curation import editions
from careline.curation.proposals import decide
from careline.directory.directory import Directory
from careline.ports import Engines
from tests.builders import some_engines
from tests.curation.proposals.ingested import ANN, TENANT, ingest, keep_hospital, proposed

CAMPUSES = [{"id": one, "names": {"nl": f"Campus {one.title()}"}} for one in ("kaai", "heide")]
DEPARTMENTS = [
    {"id": "skin", "names": {"nl": "Dermatologie"}},
    {"id": "allergy", "names": {"nl": "Allergologie"}},
]


@pytest.fixture
async def engines() -> Engines:
    made = some_engines()
    await keep_hospital(made, campuses=CAMPUSES, departments=DEPARTMENTS)
    return made


def clinic(department: str, doctor: str, days: str, campus: str) -> str:
    head = "| Arts | Dagen | Van | Tot | Campus |\n|---|---|---|---|---|\n"
    return f"# Raadplegingen {department}\n\n{head}| {doctor} | {days} | 9:00 | 12:00 | {campus} |\n"


async def confirm_all(engines: Engines) -> Directory:
    ids = [one.proposal_id for one in await proposed(engines)]
    assert len(ids) > 1
    return (await decide.confirm(TENANT, ids, engines, by=ANN)).edition.directory


async def test_a_new_doctor_of_two_documents_is_one_with_the_consultations_of_both(engines: Engines) -> None:
    await ingest(engines, "one.md", clinic("Dermatologie", "Dr. Noor Baeyens", "maandag", "Kaai"), language="nl")
    await ingest(engines, "two.md", clinic("Dermatologie", "dr. N. Baeyens", "donderdag", "Heide"), language="nl")
    (doctor,) = (await confirm_all(engines)).doctors
    assert (doctor.first_name, doctor.last_name, doctor.department) == ("Noor", "Baeyens", "skin")
    assert [(one.weekday, one.campus) for one in doctor.consultations] == [("monday", "kaai"), ("thursday", "heide")]
    assert doctor.campuses == ["kaai", "heide"]
    assert await proposed(engines) == []


async def test_a_new_doctor_of_two_departments_is_also_in_the_second(engines: Engines) -> None:
    await ingest(engines, "one.md", clinic("Dermatologie", "Dr. Noor Baeyens", "maandag", "Kaai"), language="nl")
    await ingest(engines, "two.md", clinic("Allergologie", "Dr. Noor Baeyens", "vrijdag", "Kaai"), language="nl")
    (doctor,) = (await confirm_all(engines)).doctors
    assert (doctor.department, doctor.also_in) == ("skin", ["allergy"])
    assert [(one.weekday, one.department) for one in doctor.consultations] == [("monday", None), ("friday", "allergy")]


async def test_two_doctors_of_one_last_name_are_two(engines: Engines) -> None:
    await ingest(engines, "one.md", clinic("Dermatologie", "Dr. Noor Baeyens", "maandag", "Kaai"), language="nl")
    await ingest(engines, "two.md", clinic("Dermatologie", "Dr. Wim Baeyens", "maandag", "Kaai"), language="nl")
    assert [one.first_name for one in (await confirm_all(engines)).doctors] == ["Noor", "Wim"]


async def test_one_desk_of_two_documents_is_one_contact_and_two_numbers_are_two(engines: Engines) -> None:
    for name, number in (("one", "059 11 22 33"), ("two", "059 11 22 33"), ("three", "059 44 55 66")):
        await ingest(engines, f"{name}.md", f"# Nummers\n\nNachtpermanentie van het labo: {number}\n", language="nl")
    contacts = (await confirm_all(engines)).contacts
    assert sorted(one.phone or "" for one in contacts) == ["059 11 22 33", "059 44 55 66"]


async def test_a_doctor_confirmed_into_an_entry_keeps_its_name_and_its_days_at_other_campuses(engines: Engines) -> None:
    held = {
        "id": "baeyens", "title": "Prof.", "first_name": "Eleonora", "last_name": "Baeyens-Claes", "department": "skin",
        "campuses": ["heide"], "consultations": [{"weekday": "tuesday", "campus": "heide"}],
    }  # fmt: skip
    await keep_hospital(engines, campuses=CAMPUSES, departments=DEPARTMENTS, doctors=[held])
    await ingest(engines, "one.md", clinic("Allergologie", "Dr. Noor Baeyens", "maandag", "Kaai"), language="nl")
    (found,) = await proposed(engines)
    await decide.confirm(TENANT, [found.proposal_id], engines, by=ANN, corrections={"entry": "baeyens"})
    (doctor,) = (await editions.current(TENANT, engines)).directory.doctors
    assert (doctor.title, doctor.last_name, doctor.department) == ("Prof.", "Baeyens-Claes", "skin")
    assert [(one.weekday, one.campus) for one in doctor.consultations] == [("tuesday", "heide"), ("monday", "kaai")]
    assert doctor.campuses == ["heide", "kaai"]


@pytest.mark.parametrize(
    ("title", "heading", "name"),
    [
        ("Bezoek en tarieven 2031", "Telefoonnummers", "Voetverzorgster"),
        ("Praktische gids", "Telefoonnummers", "Voetverzorgster"),
        ("Dermatologie", "Telefoonnummers", "Voetverzorgster – Dermatologie"),
    ],
)
async def test_a_number_is_called_what_its_row_says_and_no_title_of_many_things(
    engines: Engines, title: str, heading: str, name: str
) -> None:
    table = "| Dienst | Telefoon |\n|---|---|\n| Voetverzorgster | 059 77 88 99 |\n"
    text = f"# {title}\n\nUitgave 3.\n\n## {heading}\n\n{table}"
    await ingest(engines, "numbers.md", text, language="nl")
    (found,) = await proposed(engines)
    assert found.entry["names"] == {"nl": name}
