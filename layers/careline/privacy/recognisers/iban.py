"""Bank account numbers: the country's length and the checksum of ISO 7064 say which."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy.normalised_text import NormalisedText
from careline.privacy.recognisers import cues
from careline.privacy.vocabulary import either, pattern, shared, words

_LEAST_AFTER_CUE = 10
_LEAST_DIGITS = 8
_NEAR = 3
"""Characters that may be lost of a number that nothing but its country announces."""
_REACH = 60
"""Characters before a number in which it is announced."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_COUNTRY = re.compile(r"[a-z]{2}(?=\d\d)")
_MOST_DIGITS = range(_LEAST_AFTER_CUE, 31)


def find(reading: NormalisedText) -> Iterator[Span]:
    """Account numbers with a right checksum, and announced ones whatever their checksum."""
    announced = set(cues.after(reading, "iban", "cues"))
    for match in _start().finditer(reading.figures):
        length = shared("iban_lengths").get((match.group(1) + match.group(2)).decode("ascii"))
        written, end = _taken(reading.figures, match.start(), length or 0)
        if length and len(written) == length and _valid(written):
            yield reading.span(match.start(), end, SpanType.IBAN, "iban/checksum")
        elif length and match.start() in announced and len(written) >= _LEAST_AFTER_CUE:
            yield reading.span(match.start(), end, SpanType.IBAN, "iban/announced")
    yield from _dictated(reading)
    for run, first in cues.runs_after(reading, "iban", "cues"):
        for last, _ in list(run.spellings(first, _MOST_DIGITS))[-1:]:
            yield reading.span(run.groups[first].start, run.groups[last].end, SpanType.IBAN, "iban/announced")


def _dictated(reading: NormalisedText) -> Iterator[Span]:
    """Account numbers said in letters and figures; one that fails its check where its length or a word tells."""
    for run in reading.dictated:
        said, starts, ends = run.written()
        said = said.rstrip(_LETTERS)
        edges = [0, *(end for end in ends if end <= len(said))]
        done = 0
        for match in _COUNTRY.finditer(said):
            first, length = match.start(), shared("iban_lengths").get(match.group()[:2])
            if not length or first < done or first not in starts:
                continue
            last = edges[bisect_right(edges, first + length) - 1]
            if len(said) <= first + length + _NEAR and not _valid(said[first:last]):
                last = edges[-1]
            rule = _rule(reading, said[first:last], length, starts[first])
            if rule:
                done = last
                yield reading.span(starts[first], ends[last], SpanType.IBAN, f"iban/{rule}")


def _rule(reading: NormalisedText, written: str, length: int, start: int) -> str | None:
    """How surely what starts with the letters of a country is an account number."""
    if len(written) == length and _valid(written):
        return "checksum"
    if len(written) < _LEAST_AFTER_CUE or sum(each.isdigit() for each in written) < _LEAST_DIGITS:
        return None
    if length - _NEAR <= len(written) and written[2:4].isdigit():
        return "country"
    return "announced" if _announced().search(reading.figures[max(0, start - _REACH) : start]) else None


def _taken(figures: bytes, start: int, length: int) -> tuple[str, int]:
    """At most `length` letters and digits from `start` on, past single separators, that end where a word does."""
    taken: list[str] = []
    position = end = whole = start
    whole_length = 0
    while len(taken) < length and position < len(figures):
        byte = figures[position : position + 1]
        if byte.isalnum():
            taken.append(chr(byte[0]))
            end = position + 1
            if not figures[end : end + 1].isalnum():
                whole, whole_length = end, len(taken)
        elif byte not in (b" ", b".", b"-", b",") or position - end > 1:
            break
        position += 1
    return "".join(taken[:whole_length]), whole


def _valid(written: str) -> bool:
    from stdnum import iban

    # The form and the checksum say enough; whether a bank exists today does not matter.
    return iban.is_valid(written, check_country=False)


@cache
def _announced() -> Any:
    return pattern(rf"\b{either(words('iban', 'cues'))}\b")


@cache
def _start() -> Any:
    return pattern(r"\b([a-z]) ?([a-z])[ .-]?\d ?\d")
