"""A workbook is read as people fill it in, and every wrong cell is named."""

from __future__ import annotations

from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

import pytest

from careline.directory.entries import Language
from careline.directory.formats.files import template
from careline.directory.formats.workbook.guide import guide
from careline.directory.formats.workbook.layout import sheets
from careline.directory.formats.workbook.words import LANGUAGES
from careline.directory.week import DAYS
from tests.directory.formats.workbooks import a_workbook, read, saved, the_template, told, workbook
from tests.source_roots import ROOT

CAMPUSES = [["Name", "Street", "Postcode", "Town"], ["Riverside", "Quay 3", 9000, "Gent"]]
DEPARTMENTS = [["Name (en)", "Name (nl)", "Phone"], ["Eye clinic", "Oogziekten", "09 000 00 01"]]

ADDRESS = ["Street", "Postcode", "Town", "Country"]


def the_only(section: str, content: bytes) -> Any:
    """The one entry of a section of a workbook that is right."""
    result = read(content)
    assert told(result) == [], result.problems
    assert result.directory is not None
    (entry,) = result.directory.entries(section)
    return entry


def test_what_a_secretary_fills_in_in_an_evening_is_a_directory() -> None:
    book = the_template("nl")
    rows: dict[str, list[dict[int, Any]]] = {
        "Campussen": [{2: "Campus Kaai", 11: "Kaai 3", 12: "9000", 13: "Gent", 14: "België", 15: "09 000 00 00"}],
        "Diensten": [{3: "Oogziekten", 4: "Eye clinic", 7: "ogen; oogarts", 13: "09 000 00 01"}],
        "Locaties": [{1: "Oogziekten", 4: "gelijkvloers", 5: 12}],
        "Openingsuren": [
            {1: "oogziekten", 12: "ma-vr", 13: "8u-12u, 13u-17u"},
            {1: "Eye clinic", 12: "za", 13: "9-12"},
        ],
        "Artsen": [{2: "Dr.", 3: "Lien", 4: "Meersman", 5: "v", 6: "Oogziekten", 9: "Nederlands, Frans"}],
        "Raadplegingen": [{1: "Lien Meersman", 2: "ma, do", 3: "voormiddag", 4: time(9), 5: "12u30"}],
        "Tarieven": [{2: "Brilrecept", 15: "€ 2,50", 17: "per stuk"}],
    }
    for title, found in rows.items():
        for number, row in enumerate(found, 3):
            for column, value in row.items():
                book[title].cell(number, column).value = value
    result = read(saved(book))
    assert told(result) == []
    directory = result.directory
    assert directory is not None
    assert directory.campuses[0].address is not None
    assert (directory.campuses[0].id, directory.campuses[0].address.country) == ("campus-kaai", "BE")
    eyes = directory.departments[0]
    assert (eyes.id, eyes.names, eyes.campuses) == (
        "oogziekten", {"nl": "Oogziekten", "en": "Eye clinic"}, ["campus-kaai"],
    )  # fmt: skip
    assert (eyes.locations[0].floor, eyes.locations[0].route) == (0, 12)
    (week,) = eyes.opening_hours
    assert [len(week.weekly.get(day, [])) for day in DAYS] == [2, 2, 2, 2, 2, 1, 0]
    doctor = directory.doctors[0]
    assert (doctor.id, doctor.sex, doctor.languages) == ("meersman-lien", "female", ["nl", "fr"])
    assert [(one.weekday, one.opens, one.closes, one.part) for one in doctor.consultations] == [
        ("monday", "09:00", "12:30", "morning"), ("thursday", "09:00", "12:30", "morning"),
    ]  # fmt: skip
    assert (directory.tariffs[0].amount, directory.tariffs[0].unit) == (Decimal("2.50"), "item")


def test_every_wrong_cell_is_named_once_and_nothing_is_read() -> None:
    result = read(
        a_workbook(
            Campuses=CAMPUSES,
            Departments=[*DEPARTMENTS, ["Ear clinic", "", 90000003]],
            Opening_hours=[["Of", "Days", "Hours"], ["Eye clinic", "Mon-Fri", "9 to late"]],
            Doctors=[["Last name", "Department"], ["Meersman", "Dermatology"]],
            Tariffs=[["Subject (en)", "Amount"], ["Parking", "about 3"]],
            Closures=[["Name (en)", "From", "To"], ["Move", "31/12/2030", "30/12/2030"]],
        )
    )
    assert result.directory is None
    assert told(result) == [
        ("Departments", 3, "Phone"),
        ("Opening hours", 2, "Hours"),
        ("Doctors", 2, "Department"),
        ("Tariffs", 2, "Amount"),
        ("Closures", 2, "To"),
    ]


