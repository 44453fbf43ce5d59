"""Numbers of patients and files; they look like anything, so only a word before or after them tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.dictation.hesitations import past
from careline.privacy.dictation.runs import Group, Run
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.recognisers import cues
from careline.privacy.recognisers import mrn_patterns as look
from careline.privacy.vocabulary import words

_DIGITS = range(3, 21)
_MOST_DIGITS = 20
_VOWELS = frozenset("aeiouy")
_APART = re.compile(rb"^[^a-z,(]*[,(][^a-z]*$")
"""A comma or a bracket between two numbers makes them two values."""
_NO_NUMBER = re.compile(rb"(?:[012]?\d|3[01])([/.-])(?:0?\d|1[0-2])\1(?:\d\d|(?:19|20)\d\d)|(?:19|20)\d\d")
"""Dates and years stand beside the word `dossier` too."""
_DATED = re.compile(rb"[ /|;,-]{2,3}(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|1[0-2])\1(?:19|20)\d\d$")
"""The date in the next cell of a row is no part of a value."""
_LEADING = re.compile(rb"(?<![a-z])([a-z]+) ")
_REACH = 60
"""Characters before a code in which it is said whose it is."""
_OF_A_PHONE = 9
"""Digits from which a number with a leading zero is rather a telephone's."""
_ENOUGH, _WITH_LETTERS = 5, 3
"""Digits of a value that a mere file or case announces, alone and behind letters."""


def find(reading: NormalisedText) -> Iterator[Span]:
    """The values that are announced as the number of a patient or file."""
    for position in cues.digits_after(reading, "mrn", "cues"):
        match = look.value().match(reading.figures, position)
        # After some other words a number that looks like a telephone's is one.
        if match and match.group()[:1] != b"0":
            yield from _announced(reading, *_whole(reading, position, match.end()))
    for position in cues.after(reading, "mrn", "cues"):
        match = look.value().match(reading.figures, position)
        if match:
            yield from _announced(reading, *_whole(reading, position, match.end()))
    yield from _loosely(reading)
    yield from _ordered(reading)
    yield from _held(reading)
    yield from _coded(reading)
    for run in cues.runs_before(reading, "mrn", "cues"):
        yield from _announced(reading, run.groups[0].start, run.groups[-1].end)


def _announced(reading: NormalisedText, start: int, end: int) -> Iterator[Span]:
    value = reading.figures[start:end]
    if _plausible(value):
        yield reading.span(start, end - _dated(value), SpanType.MRN, "mrn/cue")


def _whole(reading: NormalisedText, start: int, end: int) -> tuple[int, int]:
    """Where a value starts and ends whose first letters and digits stand at `start` to `end`."""
    digit = next(at for at in range(start, end) if 48 <= reading.figures[at] < 58)
    found = reading.dictated_around(digit)
    if found is None:
        return start, end
    run, at = found
    lead = reading.figures[start:digit].decode("ascii").split()
    if not lead or len(lead[0]) == 1 or past(lead, 0)[0]:
        start = run.groups[_first(reading, run, at)].start
    count = 0
    for index in range(at, len(run.groups)):
        group = run.groups[index]
        between = reading.figures[run.groups[index - 1].end : group.start] if index > at else b" "
        count += sum(each.isdigit() for each in group.digits)
        # A vowel alone is an article or a preposition more often than a part of the value, unless a mark was said.
        is_word = group.digits in _VOWELS and not any(97 <= each < 123 for each in between)
        if (
            count > _MOST_DIGITS
            or (is_word and not _is_said(reading, group))
            or (index > at and _APART.search(between))
        ):
            break
        end = max(end, group.end)
    return start, end


def _first(reading: NormalisedText, run: Run, at: int) -> int:
    """The first of the letters before the digits of a value; a vowel that is written alone is a word as a rule."""
    first = at
    while first and run.groups[first - 1].digits.isalpha():
        group = run.groups[first - 1]
        spelled = reading.language in ("en", "nl") and run.groups[first].digits.isalpha()
        is_short = reading.figures[group.end : group.end + 1] == b"." and not _is_said(reading, group)
        if is_short or (group.digits in _VOWELS and not _is_said(reading, group) and not spelled):
            break
        first -= 1
    return first


def _is_said(reading: NormalisedText, group: Group) -> bool:
    """Whether a letter is one that was said by a name or a word."""
    first, last = reading.origin(group.start, group.end)
    return last - first > 1


def _loosely(reading: NormalisedText) -> Iterator[Span]:
    """Values with letters before them or some words between, and those of a file that is not said to have a number."""
    for asked, enough in ((look.numbered(), _WITH_LETTERS), (look.filed(), _ENOUGH), (look.labelled(), _ENOUGH)):
        for match in asked.finditer(reading.figures):
            start, end = _whole(reading, *_without_link(match))
            value = reading.figures[start:end]
            lettered = value[:1].isalpha() or (value[-1:].isalpha() and value[-2:-1] == b" ")
            if _digits(value) < (_WITH_LETTERS if lettered else enough) or not _plausible(value):
                continue
            long = _digits(value) >= _OF_A_PHONE
            if (value[:1] != b"0" or enough == _WITH_LETTERS or not long) and not look.amount().match(
                reading.figures, end
            ):
                yield from _announced(reading, start, end)


def _ordered(reading: NormalisedText) -> Iterator[Span]:
    """The number of an order, where a patient speaks: a name is said, or what only patients get."""
    for match in look.ordered().finditer(reading.figures):
        start, end = _whole(reading, *match.span(1))
        said = reading.names or look.of_patients().search(reading.figures)
        if said and _digits(reading.figures[start:end]) >= _ENOUGH and match.group(1)[:1] != b"0":
            if not look.amount().match(reading.figures, end):
                yield from _announced(reading, start, end)


def _held(reading: NormalisedText) -> Iterator[Span]:
    """Values said first: "three three five nine oh oh four that is on my sticker"."""
    for run in reading.dictated:
        groups = run.groups
        while len(groups) > 1 and groups[0].digits in _VOWELS:
            groups = groups[1:]
        start, end = groups[0].start, groups[-1].end
        value = reading.figures[start:end]
        if _digits(value) >= _ENOUGH and value[:1] != b"0" and look.held().match(reading.figures, end):
            yield from _announced(reading, start, end)


def _coded(reading: NormalisedText) -> Iterator[Span]:
    """Letters and digits in one piece, and three groups with hyphens, after words of a patient or a portal."""
    for match in look.coded().finditer(reading.figures):
        start, end = match.span(1)
        first, last = reading.origin(start, end)
        written = reading.text[first:last]
        if written != written.upper() or not _plausible(match.group(1)):
            continue
        if look.code_cue().search(reading.figures[max(0, start - _REACH) : start]):
            yield reading.span(start, end, SpanType.MRN, "mrn/cue")


def _without_link(match: Any) -> tuple[int, int]:
    """Where a value starts, without a word such as "is" that was taken for its letters, and ends."""
    start, end = match.span(1)
    word = _LEADING.match(match.group(1))
    is_link = word and word.group(1).decode("ascii") in words("link", "is")
    return (start + word.end(), end) if word and is_link else (start, end)


def _dated(value: bytes) -> int:
    """How many characters at the end of a value are the date in the next cell of a row."""
    date = _DATED.search(value)
    return len(date.group()) if date else 0


def _digits(value: bytes) -> int:
    return sum(48 <= byte < 58 for byte in value)


def _plausible(value: bytes) -> bool:
    return _digits(value) in _DIGITS and not _NO_NUMBER.fullmatch(_LEADING.sub(b"", value, count=1))
