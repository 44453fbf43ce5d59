"""Hours, times and days as people write them: "8u-12u, 13u-17u", "9 am - 5 pm", "Mon-Fri", "closed", "24h"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Literal

from careline.directory.formats.workbook.words import LANGUAGES, CellWrong, Phrases, choice, tokens, written
from careline.directory.week import ALL_DAY, DAYS, HOLIDAY, Hours

NOT_HOURS = "is not understood as hours; write them as 08:00-12:00, 13:00-17:00, or closed, or 24h"
NOT_A_TIME = "is not understood as a time of day; write it as 08:30"
NO_END = "says when it begins and not when it ends; write both, as 08:00-17:00"
OVERLAP = "names hours that lie within one another; write each part of the day once"
OVER_MIDNIGHT = "ends before it begins; hours over midnight are two: 22:00-24:00, and 00:00-06:00 on the next day"
BY_APPOINTMENT: Literal["by_appointment"] = "by_appointment"
"""What stands for hours where it is open by appointment alone."""
APPOINTMENT_AND_HOURS = "says by appointment and hours; write one of the two"
NOT_DAYS = "is not understood as days; write Monday, or Mon-Fri, or public holidays"
LONGEST = 300
"""Characters of hours or days."""
_MINUTES = 24 * 60
_DECIMAL_COMMA = re.compile(r"([0-9]),([0-9]{2})(?![0-9])")
Written = list[tuple[str, str]] | Literal["by_appointment"]
"""Hours of a day, each from and to; none where it is closed."""
_Token = tuple[str, str]
_Time = tuple[int, str]
"""Minutes of a day, and whether `morning` or `evening` was said."""


@cache
def _words() -> Phrases:
    said = written()["hours"]
    names = ("until", "skipped", "and", "unit", "morning", "evening", "noon", "midnight", "between", "appointment")
    return Phrases((phrase, name) for name in names for phrase in said[name])


@cache
def _whole() -> Phrases:
    said = written()["hours"]
    return Phrases((phrase, name) for name in ("closed", "always", "and", "skipped") for phrase in said[name])


def is_by_appointment(text: str) -> bool:
    """Whether a text says that it is by appointment and nothing else."""
    if len(text) > LONGEST:
        return False
    said = {meaning for meaning, token in _words().read(tokens(text)) if meaning or token.isalnum()}
    return said - {"skipped", "and"} == {"appointment"}


def read_hours(text: str) -> list[tuple[str, str]]:
    """The hours of a day as pairs of "HH:MM"; none where it is closed. Raises: CellWrong."""
    if _is_no_writing(text):
        raise CellWrong(NOT_HOURS)
    known = {meaning for meaning, _ in _whole().read(tokens(text))}
    if "closed" in known and known <= {"closed"}:
        return []
    if "always" in known and known <= {"always", "and", "skipped"}:
        return [ALL_DAY]
    try:
        found = _Reading(text).hours()
    except CellWrong:
        # Italians write 8,30 for half past eight, where others part two times with a comma.
        otherwise = _DECIMAL_COMMA.sub(r"\1:\2", text)
        if otherwise == text:
            raise
        found = _Reading(otherwise).hours()
    return _without_overlap(found)


def read_time(text: str) -> str:
    """A time of day as "HH:MM"; midnight at the end of a day is "24:00". Raises: CellWrong."""
    if _is_no_writing(text):
        raise CellWrong(NOT_A_TIME)
    return _Reading(_DECIMAL_COMMA.sub(r"\1:\2", text)).only_time()


def _is_no_writing(text: str) -> bool:
    """Whether a text is too long, or has digits that stand for a footnote."""
    return len(text) > LONGEST or any(sign.isdigit() and not sign.isdecimal() for sign in text)


def clock(minutes: int) -> str:
    """Minutes of a day as "HH:MM"."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def write_hours(hours: Sequence[Hours], closed: str) -> str:
    """Hours as they are read again."""
    return ", ".join(f"{one.opens}-{one.closes}" for one in hours) or closed