def test_a_problem_says_what_to_do_and_not_what_was_written() -> None:
    result = read(a_workbook(Departments=[["Name (en)", "Phone"], ["Eye clinic", "call Mr Secretive"]]))
    (problem,) = result.problems
    assert str(problem).startswith("Departments, row 2, Phone: ")
    assert "digits" in problem.message
    assert "Secretive" not in str(problem)


@pytest.mark.parametrize(
    ("sheet", "headings", "row", "wrong"),
    [
        ("Departments", ["Name (en)", "E-mail"], ["Eye clinic", "at the desk"], "E-mail"),
        ("Departments", ["Name (en)", "Kind"], ["Eye clinic", "palace"], "Kind"),
        ("Departments", ["Phone", "Kind"], ["09 000", "ward"], "Name (nl)"),
        ("Departments", ["Name (en)", "Valid from"], ["Eye clinic", "soon"], "Valid from"),
        ("Departments", ["Name (en)", "Valid from"], ["Eye clinic", "31/02/2027"], "Valid from"),
        ("Departments", ["Name (en)", "Valid from"], ["Eye clinic", "2027-13-01"], "Valid from"),
        ("Departments", ["Name (en)", "Name (nl)"], ["Eye clinic", "x" * 201], "Name (nl)"),
        ("Departments", ["Name (en)", "Campuses"], ["Eye clinic", "Hilltop"], "Campuses"),
        ("Departments", ["Name (en)", "Phone (billing)"], ["Eye clinic", "none"], "Phone (billing)"),
        ("Campuses", ["Name", "Street"], ["Hilltop", "Hill 1"], "Postcode"),
        ("Campuses", ["Name", "Country"], ["Hilltop", "Belgium"], "Street"),
        ("Campuses", ["Name", *ADDRESS], ["Hilltop", "Hill 1", 9000, "Gent", "Atlantis"], "Country"),
        ("Contacts", ["Name (en)", "Purpose"], ["Desk", "fun"], "Purpose"),
        ("Contacts", ["Name (en)", "Purpose"], ["Desk", "press"], ""),
        ("Tariffs", ["Name (en)", "Price", "Unit"], ["Tea", 1.5, "per ocean"], "Unit"),
        ("Tariffs", ["Name (en)", "Price"], ["Tea", -1], "Price"),
        ("Tariffs", ["Name (en)", "Price"], ["Tea", "1.250"], "Price"),
        ("Tariffs", ["Name (en)", "Price"], ["Tea", datetime(2027, 2, 20)], "Price"),
        ("Tariffs", ["Name (en)", "Price", "Currency"], ["Tea", "€ 2", "CHF"], "Currency"),
        ("Closures", ["Name (en)", "From"], ["Move", 46000], "From"),
        ("Closures", ["Name (en)", "From", "Hours"], ["Move", date(2030, 1, 2), datetime(2026, 12, 8)], "Hours"),
        ("Parking", ["Campus", "Name (en)", "Places"], ["Nowhere", "P1", "many"], "Places"),
        ("Doctors", ["Last name", "Department", "Languages"], ["Ng", "x", "whale song"], "Languages"),
        ("Doctors", ["Last name", "Department", "Phone"], ["Ng", "x", "#REF!"], "Phone"),
    ],
)  # fmt: skip
def test_what_a_cell_cannot_be_is_told_there(sheet: str, headings: list[str], row: list[Any], wrong: str) -> None:
    result = read(workbook({sheet: [headings, row]}))
    assert result.directory is None
    assert (sheet, 2, wrong) in told(result)


def test_a_number_that_lost_its_zero_is_told_and_a_short_one_is_read() -> None:
    rows = [["Name (en)", "Phone"], ["Eye clinic", 90000001], ["Emergency", 1733]]
    assert told(read(a_workbook(Departments=rows))) == [("Departments", 2, "Phone")]
    assert the_only("departments", a_workbook(Departments=[rows[0], rows[2]])).phone == "1733"


def test_a_postcode_that_lost_its_zero_is_told() -> None:
    rows = [["Name", "Street", "Postcode", "Town", "Country"], ["Roma", "Via 1", 184, "Roma", "Italia"]]
    assert told(read(a_workbook(Campuses=rows))) == [("Campuses", 2, "Postcode")]


def test_headings_are_read_in_any_language_case_and_order() -> None:
    rows = [["téléphone", "NOM (NL)", "Naam Engels", "autres noms (fr)"], ["09 1", "Oogziekten", "Eyes", "yeux"]]
    found = the_only("departments", a_workbook(SERVICES=rows))
    assert (found.phone, found.names, found.synonyms) == ("09 1", {"nl": "Oogziekten", "en": "Eyes"}, {"fr": ["yeux"]})


