"""Reads the days of a label ("ma – do", "weekend", "lundi au jeudi"), so that a day finds its row or column."""

from __future__ import annotations

import re

from careline.search.label_words import LabelWord, label_words

DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
WEEKEND = frozenset((5, 6))
_GROUPS = {"weekend": WEEKEND, "weekday": frozenset(range(5))}
_BETWEEN = re.compile(r"[-–—]|\b(?:tot|t/m|to|through|au|a|à|al|fino)\b", re.IGNORECASE)


def days_of(label: str, language: str) -> frozenset[int]:
    """The days that a label covers, 0 for Monday to 6; empty when it names none."""
    words = label_words(label, language)
    found: set[int] = set()
    for word in words:
        found |= asked_days(word)
    if language == "it" and any("holiday" in word.concepts for word in words):
        # "Festivi" are Sundays too.
        found.add(DAYS.index("sunday"))
    single = [day for word in words for day in _single(word)]
    if len(single) == 2 and single[0] < single[1] and _BETWEEN.search(label):
        found |= set(range(single[0], single[1] + 1))
    return frozenset(found)


def asked_days(word: LabelWord) -> frozenset[int]:
    """The days that one word names."""
    groups = (days for name, days in _GROUPS.items() if name in word.concepts and len(word.concepts) == 1)
    return frozenset(_single(word)).union(*groups)


def _single(word: LabelWord) -> list[int]:
    return [DAYS.index(concept) for concept in word.concepts if concept in DAYS]
