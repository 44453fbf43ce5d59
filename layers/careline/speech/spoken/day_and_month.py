"""Reads a day and a month without a year: "25/12", "24-26/12", "01.01".

The same is written for fractions, scores and addresses ("3/4", "7/10", "12/4"), so one counts only where what is around
it says that it is a date: a preposition of days, a weekday, another date, or a nought that no number has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.written_number import word_before

_DAY, _MONTH = r"(0?[1-9]|[12][0-9]|3[01])", r"(0?[1-9]|1[0-2])"
_STROKE = re.compile(rf"{_DAY}(?:er|º|°)?/{_MONTH}(?![0-9/]|[.,][0-9])")
_POINT = re.compile(rf"{_DAY}\.(0[1-9]|1[0-2])\.?(?![0-9]|[.,/][0-9])")
_DASH = re.compile(rf"{_DAY}-{_MONTH}(?![0-9/-]|[.,][0-9])")
_SPACE = r"[ \u00a0\u202f]"
_WORDS = rf"{_SPACE}[^\W\d_]{{1,5}}(?:{_SPACE}[^\W\d_]{{1,4}}){{0,2}}['’ \u00a0\u202f]"
_GAP = rf"(?:{_SPACE}?[-–—]{_SPACE}?|,{_SPACE}|{_WORDS})"
_ITEM = r"(?:0?[1-9]|[12][0-9]|3[01])/(?:0?[1-9]|1[0-2])"
_DATES_BEHIND = re.compile(rf"(?:{_GAP}{_ITEM}(?![0-9/]|[.,][0-9])){{1,12}}")
_DATES_BEFORE = re.compile(rf"(?<![0-9/.,])(?:{_ITEM}{_GAP}){{1,12}}$")
_EACH = re.compile(rf"{_DAY}/{_MONTH}")
_PART_BEGINS = re.compile(r"(?:^|[(:;])\s?$")
_DAY_BEFORE = re.compile(
    rf"(?<![0-9/.,]){_DAY}{_SPACE}(?:en|et|and|e|ed|tot|au|al|to){_SPACE}(?:(?:le|il|the){_SPACE}|l['’])?$"
)
_DAY_NUMBER = re.compile(rf"{_DAY}(?![0-9])")
_UNIT_BEHIND = re.compile(r"[ \u00a0]?[%€°]|[ \u00a0](?:[mµμ]?[gl]|ml|mmol)(?![^\W\d_])")
_ENDS = re.compile(r"$|[,;:.!?)](?![0-9])|\s*[-–—(]|\s+[0-9]")
_WORD_BEHIND = re.compile(rf"{_SPACE}([^\W\d_]+)(?:['’ \u00a0\u202f]([0-9])?|$|[.,;])")
_MOST_PARTS = 10
"""Up to which number of parts a whole is parted in a text for callers: halves to tenths."""
_SURE_DAY, _SURE_MONTH = 20, 10
"""Above these a pair is neither a score nor a blood pressure in centimetres, as "12/8" is."""
_ALWAYS = 24, 7
"""Round the clock, unless something else says that it is a day in July."""
_LOOK_BACK = 80
_LAST_HOUR = 24
"""Up to which a number with a dash behind a weekday is an hour: "Monday 9-5"."""


@dataclass(frozen=True, slots=True)
class DayAndMonth:
    """A day of a month without a year, and where it ends in the text."""

    end: int
    day: int
    month: int


def day_and_month(text: str, at: int, language: str) -> DayAndMonth | None:
    """The day and month that begin at `at`; None where they may be something else."""
    match = _STROKE.match(text, at)
    if match is not None:
        read = DayAndMonth(match.end(), int(match[1]), int(match[2]))
        return read if _is_date(read, match, text, at, language) else None
    for pattern in (_POINT, _DASH):
        match = pattern.match(text, at)
        if match is not None and _is_named_day(match, text, at, language):
            return DayAndMonth(match.end(2), int(match[1]), int(match[2]))
    return None


def _is_date(read: DayAndMonth, match: re.Match[str], text: str, at: int, language: str) -> bool:
    if _UNIT_BEHIND.match(text, read.end):
        return False
    before = word_before(text, at)
    dates = _beside(text, at, read.end)
    is_sure = _is_sure(read.day, read.month)
    if before in _words(language, "range_openers") and dates.behind and (is_sure or _has_sure(dates)):
        return True
    opened = any(_opens(text, start, language) for start in (at, at - len(dates.before)))
    if "0" in (match[1][0], match[2][0]):
        return True
    if _may_be_fraction(read):
        return (opened or _has_sure(dates)) and _ends_or_goes_on(text, read.end, language)
    listed = _DAY_BEFORE.search(text[max(0, at - _LOOK_BACK) : at])
    begins = _PART_BEGINS.search(text[max(0, at - 2) : at]) is not None
    stands = is_sure and (begins or bool(dates.before or dates.behind))
    return bool(opened or listed or _has_sure(dates) or (stands and (read.day, read.month) != _ALWAYS))


@dataclass(frozen=True, slots=True)
class _Beside:
    """The other days and months of a list: what stands before with its joints, and behind."""

    before: str
    behind: str


def _beside(text: str, at: int, end: int) -> _Beside:
    before = _DATES_BEFORE.search(text[max(0, at - _LOOK_BACK) : at])
    behind = _DATES_BEHIND.match(text, end)
    return _Beside(before[0] if before else "", behind[0] if behind else "")


def _has_sure(dates: _Beside) -> bool:
    """Whether one of the others can be nothing but a date."""
    found = _EACH.finditer(f"{dates.before} {dates.behind}")
    return any(_is_sure(int(one[1]), int(one[2])) or "0" in (one[1][0], one[2][0]) for one in found)


def _is_sure(day: int, month: int) -> bool:
    return day > _SURE_DAY or month > _SURE_MONTH


def _opens(text: str, at: int, language: str) -> bool:
    """Whether a preposition of days, or a day of the week, stands before one or a list of them."""
    before = word_before(text, at)
    return before in _words(language, "openers") or before in _weekdays(language)


def _may_be_fraction(read: DayAndMonth) -> bool:
    return read.day < read.month <= _MOST_PARTS


def _ends_or_goes_on(text: str, end: int, language: str) -> bool:
    """Whether nothing stands behind that the two may be a part of: the end, a time, or a small word but "of"."""
    if _ENDS.match(text, end):
        return True
    match = _WORD_BEHIND.match(text, end)
    if match is None:
        return False
    word = match[1].lower()
    if word in language_data.texts(language, "fractions", "of"):
        return match[2] is not None
    return word in _small_words(language)


def _is_named_day(match: re.Match[str], text: str, at: int, language: str) -> bool:
    """Whether a day and month with a point or a dash stand behind a preposition of days; a dash is that of a range
    where the second number is the greater."""
    is_point = match[0][len(match[1])] == "."
    if not is_point and int(match[1]) <= int(match[2]):
        return False
    before = word_before(text, at)
    behind_weekday = before in _weekdays(language) and (is_point or int(match[1]) > _LAST_HOUR)
    if before not in _words(language, "openers") and not behind_weekday:
        return False
    return not _UNIT_BEHIND.match(text, match.end()) and _ends_or_goes_on(text, match.end(2), language)


@cache
def _words(language: str, key: str) -> frozenset[str]:
    return frozenset(language_data.texts(language, "dates", key))


@cache
def _weekdays(language: str) -> frozenset[str]:
    return frozenset(name.lower() for name in language_data.table(language, "menu", "days").values())


@cache
def _small_words(language: str) -> frozenset[str]:
    """Words that go on with a sentence behind a date: prepositions, joints and what is said of hours."""
    from_clock = language_data.texts(language, "clock_words", "openers")
    return frozenset(
        (
            *from_clock, *_words(language, "openers"), *_words(language, "range_openers"),
            *language_data.texts(language, "dates", "weekday_joints"), *_words(language, "behind"),
            language_data.text(language, "menu", "closed"),
        )
    )  # fmt: skip
