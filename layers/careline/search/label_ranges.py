"""Reads the numbers and ranges of a label ("2-5 jaar", "from 16", "< 12 kg"), so that a number finds its row."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from careline.search.label_words import CLOCK, LabelWord, folded, with_whole_thousands

_NUMBER = r"([0-9]{1,6}(?:[.,][0-9]{1,3})?)"
_BETWEEN = re.compile(
    rf"{_NUMBER} {{0,2}}[a-z]{{0,8}}\.? {{0,2}}"
    rf"(?:-|–|—|\btot\b|\bt/m\b|\bto\b|\ba\b|\bau\b|\bet\b|\ben\b|\band\b|\be\b) ?{_NUMBER}"
)
_FROM = re.compile(
    rf"(?:>=?|≥|\b(?:vanaf|ouder dan|meer dan|boven|from|over|above|more than|older than|a partir de|des|plus de|"
    rf"da|dai|oltre|piu di|sopra(?: i)?)\b) ?(?:de |les |i |gli )?{_NUMBER}"
)
_FROM_BEHIND = re.compile(
    rf"{_NUMBER} ?(?:\+|(?:[a-z]{{1,8}} )?(?:en ouder|en meer|of meer|and over|or more|and older|et plus|ou plus|"
    rf"e oltre|o piu)\b)"
)
_UP_TO = re.compile(
    rf"(?:<=?|≤|\b(?:tot(?: en met)?|jonger dan|minder dan|onder|up to|under|below|less than|younger than|until|"
    rf"jusqu['’]?a|moins de|fino a|sotto(?: i)?|meno di)\b) ?(?:de |les |i |gli )?{_NUMBER}"
)
_EXCLUSIVE = ("<", "jonger", "minder", "onder", "under", "below", "less", "younger", "moins", "sotto", "meno")
_CURRENCY = re.compile(r"(?:[€£$]|\b(?:chf|eur)\b) ?")
_SIZES = {"minute": 1.0, "hour": 60.0, "day": 1440.0, "week": 10080.0, "month": 43830.0, "year": 525960.0}
"""Units of time in minutes; a month is the twelfth part of a year."""
UNITS_OF_TIME = frozenset(_SIZES)


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers from `low` to `high`; `high` is left out when `is_open`."""

    low: float
    high: float
    is_open: bool = False

    def holds(self, number: float) -> bool:
        """Whether the number lies in it."""
        return self.low <= number and (number < self.high if self.is_open else number <= self.high)


def ranges(label: str) -> tuple[Range, ...]:
    """The ranges that a label names; a number alone is a range of one."""
    text = CLOCK.sub(" ", with_whole_thousands(_CURRENCY.sub("", folded(label[:200]))))
    found: list[Range] = []
    for match in _BETWEEN.finditer(text):
        low, high = _worth(match[1]), _worth(match[2])
        if low < high:
            found.append(Range(low, high))
    if found:
        return tuple(found)
    begins = (match[1] for pattern in (_FROM, _FROM_BEHIND) for match in pattern.finditer(text))
    found += [Range(_worth(low), math.inf) for low in begins]
    for match in _UP_TO.finditer(text):
        is_open = match[0].startswith(_EXCLUSIVE) and not match[0].startswith("<=")
        found.append(Range(-math.inf, _worth(match[1]), is_open))
    if len(found) == 2 and found[0].high == math.inf and found[1].low == -math.inf:
        return (Range(found[0].low, found[1].high, found[1].is_open),)
    if found:
        return tuple(found)
    return tuple(Range(_worth(text), _worth(text)) for text in re.findall(_NUMBER, text))


def _worth(text: str) -> float:
    return float(text.replace(",", "."))


def unit(words: Sequence[LabelWord]) -> str | None:
    """The unit of time that words name; None when they name none or several."""
    named = {concept for word in words for concept in word.concepts if concept in _SIZES}
    return next(iter(named)) if len(named) == 1 else None


def converted(number: float, of: str | None, to: str | None) -> float:
    """A number of one unit in another; unchanged where one of them is not known."""
    if of is None or to is None or of == to:
        return number
    return number * _SIZES[of] / _SIZES[to]
