"""A workbook is read as secretaries write it, and what they are told is in the words of their own file."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.directory.entries import Consultation, Language
from careline.directory.formats.read import Read
from careline.directory.formats.workbook.guide import guide
from careline.directory.formats.workbook.layout import sheets
from careline.directory.formats.workbook.numbers_writing import count_in_words, date_in_words
from careline.directory.formats.workbook.weekday_writing import read_days_and_parts, read_frequencies
from careline.directory.formats.workbook.words import LANGUAGES, CellWrong
from careline.directory.week import DAYS, HOLIDAY, WeeklyHours
from tests.directory.formats.workbooks import a_workbook, read, saved, the_template, told, workbook

EYES = [["Name (en)"], ["Eye clinic"]]
Rows = list[list[Any]]


def right(result: Read) -> Any:
    """The directory of a workbook in which nothing is wrong."""
    assert told(result) == [], [str(one) for one in result.problems]
    assert result.directory is not None
    return result.directory


def messages(result: Read, *, warning: bool = False) -> list[str]:
    return [str(one) for one in result.problems if one.warning == warning]


def hours_of_eyes(*rows: list[Any]) -> Read:
    return read(a_workbook(Departments=EYES, Opening_hours=[["Of", "Days", "Hours", "Sunday"], *rows]))


def week(*rows: list[Any]) -> dict[str, list[tuple[str, str]]]:
    (found,) = right(hours_of_eyes(*rows)).departments[0].opening_hours
    return {day: [(one.opens, one.closes) for one in hours] for day, hours in found.weekly.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_template_speaks_its_own_language_alone(language: Language) -> None:
    book, said = the_template(language), guide(language)
    page = book[said.read_me]
    texts = [page.cell(number, at).value for number in range(1, page.max_row + 1) for at in (1, 2)]
    assert [line for line in said.lines if line not in texts] == []
    for sheet in sheets().values():
        assert (sheet.title(language), said.explains(sheet.key)) in zip(texts[::2], texts[1::2], strict=True)
        places = [one for one in sheet.places(with_hidden=False) if not sheet.is_upright]
        for at, place in enumerate(places, 1):
            comment = book[sheet.title(language)].cell(1, at).comment
            assert comment is not None
            assert comment.text == said.help(sheet.key, place.column.field)


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_no_sentence_of_the_guide_was_left_in_english(language: Language) -> None:
    own, english = guide(language), guide("en")
    same = [key for key in english.shared if own.shared[key] == english.shared[key]]
    same += [key for key in english.sheets if own.explains(key) == english.explains(key)]
    assert (same, set(own.lines) & set(english.lines)) == ([], set())
    for key, sheet in english.sheets.items():
        assert own.sheets[key]["help"].keys() == sheet["help"].keys()
        assert own.example(key).keys() == english.example(key).keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_example_of_the_template_is_what_a_cell_may_hold(language: Language) -> None:
    book: dict[str, Rows] = {}
    for sheet in sheets().values():
        example = guide(language).example(sheet.key)
        columns = [one for one in sheet.columns if one.field in example]
        if columns:
            headings = [one.heading(language, language if one.per == "language" else "") for one in columns]
            book[sheet.title(language)] = [headings, [example[one.field] for one in columns]]
    hospital = sheets()["hospital"]
    heading = hospital.column("default_language").heading(language)
    book[hospital.title(language)] = [["x", "y"], [heading, language]]
    directory = right(read(workbook(book)))
    assert len(directory.doctors[0].consultations) == 1
    assert directory.departments[0].opening_hours[0].weekly.keys() == set(DAYS[:5])


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_untouched_template_is_told_nothing_of_its_examples(language: Language) -> None:
    assert [one.section for one in read(saved(the_template(language))).problems] == ["file"]


def test_messages_name_sheets_and_columns_as_the_file_does() -> None:
    result = read(
        workbook(
            {
                "Sedi": [["Nome"], ["Riva"]],
                "Reparti": [["Nome (it)", "Tipo"], ["Cardiologia", "palazzo"]],
                "Medici": [["Cognome", "Reparto"], ["Rossi", "Chirurgia"]],
                "Visite ambulatoriali": [["Medico", "Giorno", "Dalle", "Alle", "Ore"], ["Rossi", "lun", 9, 12, "9-12"]],
                "Parcheggi": [["Sede"], ["Riva"]],
            }
        )
    )
    problems = {one.section: str(one) for one in result.problems}
    assert "degenza" in problems["Reparti"]
    assert "write it as in the sheet Reparti" in problems["Medici"]
    assert "beside Dalle and Alle" in problems["Visite ambulatoriali"]
    assert "Parcheggi, row 2, Nome (" in problems["Parcheggi"]


def test_a_sheet_that_is_not_there_is_named_in_the_language_of_the_others() -> None:
    result = read(workbook({"Artsen": [["Achternaam", "Dienst"], ["Maes", "Ogen"]]}))
    assert "as in the sheet Diensten" in messages(result)[0]


def test_every_day_is_public_holidays_too_and_all_days_of_the_week_are_not() -> None:
    assert list(week(["Eye clinic", "every day", "8-20"])) == [*DAYS, HOLIDAY]
    assert list(week(["Eye clinic", "Mon-Sun", "8-20"])) == list(DAYS)


def test_a_row_of_some_days_holds_before_one_of_every_day() -> None:
    rows: Rows = [
        ["Eye clinic", "zon- en feestdagen", "14-16"], ["Eye clinic", "elke dag", "14-20"],
        ["Eye clinic", "Saturday", "closed"],
    ]  # fmt: skip
    found = week(*rows)
    assert (found["monday"], found["sunday"], found[HOLIDAY], found["saturday"]) == (
        [("14:00", "20:00")], [("14:00", "16:00")], [("14:00", "16:00")], [],
    )  # fmt: skip
    assert week(["Eye clinic", "every day", "14-20", "10-12"])["sunday"] == [("10:00", "12:00")]
    assert week(["Eye clinic", "every day", "8-12"], ["Eye clinic", "every day", "13-17"])["sunday"] == [
        ("08:00", "12:00"), ("13:00", "17:00"),
    ]  # fmt: skip


def test_hours_that_overlap_are_told_with_the_other_row_and_the_day() -> None:
    result = hours_of_eyes(
        ["Eye clinic", "Mon-Fri", "8-12"], ["Eye clinic", "Sat", "8-12"], ["Eye clinic", "Wed", "11-13"]
    )
    (problem,) = messages(result)
    assert problem.startswith("Opening hours, row 4, Hours: ")
    assert "Wednesday" in problem
    assert "row 2" in problem


@pytest.mark.parametrize("cell", ["by appointment", "op afspraak", "Su appuntamento.", "uniquement sur rendez-vous"])
@pytest.mark.parametrize("days", [None, "Mon-Fri"])
def test_what_is_by_appointment_has_no_hours(cell: str, days: str | None) -> None:
    directory = right(hours_of_eyes(["Eye clinic", days, cell]))
    assert directory.departments[0].opening_hours == [WeeklyHours(by_appointment=True)]


def test_hours_beside_by_appointment_are_told() -> None:
    result = hours_of_eyes(["Eye clinic", "Sat", "by appointment"], ["Eye clinic", "Mon", "9-12"])
    assert told(result) == [("Opening hours", 3, "Hours")]
    assert told(hours_of_eyes(["Eye clinic", "Mon", "9-12 and by appointment"])) == [("Opening hours", 2, "Hours")]
    assert told(hours_of_eyes(["appointments", "Mon", "by appointment"])) == [("Opening hours", 2, "Hours")]
    entrance = [["Campus", "Name (en)", "Every day"], ["Quay", "Gate", "by appointment"]]
    result = read(a_workbook(Campuses=[["Name"], ["Quay"]], Entrances=entrance))
    assert told(result) == [("Entrances", 2, "Every day")]


HEADINGS = ["Doctor", "Weekday", "From", "To", "Part of day", "Frequency", "Hours"]


def consultations(*cells: Any, language: str = "Dutch") -> Read:
    return read(
        a_workbook(
            Hospital=[["What", "Value"], ["Default language", language]],
            Departments=EYES,
            Doctors=[["Last name", "Department"], ["Maes", "Eye clinic"]],
            Consultations=[HEADINGS, ["Maes", *cells]],
        )
    )


def held(*cells: Any) -> list[Consultation]:
    found: list[Consultation] = right(consultations(*cells)).doctors[0].consultations
    return found


def test_a_consultation_has_a_beginning_and_an_end_or_neither() -> None:
    assert told(consultations("Monday", "09:00")) == [("Consultations", 2, "To")]
    assert told(consultations("Monday", None, "12:00")) == [("Consultations", 2, "From")]
    assert told(consultations("Monday", "09:00", "at noon or so")) == [("Consultations", 2, "To")]
    assert [(one.opens, one.closes) for one in held("Monday")] == [(None, None)]


def test_consultations_of_every_day_are_on_seven_days() -> None:
    assert [one.weekday for one in held("elke dag")] == list(DAYS)
    assert told(consultations("feestdagen")) == [("Consultations", 2, "Weekday")]


def test_a_consultation_of_two_weeks_of_the_month_is_two() -> None:
    found = held("maandag", 9, 12, None, "1e en 3e week van de maand")
    assert [(one.weekday, one.opens, one.frequency) for one in found] == [
        ("monday", "09:00", "first_of_month"), ("monday", "09:00", "third_of_month"),
    ]  # fmt: skip


def test_hours_by_appointment_say_how_often_a_consultation_is() -> None:
    (found,) = held("maandag", None, None, None, None, "op afspraak")
    assert (found.frequency, found.opens) == ("by_appointment", None)


def test_the_part_of_the_day_may_stand_beside_the_day() -> None:
    assert [(one.weekday, one.part) for one in held("maandagvoormiddag en donderdagnamiddag")] == [
        ("monday", "morning"), ("thursday", "afternoon"),
    ]  # fmt: skip
    assert told(consultations("maandagvoormiddag", None, None, "namiddag")) == [("Consultations", 2, "Part of day")]


@pytest.mark.parametrize(
    ("text", "language", "meant"),
    [
        ("lundi matin", "fr", [("monday", "morning")]), ("lunedì mattina", "it", [("monday", "morning")]),
        ("lunedì e giovedì pomeriggio", "it", [("monday", "afternoon"), ("thursday", "afternoon")]),
        ("ma vm, di nm", "nl", [("monday", "morning"), ("tuesday", "afternoon")]),
        ("Friday evening", "en", [("friday", "evening")]), ("mercredi après-midi", "fr", [("wednesday", "afternoon")]),
        ("zaterdagochtend", "nl", [("saturday", "morning")]), ("Mon, Wed", "en", [("monday", ""), ("wednesday", "")]),
    ],
)  # fmt: skip
def test_days_with_their_part_are_read(text: str, language: str, meant: list[tuple[str, str]]) -> None:
    assert read_days_and_parts(text, language) == meant


@pytest.mark.parametrize("text", ["maandagvoormiddag, dinsdag", "voormiddag", "maandagweer", "some morning", ""])
def test_what_may_be_of_other_parts_is_no_day(text: str) -> None:
    with pytest.raises(CellWrong):
        read_days_and_parts(text, "nl")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("tweede van de maand", ["second_of_month"]), ("2e maandag van de maand", ["second_of_month"]),
        ("secondo lunedì del mese", ["second_of_month"]), ("1er et 3e du mois", ["first_of_month", "third_of_month"]),
        ("le dernier vendredi du mois", ["last_of_month"]), ("4th Friday of the month", ["fourth_of_month"]),
        ("1° e 3° martedì del mese", ["first_of_month", "third_of_month"]),
        ("1st, 2nd and last week", ["first_of_month", "second_of_month", "last_of_month"]),
        ("week 1 en 3", ["first_of_month", "third_of_month"]), ("even weken", ["even_weeks"]),
        ("dispari", ["odd_weeks"]),
        ("even_weeks; third of the month", ["even_weeks", "third_of_month"]), ("quarta settimana", ["fourth_of_month"]),
    ],
)  # fmt: skip
def test_how_often_is_read_as_people_write_it(text: str, meant: list[str]) -> None:
    assert read_frequencies(text, "nl") == meant


@pytest.mark.parametrize("text", ["om de twee weken", "5e week", "every fortnight", "week", "1e week of later", ";"])
def test_what_is_not_known_to_be_how_often_is_told(text: str) -> None:
    with pytest.raises(CellWrong):
        read_frequencies(text, "nl")


@given(st.text(max_size=40) | st.text("123eandwk maorig;,.", max_size=40))
def test_any_text_is_days_and_often_or_told_to_be_none(text: str) -> None:
    for reading in (read_days_and_parts, read_frequencies):
        try:
            found: list[Any] = list(reading(text, "nl"))
        except CellWrong:
            continue
        assert found


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("7 december 2026", date(2026, 12, 7)), ("21 dicembre 2026", date(2026, 12, 21)),
        ("24 dec 2026", date(2026, 12, 24)), ("24 dec. 2026", date(2026, 12, 24)), ("1er août 2027", date(2027, 8, 1)),
        ("maandag 7 december 2026", date(2026, 12, 7)), ("1° gennaio 2027", date(2027, 1, 1)),
        ("2nd of March 2027", date(2027, 3, 2)), ("3-mrt-2027", date(2027, 3, 3)), ("le 5 mai 2027", date(2027, 5, 5)),
        ("5 maggio 2027", date(2027, 5, 5)), ("mardi 2 mars 2027", date(2027, 3, 2)),
        ("31 april 2027", None), ("december 2026", None), ("7 december 26", None), ("7 december or 8 2026", None),
        ("7 december", None), ("7 smarch 2026", None), ("2026 december 7", None), ("7 8 december 2026", None),
    ],
)  # fmt: skip
def test_dates_may_name_the_month(text: str, meant: date | None) -> None:
    assert date_in_words(text) == meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [("4 min", 4), ("ca. 400", 400), ("± 400", 400), ("circa 12 minuti", 12), ("5'", 5), ("400 places", 400),
     ("120 plaatsen", 120), ("3-5", None), ("1.200", None), ("many", None), ("-3", None), ("3 km", None), ("", None)],
)  # fmt: skip
def test_counts_are_read_with_the_words_around_them(text: str, meant: int | None) -> None:
    assert count_in_words(text) == meant


@pytest.mark.parametrize(
    ("price", "unit", "meant"),
    [("esente", "per notte", "night"), ("gratis", "begonnen uur", "hour"), ("vrij", "par nuit entamée", "night"),
     ("0", "per begonnen half uur", "half_hour"), ("Gratuit", "l'heure", "hour"), ("free", "for each ocean", None)],
)  # fmt: skip
def test_prices_of_nothing_and_units_are_read(price: str, unit: str, meant: str | None) -> None:
    result = read(a_workbook(Tariffs=[["Name (en)", "Price", "Unit"], ["Parking", price, unit]]))
    if meant is None:
        assert told(result) == [("Tariffs", 2, "Unit")]
    else:
        (found,) = right(result).tariffs
        assert (found.amount, found.unit) == (0, meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Nederlands en Frans", ["nl", "fr"]), ("français et néerlandais", ["fr", "nl"]),
        ("italiano, tedesco e inglese", ["it", "de", "en"]), ("nl; fr, en", ["nl", "fr", "en"]),
        ("nl en fr", ["nl", "fr"]), ("fr en en", ["fr", "en"]), ("Dutch and French; German", ["nl", "fr", "de"]),
        ("en", ["en"]), ("Dutch & French", ["nl", "fr"]), ("whale song and Dutch", None),
    ],
)  # fmt: skip
def test_languages_are_read_with_words_between_them(text: str, meant: list[str] | None) -> None:
    doctors = [["Last name", "Department", "Languages"], ["Maes", "Eye clinic", text]]
    result = read(a_workbook(Departments=EYES, Doctors=doctors))
    if meant is None:
        assert told(result) == [("Doctors", 2, "Languages")]
    else:
        assert right(result).doctors[0].languages == meant


def test_roles_that_lead_count_as_such_and_others_are_kept() -> None:
    roles = ["direttore", "responsabile", "hoofd", "Chef de service", "primario", "Kwaliteitscoördinator"]
    doctors = [["Last name", "Department", "Role"], *([f"D{n}", "Eye clinic", one] for n, one in enumerate(roles))]
    result = read(a_workbook(Departments=EYES, Doctors=doctors))
    found = [one.role for one in right(result).doctors]
    assert found == [*["head_of_department"] * 5, "Kwaliteitscoördinator"]
    assert [one for one in messages(result, warning=True) if "ole" in one] == []


def test_a_tram_at_the_coast_is_a_tram() -> None:
    transport = [["Campus", "Kind", "Line", "Stop", "Walking minutes"], ["Quay", "kusttram", "0", "Quay", "4 min"]]
    (stop,) = right(read(a_workbook(Campuses=[["Name"], ["Quay"]], Transport=transport))).campuses[0].public_transport
    assert (stop.kind, stop.walking_minutes) == ("tram", 4)


def named(*departments: str, wanted: str) -> Read:
    closures = [["Name (en)", "From", "Departments"], ["Move", date(2030, 1, 1), wanted]]
    return read(a_workbook(Departments=[["Name (en)"], *([one] for one in departments)], Closures=closures))


@pytest.mark.parametrize(
    ("wanted", "meant"),
    [
        ("cardio", ["cardiology"]), ("Duin", ["polikliniek-duin"]),
        ("cardio en Duin", ["cardiology", "polikliniek-duin"]),
        ("Duin; cardio, oral", ["polikliniek-duin", "cardiology", "oral-and-jaw-surgery"]),
        ("oral and jaw", ["oral-and-jaw-surgery"]), ("Cardiology", ["cardiology"]),
    ],
)  # fmt: skip
def test_a_part_of_the_only_name_that_has_it_is_enough(wanted: str, meant: list[str]) -> None:
    result = named("Cardiology", "Polikliniek Duin", "Oral and jaw surgery", wanted=wanted)
    assert right(result).closures[0].departments == meant


def test_a_name_that_nothing_has_is_told_with_the_nearest() -> None:
    (problem,) = messages(named("Cardiology", "Oncology", wanted="Kardiologie"))
    assert 'did you mean "Cardiology"?' in problem
    assert "Kardiologie" not in problem
    (problem,) = messages(named("Cardiology adults", "Cardiology children", wanted="cardiology"))
    assert '"Cardiology adults" or "Cardiology children"' in problem
    (problem,) = messages(named("Cardiology", wanted="ca"))
    assert "no department" in problem


def test_opening_hours_may_name_a_part_of_a_name() -> None:
    assert right(hours_of_eyes(["eye", "Mon", "9-12"])).departments[0].opening_hours
    (problem,) = messages(hours_of_eyes(["eyes clinic", "Mon", "9-12"]))
    assert 'did you mean "Eye clinic"?' in problem


def test_many_names_of_nothing_are_told_in_reasonable_time() -> None:
    departments = [f"Ward {number} of the north wing" for number in range(1_500)]
    closures: Rows = [["Name (en)", "From", "Departments"]]
    closures += [[f"Move {number}", date(2030, 1, 1), f"xyz {number} abc"] for number in range(1_500)]
    result = read(a_workbook(Departments=[["Name (en)"], *([one] for one in departments)], Closures=closures))
    assert len(told(result)) == 1_500


def test_a_department_on_two_floors_of_a_campus_is_told_with_both_rows() -> None:
    locations = [["Department", "Floor"], ["Eye clinic", 1], ["Eye clinic", 1], ["Eye clinic", 2]]
    result = read(a_workbook(Campuses=[["Name"], ["Quay"]], Departments=EYES, Locations=locations))
    assert len(right(result).departments[0].locations) == 3
    (warning,) = [one for one in messages(result, warning=True) if one.startswith("Locations")]
    assert warning.startswith("Locations, row 4, Floor: row 2 ")
