"""Parts a page that is set in two columns, so that a table in one of them is found without the text beside it."""

from __future__ import annotations

from collections.abc import Sequence

from careline.knowledge.extract.pdf.columns import bands, gutter_of
from careline.knowledge.extract.pdf.geometry import Segment, rows_of

_FEWEST_LINES = 8
"""Lines of running text by which one side of a gutter is a column of it."""

_LONG = 24
"""Characters of a line of running text; a column of labels is mostly narrower."""

_PROSE_SHARE = 0.6
"""Of the lines of a column of text; the others are its headings and the last lines of its paragraphs."""

_SAME_LINE = 1.0
"""Points that the middles of what stands in one row of a table lie apart at most."""

_SHARED = 0.5
"""Of the lines on one side: so many beside a line of the other are the rows of one table."""


def parts_of_page(segments: Sequence[Segment]) -> list[list[Segment]]:
    """The page in parts to look for tables in: the two sides of a gutter where a column of running text stands on one
    of them and lines of another pitch on the other, and all that is not so."""
    gutter = gutter_of(segments)
    if gutter is None:
        return [list(segments)]
    together: list[Segment] = []
    parts: list[list[Segment]] = []
    for left, right, across in bands(segments, gutter):
        if _are_columns(left, right):
            parts += [left, right]
        else:
            together += left + right
        together += [across] if across else []
    return [*([together] if together else []), *parts]


def _are_columns(left: list[Segment], right: list[Segment]) -> bool:
    if not left or not right:
        return False
    lines, others = rows_of(left), rows_of(right)
    if not _is_prose(lines):
        lines, others = others, lines
    return _is_prose(lines) and _shared(others, lines) < _SHARED * len(others)


def _is_prose(rows: Sequence[Sequence[Segment]]) -> bool:
    long = sum(len(row) == 1 and len(row[0].text) >= _LONG for row in rows)
    return long >= _FEWEST_LINES and long >= _PROSE_SHARE * len(rows)


def _shared(rows: Sequence[Sequence[Segment]], beside: Sequence[Sequence[Segment]]) -> int:
    """How many rows stand on the height of another one beside them."""
    middles = sorted(_middle(row) for row in beside)
    count, at = 0, 0
    for middle in sorted(_middle(row) for row in rows):
        while at < len(middles) and middles[at] < middle - _SAME_LINE:
            at += 1
        count += at < len(middles) and middles[at] <= middle + _SAME_LINE
    return count


def _middle(row: Sequence[Segment]) -> float:
    return (row[0].y0 + row[0].y1) / 2
