"""Reads of which day and time a question is: "on Friday", "tomorrow morning", "right now", "24 December", "5 pm"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.directory.entries import DayPart
from careline.directory.week import DAYS, Day
from careline.text.asked_words import AskedWord, words_of
from careline.text.label_words import vocabulary

LONGEST = 4
"""Words of a phrase for a day."""
ORDINALS = frozenset(("", "st", "nd", "rd", "th", "e", "er", "ste", "de"))
"""What may stand behind the number of a day."""
_PARTS: Mapping[str, tuple[int, DayPart | None]] = {
    "today": (0, None),
    "tonight": (0, "evening"),
    "this_morning": (0, "morning"),
    "this_afternoon": (0, "afternoon"),
    "tomorrow": (1, None),
    "tomorrow_morning": (1, "morning"),
    "tomorrow_afternoon": (1, "afternoon"),
    "tomorrow_evening": (1, "evening"),
    "day_after": (2, None),
}
"""How many days from today, and which part of it."""


@dataclass(frozen=True, slots=True)
class AskedTime:
    """Of when a question is. `weekdays` are those of every week, `days` those of the calendar. `spans` is where it
    stands in the text."""

    weekdays: tuple[Day, ...] = ()
    days: tuple[date, ...] = ()
    part: DayPart | None = None
    at: time | None = None
    is_now: bool = False
    is_weekend: bool = False
    is_holiday: bool = False
    """Public holidays in general."""
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether the question is of no day or time in particular."""
        return not self.spans


ANY_TIME = AskedTime()


