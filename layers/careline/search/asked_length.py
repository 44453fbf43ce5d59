"""Tells whether a price is for another length of time than the one that is asked about: a week for a day."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from careline.search.label_choice import BRACKETED
from careline.search.label_ranges import UNITS_OF_TIME, converted, ranges, unit
from careline.search.label_words import WEEKDAYS, LabelWord, label_words, ordinal, question_words

_A_MONTH = 0.03
"""How much shorter than a mean month 30 days may be."""
_EACH = frozenset("each every elk elke iedere chaque ogni per par extra volgende suivante supplementaire next".split())
"""Words of a price that is asked again and again, however long somebody stays."""


def is_for_another_length(question: str, language: str, label: str, written_in: str) -> bool:
    """Whether a label, without what it has in brackets, is for another length of time than the question names: "first
    30 minutes" where it is one hour, "week" where it is a day. `written_in` is the label's language."""
    label = BRACKETED.sub(" ", label)
    told = label_words(label, written_in)
    units = frozenset().union(*(word.concepts for word in told if _is_unit(word)))
    asked = list(_lengths(question_words(question, language)))
    if not units or not asked or _is_asked_again(told):
        return False
    spans, of = ranges(label), unit(told)
    if any(span.holds(converted(number or 1.0, name, of)) for number, name in asked for span in spans):
        return False
    lengths = list(_lengths(told))
    if any(_is_as_long(converted(number or 1.0, name, own), count) for number, name in asked for count, own in lengths):
        return False
    told_by_number = bool(spans) and any(number is not None for number, _ in asked)
    is_of_several = bool({word.number for word in told} - {None, 1.0})
    is_for_one = all(number in (None, 1.0) for number, _ in asked)
    return told_by_number or all(name not in units for _, name in asked) or (is_of_several and is_for_one)


def _is_as_long(asked: float, told: float | None) -> bool:
    """Whether two lengths in one unit are the same; a month is 30 days."""
    return math.isclose(asked, told or 1.0, rel_tol=_A_MONTH)


def _is_asked_again(told: Sequence[LabelWord]) -> bool:
    """Whether a label is of a price for each hour or day; one "per 7 days" is for that length."""
    numbers = [*(word.number for word in told[1:]), None]
    return any(word.text in _EACH and number in (None, 1) for word, number in zip(told, numbers, strict=True))


def _lengths(words: Sequence[LabelWord]) -> Iterator[tuple[float | None, str]]:
    """The lengths that a question names, each a number, where it says one, and its unit."""
    for n, word in enumerate(words):
        named = word.concepts - WEEKDAYS
        if named <= UNITS_OF_TIME and len(named) == 1:
            before = words[n - 1] if n else None
            number = None if before is None else before.number or ordinal(before)
            yield number, next(iter(named))


def _is_unit(word: LabelWord) -> bool:
    return bool(word.concepts) and word.concepts <= UNITS_OF_TIME