def _without_overlap(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    ordered = sorted(found)
    if any(later[0] < earlier[1] for earlier, later in pairwise(ordered)):
        raise CellWrong(OVERLAP)
    return found


class _Reading:
    """The tokens of one cell, read from the left."""

    def __init__(self, text: str) -> None:
        self._tokens: list[_Token] = [one for one in _words().read(tokens(text)) if one[0] != "skipped"]
        self._at = 0

    def hours(self) -> list[tuple[str, str]]:
        """Every stretch of hours."""
        found = []
        if any(meaning == "appointment" for meaning, _ in self._tokens):
            raise CellWrong(APPOINTMENT_AND_HOURS)
        self._skip("and", "unit")
        while self._at < len(self._tokens):
            found.append(self._stretch())
            self._skip("and", "unit")
        if not found:
            raise CellWrong(NOT_HOURS)
        return found

    def only_time(self) -> str:
        """The one time that stands there."""
        self._skip("unit")
        minutes, said = self._time(NOT_A_TIME)
        if self._at < len(self._tokens):
            raise CellWrong(NOT_A_TIME)
        return clock(_in_day(minutes, said, NOT_A_TIME))

    def _stretch(self) -> tuple[str, str]:
        joined = ("until", "and") if self._skip("between") else ("until",)
        opens, opens_said = self._time(NOT_HOURS)
        if not self._skip(*joined):
            raise CellWrong(NO_END if self._at == len(self._tokens) else NOT_HOURS)
        self._skip("unit")
        closes, closes_said = self._time(NOT_HOURS)
        closing = _in_day(closes, closes_said, NOT_HOURS) or _MINUTES
        opening = _opening(opens, opens_said, closes_said, closing) % _MINUTES
        if opening >= closing:
            raise CellWrong(OVER_MIDNIGHT)
        return clock(opening), clock(closing)

    def _time(self, wrong: str) -> _Time:
        meaning, token = self._next()
        if meaning == "noon":
            return _MINUTES // 2, ""
        if meaning == "midnight":
            return _MINUTES, ""
        if not token.isdecimal() or not token.isascii() or len(token) > 4:
            raise CellWrong(wrong)
        hour, minute = (int(token[:-2]), int(token[-2:])) if len(token) > 2 else (int(token), self._minute(wrong))
        said = self._said()
        if hour > 24 or minute > 59 or hour * 60 + minute > _MINUTES:
            raise CellWrong(wrong)
        return hour * 60 + minute, said

    def _minute(self, wrong: str) -> int:
        """The minutes behind an hour: ":30", ".30", "h30", "u 30"; seconds of zero are read over."""
        meaning, sign = self._peek()
        following = self._tokens[self._at + 1][1] if self._at + 1 < len(self._tokens) else ""
        if (sign in (":", ".") or meaning == "unit") and following.isdecimal() and len(following) == 2:
            self._at += 2
            if [one for _, one in self._tokens[self._at : self._at + 2]] == [":", "00"]:
                self._at += 2
            return int(following)
        if sign == ":" or (sign == "." and following.isdecimal()):
            raise CellWrong(wrong)
        return 0

    def _said(self) -> str:
        """What stands behind a time: "uur", "h", "pm"."""
        self._skip("unit")
        self._skip_stop()
        meaning, _ = self._peek()
        if meaning in ("morning", "evening"):
            self._at += 1
            self._skip_stop()
            return meaning
        return ""

    def _skip_stop(self) -> None:
        if self._peek()[1] == ".":
            self._at += 1

    def _peek(self) -> _Token:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("", "")

    def _next(self) -> _Token:
        token = self._peek()
        self._at += 1
        return token

    def _skip(self, *meanings: str) -> bool:
        """Go past what has one of the meanings; whether anything had."""
        before = self._at
        while self._peek()[0] in meanings:
            self._at += 1
        return self._at > before


def _in_day(minutes: int, said: str, wrong: str) -> int:
    """A time of twelve hours as one of 24."""
    if said and not 60 <= minutes < 13 * 60:
        raise CellWrong(wrong)
    if not said:
        return minutes
    return minutes % (12 * 60) + (12 * 60 if said == "evening" else 0)


def _opening(minutes: int, said: str, closes_said: str, closing: int) -> int:
    """When it opens: "9-5 pm" opens in the morning, "1-5 pm" after noon."""
    if said or not closes_said or not 60 <= minutes < 13 * 60:
        return _in_day(minutes, said, NOT_HOURS)
    same = _in_day(minutes, closes_said, NOT_HOURS)
    return same if same < closing else _in_day(minutes, "morning", NOT_HOURS)


def read_days(text: str, language: str) -> list[str]:
    """The days that are named, `holiday` among them, in the order of a week.

    They are read in one language, that of the hospital before others: "ma" is Monday in Dutch and Tuesday in French.
    Raises: CellWrong.
    """
    if len(text) > LONGEST:
        raise CellWrong(NOT_DAYS)
    parts = [one for one in tokens(text) if one != "."]
    if (own := _days_in(parts, language)) is not None:
        return own
    meant = {tuple(found) for other in LANGUAGES if (found := _days_in(parts, other)) is not None}
    if len(meant) > 1:
        raise CellWrong("means other days in another language; write the days in full")
    if not meant:
        raise CellWrong(NOT_DAYS)
    return list(meant.pop())


def _days_in(parts: Sequence[str], language: str) -> list[str] | None:
    """The days that are named in a language; None where these are no days in it."""
    found: set[str] = set()
    first, awaits = "", False
    for meaning, _ in _day_words(language).read(parts):
        if meaning == "until":
            awaits = True
        elif meaning in _GROUPS:
            found, first, awaits = found | set(_GROUPS[meaning]), "", False
        elif meaning in (*DAYS, HOLIDAY):
            if awaits and (HOLIDAY in (first, meaning) or not first):
                return None
            found |= set(_between(first, meaning)) if awaits else {meaning}
            first, awaits = meaning, False
        elif meaning not in ("and", "skipped"):
            return None
    return [day for day in (*DAYS, HOLIDAY) if day in found] if found and not awaits else None


_GROUPS: Mapping[str, tuple[str, ...]] = {
    "weekdays": DAYS[:5], "weekend": DAYS[5:], "daily": (*DAYS, HOLIDAY), "sunday_and_holiday": (DAYS[6], HOLIDAY),
}  # fmt: skip
"""Every day is public holidays too: who writes it means that it never depends on the day."""


def _between(first: str, last: str) -> list[str]:
    """The days from one to another, over the end of a week too."""
    names: list[str] = list(DAYS)
    at, to = names.index(first), names.index(last)
    return [names[(at + step) % 7] for step in range((to - at) % 7 + 1)]


@cache
def _day_words(language: str) -> Phrases:
    """Words of days in a language, and the words between them in any."""
    said = written()["hours"]
    known = [(phrase, name) for name in ("until", "and", "skipped") for phrase in said[name]]
    known += [(phrase, name) for name, phrases in written()["days"].items() for phrase in phrases]
    own = [(word, day) for day, words in choice("day").words.items() for word in (day, *words[language])]
    taken = {tokens(phrase) for phrase, _ in own}
    return Phrases([*own, *((phrase, name) for phrase, name in known if tokens(phrase) not in taken)])
