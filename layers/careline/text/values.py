"""Reads the typed values of a text: amounts of money, times, lengths of time, days, telephone numbers, other measures;
alone or as a range, so that what a question names can be held against what a label says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from careline.text.figures import Figure, PlacedFigure, placed_figures, readable

NUMBER, LENGTH, CLOCK = "number", "minutes", "clock"
"""Kinds: a number without a unit, a length of time, a time of day; others are called by what they measure."""
_LENGTHS = {"minutes": 1.0, "months": 43_830.0, "nights": 1_440.0}
"""What one of each unit of time is worth in minutes; a month is the twelfth part of a year."""


@dataclass(frozen=True, slots=True)
class Value:
    """Everything from `low` to `high` of one kind, in the smallest unit of the kind: minutes, euros, micrograms.

    Where it `is_open`, the end that there is is left out: all above, or all below. A single value is a range of one,
    and `number` is as it is written: 7 of "7 years".
    """

    kind: str
    low: float
    high: float
    is_open: bool = False
    number: float | None = None

    @property
    def is_single(self) -> bool:
        """Whether it is one value and no range."""
        return self.low == self.high

    def holds(self, worth: float) -> bool:
        """Whether a worth of this kind lies in it."""
        return self.low < worth < self.high if self.is_open else self.low <= worth <= self.high

    def meets(self, other: Value) -> bool:
        """Whether some worth lies in both."""
        low, high = max(self.low, other.low), min(self.high, other.high)
        return low < high or (low == high and self.holds(low) and other.holds(low))


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The words around a figure that make it the end of a range."""

    between: re.Pattern[str]
    at_least: re.Pattern[str]
    above: re.Pattern[str]
    at_least_behind: re.Pattern[str]
    at_most: re.Pattern[str]
    below: re.Pattern[str]


def values(text: str, languages: tuple[str, ...]) -> tuple[Value, ...]:
    """The values of a text in order, ranges as one; number words are read in the given languages."""
    plain, placed = placed_figures(readable(f"{text} "), languages)
    return tuple(_values(plain, placed))


def fits(asked: Sequence[Value], label: Sequence[Value]) -> bool | None:
    """Whether a label's values hold a single one that is asked for; None where they have no kind in common.

    A number without a unit in the label has that of the question: its column names it.
    """
    single = [one for one in asked if one.is_single]
    alike = [other.holds(one.low) for one in single for other in label if one.kind == other.kind]
    if alike:
        return any(alike)
    numbers = [
        other.holds(one.number) for one in single for other in label if other.kind == NUMBER and one.number is not None
    ]
    return any(numbers) if numbers else None


def meets(asked: Sequence[Value], label: Sequence[Value]) -> bool | None:
    """Whether a range of a label has something in common with one that is asked for: "45 to 59" with 30 to 59; None
    where there are no two of a kind."""
    ranges = [one for one in asked if not one.is_single]
    alike = [one.meets(other) for one in ranges for other in label if other.kind == one.kind and not other.is_single]
    return any(alike) if alike else None


def _values(plain: str, placed: Sequence[PlacedFigure]) -> Iterator[Value]:
    known, at = _bounds(), 0
    while at < len(placed):
        one = placed[at]
        following = placed[at + 1] if at + 1 < len(placed) else None
        if following is not None and known.between.fullmatch(plain[one.end : following.start]):
            ranged = list(_between(one.figure, following.figure))
            if ranged:
                yield from ranged
                at += 2
                continue
        yield from _bounded(one, plain, known)
        at += 1


def _between(first: Figure, last: Figure) -> Iterator[Value]:
    """The range of two figures, of each kind that both have; a first one without a unit has that of the last."""
    ends = dict(worths(last))
    begins = dict(worths(first))
    if first.sort == "bare" and last.sort == "amount" and last.numbers and last.numbers[-1]:
        begins = {kind: worth * first.numbers[-1] / last.numbers[-1] for kind, worth in ends.items()}
    for kind, low in begins.items():
        if kind in ends and low < ends[kind]:
            yield Value(kind, low, ends[kind])


def _bounded(one: PlacedFigure, plain: str, known: _Bounds) -> Iterator[Value]:
    """A figure alone: one value, or all from it on, up to it, or below it, as the words around it say."""
    before, behind = plain[: one.start], plain[one.end :]
    number = one.figure.numbers[-1] if one.figure.numbers else None
    for kind, worth in worths(one.figure):
        if known.at_least.search(before) or known.at_least_behind.match(behind):
            yield Value(kind, worth, math.inf)
        elif known.above.search(before):
            yield Value(kind, worth, math.inf, is_open=True)
        elif known.below.search(before):
            yield Value(kind, -math.inf, worth, is_open=True)
        elif known.at_most.search(before):
            yield Value(kind, -math.inf, worth)
        else:
            yield Value(kind, worth, worth, number=number)


def worths(figure: Figure) -> Iterator[tuple[str, float]]:
    """What a figure is worth, by kind: lengths of time in minutes, whatever unit they are written in. "1.500" is
    fifteen hundred where it may be one and a half too."""
    read: dict[str, list[float]] = {}
    for kind, worth in figure.amounts:
        if kind in _LENGTHS:
            read.setdefault(LENGTH, []).append(worth * _LENGTHS[kind])
        else:
            read.setdefault(kind, []).append(worth)
    for kind, each in read.items():
        yield from ((kind, worth) for worth in (each if kind == CLOCK else [max(each)]))
    if figure.sort == "phone" and figure.digits:
        yield "phone", float(figure.digits)
    elif figure.sort == "bare":
        yield NUMBER, max(figure.numbers)


@cache
def _bounds() -> _Bounds:
    content: dict[str, str] = yaml.safe_load(files("careline.text").joinpath("data", "bounds.yaml").read_text("utf-8"))
    words = {name: "|".join(map(re.escape, _longest_first(listed))) for name, listed in content.items()}
    end = rf"\s?(?:{words['articles']})?\s?(?:{words['currencies']})?\s?$"
    return _Bounds(
        between=re.compile(rf"\s?(?:-|/|{words['between']})\s?(?:{words['currencies']})?\s?"),
        at_least=re.compile(rf"(?:>=|≥|(?<![a-z])(?:{words['at_least']})){end}"),
        above=re.compile(rf"(?:>|(?<![a-z])(?:{words['above']})){end}"),
        at_least_behind=re.compile(rf"\s?(?:\+|(?:[a-z]{{1,9}}\s)?(?:{words['at_least_behind']})(?![a-z]))"),
        at_most=re.compile(rf"(?:<=|≤|(?<![a-z])(?:{words['at_most']})){end}"),
        below=re.compile(rf"(?:<|(?<![a-z])(?:{words['below']})){end}"),
    )


def _longest_first(listed: str) -> list[str]:
    return sorted((one.strip() for one in listed.split(",")), key=len, reverse=True)
