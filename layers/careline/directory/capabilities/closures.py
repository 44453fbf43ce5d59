"""What closes a place on a day, and whether anybody can tell."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from careline.directory.capabilities.facts import Asked
from careline.directory.entries import Closure

SOON, A_WEEK = 15, 7
"""Days among which a closure that comes is told with hours: today and two weeks."""


def closure_on(
    asked: Asked, day: date, campus: str | None, department: str | None, beside: tuple[str, ...] = ()
) -> Closure | None:
    """What surely closes a department or campus on a day, the one that is most its own first. Of what names no campus
    the places are `beside`, else those of its department."""
    places = places_of(asked, campus, department, beside)
    found = [
        one
        for one in _of_department(asked, day, department)
        if not one.campuses or (places and places <= set(one.campuses))
    ]
    return min(found, key=lambda one: (not one.departments, not one.campuses, bool(one.hours)), default=None)


def closes_soon(
    asked: Asked, campus: str | None, department: str | None, beside: tuple[str, ...] = ()
) -> Closure | None:
    """The first closure for whole days, of those that lie in the week that is asked about or else begin within two
    weeks: hours of every week are none of these days."""
    today = asked.now.date()
    first, days = (today, SOON) if asked.time.week is None else (_monday(today, asked.time.week), A_WEEK)
    for number in range(days):
        found = closure_on(asked, first + timedelta(days=number), campus, department, beside)
        if found is not None and not found.hours:
            return found
    return None


def _monday(today: date, weeks: int) -> date:
    return today - timedelta(days=today.weekday()) + timedelta(weeks=weeks)


def may_be_closed(
    asked: Asked, day: date, campus: str | None, department: str | None, beside: tuple[str, ...] = ()
) -> bool:
    """Whether something that names no campus may be at one that is closed on a day."""
    places = places_of(asked, campus, department, beside)
    return any(
        one.campuses and (not places or places & set(one.campuses)) for one in _of_department(asked, day, department)
    )


def places_of(
    asked: Asked, campus: str | None, department: str | None, beside: tuple[str, ...] = ()
) -> frozenset[str]:
    """The campuses where something may be; none where nobody can tell."""
    if campus is not None:
        return frozenset((campus,))
    held = next((one for one in asked.directory.departments if one.id == department), None)
    of_department = (*held.campuses, *(one.campus for one in held.locations)) if held is not None else ()
    known = asked.directory.campuses
    return frozenset(beside or of_department or (tuple(one.id for one in known) if len(known) == 1 else ()))


def _of_department(asked: Asked, day: date, department: str | None) -> Iterator[Closure]:
    for one in asked.directory.closures:
        if one.since <= day <= one.until and (not one.departments or department in one.departments):
            yield one
