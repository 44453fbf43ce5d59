"""Consultations become proposals however a document lays them out; what could be another thing does not."""

from __future__ import annotations

from typing import Any

import pytest

from careline.curation.proposals import decide
from careline.curation.proposals.proposal import Proposal
from careline.ports import Engines
from tests.builders import some_engines
from tests.curation.proposals.ingested import ANN, TENANT, ingest, keep_hospital, proposed
from tests.curation.proposals.test_found import a_document

CAMPUSES = [
    {"id": "north", "names": {"en": "Campus North", "nl": "Campus Noord", "fr": "Site Nord", "it": "Sede Nord"}},
    {"id": "south", "names": {"en": "Campus South", "nl": "Campus Zuid", "fr": "Site Sud", "it": "Sede Sud"}},
]
DEPARTMENTS = [
    {"id": "heart", "names": {"en": "Cardiology", "nl": "Cardiologie", "fr": "Cardiologie", "it": "Cardiologia"}},
    {"id": "eyes", "names": {"en": "Ophthalmology", "nl": "Oogheelkunde", "fr": "Ophtalmologie", "it": "Oculistica"}},
]


@pytest.fixture
async def engines() -> Engines:
    made = some_engines()
    await keep_hospital(made, campuses=CAMPUSES, departments=DEPARTMENTS)
    return made


def table(title: str, *rows: str) -> str:
    """A page of a heading and a table, its cells between bars."""
    head, *rest = rows
    line = "|".join("---" for _ in head.split("|"))
    return "\n".join((f"# {title}", "", f"| {head} |", f"|{line}|", *(f"| {row} |" for row in rest), ""))


async def schedules(engines: Engines, content: str | bytes, language: str, name: str = "page.md") -> list[Proposal]:
    await ingest(engines, name, content, language=language)
    return [one for one in await proposed(engines) if one.kind == "schedule"]


def said(one: Proposal) -> list[tuple[Any, ...]]:
    """Day, when and campus of each consultation; how often where that is not weekly."""
    return [
        tuple(each[name] for name in ("weekday", "from", "part", "campus", "frequency") if name in each)
        for each in one.entry.get("consultations", [])
    ]


def by_name(found: list[Proposal]) -> dict[str, Proposal]:
    return {one.entry["last_name"]: one for one in found}


async def test_a_doctor_a_row_and_days_as_columns(engines: Engines) -> None:
    page = table(
        "Raadplegingen Cardiologie – Campus Noord",
        "Arts | Maandag | Dinsdag | Donderdag",
        "Dr. Els Vandamme | 9.00 – 12.00 | | 13.30 – 17.00",
        "Dr. Jan De Smet | – | 8u30 - 12u (even weken) | op afspraak",
    )
    found = by_name(await schedules(engines, page, "nl"))
    assert said(found["Vandamme"]) == [("monday", "09:00", "north"), ("thursday", "13:30", "north")]
    assert said(found["De Smet"]) == [
        ("tuesday", "08:30", "north", "even_weeks"), ("thursday", "north", "by_appointment"),
    ]  # fmt: skip
    assert {one.entry["department"] for one in found.values()} == {"heart"}
    assert all(one.is_complete for one in found.values())


async def test_days_as_rows_and_doctors_in_the_cells_of_a_word_processor(engines: Engines) -> None:
    rows = [
        ["Jour", "Matin", "Après-midi"],
        ["Lundi", "Dr Claire Dupont", "Dr Paul Lemaire"],
        ["Jeudi (semaines paires)", "Dr Claire Dupont, Dr Paul Lemaire", "–"],
        ["Vendredi", "fermé", "fermé"],
    ]
    document = a_document("Consultations d'ophtalmologie, Site Sud", rows)
    found = by_name(await schedules(engines, document, "fr", "horaires.docx"))
    assert said(found["Dupont"]) == [("monday", "morning", "south"), ("thursday", "morning", "south", "even_weeks")]
    assert said(found["Lemaire"]) == [("monday", "afternoon", "south"), ("thursday", "morning", "south", "even_weeks")]


async def test_days_as_rows_and_a_doctor_a_column(engines: Engines) -> None:
    page = table(
        "Ambulatori di Oculistica – Sede Nord",
        "Giorno | Dott. Rossi | Dott.ssa Gallo",
        "Lunedì | 8.30-12.30 | ",
        "Martedì | chiuso | 14.00-18.00",
    )
    found = by_name(await schedules(engines, page, "it"))
    assert said(found["Rossi"]) == [("monday", "08:30", "north")]
    assert said(found["Gallo"]) == [("tuesday", "14:00", "north")]


