"""Judges found personal data in three ways, because each hides what another shows.

By overlap, masking "van" of "van den Broeck" counts as found; by exact span, a mask that takes one word too many counts
as missed though nothing leaks; leaked characters say what a reader of the masked line still sees.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import astuple, dataclass

from careline.model import SpanType

PhiSpan = tuple[int, int, SpanType]
"""Code points `start` to `end` (exclusive) of a line, and the kind of personal data."""


@dataclass(frozen=True, slots=True)
class SpanCounts:
    """Counts over any number of lines; characters are letters and digits, since blanks and signs tell nothing."""

    wanted: int = 0
    """Spans that a reader marked."""
    found: int = 0
    """Spans that the detector answered."""
    overlapped: int = 0
    """Wanted spans that share a code point with a found one of the same kind."""
    overlapping: int = 0
    """Found spans that share a code point with a wanted one of the same kind."""
    exact: int = 0
    """Spans wanted and found with the same start, end and kind."""
    characters: int = 0
    """Characters in wanted spans."""
    leaked: int = 0
    """Of these, characters that no found span covers, of whichever kind: a mask of the wrong kind hides too."""
    masked: int = 0
    """Characters in found spans."""
    needless: int = 0
    """Of these, characters that are no personal data."""

    def __add__(self, other: SpanCounts) -> SpanCounts:
        return SpanCounts(*(one + two for one, two in zip(astuple(self), astuple(other), strict=True)))

    def to_json(self) -> dict[str, int]:
        """The counts for programs."""
        return {name: getattr(self, name) for name in self.__slots__}


def compare(text: str, wanted: Collection[PhiSpan], found: Collection[PhiSpan]) -> SpanCounts:
    """The counts of one line. Spans may stand in any order; those found may overlap; one found twice counts once."""
    answered = set(found)
    personal, covered = _characters(text, wanted), _characters(text, answered)
    return SpanCounts(
        wanted=len(wanted),
        found=len(answered),
        overlapped=sum(hit(one, answered) for one in wanted),
        overlapping=sum(hit(one, wanted) for one in answered),
        exact=len(answered & set(wanted)),
        characters=len(personal),
        leaked=len(personal - covered),
        masked=len(covered),
        needless=len(covered - personal),
    )


def hit(span: PhiSpan, others: Iterable[PhiSpan]) -> bool:
    """Whether a span shares a code point with another of the same kind."""
    return any(span[2] == other[2] and span[0] < other[1] and other[0] < span[1] for other in others)


def _characters(text: str, spans: Iterable[PhiSpan]) -> set[int]:
    """Where the letters and digits of spans stand."""
    return {at for start, end, _ in spans for at in range(start, end) if text[at].isalnum()}
