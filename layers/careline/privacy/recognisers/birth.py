"""Tells a date of birth from another date by the words around it, or by a year in which a caller was born."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any

from careline.privacy.normalised_text import NormalisedText
from careline.privacy.vocabulary import either, pattern, tables, words

_REACH = 64
"""Characters on either side in which a word speaks of birth."""
_LAST_YEAR = 1999
"""A full date of up to this year, said to a hospital without a word about care, is taken for a birth date."""
_NEWBORN = 1
"""Years back from today from which a date beside a name is one of birth; later ones are of appointments."""
_AFTER_NAME = re.compile(r"[\s,;:(*°-]{1,4}(?:(?:le|del|dell|van|of|from|dob|geb|den)\b[\s.:'’]{1,3})?")


def birth_rule(reading: NormalisedText, start: int, end: int, year: int | None) -> str | None:
    """Why the date at `start` to `end` of the figures is somebody's date of birth; None when it is not.

    `cue` when a word says so, `name` when it follows a name, `year` when nothing but its year does; `year` is
    the date's, if it has one.
    """
    before, after = reading.figures[max(0, start - _REACH) : start], reading.figures[end : end + _REACH]
    if _is_announced(before) or _with_accent(reading, start) or _is_named(after):
        return "cue"
    if year is None:
        return None
    if _is_said_of_somebody(reading, before, start) and year <= date.today().year and not _care().search(before):
        return "name"
    # Beside a name stands the day of birth; care that is spoken of afterwards is what the caller comes for.
    if year <= date.today().year - _NEWBORN and _follows_name(reading, start):
        return "name" if year <= _LAST_YEAR or not _care().search(before) else None
    return "year" if year <= _LAST_YEAR and not _care().search(before + b" . " + after) else None


def is_corrected(reading: NormalisedText, born: Sequence[int], start: int) -> bool:
    """Whether the date at `start` puts another right that was one of birth; `born` are the ends of those, in order."""
    index = bisect_left(born, start) - 1
    if index < 0 or start - born[index] > _REACH:
        return False
    return bool(_correction().search(reading.figures[born[index] : start]))


def _follows_name(reading: NormalisedText, start: int) -> bool:
    """Whether nothing but punctuation or an article stands between a name and what starts here."""
    position, _ = reading.origin(start, start + 1)
    return any(end <= position and _AFTER_NAME.fullmatch(reading.text[end:position]) for end in reading.names)


def _is_said_of_somebody(reading: NormalisedText, before: bytes, start: int) -> bool:
    """`my little boy ilyas is of 8 may 2015`: a relative or a name, the verb, and then a full date."""
    if _somebody_is().search(before):
        return True
    copula = _copula().search(before)
    if not copula:
        return False
    position, _ = reading.origin(start - len(copula.group()) + 1, start)
    return any(0 <= position - end <= 1 for end in reading.names)


def _is_announced(before: bytes) -> bool:
    announced = _announced().search(before) or _sign().search(before) or _descends().search(before)
    return bool(announced) and not _care().search(announced.group()) and not _delivered().search(before)


def _is_named(after: bytes) -> bool:
    named = _named().match(after)
    return bool(named) and not _care().search(named.group()) and not _next_date().match(after[named.end() :])


def _with_accent(reading: NormalisedText, start: int) -> bool:
    """`née`: without its accent it would be a negation in French and a refusal in Dutch."""
    position, _ = reading.origin(start, start + 1)
    return bool(_accented().search(reading.text[max(0, position - _REACH) : position]))


@cache
def _announced() -> Any:
    # A year may be said before the date: `geboren in 61 op 12 maart`.
    # A day may be taken back: `nata il 23 ecco il 23 11 46`.
    slip = rf"\d{{1,2}}[ ,]{{1,2}}{either(words('dates', 'corrections'))}"
    filling = rf"(?:{either(words('dates', 'of'))} '?\d{{2,4}}|{slip}|[a-z~'-]+)"
    return pattern(rf"\b{either(words('dates', 'born'))}\b[ .,:()'=-]*(?:{filling}[ ,.:('/]+){{0,6}}[('\"]?$")


@cache
def _correction() -> Any:
    """`no sorry the`, between a date and the one that was meant."""
    first, said = either(words("dates", "corrections")), either(words("dates", "corrections", "corrected_with"))
    hesitation = r"(?:(?:oh|ah|eh|ehm|er|um|uh|euh|e|en|et|but|ma|maar|mais)[ ,]+)?"
    return pattern(rf"^[ ,.-]+{hesitation}{first}(?:[ ,.'-]+{said})*[ ,.'-]*$")


@cache
def _sign() -> Any:
    """`° 12/03/1961`, `(b. 12/03/1961`, as clerks write it; folding makes `^` of the sign."""
    return pattern(r"(?:\^|\((?:b|n|o|d)\.?) ?$")


@cache
def _descends() -> Any:
    """`my son is of`, `ik ben van`: what follows is when somebody was born."""
    return pattern(rf"\b{either(words('dates', 'descends'))} (?:(?:de|den|the|le|il) )?$")


@cache
def _somebody_is() -> Any:
    """A relative, up to three words, and the verb: what follows is when the relative was born."""
    holders = either(words("dates", "descendants"))
    return pattern(rf"\b{holders} (?:[a-z~'-]+ ){{0,3}}?{either(words('dates', 'descends_by'))} $")


@cache
def _copula() -> Any:
    return pattern(rf" {either(words('dates', 'descends_by'))} $")


@cache
def _named() -> Any:
    return pattern(rf"^[ ,.)]*(?:[a-z~'-]+[ ,]+){{0,5}}{either(words('dates', 'born'))}\b")


@cache
def _delivered() -> Any:
    """`she gave birth on`: what is announced is no birth date of the caller."""
    return pattern(rf"\b{either(words('dates', 'delivered'))}\b[^.]*$")


@cache
def _next_date() -> Any:
    return pattern(r"^[ .,:]*(?:[a-z~'-]+[ ,]+){0,3}\d")


@cache
def _care() -> Any:
    return pattern(rf"\b{either(words('dates', 'care'))}\b")


@cache
def _accented() -> re.Pattern[str]:
    listed = "|".join(re.escape(word) for word in tables("fr")["dates"]["born_with_accent"])
    return re.compile(rf"(?i)\b(?:{listed})\b(?:[^\w\n]{{1,3}}(?:en \d{{2,4}}|[^\W\d]{{1,30}})){{0,6}}[^\w\n]{{0,3}}\Z")
