"""Finds tables without drawn lines: rows whose pieces stand below one another in columns."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import median

from careline.knowledge.extract.pdf.geometry import Segment, rows_of
from careline.knowledge.extract.pdf.ruled_tables import as_table

_FEWEST_ROWS = 3
_FULL_COLUMN = 0.72
"""Share of a column that lines of running text fill; cells of a table mostly do not."""

_INDENT = 6.0
"""A cell may begin this much before its column does, in points."""

_MOST_CELLS = 100_000
"""More are no table that anybody reads, but a page made to cost memory."""

_PROSE_WORDS = 4
_PROSE_CHARACTERS = 24
"""Lines of running text are this long in every column; of a table, at least the first column is shorter."""

_ROW_GAP = 2.2
"""In line heights: rows further apart than this belong to different tables."""


def take_aligned_tables(segments: Sequence[Segment]) -> tuple[list[Segment], list[Segment]]:
    """Tables found, and the segments that are in none of them. Columns of running text are not tables."""
    tables: list[Segment] = []
    rest: list[Segment] = []
    for run in _runs(rows_of(segments)):
        table = _table(run)
        if table is None:
            rest.extend(piece for row in run for piece in row)
        else:
            tables.append(table)
    return tables, rest


def _runs(rows: list[list[Segment]]) -> list[list[list[Segment]]]:
    """Rows one below the other that may be one table; every other row is a run of its own."""
    runs: list[list[list[Segment]]] = []
    for row in rows:
        previous = runs[-1][-1] if runs else None
        if previous is not None and _belongs(runs[-1], previous, row):
            runs[-1].append(row)
        else:
            runs.append([row])
    return runs


def _belongs(run: list[list[Segment]], previous: list[Segment], row: list[Segment]) -> bool:
    if len(run[0]) < 2:
        return False
    height = max(previous[0].y1 - previous[0].y0, 1.0)
    if row[0].y0 - previous[0].y1 > _ROW_GAP * height:
        return False
    if len(row) >= 2:
        return True
    below = _nearest(run[0], row[0].x0)
    starts_there = abs(below.x0 - row[0].x0) < 0.5 * height
    return starts_there and below is not run[0][0] and row[0].y0 - previous[0].y1 < 0.6 * height


def _nearest(row: list[Segment], x0: float) -> Segment:
    """The piece of a row, which goes from left to right, that begins nearest to a place; the left one of two."""
    after = bisect_left(row, x0, key=lambda piece: piece.x0)
    return min(row[max(0, after - 1) : after + 1], key=lambda piece: abs(piece.x0 - x0))


def _table(run: list[list[Segment]]) -> Segment | None:
    full = [row for row in run if len(row) >= 2]
    if len(full) < _FEWEST_ROWS:
        return None
    anchors = _anchors(full)
    if len(anchors) < 2 or len(anchors) * len(run) > _MOST_CELLS or _is_prose(full, anchors):
        return None
    held: list[list[list[str]]] = [[[] for _ in anchors] for _ in run]
    for row, columns in zip(run, held, strict=True):
        for piece in row:
            columns[_column(anchors, piece)].append(piece.text)
    cells = [[" ".join(texts).strip() for texts in columns] for columns in held]
    pieces = [piece for row in run for piece in row]
    return Segment(
        (),
        min(piece.x0 for piece in pieces),
        min(piece.y0 for piece in pieces),
        max(piece.x1 for piece in pieces),
        max(piece.y1 for piece in pieces),
        as_table(_with_continuations(cells)),
    )


def _anchors(rows: list[list[Segment]]) -> list[float]:
    """Where columns begin: left edges that at least half of the rows share, and no segment of a row runs over."""
    edges = sorted(piece.x0 for row in rows for piece in row)
    near = max(4.0, 0.6 * median(piece.y1 - piece.y0 for row in rows for piece in row))
    groups: list[list[float]] = []
    for edge in edges:
        if groups and edge - groups[-1][-1] <= near:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    shared = [min(group) for group in groups if len(group) >= 0.5 * len(rows)]
    if shared and len(shared) < max(map(len, rows)):
        shared = _by_gaps(rows) or shared
    return shared


def _by_gaps(rows: list[list[Segment]]) -> list[float]:
    """Columns of right-aligned or centred cells: the white strips that run through every row."""
    pieces = sorted((piece.x0, piece.x1) for row in rows for piece in row)
    starts, reach = [pieces[0][0]], pieces[0][1]
    for x0, x1 in pieces[1:]:
        if x0 > reach + 2.0:
            starts.append(x0)
        reach = max(reach, x1)
    return starts


def _column(anchors: list[float], piece: Segment) -> int:
    return max(0, bisect_right(anchors, piece.x0 + _INDENT) - 1)


def _is_prose(rows: list[list[Segment]], anchors: list[float]) -> bool:
    first = [row[0] for row in rows]
    fill = median((piece.x1 - piece.x0) / max(1.0, anchors[1] - anchors[0]) for piece in first)
    words = min(median(len(row[index].words) for row in rows) for index in (0, 1))
    characters = min(median(len(row[index].text) for row in rows) for index in (0, 1))
    return (fill >= _FULL_COLUMN and words >= _PROSE_WORDS) or characters >= _PROSE_CHARACTERS


def _with_continuations(cells: list[list[str]]) -> list[list[str]]:
    """A row with an empty first cell and one filled cell goes on with the cell above it."""
    rows: list[list[list[str]]] = []
    for row in cells:
        filled = [index for index, text in enumerate(row) if text]
        if rows and len(filled) == 1 and filled[0] > 0 and len(row) > 1:
            rows[-1][filled[0]].append(row[filled[0]])
        else:
            rows.append([[text] for text in row])
    return [[" ".join(texts).strip() for texts in row] for row in rows]
