"""Reads a day of the calendar or a time of the clock from words: "24 december", "the 9th", "17:30", "5 pm"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, time
from functools import cache

from careline.directory.time_words import months, time_words
from careline.model import LANGUAGES
from careline.speech.spoken.number_words import cardinal, ordinal
from careline.text.asked_words import AskedWord, listed, words_of

ORDINALS = frozenset(("", "st", "nd", "rd", "th", "e", "er", "ste", "de", "°"))
"""What may stand behind the number of a day."""
LAST_DAY, DECEMBER = 31, 12
CENTURY = range(2000, 2100)
"""Years that a question is of."""


def calendar_day(
    words: Sequence[AskedWord], at: int, text: str, language: str, today: date
) -> tuple[int, date | None] | None:
    """The day that begins at a word and how many words it takes; no day for one that no calendar has; None for none.

    Without a year it is the next one of its kind.
    """
    number, taken = day_number(words, at, language)
    behind = words[at + taken] if at + taken < len(words) else None
    known = months(language)
    if number and behind is not None:
        between = _joint(words, at + taken, language)
        month = words[at + taken + between] if at + taken + between < len(words) else None
        if month is not None and month.plain in known:
            return _with_year(words, at, taken + between + 1, known[month.plain], number, today)
        if taken == 1 and text[words[at].end : behind.start] == "/" and 1 <= (numbered(behind) or 0) <= DECEMBER:
            return _with_year(words, at, 2, numbered(behind) or 0, number, today)
    if words[at].plain in known:
        number, taken = day_number(words, at + 1, language)
        if number:
            return _with_year(words, at, taken + 1, known[words[at].plain], number, today)
    return None


def _joint(words: Sequence[AskedWord], at: int, language: str) -> int:
    """How many words join a day and its month: "the 11th of December"."""
    return int(at < len(words) and words[at].plain in ("of", "van", "de", "d", "di"))


def _with_year(
    words: Sequence[AskedWord], at: int, taken: int, month: int, day: int, today: date
) -> tuple[int, date | None]:
    behind = words[at + taken].plain if at + taken < len(words) else ""
    if behind.isdigit() and int(behind) in CENTURY:
        return taken + 1, _day(int(behind), month, day)
    return taken, next_of(month, day, today)


def next_of(month: int, day: int, today: date) -> date | None:
    """The day of a month, this year or next."""
    found = (_day(year, month, day) for year in (today.year, today.year + 1))
    return next((one for one in found if one is not None and one >= today), None)


def day_of_month(words: Sequence[AskedWord], at: int, language: str, today: date) -> tuple[int, date | None] | None:
    """The day of this month or the next behind an article: "on the 9th", "le 15", "de 9de"; None where another word
    follows, which is counted or numbered."""
    word = words[at]
    if word.plain not in time_words()["day_number"][language] or at + 1 >= len(words):
        return None
    number = numbered(words[at + 1])
    is_bare = words[at + 1].plain.isdigit()
    if not number or number > LAST_DAY or (is_bare and language in ("nl", "en")):
        return None
    if at + 2 < len(words) and words[at + 2].plain not in _small(language):
        return None
    return 2, of_month(number, today)


def of_month(day: int, today: date) -> date | None:
    """The next day with a number."""
    year, month = today.year, today.month
    for _ in range(3):
        found = _day(year, month, day)
        if found is not None and found >= today:
            return found
        year, month = (year + 1, 1) if month == DECEMBER else (year, month + 1)
    return None


@cache
def _small(language: str) -> frozenset[str]:
    return listed("small", language) | listed("joins", language) | listed("then", language)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_number(words: Sequence[AskedWord], at: int, language: str) -> tuple[int, int]:
    """The number of a day that begins at a word, and how many words it takes; 0 for none: "24", "24th", "vingt et
    un", as speech recognition writes it too."""
    if at >= len(words):
        return 0, 0
    number = numbered(words[at])
    if number is not None:
        return (number, 1) if number <= LAST_DAY else (0, 0)
    for phrase, worth in _spoken_days(language).get(words[at].plain, ()):
        if tuple(word.plain for word in words[at : at + len(phrase)]) == phrase:
            return worth, len(phrase)
    return 0, 0


@cache
def _spoken_days(language: str) -> Mapping[str, Sequence[tuple[tuple[str, ...], int]]]:
    """The days of a month in words, by their first word, the longest first."""
    found: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for phrase, number in dict(_said(language)).items():
        found.setdefault(phrase[0], []).append((phrase, number))
    return {first: sorted(listed, key=lambda one: -len(one[0])) for first, listed in found.items()}


def _said(language: str) -> Iterator[tuple[tuple[str, ...], int]]:
    if language not in LANGUAGES:
        return
    for number in range(1, LAST_DAY + 1):
        for said in (cardinal(number, language), ordinal(number, language)):
            words = tuple(word.plain for word in words_of(said))
            if words:
                yield words, number
                yield ("".join(words),), number


def numbered(word: AskedWord) -> int | None:
    """The number that a word of digits is, with what may stand behind the number of a day."""
    digits = "".join(character for character in word.plain if character.isdigit())
    is_ordinal = word.plain[len(digits) :] in ORDINALS
    return int(digits) if word.plain.startswith(digits) and is_ordinal and 0 < len(digits) <= 2 else None


def clock_time(words: Sequence[AskedWord], at: int, text: str) -> tuple[int, time] | None:
    """A time of the clock that begins at a word, and how many words it takes."""
    word = words[at]
    if (joined := _joined_time(word.plain)) is not None:
        return 1, joined
    behind = words[at + 1] if at + 1 < len(words) else None
    number = numbered(word)
    if number is None or behind is None or number > 24:
        return None
    minutes = numbered(behind) if len(behind.text) == 2 and text[word.end : behind.start] in (":", ".") else None
    if minutes is not None:
        return (2, time(number % 24, minutes)) if minutes < 60 else None
    if behind.plain in ("am", "pm") and number <= 12:
        return 2, time(number % 12 + 12 * (behind.plain == "pm"))
    if behind.plain in ("uur", "heures", "heure", "h", "oclock"):
        return 2, time(number % 24)
    return None


def _joined_time(plain: str) -> time | None:
    """A time as one word: "17u30", "5pm"."""
    for mark in ("u", "h"):
        hour, found, minute = plain.partition(mark)
        if found and hour.isdigit() and (not minute or minute.isdigit()) and int(hour) < 24:
            return time(int(hour), min(int(minute or 0), 59))
    for mark, later in (("am", 0), ("pm", 12)):
        if plain.endswith(mark) and plain[:-2].isdigit() and int(plain[:-2]) <= 12:
            return time(int(plain[:-2]) % 12 + later)
    return None
