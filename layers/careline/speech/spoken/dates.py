"""Says dates: day, month by its name, year. Figures alone are read as Europe writes them, the day first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.day_and_month import DayAndMonth, day_and_month
from careline.speech.spoken.number_words import cardinal, ordinal, pair, year
from careline.speech.spoken.written_number import AnswerAccumulator, dash_at, join_range, word_before

_IN_FIGURES = re.compile(r"(0?[1-9]|[12][0-9]|3[01])([./-])(0?[1-9]|1[0-2])\2((?:19|20)[0-9]{2})(?![0-9])")
_YEAR_FIRST = re.compile(r"((?:19|20)[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_SHORT_YEAR = re.compile(r"(0?[1-9]|[12][0-9]|3[01])([./-])(0?[1-9]|1[0-2])\2([0-9]{2})(?![0-9/-]|[.,][0-9])")
_DAY_TO_DAY = re.compile(r"(0?[1-9]|[12][0-9]|3[01])[ \u00a0]?[-–][ \u00a0]?(?=(0?[1-9]|[12][0-9]|3[01])/)")
_DAY = re.compile(r"(0?[1-9]|[12][0-9]|3[01])(?:er|st|nd|rd|th|º|°|de|ste|e)?(?![0-9]|[.,:/][0-9])")
_MONTH = re.compile(r"[ \u00a0](?:(?:of|de|di) )?([^\W\d_]{3,10})\b(\.(?=[ \u00a0][0-9a-zà-ÿ]))?")
_YEAR = re.compile(r",?[ \u00a0]((?:19|20)[0-9]{2})(?![0-9]|[.,:/-][0-9])")
_LONE_YEAR = re.compile(r"(1[5-9][0-9]{2}|20[0-9]{2})(?![0-9]|[.,:/-][0-9]|[ \u00a0]?[%€])")


def date(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """The date, the range of two days of a month, or the year after its preposition, that begins at `at`."""
    for read in (_in_figures, _without_year, _with_month, _after_month, _year_alone):
        if said := read(text, at, language):
            return said
    return None


def _in_figures(text: str, at: int, language: str) -> AnswerAccumulator | None:
    if match := _IN_FIGURES.match(text, at):
        day, month, its_year = int(match[1]), int(match[3]), int(match[4])
        return match.end(), f"{_day_of(day, month, text, at, language)}{_gap(language)}{year(its_year, language)}"
    if match := _YEAR_FIRST.match(text, at):
        its_year, month, day = int(match[1]), int(match[2]), int(match[3])
        return match.end(), f"{_day_of(day, month, text, at, language)}{_gap(language)}{year(its_year, language)}"
    return None


def _without_year(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """ "25/12", "24/12-02/01", "24-26/12", "25/12/26"."""
    if match := _SHORT_YEAR.match(text, at):
        day = _day_of(int(match[1]), int(match[3]), text, at, language)
        return match.end(), f"{day}{_gap(language)}{pair(match[4], language)}"
    if days := _DAY_TO_DAY.match(text, at):
        last = day_and_month(text, days.end(), language)
        if last is None or int(days[1]) >= last.day:
            return None
        said = join_range(
            _day(int(days[1]), text, at, language), _said(last, text, days.end(), language), text, at, language
        )
        return last.end, said
    first = day_and_month(text, at, language)
    if first is None:
        return None
    dash = dash_at(text, first.end)
    last = day_and_month(text, dash, language) if dash is not None else None
    if dash is None or last is None:
        return first.end, _said(first, text, at, language)
    ends = _said(first, text, at, language), _said(last, text, dash, language)
    return last.end, join_range(*ends, text, at, language)


def _said(read: DayAndMonth, text: str, at: int, language: str) -> str:
    return _day_of(read.day, read.month, text, at, language)


def _with_month(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """ "12 maart 2026", "1er mars", "12-14 March"."""
    first = _DAY.match(text, at)
    low, high = None, first
    if first is None:
        return None
    dash = dash_at(text, first.end())
    if dash is not None:
        low, high = first, _DAY.match(text, dash)
    month = _MONTH.match(text, high.end()) if high is not None else None
    name = _months(language).get(_key(month[1], language)) if month is not None else None
    if high is None or month is None or name is None:
        return None
    day = _day(int(high[1]), text, at, language)
    if low is not None:
        day = join_range(_day(int(low[1]), text, at, language), day, text, at, language)
    return _and_year(text, month.end(), f"{day}{_of(language)}{name}", language)


def _after_month(text: str, at: int, language: str) -> AnswerAccumulator | None:
    """ "March 12, 2026" in English."""
    match = _DAY.match(text, at) if language == "en" else None
    if match is None or not _is_month_before(text, at, language):
        return None
    return _and_year(text, match.end(), ordinal(int(match[1]), language), language)


def _year_alone(text: str, at: int, language: str) -> AnswerAccumulator | None:
    match = _LONE_YEAR.match(text, at) if language == "en" else None
    if match is None:
        return None
    opened = word_before(text, at) in _year_openers(language) or _is_month_before(text, at, language)
    return (match.end(), year(int(match[1]), language)) if opened else None


def _and_year(text: str, at: int, said: str, language: str) -> AnswerAccumulator:
    match = _YEAR.match(text, at)
    return (at, said) if match is None else (match.end(), f"{said}{_gap(language)}{year(int(match[1]), language)}")


def _day_of(day: int, month: int, text: str, at: int, language: str) -> str:
    name = language_data.texts(language, "dates", "months")[month - 1]
    return f"{_day(day, text, at, language)}{_of(language)}{name}"


def _day(day: int, text: str, at: int, language: str) -> str:
    """The day; the first has its own word in French and Italian, and English counts in ordinals."""
    if language == "en":
        return f"{'' if word_before(text, at) == 'the' else 'the '}{ordinal(day, language)}"
    is_elided = text[max(0, at - 1) : at] in {"'", "’"}
    if day != 1 or is_elided:
        # Italian has "l'uno" beside "il primo".
        return cardinal(day, language)
    return language_data.texts(language, "dates", "first")[0]


def _of(language: str) -> str:
    return " of " if language == "en" else " "


def _gap(language: str) -> str:
    return ", " if language == "en" else " "


def _key(word: str, language: str) -> str:
    """English months are told from "may" and "march" by their capital."""
    return word if language == "en" else word.lower()


def _is_month_before(text: str, at: int, language: str) -> bool:
    before = text[max(0, at - 12) : at].rstrip(" .,").split(" ")[-1]
    return before in _months(language)


@cache
def _months(language: str) -> Mapping[str, str]:
    whole = language_data.texts(language, "dates", "months")
    return {**{name: name for name in whole}, **language_data.table(language, "dates", "short_months")}


@cache
def _year_openers(language: str) -> frozenset[str]:
    return frozenset(language_data.texts(language, "numbers", "years_after"))
