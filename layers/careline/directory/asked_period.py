"""Reads the time of a question that is a month, a year, or a weekday of a month: "in January", "in 2027", "the first
Friday of December"."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from careline.directory.asked_day import DECEMBER
from careline.directory.time_words import months, time_words
from careline.text.asked_words import AskedWord

WEEK, LAST = 7, -1
MONTH, YEAR = "month", "year"
"""What comes next, where no name of it is said."""
Period = tuple[date, date]


def weekday_number(word: AskedWord, language: str) -> int | None:
    """The weekday that a word names, 0 for Monday; a short one only with a capital."""
    known = time_words()
    number: int | None = known["weekdays"][language].get(word.plain)
    return None if word.plain in known["short_weekdays"] and not word.text[0].isupper() else number


def asked_period(words: Sequence[AskedWord], at: int, language: str, today: date) -> tuple[int, Period] | None:
    """The month or the coming year that begins at a word, and how many words it takes: "in January", "in 2027"."""
    if words[at].plain not in time_words()["within"][language]:
        return None
    start = _behind_joints(words, at + 1, language)
    named = words[start].plain if start < len(words) else ""
    size, month = start + 1 - at, months(language).get(named)
    if named == str(today.year + 1):
        return size, of_year(today.year + 1)
    if month is None:
        return None
    behind = words[start + 1].plain if start + 1 < len(words) else ""
    named_years = [year for year in (today.year, today.year + 1) if behind == str(year)]
    years = named_years or [today.year, today.year + 1]
    found = next((each for year in years if (each := of_month(year, month, today)) is not None), None)
    return (size + len(named_years), found) if found is not None else None


def _behind_joints(words: Sequence[AskedWord], at: int, language: str) -> int:
    """Where the words end that join a day or "the month" and the name of one."""
    while at < len(words) and words[at].plain in time_words()["of_month"][language]:
        at += 1
    return at


def period_ahead(value: str, today: date) -> Period:
    """The month or the year behind this one."""
    if value == YEAR:
        return of_year(today.year + 1)
    first = date(today.year + today.month // DECEMBER, today.month % DECEMBER + 1, 1)
    return first, _last_of(first)


def of_year(year: int) -> Period:
    """A year."""
    return date(year, 1, 1), date(year, DECEMBER, 31)


def of_month(year: int, month: int, today: date) -> Period | None:
    """What is left of a month of a year; None where it is over."""
    first = date(year, month, 1)
    last = _last_of(first)
    return (max(first, today), last) if last >= today else None


def _last_of(first: date) -> date:
    return first.replace(day=monthrange(first.year, first.month)[1])


def nth_weekday(words: Sequence[AskedWord], at: int, language: str, today: date) -> tuple[int, date | None] | None:
    """The day that begins at a word as the first or the last weekday of a month, and how many words that takes; no day
    for one that a month has not: "the first Friday of December", "il primo venerdì di dicembre"."""
    which, named = _which(words, at, language)
    if which is None or named is None:
        return None
    behind = _behind_joints(words, at + 2, language)
    month = months(language).get(words[behind].plain) if behind < len(words) else None
    if month is not None:
        days = [_nth(year, month, named, which) for year in (today.year, today.year + 1)]
        return behind + 1 - at, _coming(days, today)
    if behind > at + 2 and any(_is_month(word, language) for word in words[at + 2 : behind + 1]):
        following = period_ahead(MONTH, today)[0]
        days = [_nth(first.year, first.month, named, which) for first in (today, following)]
        return min(behind + 1, len(words)) - at, _coming(days, today)
    return None


def _is_month(word: AskedWord, language: str) -> bool:
    """Whether a word is that for a month."""
    return bool(time_words()["lengths"][language].get(word.plain) == MONTH)


def _coming(days: Sequence[date | None], today: date) -> date | None:
    return next((day for day in days if day is not None and day >= today), None)


def _which(words: Sequence[AskedWord], at: int, language: str) -> tuple[int | None, int | None]:
    """Which weekday of a month two words name, from 1, or the last one; and its number."""
    pair = words[at : at + 2]
    if len(pair) < 2:
        return None, None
    for marker, named in (pair, pair[::-1]):
        which: int | None = time_words()["nth"][language].get(marker.plain)
        if which is not None and (number := weekday_number(named, language)) is not None:
            return which, number
    return None, None


def _nth(year: int, month: int, weekday: int, which: int) -> date | None:
    first = date(year, month, 1)
    day = first + timedelta(days=(weekday - first.weekday()) % WEEK)
    if which == LAST:
        last = _last_of(first)
        return last - timedelta(days=(last.weekday() - weekday) % WEEK)
    day += timedelta(weeks=which - 1)
    return day if day.month == month else None
