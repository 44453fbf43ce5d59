"""A directory as the rows of the workbook's sheets: what each cell is to hold, by the key of its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from careline.directory.directory import HOSPITAL, LAY_WORDS, Directory
from careline.directory.entries import Entry
from careline.directory.formats.workbook.hours_writing import BY_APPOINTMENT
from careline.directory.part import Part
from careline.directory.week import DAYS, Week, WeeklyHours

Values = dict[str, Any]
_ENTRY = ("owner", "valid_from", "valid_until", "confirmed_on")


def rows_for(sheet: str, directory: Directory) -> list[Values]:
    """The rows of a sheet."""
    return list(_ROWS[sheet](directory))


def _cells(part: Part, *fields: str) -> Values:
    """Fields of a part by the key of their place; those by language, purpose or day each with its own."""
    found: Values = {}
    for name in fields:
        value = getattr(part, name)
        if isinstance(value, dict):
            found |= {f"{name}.{key}": one for key, one in value.items()}
        elif value is not None and value != []:
            found[name] = value
    return found


def _entry(entry: Entry, *fields: str) -> Values:
    return _cells(entry, "id", *fields, *_ENTRY)


def _hospital(directory: Directory) -> Iterator[Values]:
    yield _cells(
        directory.hospital, "id", "names", "default_language", "languages", "emergency_number", "phones", "email",
        "website", "patient_portal", "time_zone", "country",
    )  # fmt: skip


def _campuses(directory: Directory) -> Iterator[Values]:
    for one in directory.campuses:
        address = _cells(one.address, "street", "postcode", "town", "country") if one.address else {}
        yield {**_entry(one, "name", "names", "synonyms", "phone", "email", "role"), **address}


def _entrances(directory: Directory) -> Iterator[Values]:
    for campus in directory.campuses:
        for one in campus.entrances:
            daily = {"every_day": [one.hours]} if one.hours is not None else {}
            yield {"campus": campus.id, **_cells(one, "id", "names", "step_free", "weekly"), **daily}


def _of_campus(field: str, *fields: str) -> Callable[[Directory], Iterator[Values]]:
    """Rows of what each campus has several of."""

    def rows(directory: Directory) -> Iterator[Values]:
        for campus in directory.campuses:
            yield from ({"campus": campus.id, **_cells(one, *fields)} for one in getattr(campus, field))

    return rows


def _departments(directory: Directory) -> Iterator[Values]:
    for one in directory.departments:
        yield _entry(
            one, "kind", "names", "synonyms", "specialty", "campuses", "phone", "phones", "email", "contact_for"
        )


def _locations(directory: Directory) -> Iterator[Values]:
    for department in directory.departments:
        for one in department.locations:
            held = _cells(one, "campus", "building", "floor", "route", "room", "phone")
            yield {"department": department.id, **held}


def _weeks(thing: str, name: str, weeks: Iterable[WeeklyHours]) -> Iterator[Values]:
    for one in weeks:
        campus = {"campus": one.campus} if one.campus is not None else {}
        hours = {"hours": BY_APPOINTMENT} if one.by_appointment else _week(one.weekly)
        yield {"of": name, "thing": thing, **campus, **hours}


def _week(week: Week) -> Values:
    """The cells of a week; one that is never open says so each day, as a row without hours is not read."""
    days: Mapping[Any, Any] = week or dict.fromkeys(DAYS, ())
    return {f"weekly.{day}": hours for day, hours in days.items()}


def _opening_hours(directory: Directory) -> Iterator[Values]:
    for purpose, week in directory.hospital.phone_hours.items():
        yield {"of": purpose, "thing": "phone", **_week(week)}
    for department in directory.departments:
        yield from _weeks("department", department.id, department.opening_hours)
    for contact in directory.contacts:
        yield from _weeks("contact", contact.id, contact.opening_hours)


def _visiting_hours(directory: Directory) -> Iterator[Values]:
    yield from _weeks("hospital", "", directory.hospital.visiting_hours)
    for campus in directory.campuses:
        yield from _weeks("campus", campus.id, campus.visiting_hours)
    for department in directory.departments:
        yield from _weeks("department", department.id, department.visiting_hours)


def _doctors(directory: Directory) -> Iterator[Values]:
    for one in directory.doctors:
        held = _entry(
            one, "title", "first_name", "last_name", "sex", "department", "also_in", "campuses", "languages", "role",
            "focus", "phone", "email",
        )  # fmt: skip
        yield {**held, **({"spellings": one.synonyms} if one.synonyms else {})}


def _of_doctor(field: str, *fields: str) -> Callable[[Directory], Iterator[Values]]:
    def rows(directory: Directory) -> Iterator[Values]:
        for doctor in directory.doctors:
            yield from ({"doctor": doctor.id, **_cells(one, *fields)} for one in getattr(doctor, field))

    return rows


def _tariffs(directory: Directory) -> Iterator[Values]:
    for one in directory.tariffs:
        yield _entry(one, "subject", "synonyms", "campus", "condition", "amount", "currency", "unit")


def _contacts(directory: Directory) -> Iterator[Values]:
    for one in directory.contacts:
        yield _entry(one, "purpose", "names", "synonyms", "phone", "email", "url", "campus")


def _lay_words(directory: Directory) -> Iterator[Values]:
    for one in directory.lay_words:
        yield _cells(one, "department", "terms", "clinical")


def _closures(directory: Directory) -> Iterator[Values]:
    for one in directory.closures:
        yield _entry(one, "names", "since", "until", "campuses", "departments", "hours")


_ROWS: Mapping[str, Callable[[Directory], Iterator[Values]]] = MappingProxyType(
    {
        HOSPITAL: _hospital,
        "campuses": _campuses,
        "entrances": _entrances,
        "transport": _of_campus("public_transport", "kind", "line", "stop", "walking_minutes"),
        "parking": _of_campus(
            "parking", "id", "names", "capacity", "accessible_spaces", "charging_points", "max_height_m"
        ),
        "routes": _of_campus("routes", "by", "text"),
        "departments": _departments,
        "locations": _locations,
        "opening_hours": _opening_hours,
        "visiting_hours": _visiting_hours,
        "doctors": _doctors,
        "consultations": _of_doctor(
            "consultations", "weekday", "part", "opens", "closes", "campus", "department", "frequency"
        ),
        "absences": _of_doctor("absences", "since", "until", "replaced_by"),
        "tariffs": _tariffs,
        "contacts": _contacts,
        LAY_WORDS: _lay_words,
        "closures": _closures,
    }
)