async def test_a_campus_above_the_days_is_that_of_the_cells_below(engines: Engines) -> None:
    page = (
        "<html lang='fr'><title>Consultations de cardiologie</title><h1>Consultations de cardiologie</h1><table>"
        "<tr><th rowspan=2>Médecin</th><th colspan=2>Site Nord</th><th>Site Sud</th></tr>"
        "<tr><th>Lundi</th><th>Mercredi</th><th>Vendredi</th></tr>"
        "<tr><td>Dr Jeanne Roux</td><td>8h30 - 12h</td><td></td><td>13h - 16h</td></tr></table></html>"
    )
    (one,) = await schedules(engines, page, "fr", "page.html")
    assert said(one) == [("monday", "08:30", "north"), ("friday", "13:00", "south")]
    assert one.entry["campuses"] == ["north", "south"]


async def test_days_and_hours_in_two_cells_of_one_row_belong_together(engines: Engines) -> None:
    page = table(
        "Eye clinics",
        "Department | Doctor | Days | Hours | Campus | Remarks",
        "Ophthalmology | Dr. Raj Patel | Mon, Thu | 9:00-12:00 (odd weeks) | Campus South | ",
        "Ophthalmology | Dr. Ann Lee | Mon, Thu | 9:00-12:00, 14:00-17:00 | Campus South | ",
        "Ophthalmology | Dr. Sue Ray | Tue | 9:00-12:00 | Campus South | not in July",
    )
    found = by_name(await schedules(engines, page, "en"))
    odd = ("09:00", "south", "odd_weeks")
    assert said(found["Patel"]) == [("monday", *odd), ("thursday", *odd)]
    assert found["Patel"].is_complete
    # Whether both hours are of both days, and what a remark takes back, a person has to say.
    assert [found[name].missing for name in ("Lee", "Ray")] == [("consultations",), ("consultations",)]


async def test_lines_that_begin_with_a_doctor_are_that_doctors_and_hours_below_one_are_no_doors(
    engines: Engines,
) -> None:
    page = (
        "# Ophthalmology at Campus North\n\n- Dr. Mary Holt: Mon and Thu 9–12\n- Dr. Susan Bell: by appointment only\n"
        "- Prof. Ian Ross: Tuesday 10-12, every other week\n\n## Dr. Amy Stone\n\nMonday: 9:00 - 12:00\n"
    )
    found = by_name(await schedules(engines, page, "en"))
    assert said(found["Holt"]) == [("monday", "09:00", "north"), ("thursday", "09:00", "north")]
    assert found["Ross"].missing == ("consultations",)
    assert set(found) == {"Holt", "Ross"}
    assert [one for one in await proposed(engines) if one.kind != "schedule"] == []


@pytest.mark.parametrize(
    ("title", "language"),
    [("Wachtdienst Cardiologie", "nl"), ("Absences, cardiologie", "fr"), ("Cardiology: on-call", "en")],
)
async def test_days_on_call_and_days_away_are_no_consultations(engines: Engines, title: str, language: str) -> None:
    page = table(title, "Dr. | Monday", "Dr. Els Byron | 9-12").replace("Dr. |", "Name |")
    assert await schedules(engines, page, language) == []


async def test_a_column_of_days_in_theatre_is_none_of_consultations(engines: Engines) -> None:
    page = table("Cardiology", "Consultant | Clinic days | Theatre days", "Dr. Amy Stone | Tue 9-12 | Monday")
    (one,) = await schedules(engines, page, "en")
    assert [each[0] for each in said(one)] == ["tuesday"]


async def test_dates_and_days_whose_names_are_letters_are_not_guessed(engines: Engines) -> None:
    dated = table("Cardiologie", "Dag | Arts", "Maandag 3 maart | Dr. Els Vandamme")
    assert await schedules(engines, dated, "nl") == []
    letters = table("Cardiologie", "Médecin | L | M | J", "Dr Claire Dupont | 9h-12h | | 14h-17h")
    assert [one.is_complete for one in await schedules(engines, letters, "fr", "lettres.md")] == [False]


async def test_somebody_who_would_be_twice_somewhere_at_once_is_incomplete(engines: Engines) -> None:
    page = table(
        "Cardiologia", "Medico | Giorno | Orario", "Dott. Bianchi | Lunedì | 9-12", "Dott. Bianchi | Lunedì | 10-13"
    )
    (one,) = await schedules(engines, page, "it")
    assert one.missing == ("consultations",)


async def test_a_doctor_who_is_there_is_known_by_initial_and_with_the_last_name_first(engines: Engines) -> None:
    doctor = {
        "id": "ada", "title": "Dr.", "first_name": "Ada", "last_name": "Byron", "department": "heart",
        "consultations": [{"weekday": "monday", "from": "09:00", "to": "12:00"}],
    }  # fmt: skip
    await keep_hospital(engines, campuses=CAMPUSES, departments=DEPARTMENTS, doctors=[doctor])
    page = table("Cardiology", "Doctor | Monday | Friday", "Dr. A. Byron | 9-12 | 13-16")
    (one,) = await schedules(engines, page, "en")
    assert (one.target, [difference.field for difference in one.differs]) == ("ada", ["consultations"])
    same = table("Cardiology", "Doctor | Monday", "Dr. Byron Ada | 9-12")
    assert await schedules(engines, same, "en") == []


