"""On which days and how often a consultation is: "maandagvoormiddag", "lundi matin", "1e en 3e week van de maand"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from careline.directory.formats.workbook.hours_writing import LONGEST, NOT_DAYS, read_days
from careline.directory.formats.workbook.lists import split_list
from careline.directory.formats.workbook.words import LANGUAGES, CellWrong, NoSuchWord, Phrases, choice, tokens, written

SOME_WITHOUT_PART = "names days with and without a part of the day; write a row for each"
IN_MONTH = ("first_of_month", "second_of_month", "third_of_month", "fourth_of_month", "last_of_month")
DayAndPart = tuple[str, str]
"""A day, and the part of it; "" where none is named."""


def read_days_and_parts(text: str, language: str) -> list[DayAndPart]:
    """The days of a cell, each with the part of the day that stands behind it. Raises: CellWrong."""
    try:
        return [(day, "") for day in read_days(text, language)]
    except CellWrong:
        found = _with_parts(text, language) if len(text) <= LONGEST else []
        if not found:
            raise
        return list(dict.fromkeys(found))


def _with_parts(text: str, language: str) -> list[DayAndPart]:
    """Days before a part of the day; nothing where no part is named. "Monday and Tuesday morning" is both mornings."""
    found: list[DayAndPart] = []
    waiting: list[str] = []
    for meaning, token in _part_words().read(list(_parted(tokens(text)))):
        if not meaning:
            waiting.append(token)
            continue
        if not found and not waiting:
            raise CellWrong(NOT_DAYS)
        found += [(day, meaning) for day in read_days(" ".join(waiting), language)]
        waiting = []
    if found and any(token.isalnum() for token in waiting):
        raise CellWrong(SOME_WITHOUT_PART)
    return found


def _parted(parts: Sequence[str]) -> Iterator[str]:
    """Tokens, those of a day and a part in one parted: "maandagvoormiddag"."""
    for token in parts:
        day = next((one for one in _long_days() if token.startswith(one) and token != one), None)
        if day is not None and choice("part").meanings.get(token[len(day) :]):
            yield from (day, token[len(day) :])
        else:
            yield token


@cache
def _long_days() -> tuple[str, ...]:
    """The names of the days of the week in full, in every language."""
    words = (words[language][0] for words in choice("day").words.values() for language in LANGUAGES)
    return tuple(dict.fromkeys(parts[0] for word in words if len(parts := tokens(word)) == 1))


@cache
def _part_words() -> Phrases:
    parts = choice("part").words
    return Phrases(
        (word, part) for part, words in parts.items() if part != "day" for some in words.values() for word in some
    )


def read_frequencies(text: str, language: str) -> list[str]:
    """How often something is: one frequency, or several of a month. Raises: CellWrong."""
    known = choice("frequency")
    whole = known.value(text, language)
    if whole is not None:
        return [whole]
    if len(text) > LONGEST:
        raise NoSuchWord("frequency")
    if in_month := _in_month(text):
        return in_month
    found = [known.value(one, language) for one in split_list(text)]
    if not found or None in found:
        raise NoSuchWord("frequency")
    return [one for one in found if one is not None]


def _in_month(text: str) -> list[str]:
    """Which of the month are named; none where anything else is."""
    read = [meaning for meaning, _ in _month_words().read(tokens(text))]
    if not set(read) <= {*IN_MONTH, "skipped", "and"}:
        return []
    return [one for one in IN_MONTH if one in read]


@cache
def _month_words() -> Phrases:
    said = written()["of_month"]
    known = [(word, name) for name in (*IN_MONTH, "skipped", "and") for word in said[name]]
    for number, name in enumerate(IN_MONTH[:-1], 1):
        known += [(f"{number}{ending}", name) for ending in ("", *said["ordinal"])]
    days = (word for words in choice("day").words.values() for some in words.values() for word in some)
    taken = {tokens(word) for word, _ in known}
    return Phrases([*known, *((word, "skipped") for word in days if tokens(word) not in taken)])
