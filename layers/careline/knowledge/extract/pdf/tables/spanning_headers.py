"""Tells over which columns each header stands where no cell is drawn, and says so when it cannot be told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from careline.knowledge.extract.pdf.geometry import RuledLine, Segment

_PADDING = 12.0
"""Points between the end of a column and the text of the next one, as it is mostly set."""

_CENTRED = 0.8
"""In heights of a header: how far it may be from the middle of the columns that it covers."""

_DOUBTFUL = 1.3
"""In heights of a header: nearer than this to the middle of other columns it may belong to them."""

_STANDS = 2.5
"""Points that a header may be off the edge or the middle of its column."""

MOST_COLUMNS = 24
"""A table with more of them is read only where every header has its own."""

_MOST_READINGS = 64

Span = tuple[int, int]


class Column(NamedTuple):
    """A column: from `x0` to `x1` its text reaches, from `left` to `right` its cells do."""

    x0: float
    x1: float
    left: float
    right: float


def headers_over(
    pieces: Sequence[Segment], covered: Sequence[Span], columns: Sequence[Column], rules: Sequence[RuledLine]
) -> Mapping[int, Span] | None:
    """The first and last column of each header of a row behind the first column; None when several readings fit.

    A line drawn under a header tells. Else headers share out all columns, each in the middle of its own or at their
    edge, in the same way all over the row; only when that is impossible may columns have none above them.
    """
    heads = [n for n in range(len(pieces)) if covered[n][0] > 0]
    if not heads or len(heads) >= len(columns) - 1:
        return {}
    if len(columns) > MOST_COLUMNS:
        return None
    ruled = {n: span for n in heads if (span := _ruled_over(pieces[n], columns, rules))}
    if len(ruled) == len(heads):
        return ruled
    own = [(pieces[n], ruled.get(n)) for n in heads]
    for gaps in (False, True):
        readings = _readings(own, columns, _CENTRED, gaps=gaps)
        if len(readings) == 1 and not gaps and _stands_at_edges(own, next(iter(readings)), columns):
            return dict(zip(heads, readings.pop(), strict=True))
        if readings:
            doubtful = readings | _readings(own, columns, _DOUBTFUL, gaps=gaps)
            return dict(zip(heads, readings.pop(), strict=True)) if len(doubtful) == 1 else None
    return None


def _stands_at_edges(
    heads: Sequence[tuple[Segment, Span | None]], reading: tuple[Span, ...], columns: Sequence[Column]
) -> bool:
    """Whether several headers all begin where the first of their columns does, or all end where the last one does."""
    begin = all(abs(piece.x0 - columns[span[0]].x0) < _STANDS for (piece, _), span in zip(heads, reading, strict=True))
    end = all(abs(piece.x1 - columns[span[1]].x1) < _STANDS for (piece, _), span in zip(heads, reading, strict=True))
    return len(heads) > 1 and (begin or end)


def _readings(
    heads: Sequence[tuple[Segment, Span | None]], columns: Sequence[Column], near: float, *, gaps: bool
) -> set[tuple[Span, ...]]:
    """The ways in which headers, some of them with a line under them that tells, may share out the columns."""
    readings: set[tuple[Span, ...]] = set()
    for way in _ways(columns, near):
        spans = [[ruled] if ruled else list(way(piece)) for piece, ruled in heads]
        readings.update(_shared_out(spans, len(columns), gaps=gaps))
    return readings


def _ways(columns: Sequence[Column], near: float) -> Iterator[Callable[[Segment], Iterator[Span]]]:
    """The ways in which a row of headers may be set; each gives the columns over which a header may stand."""
    middles = (_middle_of_text, _middle_of_cells, _middle_of_left_aligned, _middle_of_right_aligned)
    spans = [(first, last) for first in range(1, len(columns)) for last in range(first, len(columns))]
    for middle in middles:
        at = {span: middle(span, columns) for span in spans}

        def centred(piece: Segment, at: Mapping[Span, float] = at) -> Iterator[Span]:
            centre, height = (piece.x0 + piece.x1) / 2, piece.y1 - piece.y0
            for span, place in at.items():
                if abs(centre - place) < near * height or (span[0] == span[1] and _stands_at(piece, columns[span[0]])):
                    yield span

        yield centred
    yield lambda piece: (span for span in spans if abs(piece.x0 - columns[span[0]].x0) < _STANDS)
    yield lambda piece: (span for span in spans if abs(piece.x1 - columns[span[1]].x1) < _STANDS)


def _shared_out(spans: Sequence[Sequence[Span]], width: int, *, gaps: bool) -> set[tuple[Span, ...]]:
    """Every way in which headers from left to right take one of their spans each, side by side behind the first
    column; so many at most that it is clear that there are several."""
    found: set[tuple[Span, ...]] = {()}
    for own in spans:
        grown: set[tuple[Span, ...]] = set()
        for taken in found:
            start = taken[-1][1] + 1 if taken else 1
            grown.update((*taken, span) for span in own if span[0] == start or (gaps and span[0] > start))
        found = set(sorted(grown)[:_MOST_READINGS])
    return {taken for taken in found if gaps or taken[-1][1] == width - 1}


def _ruled_over(piece: Segment, columns: Sequence[Column], rules: Sequence[RuledLine]) -> Span | None:
    """The columns above which a line is drawn right under a header."""
    height = piece.y1 - piece.y0
    for rule in rules:
        under = rule.x1 - rule.x0 > rule.y1 - rule.y0 and -0.3 * height < rule.y0 - piece.y1 < 0.9 * height
        if under and rule.x0 - 2 <= piece.x0 and piece.x1 <= rule.x1 + 2:
            inside = [k for k, column in enumerate(columns) if rule.x0 - 3 < (column.x0 + column.x1) / 2 < rule.x1 + 3]
            if inside and len(inside) < len(columns):
                return inside[0], inside[-1]
    return None


def _stands_at(piece: Segment, column: Column) -> bool:
    """Left, right or in the middle of a column."""
    middle = abs((piece.x0 + piece.x1) - (column.x0 + column.x1)) / 2
    return min(abs(piece.x0 - column.x0), abs(piece.x1 - column.x1), middle) < _STANDS


def _middle_of_text(span: Span, columns: Sequence[Column]) -> float:
    return (columns[span[0]].x0 + columns[span[1]].x1) / 2


def _middle_of_cells(span: Span, columns: Sequence[Column]) -> float:
    return (columns[span[0]].left + columns[span[1]].right) / 2


def _middle_of_left_aligned(span: Span, columns: Sequence[Column]) -> float:
    """Where cells begin at the text of their column and end at that of the next."""
    pitch = (columns[-1].x0 - columns[1].x0) / max(1, len(columns) - 2)
    end = columns[span[1] + 1].x0 if span[1] + 1 < len(columns) else columns[span[1]].x0 + pitch
    return (columns[span[0]].x0 + end - _PADDING) / 2


def _middle_of_right_aligned(span: Span, columns: Sequence[Column]) -> float:
    """Where cells begin behind the text of the column before and end with their own."""
    pitch = (columns[-1].x1 - columns[1].x1) / max(1, len(columns) - 2)
    begin = columns[span[0] - 1].x1 if span[0] > 1 else columns[1].x1 - pitch
    return (begin + _PADDING + columns[span[1]].x1) / 2
