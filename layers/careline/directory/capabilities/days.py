"""Days that a question is of, and what is held on them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time, timedelta
from functools import lru_cache

import holidays

from careline.directory.capabilities.facts import Asked, DayAsked
from careline.directory.entries import Consultation
from careline.directory.week import DAYS, day_name

SATURDAY, SUNDAY = 5, 6
_LANGUAGES = {"en": "en_US", "nl": "nl", "fr": "fr", "it": "it_IT"}
"""How the library of public holidays calls the languages."""
_OF_MONTH = dict(enumerate(("first_of_month", "second_of_month", "third_of_month", "fourth_of_month")))
_SPOKEN_IN = {"en": "GB", "nl": "NL", "fr": "FR", "it": "IT"}
"""A country in whose own language holidays are called."""
AFTERNOON, EVENING = "12:30", "17:00"
NOON, AFTER_NOON, LATE = "12:00", "13:00", "18:00"
"""Before which something is in the morning too, behind which in the afternoon, and in the evening."""


@lru_cache(maxsize=64)
def public_holidays(country: str | None, year: int, language: str) -> Mapping[date, str]:
    """Public holidays of a country in a year and the next, with their names; none of a country that is not known. In a
    language in which they have none there, a day is called as where that is spoken, else not at all."""
    if country is None:
        return {}
    years = (year, year + 1)
    try:
        found = holidays.country_holidays(country, years=years)
        spoken = getattr(found, "supported_languages", ()) or ()
        if _LANGUAGES[language] in spoken:
            found = holidays.country_holidays(country, years=years, language=_LANGUAGES[language])
    except NotImplementedError:
        return {}
    if _LANGUAGES[language] in spoken:
        return dict(found.items())
    elsewhere = holidays.country_holidays(_SPOKEN_IN[language], years=years, language=_LANGUAGES[language])
    # Of two on one day the last is that of the church; the other is that country's own.
    return {day: (elsewhere.get(day) or "").rpartition("; ")[2] for day in found}


def asked_days(asked: Asked) -> tuple[DayAsked, ...]:
    """The days that are asked about: of a weekday the next one, from today on."""
    time, today = asked.time, asked.now.date()
    found = [DayAsked(day, False) for day in time.days]
    found += [DayAsked(_next(DAYS.index(name), today), True) for name in time.weekdays]
    if time.is_weekend:
        found += [DayAsked(_next(at, today), True) for at in (SATURDAY, SUNDAY)]
    if time.is_now or (not found and (time.at is not None or time.part is not None) and not time.is_holiday):
        found.append(DayAsked(today, False))
    if time.is_holiday and (day := next((each for each in sorted(asked.holidays) if each >= today), None)):
        found.append(DayAsked(day, False))
    return tuple(dict.fromkeys(found))


def days_of_week(asked: Asked) -> tuple[DayAsked, ...]:
    """The seven days of the week that is asked about; none where no week is."""
    if asked.time.week is None:
        return ()
    today = asked.now.date()
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=asked.time.week)
    return tuple(DayAsked(monday + timedelta(days=n), False) for n in range(7))


def _next(weekday: int, today: date) -> date:
    return today + timedelta(days=(weekday - today.weekday()) % 7)


def is_held(one: Consultation, asked: DayAsked) -> bool:
    """Whether a consultation is held on a day; where the weekday of every week is meant, in some of them."""
    if one.weekday != day_name(asked.day):
        return False
    if asked.is_weekly or one.frequency in ("weekly", "by_appointment"):
        return True
    week = asked.day.isocalendar().week
    if one.frequency in ("even_weeks", "odd_weeks"):
        return (week % 2 == 0) == (one.frequency == "even_weeks")
    if one.frequency == "last_of_month":
        return (asked.day + timedelta(days=7)).month != asked.day.month
    return one.frequency == _OF_MONTH.get((asked.day.day - 1) // 7)


def part_of(one: Consultation) -> str | None:
    """The part of the day in which a consultation begins."""
    if one.part is not None or one.opens is None:
        return one.part
    return "morning" if one.opens < AFTERNOON else "afternoon" if one.opens < EVENING else "evening"


def is_in_part(one: Consultation, part: str) -> bool | None:
    """Whether a consultation lies in a part of the day, with some of its time at least; None where it has no hours and
    says no part."""
    if one.opens is None or one.closes is None:
        return None if one.part in (None, "day") else one.part == part
    if part_of(one) == part or part == "day":
        return True
    match part:
        case "morning":
            return one.opens < NOON
        case "afternoon":
            return one.opens < EVENING and one.closes > AFTER_NOON
        case _:
            return one.closes > LATE


def is_at(one: Consultation, at: time) -> bool | None:
    """Whether a consultation lasts at a time of the clock; None where it has no hours."""
    if one.opens is None or one.closes is None:
        return None
    return one.opens <= at.strftime("%H:%M") < one.closes