def test_titles_notes_blanks_and_examples_around_the_rows_are_passed_over() -> None:
    rows = [
        ["Our departments, made by the secretariat"], [], ["  Name (en) ", "Phone", "Our code"],
        ["# ask Jan about this"], ["Note: the wards come later"], ["Example: Cardiology", "016 00 00 10"],
        [None, None, "K7"], [" Eye clinic  ", " 09 000 00 01 ", "K8"], [None, "   "],
    ]  # fmt: skip
    result = read(a_workbook(Departments=rows))
    assert result.directory is not None
    (found,) = result.directory.departments
    assert (found.names, found.phone) == ({"en": "Eye clinic"}, "09 000 00 01")
    assert [(one.row, one.field) for one in result.problems if one.section == "Departments"] == [(3, "Our code")]


def test_languages_below_one_merged_heading_are_headings() -> None:
    rows = [["Id", "Name", None, "Phone"], [None, "nl", "en", None], ["eyes", "Ogen", "Eyes", "09 1"]]
    assert the_only("departments", a_workbook(Departments=rows)).names == {"nl": "Ogen", "en": "Eyes"}


def test_an_example_that_was_filled_in_is_told_and_not_read() -> None:
    rows = [["Name (en)", "Phone"], ["Example: Cardiology", "09 999 99 99"], ["Eye clinic", "09 1"]]
    result = read(a_workbook(Departments=rows))
    assert [(one.row, one.warning) for one in result.problems] == [(2, True)]


def test_a_name_without_language_is_in_that_of_the_hospital() -> None:
    hospital = [["What", "Value"], ["Default language", "French"]]
    result = read(a_workbook(Hospital=hospital, Departments=[["Name", "Phone"], ["Yeux", "09 1"]]))
    assert result.directory is not None
    assert result.directory.departments[0].names == {"fr": "Yeux"}


def test_the_hospital_is_filled_in_line_by_line() -> None:
    rows = [
        ["Wat", "Waarde"], ["Naam (nl)", "Ziekenhuis Kaai"], ["Talen", "Nederlands, Frans"],
        ["Telefoon (afspraken)", "09 2"], ["Tijdzone", "Europe/Brussels"], ["Website", "www.kaai.example"],
    ]  # fmt: skip
    result = read(a_workbook(Ziekenhuis=rows))
    assert result.directory is not None
    found = result.directory.hospital
    assert (found.names, found.languages, found.phones) == (
        {"nl": "Ziekenhuis Kaai"}, ["nl", "fr"], {"appointments": "09 2"},
    )  # fmt: skip
    assert (found.time_zone, found.website) == ("Europe/Brussels", "https://www.kaai.example")


@pytest.mark.parametrize(
    "said", ["français, italien, anglais et néerlandais", "fr; it; en et nl", "French, Italian, English and Dutch"]
)
def test_languages_of_the_hospital_may_have_a_word_for_and_between(said: str) -> None:
    rows = [["Quoi", "Valeur"], ["Nom (fr)", "Hôpital du Quai"], ["Langues", said]]
    result = read(a_workbook(Hôpital=rows))
    assert result.directory is not None
    assert result.directory.hospital.languages == ["fr", "it", "en", "nl"]


def test_a_wrong_line_of_the_hospital_is_told_with_its_own_row() -> None:
    rows = [["What", "Value"], ["Name (en)", "Quay"], ["Time zone", "Atlantis"], ["Phone (main)", 90000000]]
    assert told(read(a_workbook(Hospital=rows))) == [("Hospital", 4, "Phone (main)")]
    assert told(read(a_workbook(Hospital=rows[:3]))) == [("Hospital", 3, "Time zone")]


def test_two_rows_of_one_name_need_ids() -> None:
    rows = [["Name (en)"], ["Ward"], ["Ward"]]
    assert told(read(a_workbook(Departments=rows))) == [("Departments", 3, "Id")]


def test_a_reference_that_names_two_is_told() -> None:
    headings = ["Id", "First name", "Last name", "Department"]
    doctors = [headings, ["a", "An", "Maes", "Eyes"], ["b", "Bo", "Maes", "Eyes"]]
    absences = [["Doctor", "From"], ["Maes", date(2030, 1, 1)], ["Bo Maes", date(2030, 1, 1)]]
    result = read(a_workbook(Departments=[["Name (en)"], ["Eyes"]], Doctors=doctors, Absences=absences))
    assert told(result) == [("Absences", 2, "Doctor")]


