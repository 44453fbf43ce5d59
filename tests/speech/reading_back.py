"""Reads spoken figures back: words of numbers, months and ordinals become figures again, so that none can be lost."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from careline.speech import language_data
from careline.speech.spoken.number_words import cardinal, ordinal, year

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_LONGEST = 12
"""Words of the longest number that is looked for."""


@cache
def _spoken(language: str) -> Mapping[str, str]:
    """What is said, in small letters, and the figures that it stands for."""
    known: dict[str, str] = {}
    known.update({"een": "1", "tré": "3"})  # After thousands the one has no accents, the other has one.
    for number in (*range(10_000), *range(10_000, 1_000_000, 1000)):
        known.setdefault(cardinal(number, language), str(number))
    for number in range(1100, 2100):
        known.setdefault(year(number, language), str(number))
    for number in range(1, 1000):
        known.setdefault(ordinal(number, language).lower(), str(number))
        known.setdefault(ordinal(number, language, feminine=True), str(number))
    for said in ("une", "una", "un'", "un"):
        known.setdefault(said, "1") if language in {"fr", "it"} else None
    for number in range(1, 1000):
        if language == "fr" and cardinal(number, "fr").endswith("un"):
            known.setdefault(f"{cardinal(number, 'fr')}e", str(number))
    for number, month in enumerate(language_data.texts(language, "dates", "months"), 1):
        known[month.lower()] = str(number)
    forms = language_data.table(language, "fractions", "forms")
    for fraction, said in language_data.table(language, "fractions", "names").items():
        known[said] = fraction.replace("/", "")
    known[forms["bare_one_and_a_half"]] = "112"
    return known


def _value(said: str, language: str) -> str | None:
    """The figures of one number; Italian writes thousands and the rest as one word, which is parted here."""
    known = _spoken(language)
    if said in known or language != "it":
        return known.get(said)
    thousands, thousand, rest = said.partition("mila")
    whole = known.get(thousands + thousand)
    return f"{int(whole) + int(known[rest])}" if whole and rest in known else None


def figures(spoken: str, language: str) -> list[str]:
    """The numbers that are said, in figures and in order. A pause ends a number, as it does for the ear."""
    found: list[str] = []
    for part in re.split(r"[^\w\s'’-]", spoken.lower().replace("un'", "un ")):
        words = _WORD.findall(part)
        at = 0
        while at < len(words):
            for length in range(min(_LONGEST, len(words) - at), 0, -1):
                said = _value(" ".join(words[at : at + length]), language)
                if said is not None:
                    found.append(said)
                    at += length
                    break
            else:
                at += 1
    return found


def digits(spoken: str, language: str) -> str:
    """Every digit that is said but zeros, which full hours and round numbers do not say one by one."""
    return "".join(figures(spoken, language)).replace("0", "")
