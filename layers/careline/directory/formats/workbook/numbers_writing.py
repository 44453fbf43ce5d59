"""Dates with the name of a month and counts as people write them: "24 dec 2026", "1er mai 2027", "ca. 400", "4 min"."""

from __future__ import annotations

from datetime import date
from functools import cache

from careline.directory.formats.workbook.words import Phrases, choice, tokens, written

LONGEST = 100
"""Characters of a date or a count."""
_LAST_DIGITS = 9


def date_in_words(text: str) -> date | None:
    """The day that a text names with the name of its month, the day before the year; None where it names none."""
    if len(text) > LONGEST:
        return None
    found = [one for one in _dates().read(tokens(text)) if one[0] != "around"]
    numbers = [token for meaning, token in found if not meaning]
    months = [int(meaning) for meaning, _ in found if meaning]
    if len(months) != 1 or len(numbers) != 2 or not all(_is_number(one) for one in numbers):
        return None
    day, year = numbers
    if len(day) > 2 or len(year) != 4:
        return None
    try:
        return date(int(year), months[0], int(day))
    except ValueError:
        return None


def count_in_words(text: str) -> int | None:
    """The one number of a text, without what stands around it; None where there is none, or several."""
    if len(text) > LONGEST:
        return None
    left = [token for meaning, token in _counts().read(tokens(text)) if not meaning]
    return int(left[0]) if len(left) == 1 and _is_number(left[0]) else None


def _is_number(token: str) -> bool:
    return token.isascii() and token.isdecimal() and len(token) <= _LAST_DIGITS


@cache
def _dates() -> Phrases:
    months = [(word, str(number)) for number, words in enumerate(written()["months"], 1) for word in words]
    days = (word for words in choice("day").words.values() for some in words.values() for word in some)
    taken = {tokens(word) for word, _ in months}
    around = [word for word in (*written()["around_dates"], *days) if tokens(word) not in taken]
    return Phrases([*months, *((word, "around") for word in around)])


@cache
def _counts() -> Phrases:
    return Phrases((word, "around") for word in written()["around_counts"])
