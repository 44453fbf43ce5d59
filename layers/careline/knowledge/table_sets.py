"""Finds tables set side by side in one: where the header that names the rows comes back, another set begins."""

from __future__ import annotations

from collections.abc import Sequence

from careline.extracted import Cell
from careline.knowledge.table_headers import is_figure

Row = Sequence[Cell | None]
_FEWEST = 2
"""Columns of a set: one that names the rows, and one of values."""


def column_sets(grid: Sequence[Row], paths: Sequence[Sequence[str]], depth: int) -> list[tuple[range, str]]:
    """The columns of each set, with the header that stands above this set alone; one of all columns where none comes
    back.

    `paths` are the header labels above each column, outermost first, `depth` how many rows they are. Every set has the
    same headers in the same order: "Clinic, Ext., Clinic, Ext."; hours "from, until, from, until" of one row have
    another column before them, which names it.
    """
    whole = [(range(len(paths)), "")]
    names = [path[-1].strip(" :").casefold() if path else "" for path in paths]
    if not depth or not names or not names[0] or names.count(names[0]) < 2:
        return whole
    width = names.index(names[0], 1)
    if width < _FEWEST or names != names[:width] * (len(names) // width):
        return whole
    sets = [range(start, start + width) for start in range(0, len(names), width)]
    above = [{tuple(paths[column][:-1]) for column in one} for one in sets]
    if any(len(one) > 1 for one in above) or not all(_names_rows(grid[depth:], one) for one in sets):
        return whole
    over = [" ".join(next(iter(one))) for one in above]
    return [(one, name if len(set(over)) > 1 else "") for one, name in zip(sets, over, strict=True)]


def _names_rows(body: Sequence[Row], columns: range) -> bool:
    """Whether the first column of a set has names and no values."""
    names = [cell.text for row in body if (cell := row[columns.start]) is not None]
    return bool(names) and sum(map(is_figure, names)) * 2 <= len(names)
