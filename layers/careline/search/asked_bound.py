"""Tells whether a label ends where a question begins: "up to 50 pages" for who asks about more than 50."""

from __future__ import annotations

import math
import re

from careline.search.label_ranges import ranges
from careline.search.label_words import folded, with_whole_thousands

_NUMBER = r"(?:de |les |le |the |i |gli )?([0-9]{1,6}(?:[.,][0-9]{1,3})?)(?![0-9])"
_OVER = re.compile(
    r"\b(?:meer dan|langer dan|ouder dan|zwaarder dan|boven|over|more than|longer than|older than|heavier than|above|"
    rf"exceeds|plus de|depasse|depassent|au-dela de|supera|superano|oltre|piu di|sopra) {_NUMBER}"
)
_CURRENCY = re.compile(r"€|£|\b(?:euros?|eur|chf|fr)\b")
_MONEY = re.compile(
    r"(?:€|£|\b(?:eur|chf)) ?([0-9]{1,7})(?![0-9.,])"
    r"|(?<![0-9.,])([0-9]{1,7}) ?(?:€|£|(?:euros?|eur|chf|francs?|frank|franchi)\b)"
)
_UNDER = re.compile(
    r"\b(?:minder dan|korter dan|jonger dan|lichter dan|onder|less than|fewer than|shorter than|younger than|lighter "
    rf"than|under|below|moins de|meno di|sotto) {_NUMBER}"
)


def is_beyond(question: str, label: str) -> bool:
    """Whether a question names what is over or under a number, and the ranges of a label all lie on its other side."""
    asked = folded(question)
    over, under = _OVER.search(asked), _UNDER.search(asked)
    spans = [span for span in ranges(label) if span.low < span.high] if over or under else []
    if not spans:
        return False
    if over and all(span.high <= _worth(over[1]) for span in spans):
        return True
    return under is not None and all(span.low >= _worth(under[1]) and span.high == math.inf for span in spans)


def is_outside(question: str, label: str) -> bool:
    """Whether a question names one amount of money, and the ranges of amounts of a label do not hold it: a bill of 650
    euros where "from 2,000 €" is told."""
    amounts = {float(found[1] or found[2]) for found in _MONEY.finditer(with_whole_thousands(folded(question)))}
    spans = [span for span in ranges(label) if span.low < span.high]
    if len(amounts) != 1 or not spans or not _CURRENCY.search(folded(label)):
        return False
    return not any(span.holds(amount) for amount in amounts for span in spans)


def _worth(number: str) -> float:
    return float(number.replace(",", "."))
