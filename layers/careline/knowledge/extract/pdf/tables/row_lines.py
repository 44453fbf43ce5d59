"""Puts the lines of a table's row together where its cells are wrapped and set in the middle of the row."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from careline.knowledge.extract.pdf.geometry import Segment, segment

_OVERLAP = 0.05
"""In line heights: lines that share more than this may stand in one row."""

_SAME_MIDDLE = 0.3
"""In line heights: so far the middles of a row's cells may be apart."""

_MOST_LINES = 5

Row = list[Segment]


def middle_aligned(rows: Sequence[Row]) -> tuple[list[Row], dict[int, list[Segment]]]:
    """The rows, those lines put together whose cells have one middle; and the pieces of each cell that was put
    together, by the `id` of the cell.

    A header over several columns beside one over two rows has another middle, so that its lines stay apart.
    """
    rows = _with_labels_beside(rows)
    found: list[Row] = []
    pieces_of: dict[int, list[Segment]] = {}
    at = 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and end - at <= _MOST_LINES and _overlap(rows[end - 1], rows[end]):
            end += 1
        cells = _cells(rows[at:end]) if 2 <= end - at <= _MOST_LINES else None
        if cells is None:
            found.append(rows[at])
            at += 1
            continue
        row = [segment([word for piece in cell for word in piece.words]) for cell in cells]
        pieces_of.update({id(whole): cell for whole, cell in zip(row, cells, strict=True)})
        found.append(row)
        at = end
    return found, pieces_of


def _with_labels_beside(rows: Sequence[Row]) -> list[Row]:
    """The rows, a piece alone that stands in the middle beside two lines, before both of them, with the lower one: the
    header of the labels beside headers over several columns and those below them."""
    found: list[Row] = []
    at = 0
    while at < len(rows):
        upper, label, lower = found[-1:], rows[at], rows[at + 1 : at + 2]
        if upper and lower and len(label) == 1 and _is_beside(label[0], upper[0]) and _is_beside(label[0], lower[0]):
            found.append([*label, *lower[0]])
            at += 1
        else:
            found.append(list(label))
        at += 1
    return found


def _is_beside(label: Segment, row: Row) -> bool:
    shared = min(label.y1, max(piece.y1 for piece in row)) - max(label.y0, min(piece.y0 for piece in row))
    return len(row) > 1 and label.x1 < row[0].x0 and shared > _OVERLAP * (label.y1 - label.y0)


def _overlap(upper: Row, lower: Row) -> bool:
    height = max(upper[0].y1 - upper[0].y0, 1.0)
    return max(piece.y1 for piece in upper) - min(piece.y0 for piece in lower) > _OVERLAP * height


def _cells(lines: Sequence[Row]) -> list[list[Segment]] | None:
    """The pieces of each cell, from left to right; None when the lines are not those of one row."""
    cells: list[list[Segment]] = []
    reach = 0.0
    for piece in sorted((piece for line in lines for piece in line), key=lambda each: each.x0):
        if cells and piece.x0 < reach:
            cells[-1].append(piece)
            reach = max(reach, piece.x1)
        else:
            cells.append([piece])
            reach = piece.x1
    height = lines[0][0].y1 - lines[0][0].y0
    middles = [(min(piece.y0 for piece in cell) + max(piece.y1 for piece in cell)) / 2 for cell in cells]
    if len(cells) < 2 or max(middles) - min(middles) > _SAME_MIDDLE * height:
        return None
    for cell in cells:
        cell.sort(key=lambda piece: piece.y0)
        if any(lower.y0 < upper.y1 - _SAME_MIDDLE * height for upper, lower in pairwise(cell)):
            return None
    return cells