@cache
def _words() -> Mapping[str, Any]:
    text = files("careline.directory").joinpath("data", "time_words.yaml").read_text("utf-8")
    content: Mapping[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


def asked_time(text: str, language: str, now: datetime) -> AskedTime:
    """Of when a question is; `now` by the hospital's clocks."""
    words = words_of(text)
    found = ANY_TIME
    at = 0
    while at < len(words):
        taken, read = _at(words, at, text, language, now)
        if taken:
            end = words[at + taken - 1].end
            found = _joined(found, read, (words[at].start, end))
        at += max(1, taken)
    return found


def _joined(found: AskedTime, read: AskedTime, span: tuple[int, int]) -> AskedTime:
    """What was read so far, with one more part."""
    return AskedTime(
        (*found.weekdays, *read.weekdays),
        (*found.days, *read.days),
        read.part or found.part,
        read.at or found.at,
        read.is_now or found.is_now,
        read.is_weekend or found.is_weekend,
        read.is_holiday or found.is_holiday,
        (*found.spans, span),
    )


def _at(
    words: Sequence[AskedWord], at: int, text: str, language: str, now: datetime
) -> tuple[int, AskedTime]:
    """What is said of time from a word on, and how many words that takes."""
    if (dated := _date(words, at, text, language, now)) is not None:
        return dated
    for size in range(min(LONGEST, len(words) - at), 0, -1):
        phrase = " ".join(word.plain for word in words[at : at + size])
        for read in _readings(phrase, words[at], language, now):
            return size, read
    return 0, ANY_TIME


def _readings(phrase: str, word: AskedWord, language: str, now: datetime) -> Iterator[AskedTime]:
    known = _words()
    if phrase in known["weekdays"][language] and (phrase not in known["short_weekdays"] or word.text[0].isupper()):
        yield AskedTime(weekdays=(DAYS[known["weekdays"][language][phrase]],))
    yield from _compound(phrase, language)
    if (kind := known["days"][language].get(phrase)) is not None:
        yield _of_kind(kind, now)
    if (part := known["parts"][language].get(phrase)) is not None:
        yield AskedTime(part=part)
    if (feast := known["feasts"][language].get(phrase)) is not None:
        month, day = map(int, feast.split("-"))
        yield AskedTime(days=_next(month, day, now.date()))


def _compound(word: str, language: str) -> Iterator[AskedTime]:
    """A day and its part as one word: "vrijdagvoormiddag"."""
    for name, number in _words()["weekdays"][language].items():
        part = _words()["parts"][language].get(word.removeprefix(name)) if word.startswith(name) else None
        if part is not None:
            yield AskedTime(weekdays=(DAYS[number],), part=part)


def _of_kind(kind: str, now: datetime) -> AskedTime:
    if kind in _PARTS:
        days, part = _PARTS[kind]
        return AskedTime(days=(now.date() + timedelta(days=days),), part=part)
    return AskedTime(is_now=kind == "now", is_weekend=kind == "weekend", is_holiday=kind == "holiday")


def _next(month: int, day: int, today: date) -> tuple[date, ...]:
    """The day of a month, this year or next."""
    for year in (today.year, today.year + 1):
        try:
            found = date(year, month, day)
        except ValueError:
            return ()
        if found >= today:
            return (found,)
    return ()


def _date(
    words: Sequence[AskedWord], at: int, text: str, language: str, now: datetime
) -> tuple[int, AskedTime] | None:
    """A day of the calendar ("24 december", "December 24th", "24/12") or a time ("17:30", "5 pm", "17u30")."""
    word = words[at]
    behind = words[at + 1] if at + 1 < len(words) else None
    months = _words()["months"][language]
    number = _number(word) or _in_words(word, language)
    if behind is not None and number is not None and 1 <= number <= 31:
        if behind.plain in months:
            return 2, AskedTime(days=_next(months[behind.plain], number, now.date()))
        if text[word.end : behind.start] == "/" and (month := _number(behind)) and 1 <= month <= 12:
            return 2, AskedTime(days=_next(month, number, now.date()))
    day = (_number(behind) or _in_words(behind, language)) if behind is not None else None
    if word.plain in months and day is not None and 1 <= day <= 31:
        return 2, AskedTime(days=_next(months[word.plain], day, now.date()))
    return _time(words, at, text)


def _time(words: Sequence[AskedWord], at: int, text: str) -> tuple[int, AskedTime] | None:
    word = words[at]
    behind = words[at + 1] if at + 1 < len(words) else None
    plain = word.plain
    for mark in ("u", "h"):
        hour, found, minute = plain.partition(mark)
        if found and hour.isdigit() and (not minute or minute.isdigit()) and int(hour) < 24:
            return 1, AskedTime(at=time(int(hour), min(int(minute or 0), 59)))
    for mark, later in (("am", 0), ("pm", 12)):
        if plain.endswith(mark) and plain[:-2].isdigit() and int(plain[:-2]) <= 12:
            return 1, AskedTime(at=time(int(plain[:-2]) % 12 + later))
    number = _number(word)
    if number is None or behind is None or number > 24:
        return None
    minutes = _number(behind) if len(behind.text) == 2 and text[word.end : behind.start] in (":", ".") else None
    if minutes is not None:
        return (2, AskedTime(at=time(number % 24, minutes))) if minutes < 60 else None
    if behind.plain in ("am", "pm") and number <= 12:
        return 2, AskedTime(at=time(number % 12 + 12 * (behind.plain == "pm")))
    if behind.plain in ("uur", "heures", "heure", "h", "oclock"):
        return 2, AskedTime(at=time(number % 24))
    return None


def _in_words(word: AskedWord, language: str) -> int | None:
    """A number as speech recognition writes it: "dieci", "tweeentwintig"."""
    worth = vocabulary().numbers.get(language, {}).get(word.plain)
    return int(worth) if worth is not None and worth == int(worth) else None


def _number(word: AskedWord) -> int | None:
    digits = "".join(character for character in word.plain if character.isdigit())
    is_ordinal = word.plain[len(digits) :] in ORDINALS
    return int(digits) if word.plain.startswith(digits) and is_ordinal and 0 < len(digits) <= 2 else None
