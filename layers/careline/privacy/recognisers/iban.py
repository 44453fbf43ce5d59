"""Bank account numbers: the country's length and the checksum of ISO 7064 say which."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from careline.model import Span, SpanType
from careline.privacy import cues
from careline.privacy.reading import Reading
from careline.privacy.vocabulary import pattern, shared

_LEAST_AFTER_CUE = 10
_MOST_DIGITS = range(_LEAST_AFTER_CUE, 31)


def find(reading: Reading) -> Iterator[Span]:
    """Account numbers with a right checksum, and announced ones whatever their checksum."""
    announced = set(cues.after(reading, "iban", "cues"))
    for match in _start().finditer(reading.figures):
        length = shared("iban_lengths").get((match.group(1) + match.group(2)).decode("ascii"))
        written, end = _taken(reading.figures, match.start(), length or 0)
        if length and len(written) == length and _valid(written):
            yield reading.span(match.start(), end, SpanType.IBAN, "iban/checksum")
        elif length and match.start() in announced and len(written) >= _LEAST_AFTER_CUE:
            yield reading.span(match.start(), end, SpanType.IBAN, "iban/announced")
    for run, first in cues.runs_after(reading, "iban", "cues"):
        for last, _ in list(run.spellings(first, _MOST_DIGITS))[-1:]:
            yield reading.span(run.groups[first].start, run.groups[last].end, SpanType.IBAN, "iban/announced")


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
def _start() -> Any:
    return pattern(r"\b([a-z]) ?([a-z])[ .-]?\d ?\d")
