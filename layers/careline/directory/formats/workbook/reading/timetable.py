"""Gathers the rows of opening and visiting hours into weeks, one for each thing and campus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from careline.directory.formats.workbook.hours_writing import BY_APPOINTMENT, Written
from careline.directory.formats.workbook.reading.builder import IS_MISSING, Builder
from careline.directory.formats.workbook.reading.rows import Row
from careline.directory.formats.workbook.words import CellWrong, choice
from careline.directory.week import DAYS, HOLIDAY, Hours, WeeklyHours

SECTIONS = {"department": "departments", "campus": "campuses", "contact": "contacts"}
NO_DAYS = "is missing: write which days these hours are for, as Mon-Fri or every day"
NO_HOURS = "the row says no hours and is not read"
NO_PHONE_HOURS = "a number is not answered by appointment; write hours"
ONCE = "write each part of the day once"
APPOINTMENT_BESIDE = "are hours of what is by appointment on another day; write hours alone, or by appointment alone"


@dataclass(frozen=True, slots=True)
class Told:
    """What one row says of one day. `is_daily`: it says so of every day."""

    row: Row
    key: str
    hours: Written
    is_daily: bool = False


Days = dict[str, list[Told]]


@dataclass(slots=True)
class Week:
    """The hours of one thing at one campus, while they are gathered."""

    campus: str | None
    days: Days = field(default_factory=dict)

    def whole(self, builder: Builder) -> WeeklyHours:
        """As a directory holds it."""
        told = [one for some in self.days.values() for one in some]
        if not any(one.hours == BY_APPOINTMENT for one in told):
            return WeeklyHours(campus=self.campus, weekly=settled(self.days, builder))
        for one in told:
            if one.hours and one.hours != BY_APPOINTMENT:
                builder.tell(one.row, one.key, APPOINTMENT_BESIDE)
        return WeeklyHours(campus=self.campus, by_appointment=True)


@dataclass(slots=True)
class Timetable:
    """Weeks by what they are of: `department` and its id, or `hospital` and nothing."""

    weeks: dict[tuple[str, str], list[WeeklyHours]]

    def of(self, thing: str, name: str) -> list[WeeklyHours]:
        """The weeks of one thing."""
        return self.weeks.get((thing, name), [])

    def names(self, thing: str) -> list[str]:
        """What there are weeks of."""
        return [name for of, name in self.weeks if of == thing]


def settled(days: Days, builder: Builder) -> dict[Any, list[Hours]]:
    """A week from Monday on. What a row says of a day holds before what another says of every day.

    Hours of two rows that lie within one another are told at the later, with the other row and the day.
    """
    return {day: _settled(day, days[day], builder) for day in (*DAYS, HOLIDAY) if day in days}


def _settled(day: str, told: Sequence[Told], builder: Builder) -> list[Hours]:
    kept = [one for one in told if not one.is_daily] or told
    held = [
        (Hours.model_validate({"from": opens, "to": closes}), one)
        for one in kept
        if one.hours != BY_APPOINTMENT
        for opens, closes in one.hours
    ]
    for (earlier, first), (later, second) in pairwise(sorted(held, key=lambda pair: (pair[0].opens, pair[0].closes))):
        if later.opens < earlier.closes:
            above, below = sorted((first, second), key=lambda one: one.row.number)
            named = choice("day").word(day, below.row.language)
            builder.tell(below.row, below.key, f"overlaps on {named} with {_elsewhere(above, below)}; {ONCE}")
    return [hours for hours, _ in held]


def _elsewhere(above: Told, below: Told) -> str:
    if above.row.number == below.row.number:
        return f"the column {above.row.heading(above.key)} of this row"
    return f"row {above.row.number}"


def timetable(rows: Sequence[Row], builder: Builder, things: Sequence[str]) -> Timetable:
    """The weeks of a sheet; `things` are what its rows may be of, in the order in which a name is looked for."""
    found: dict[tuple[str, str], dict[str | None, Week]] = {}
    for row in rows:
        values = builder.values(row)
        meant = _meant(row, values, builder, things)
        if meant is None:
            continue
        if not any(key in values for key in ("weekly", "hours", "days")):
            if not any(builder.is_wrong(row, key) for key in ("weekly", "hours", "days")):
                builder.tell(row, "", NO_HOURS, warning=True)
            continue
        # A number of the hospital is answered at no campus.
        campus = None if meant[0] == "phone" else values.get("campus")
        if meant[0] == "phone" and BY_APPOINTMENT in (values.get("hours"), *values.get("weekly", {}).values()):
            builder.tell(row, "hours" if "hours" in values else "", NO_PHONE_HOURS)
            continue
        week = found.setdefault(meant, {}).setdefault(campus, Week(campus))
        add_days(row, values, week.days, builder)
    return Timetable({meant: [one.whole(builder) for one in weeks.values()] for meant, weeks in found.items()})


def add_days(row: Row, values: Mapping[str, Any], days: Days, builder: Builder) -> None:
    """Put the hours of a row into a week."""
    for day, hours in values.get("weekly", {}).items():
        days.setdefault(day, []).append(Told(row, f"weekly.{day}", hours))
    hours, named = values.get("hours"), values.get("days")
    if named is None and hours == BY_APPOINTMENT:
        named = DAYS
    if named is not None and hours is not None:
        is_daily = set(named) >= set(DAYS)
        for day in named:
            days.setdefault(day, []).append(Told(row, "hours", hours, is_daily))
    elif named is not None and not builder.is_wrong(row, "hours"):
        builder.tell(row, "hours", IS_MISSING)
    elif hours is not None and not builder.is_wrong(row, "days"):
        builder.tell(row, "days", NO_DAYS)


def _meant(row: Row, values: Mapping[str, Any], builder: Builder, things: Sequence[str]) -> tuple[str, str] | None:
    """What a row is of; None where that is not known, which is told."""
    name, thing = values.get("of", ""), values.get("thing")
    if any(builder.is_wrong(row, key) for key in ("of", "thing", "campus")):
        return None
    if thing is not None and thing not in things:
        words = ", ".join(choice("thing").word(one, row.language) for one in things)
        builder.tell(row, "thing", f"is none of: {words}")
        return None
    if thing == "hospital" or (not name and not thing and "hospital" in things):
        return "hospital", ""
    if not name:
        builder.tell(row, "of", IS_MISSING)
        return None
    for one in [thing] if thing else things:
        try:
            found = _named(one, name, builder)
        except CellWrong as error:
            builder.tell(row, "of", str(error))
            return None
        if found is not None:
            return one, found
    sections = [(one, SECTIONS[one]) for one in ([thing] if thing else things) if one in SECTIONS]
    near = [(one, found) for one, section in sections if (found := builder.names.near(section, name))]
    if len(near) == 1:
        return near[0]
    like = next((text for _, section in sections if (text := builder.names.like(section, name))), "")
    builder.tell(row, "of", f"names nothing that is known{like}; write it as in its own sheet")
    return None


def _named(thing: str, name: str, builder: Builder) -> str | None:
    if thing == "phone":
        return choice("purpose").value(name, builder.language)
    return builder.names.find(SECTIONS[thing], name) if thing in SECTIONS else None
