"""The shapes a page is made of. Lengths are points (1/72 inch); x grows to the right, y grows downwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from careline.tables.extracted import Block


class PageWord(NamedTuple):
    """A run of characters without a space. `size` is the font size in points as it appears."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool


class RuledLine(NamedTuple):
    """A straight drawn line, horizontal or vertical: the border of a table cell, or decoration."""

    x0: float
    y0: float
    x1: float
    y1: float


class Segment(NamedTuple):
    """Words that stand next to each other on one line, or a whole table, which then takes the place of a line."""

    words: tuple[PageWord, ...]
    x0: float
    y0: float
    x1: float
    y1: float
    table: Block | None = None

    @property
    def size(self) -> float:
        """Font size of the most characters."""
        return most_common((word.size, len(word.text)) for word in self.words) if self.words else 0.0

    @property
    def text(self) -> str:
        """The words with spaces between."""
        return " ".join(word.text for word in self.words)


class Line(NamedTuple):
    """One line of a region as it stands on the page; a table counts as one line. `item` says that it begins one."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    bold: bool
    first_word: float
    table: Block | None = None
    item: bool = False


def segment(words: Sequence[PageWord]) -> Segment:
    """The segment that words form; there must be one at least."""
    return Segment(
        tuple(words),
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
    )


def is_set_bold(words: Iterable[PageWord]) -> bool:
    """Whether all words with a letter or figure are bold, and there is one: an arrow has no bold form in most fonts."""
    told = [word.bold for word in words if any(map(str.isalnum, word.text))]
    return bool(told) and all(told)


def most_common(weighed: Iterable[tuple[float, int]]) -> float:
    """The value with the largest total weight, values rounded to half a point; 0 when there is none."""
    totals: dict[float, int] = {}
    for value, weight in weighed:
        rounded = round(value * 2) / 2
        totals[rounded] = totals.get(rounded, 0) + weight
    return max(totals, key=lambda value: totals[value]) if totals else 0.0


def rows_of(segments: Iterable[Segment]) -> list[list[Segment]]:
    """Segments that stand on one line together, lines from top to bottom, each from left to right."""
    rows: list[list[Segment]] = []
    for piece in sorted(segments, key=lambda each: (each.y0 + each.y1) / 2):
        centre = (piece.y0 + piece.y1) / 2
        last = rows[-1][0] if rows else None
        if last is not None and abs(centre - (last.y0 + last.y1) / 2) < 0.4 * min(
            piece.y1 - piece.y0, last.y1 - last.y0
        ):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    for row in rows:
        row.sort(key=lambda each: each.x0)
    return rows
