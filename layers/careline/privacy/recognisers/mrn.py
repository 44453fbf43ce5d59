"""Numbers of patients and files; they look like anything, so only a word before or after them tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy import cues
from careline.privacy.reading import Reading
from careline.privacy.vocabulary import either, pattern, words

_DIGITS = range(3, 15)
_NO_NUMBER = re.compile(rb"(?:[012]?\d|3[01])([/.-])(?:0?\d|1[0-2])\1(?:\d\d|(?:19|20)\d\d)|(?:19|20)\d\d")
"""Dates and years stand beside the word `dossier` too."""
_LEADING = re.compile(rb"([a-z]+) ")
_ENOUGH, _WITH_LETTERS = 5, 3
"""Digits of a value that a mere file or case announces, alone and behind letters."""


def find(reading: Reading) -> Iterator[Span]:
    """The values that are announced as the number of a patient or file."""
    for position in cues.digits_after(reading, "mrn", "cues"):
        match = _value().match(reading.figures, position)
        # After some other words a number that looks like a telephone's is one.
        if match and match.group()[:1] != b"0" and _plausible(match.group()):
            yield reading.span(match.start(), match.end(), SpanType.MRN, "mrn/cue")
    for position in cues.after(reading, "mrn", "cues"):
        match = _value().match(reading.figures, position)
        if match and _plausible(match.group()):
            yield reading.span(match.start(), match.end(), SpanType.MRN, "mrn/cue")
    yield from _loosely(reading)
    yield from _ordered(reading)
    for run in cues.runs_before(reading, "mrn", "cues"):
        start, end = run.groups[0].start, run.groups[-1].end
        if _plausible(reading.figures[start:end]):
            yield reading.span(start, end, SpanType.MRN, "mrn/cue")


def _loosely(reading: Reading) -> Iterator[Span]:
    """Values with letters before them or some words between, and those of a file that is not said to have a number."""
    for look, enough in ((_numbered(), _WITH_LETTERS), (_filed(), _ENOUGH)):
        for match in look.finditer(reading.figures):
            start, end = match.span(1)
            word = _LEADING.match(match.group(1))
            if word and word.group(1).decode("ascii") in words("link", "is"):
                start += word.end()
            value = reading.figures[start:end]
            lettered = value[:1].isalpha()
            if _digits(value) < (_WITH_LETTERS if lettered else enough) or not _plausible(value):
                continue
            if (value[:1] != b"0" or enough == _WITH_LETTERS) and not _amount().match(reading.figures, end):
                yield reading.span(start, end, SpanType.MRN, "mrn/cue")


def _ordered(reading: Reading) -> Iterator[Span]:
    """The number of an order, where a patient speaks: a name is said, or what only patients get."""
    for match in _order().finditer(reading.figures):
        start, end = match.span(1)
        said = reading.names or _of_patients().search(reading.figures)
        if said and _digits(match.group(1)) >= _ENOUGH and _plausible(match.group(1)):
            if match.group(1)[:1] != b"0" and not _amount().match(reading.figures, end):
                yield reading.span(start, end, SpanType.MRN, "mrn/cue")


def _digits(value: bytes) -> int:
    return sum(48 <= byte < 58 for byte in value)


def _plausible(value: bytes) -> bool:
    return _digits(value) in _DIGITS and not _NO_NUMBER.fullmatch(_LEADING.sub(b"", value, count=1))


_MARKS = r"[ :.,;#=()\"'?^/-]{1,3}"
_WORD = rf"(?:[a-z~']{{1,12}}{_MARKS})"


@cache
def _shape() -> str:
    """Letters, digits, and more of them in groups, with hesitations between ("44 then 19")."""
    between = either((*words("numbers", "fillers"), *words("dates", "slash")))
    gap = rf"(?:[ ./-]{{1,3}}|[ ,]{{1,2}}{between} )"
    return rf"(?:[a-z]{{1,4}}[ ./-]?|[a-z] [a-z] )?\d+[a-z]{{0,2}}\b(?:{gap}[a-z]?\d+[a-z]?\b){{0,12}}"


@cache
def _numbered() -> Any:
    """A number that is said to be a patient's, then up to six words, then its value (group 1)."""
    sure = either(words("mrn", "sure"))
    holders = rf"{either(words('mrn', 'numbers'))}{_MARKS}{_WORD}{{1,6}}?{either(words('mrn', 'holders'))}"
    return pattern(rf"\b(?:{sure}|{holders}){_MARKS}{_WORD}{{0,6}}?({_shape()})")


@cache
def _filed() -> Any:
    """A file or case, up to six words, and a value (group 1)."""
    return pattern(rf"\b{either(words('mrn', 'files'))}{_MARKS}{_WORD}{{0,6}}?({_shape()})")


@cache
def _order() -> Any:
    """An order, up to six words, and a value (group 1)."""
    return pattern(rf"\b{either(words('mrn', 'ordered'))}{_MARKS}{_WORD}{{0,6}}?({_shape()})")


@cache
def _of_patients() -> Any:
    return pattern(rf"\b{either(words('mrn', 'patient_words'))}\b")


@cache
def _value() -> Any:
    return pattern(_shape())


@cache
def _amount() -> Any:
    return pattern(rf" ?(?:{either(words('dates', 'units'))}\b|[$%])")