def test_names_with_commas_are_found_among_several() -> None:
    departments = [["Name (en)"], ["Ear, nose and throat"], ["Eyes"]]
    closures = [["Name (en)", "From", "Departments"], ["Move", date(2030, 1, 1), "Eyes, Ear, nose and throat"]]
    found = the_only("closures", a_workbook(Departments=departments, Closures=closures))
    assert found.departments == ["eyes", "ear-nose-and-throat"]


def test_hours_of_several_rows_make_one_week_and_may_not_overlap() -> None:
    hours = [["Of", "Days", "Hours", "Sunday"], ["Eyes", "Mon-Fri", "8-12", None], ["Eyes", "Mon", "13-17", "closed"]]
    found = the_only("departments", a_workbook(Departments=[["Name (en)"], ["Eyes"]], Opening_hours=hours))
    (week,) = found.opening_hours
    assert [(one.opens, one.closes) for one in week.weekly["monday"]] == [("08:00", "12:00"), ("13:00", "17:00")]
    assert week.weekly["sunday"] == []
    hours[2][2] = "11-17"
    result = read(a_workbook(Departments=[["Name (en)"], ["Eyes"]], Opening_hours=hours))
    assert told(result) == [("Opening hours", 3, "Hours")]


def test_hours_may_be_of_a_contact_or_a_number_of_the_hospital() -> None:
    contacts = [["Name (en)", "Phone"], ["Ombudsperson", "09 3"]]
    hours = [["Of", "Days", "Hours"], ["Ombudsperson", "Mon", "9-12"], ["appointments", "Mon-Sat", "8-20"]]
    result = read(a_workbook(Contacts=contacts, Opening_hours=hours))
    assert result.directory is not None
    assert result.directory.contacts[0].opening_hours[0].weekly["monday"][0].closes == "12:00"
    assert sorted(result.directory.hospital.phone_hours["appointments"]) == sorted(DAYS[:6])


def test_visiting_hours_of_nobody_are_those_of_the_hospital() -> None:
    result = read(a_workbook(Visiting_hours=[["Of", "Days", "Hours"], [None, "every day", "14-20"]]))
    assert result.directory is not None
    assert len(result.directory.hospital.visiting_hours[0].weekly) == 8


def test_what_is_no_sheet_of_a_directory_is_told() -> None:
    assert [one.section for one in read(workbook({"Sheet1": [["a", "b"]]})).problems] == ["file"]
    result = read(workbook({"Sheet1": [["a"]], "Departments": DEPARTMENTS}))
    assert [(one.section, one.warning) for one in result.problems] == [("Sheet1", True)]


def test_ends_of_lines_of_windows_are_no_part_of_a_name() -> None:
    rows = [["Name (en)", "Other names (en)"], ["Eyes_x000D_", "optics_x000D_\nsight"]]
    found = the_only("departments", a_workbook(Departments=rows))
    assert (found.names, found.synonyms) == ({"en": "Eyes"}, {"en": ["optics", "sight"]})


def test_a_workbook_without_rows_replaces_nothing() -> None:
    result = read(template("en"))
    assert result.directory is None
    assert [one.section for one in result.problems] == ["file"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_template_has_every_sheet_with_headings_an_example_and_choices(language: Language) -> None:
    book = the_template(language)
    said = guide(language)
    assert book.sheetnames == [said.read_me, *(one.title(language) for one in sheets().values()), said.lists]
    for sheet in sheets().values():
        page = book[sheet.title(language)]
        assert all(page.cell(1, at).value for at in range(1, page.max_column + 1)), sheet.key
        if not sheet.is_upright:
            assert ":" in page.cell(2, 1).value
            assert page.cell(2, 1).font.italic
    pages = {key: book[sheets()[key].title(language)] for key in ("consultations", "tariffs", "closures")}
    with_lists = [key for key, page in pages.items() if page.data_validations.dataValidation]
    assert with_lists == ["consultations", "tariffs"]


def test_the_page_for_people_names_every_sheet_and_heading() -> None:
    page = (ROOT / "docs/directory.md").read_text(encoding="utf-8")
    for sheet in sheets().values():
        section = page.partition(f"### {sheet.title('en')}\n")[2].partition("\n### ")[0]
        assert guide("en").explains(sheet.key) in section, sheet.key
        said = [one for one in sheet.columns if one.holds != "ignored" and one.heading("en")]
        lacking = [one.field for one in said if guide("en").help(sheet.key, one.field) not in section]
        assert [one for one in lacking if one not in SHARED] == []
        assert [one.field for one in said if f"| {one.heading('en')}" not in section and one.field not in SHARED] == []


SHARED = ("owner", "valid_from", "valid_until", "confirmed_on")
"""Columns that the page describes once for all sheets."""
