"""Hours of FHIR: days of three letters, times with seconds, and no 24:00."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from careline import time_zone
from careline.directory.formats.fhir.resources import AvailableTime, OperatingHours
from careline.directory.week import ALL_DAY, DAYS, Day, Hours, Week

CODES: Mapping[str, Day] = MappingProxyType({day[:3]: day for day in DAYS})
END_OF_DAY = "23:59:59"
"""How 24:00 is written, which FHIR does not have."""
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])(?::[0-5][0-9](?:\.[0-9]{1,9})?)?")
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T")
NO_DAY = "is no day; write mon, tue, wed, thu, fri, sat or sun"
NO_TIME = "is no time; write it as 08:30:00"
NO_DATE = "is no day; write it as 2027-12-31"
NO_HOURS = "is missing: say from when and until when, or allDay"
ENDS_BEFORE = "is not after the time at which it begins; hours over midnight are two"
Tell = Callable[[str, str], None]
"""Takes a path and what is wrong there."""
Span = tuple[Day, str | None, str | None]
"""A day with the times from and until which something is, or neither."""


def spans(times: Sequence[AvailableTime | OperatingHours], path: str, tell: Tell) -> Iterator[Span]:
    """The hours of each day, in their order. Without days they are those of every day."""
    begin, end = ("openingTime", "closingTime") if path == "hoursOfOperation" else _AVAILABLE
    for at, one in enumerate(times):
        here = f"{path}[{at}]"
        days = [_day(code, f"{here}.daysOfWeek[{number}]", tell) for number, code in enumerate(one.days)]
        opens = _clock(one.start, f"{here}.{begin}", tell)
        closes = _clock(one.end, f"{here}.{end}", tell)
        if closes == "00:00" or (one.end or "").startswith(END_OF_DAY):
            closes = ALL_DAY[1]
        if one.all_day:
            opens, closes = ALL_DAY
        elif opens and closes and closes <= opens:
            tell(f"{here}.{end}", ENDS_BEFORE)
            continue
        elif (one.start is None) != (one.end is None) and (opens or closes):
            tell(f"{here}.{begin if one.start is None else end}", NO_HOURS)
            continue
        yield from ((day, opens, closes) for day in (days or DAYS) if day is not None)


_AVAILABLE = ("availableStartTime", "availableEndTime")


def week(times: Sequence[AvailableTime | OperatingHours], path: str, tell: Tell) -> Week:
    """Hours by day, each with its beginning and end."""
    found: dict[Any, list[Hours]] = {}
    for day, opens, closes in spans(times, path, tell):
        if opens is None or closes is None:
            tell(path, NO_HOURS)
            continue
        found.setdefault(day, []).append(Hours.model_validate({"from": opens, "to": closes}))
    return {day: found[day] for day in DAYS if day in found}


def day_of(text: str | None, path: str, tell: Tell, zone: str, *, is_last: bool = False) -> date | None:
    """The day of a date, or of a moment by the clocks of a zone. Of a month or year it is the first, or the last."""
    if text is None:
        return None
    try:
        if _MOMENT.match(text):
            moment = datetime.fromisoformat(text)
            return moment.astimezone(time_zone.zone(zone)).date() if moment.tzinfo else moment.date()
        return _day_of_date(text, is_last)
    except (ValueError, OverflowError):
        tell(path, NO_DATE)
        return None


def _day_of_date(text: str, is_last: bool) -> date:
    """Raises: ValueError."""
    if not _DATE.fullmatch(text):
        raise ValueError(text)
    year, month, day = (*map(int, text.split("-")), 0, 0)[:3]
    if not day:
        month = month or (12 if is_last else 1)
        day = monthrange(year, month)[1] if is_last else 1
    return date(year, month, day)


def _day(code: str, path: str, tell: Tell) -> Day | None:
    found = CODES.get(code)
    if found is None:
        tell(path, NO_DAY)
    return found


def _clock(text: str | None, path: str, tell: Tell) -> str | None:
    if text is None:
        return None
    read = _TIME.fullmatch(text)
    if read is None:
        tell(path, NO_TIME)
        return None
    return f"{read[1]}:{read[2]}"


def written_span(day: Day, opens: str | None, closes: str | None) -> dict[str, Any]:
    """One stretch of hours on one day, as `availableTime` has it."""
    if (opens, closes) == ALL_DAY:
        return {"daysOfWeek": [day[:3]], "allDay": True}
    begin = {"availableStartTime": f"{opens}:00"} if opens else {}
    end = {"availableEndTime": END_OF_DAY if closes == ALL_DAY[1] else f"{closes}:00"} if closes else {}
    return {"daysOfWeek": [day[:3]], **begin, **end}


def written_week(held: Week) -> list[dict[str, Any]]:
    """A week, days of the same hours together; the second stretch of a day stands behind every first."""
    found: list[dict[str, Any]] = []
    for turn in range(max((len(hours) for hours in held.values()), default=0)):
        of_turn: dict[tuple[str, str], dict[str, Any]] = {}
        for day in DAYS:
            for one in held.get(day, [])[turn : turn + 1]:
                same = of_turn.get((one.opens, one.closes))
                if same is None:
                    of_turn[one.opens, one.closes] = written_span(day, one.opens, one.closes)
                else:
                    same["daysOfWeek"].append(day[:3])
        found.extend(of_turn.values())
    return found
