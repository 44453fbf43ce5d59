"""Marks the cells that a table sets in bold to tell them from its values: rows on top, the first column, groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from careline.tables.extracted import Cell


def with_headers(cells: Sequence[Cell], bold: Collection[Cell]) -> list[Cell]:
    """The cells, `header` set for rows on top in bold, for a first column in bold, and for a bold cell alone in a row.

    Nothing is marked in a table that is bold throughout.
    """
    rows = sorted({cell.row for cell in cells})
    plain_rows = {cell.row for cell in cells if cell not in bold}
    heads: set[int] = set()
    for row in rows:
        if row in plain_rows:
            break
        heads.add(row)
    if len(heads) == len(rows):
        return list(cells)
    body = [cell for cell in cells if cell.row not in heads]
    first = [cell for cell in body if cell.column == 0]
    others = [cell for cell in body if cell.column > 0]
    marks_first = bool(first) and all(cell in bold for cell in first) and not all(cell in bold for cell in others)
    counts = Counter(cell.row for cell in cells)
    return [
        replace(
            cell,
            header=cell.row in heads
            or (marks_first and cell.column == 0)
            or (cell in bold and cell.column == 0 and counts[cell.row] == 1),
        )
        for cell in cells
    ]
