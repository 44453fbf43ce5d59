"""Numbers of patients and files; they look like anything, so only a word before or after them tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy import cues
from careline.privacy.reading import Reading
from careline.privacy.vocabulary import pattern

_DIGITS = range(3, 15)
_NO_NUMBER = re.compile(rb"\d{1,2}([/.-])\d{1,2}\1\d{2,4}|(?:19|20)\d\d")
"""Dates and years stand beside the word `dossier` too."""


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
    for run in cues.runs_before(reading, "mrn", "cues"):
        start, end = run.groups[0].start, run.groups[-1].end
        if _plausible(reading.figures[start:end]):
            yield reading.span(start, end, SpanType.MRN, "mrn/cue")


def _plausible(value: bytes) -> bool:
    return sum(48 <= byte < 58 for byte in value) in _DIGITS and not _NO_NUMBER.fullmatch(value)


@cache
def _value() -> Any:
    return pattern(r"(?:[a-z]{1,4}[ ./-]?|[a-z] [a-z] )?\d+[a-z]{0,2}\b(?:[ ./-]{1,3}[a-z]?\d+[a-z]?\b){0,12}")