async def test_confirmed_consultations_are_those_of_the_directory(engines: Engines) -> None:
    page = table("Cardiology at Campus North", "Doctor | Monday", "Dr. Ada Byron | 9-12 (even weeks)")
    (one,) = await schedules(engines, page, "en")
    made = await decide.confirm(TENANT, [one.proposal_id], engines, by=ANN)
    (doctor,) = made.edition.directory.doctors
    (consultation,) = doctor.consultations
    assert (consultation.opens, consultation.frequency, consultation.campus) == ("09:00", "even_weeks", "north")
    assert await schedules(engines, page.replace("# ", "# Our "), "en") == []


async def test_each_row_of_a_doctor_is_of_its_own_department_and_campus(engines: Engines) -> None:
    page = table(
        "Ambulatori",
        "Specialità | Medico | Sede | Giorni | Telefono | Attesa (settimane)",
        "Cardiologia | Dott. Ivo Rossi | Sede Nord | lun, mer | 091 000 00 01 | 5",
        "Oculistica | Dott. Ivo Rossi | Sede Sud | ven | 091 000 00 02 | 14",
    )
    (one,) = await schedules(engines, page, "it")
    assert said(one) == [("monday", "north"), ("wednesday", "north"), ("friday", "south")]
    assert [each.get("department") for each in one.entry["consultations"]] == [None, None, "eyes"]
    assert (one.entry["department"], one.entry["also_in"], one.missing) == ("heart", ["eyes"], ())
    unknown = page.replace("Oculistica", "Medicina del sonno").replace("Sede Sud", "Casa Alfa")
    (one,) = await schedules(engines, unknown, "it")
    assert set(one.missing) == {"campus", "consultations"}


async def test_campus_and_days_below_one_wide_heading_are_told_apart(engines: Engines) -> None:
    page = (
        "<html lang='en'><title>Cardiology</title><h1>Cardiology</h1><table>"
        "<tr><th rowspan=2>Doctor</th><th colspan=2>Campus and days</th><th rowspan=2>Waiting time</th></tr>"
        "<tr><th>Campus</th><th>Days</th></tr>"
        "<tr><td>Dr. Ada Byron</td><td>Campus South</td><td>Mon, Thu</td><td>10</td></tr></table></html>"
    )
    (one,) = await schedules(engines, page, "en", "page.html")
    assert said(one) == [("monday", "south"), ("thursday", "south")]
    assert one.is_complete


async def test_a_table_that_is_read_in_several_parts_proposes_a_doctor_once(engines: Engines) -> None:
    filler = [f"Dr. Ann {chr(65 + n // 26)}a{chr(97 + n % 26)}son | Monday | Campus North" for n in range(60)]
    rows = ["Dr. Ada Byron | Tuesday | Campus North", *filler, "Dr. Ada Byron | Friday | Campus South"]
    found = await schedules(engines, table("Cardiology", "Doctor | Days | Campus", *rows), "en")
    assert len({one.source.chunk for one in found}) > 1
    (ada,) = [one for one in found if one.entry["last_name"] == "Byron"]
    assert said(ada) == [("tuesday", "north"), ("friday", "south")]


async def test_a_note_in_the_place_of_a_value_may_be_of_the_whole_row(engines: Engines) -> None:
    page = (
        "<html lang='en'><title>Cardiology</title><h1>Cardiology</h1><table>"
        "<tr><th>Doctor</th><th>Days</th><th>Telephone</th></tr>"
        "<tr><td>Dr. Ada Byron</td><td>Mon</td><td>011 22 33 44</td></tr>"
        "<tr><td>Dr. Mary Holt</td><td>Tue</td><td>–¹</td></tr></table>"
        "<p>¹ From September; until then ask your own doctor.</p></html>"
    )
    found = by_name(await schedules(engines, page, "en", "page.html"))
    assert found["Byron"].is_complete
    assert found["Holt"].missing == ("consultations",)


async def test_days_beside_a_doctor_are_theirs_where_the_cells_say_only_where(engines: Engines) -> None:
    rows = ["Dr. Ada Byron | Monday | Campus North | 011 22 33 44", "Dr. Ada Byron | Friday | Campus South | –"]
    (one,) = await schedules(engines, table("Cardiology", "Doctor | Day | Campus | Telephone", *rows), "en")
    assert said(one) == [("monday", "north"), ("friday", "south")]
    hours = ["Dr. Ada Byron | Monday | 9-12", "Dr. Ada Byron | Friday | –"]
    (one,) = await schedules(engines, table("Cardiology", "Doctor | Day | Hours", *hours), "en")
    assert said(one) == [("monday", "09:00")]
