"""Reads rows that say in several cells when something is: days in one, from when in the next, until when in a third.

Such cells are given as one value, and days as a label of the hours beside them, so that all tables are read alike.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

from careline.curation.proposals.reading.cells import PlacedValue, values_of
from careline.curation.proposals.reading.weeks import clock_alone, days_in, read_week
from careline.curation.proposals.reading.words import concepts, is_nothing, words
from careline.directory.week import DAYS
from careline.model import Table
from careline.text.figure_words import plain

_WHEN = frozenset(("hour", "day", "week", "weekday", "opening", "visit", "consultation"))
_OF_SPANS = _WHEN | {"morning", "afternoon", "evening", "weekend", "holiday", *DAYS}
"""Concepts of words that may stand beside "from" and "until" in headers: "Mornings from"."""
_WORD = re.compile(r"[a-z]+")
_MARK = re.compile(r"[^0-9 ]")


def values_with_spans(table: Table, language: str) -> list[PlacedValue]:
    """The values of a table; where one column says from when and the next until when, the two are one value."""
    values = list(values_of(table))
    pairs = _pairs(values, language)
    if not pairs:
        return values
    at = {(one.row, one.column): one for one in values}
    found: list[PlacedValue] = []
    for one in values:
        if one.column in pairs:
            found.append(_span(one, at[one.row, pairs[one.column]], language))
        elif one.column not in pairs.values():
            found.append(one)
    return found


def values_with_days(table: Table, language: str) -> list[PlacedValue]:
    """The same, and days that a cell of their row names as a label of hours that name none."""
    found: list[PlacedValue] = []
    for _, row in itertools.groupby(values_with_spans(table, language), key=lambda one: one.row):
        cells = list(row)
        days = [one for one in cells if _names_days(one, language)]
        timed = [one for one in cells if one not in days and _is_timed(one, language)]
        if len(days) != 1 or not timed or any(_names_any_day(one, language) for one in timed):
            found += cells
            continue
        for one in cells:
            if one in timed:
                one = replace(one, labels=(*one.labels, days[0].value), notes=(*one.notes, *days[0].notes))
            found += [] if one is days[0] else [one]
    return found


def _names_days(one: PlacedValue, language: str) -> bool:
    """Whether a cell names days and nothing else, below a header that says so or none."""
    named, rest = days_in(one.value, language)
    return bool(named) and not rest and (not one.path or bool(concepts(one.path[-1], language) & _WHEN))


def _is_timed(one: PlacedValue, language: str) -> bool:
    """Whether a cell is hours, or stands where some are."""
    if read_week(one.value, language).has_hours:
        return True
    return bool(one.path) and bool(concepts(one.path[-1], language) & _WHEN) and not is_nothing(one.value)


def _names_any_day(one: PlacedValue, language: str) -> bool:
    return any(days_in(text, language)[0] for text in (one.value, *one.path))


def _pairs(values: Sequence[PlacedValue], language: str) -> dict[int, int]:
    """Columns that say from when, each with the next one, which says until when."""
    paths = {one.column: one.path for one in values}
    found: dict[int, int] = {}
    for (first, path), (second, behind) in itertools.pairwise(sorted(paths.items())):
        is_from = _says(path, words().from_when, language) and _says(behind, words().until_when, language)
        if is_from and path[:-1] == behind[:-1] and _hold_times(values, first, second, path, language):
            found[first] = second
    return found


def _says(path: tuple[str, ...], meant: frozenset[str], language: str) -> bool:
    """Whether the header of a column is one of these words, beside words of hours at most: "From", "Begin (uur)"."""
    said = _WORD.findall(plain(path[-1])) if path else []
    rest = [word for word in said if word not in meant]
    return len(rest) < len(said) and all(concepts(word, language) & _OF_SPANS for word in rest)


def _hold_times(
    values: Sequence[PlacedValue], first: int, second: int, path: tuple[str, ...], language: str
) -> bool:  # fmt: skip
    """Whether some cells of two columns are times of day; numbers alone may be ages as well."""
    times = [one.value for one in values if one.column in (first, second) and clock_alone(one.value)]
    return any(_MARK.search(text) for text in times) or (bool(times) and "hour" in concepts(path[-1], language))


def _span(one: PlacedValue, other: PlacedValue, language: str) -> PlacedValue:
    """Two cells as one: their times as hours; whatever else they say side by side."""
    opens, closes = clock_alone(one.value), clock_alone(other.value)
    texts = [text for text in dict.fromkeys((one.value, other.value)) if not is_nothing(text)]
    value = f"{opens} - {closes}" if opens and closes else " ".join(texts)
    left = " ".join(word for word in one.path[-1].split() if _is_beside(word, language))
    notes = tuple(dict.fromkeys((*one.notes, *other.notes)))
    return replace(one, path=(*one.path[:-1], left or words().hours_of(language).label), value=value, notes=notes)


def _is_beside(word: str, language: str) -> bool:
    """Whether a word of a header tells more than from when, and of what the hours are."""
    said = set(_WORD.findall(plain(word)))
    return not said & words().from_when and bool(concepts(word, language) & _OF_SPANS)
