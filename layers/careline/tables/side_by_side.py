"""Finds tables set side by side in one: where the header that names the rows comes back, another set begins."""

from __future__ import annotations

from collections.abc import Sequence

from careline.tables.extracted import Cell

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
    if any(len(one) > 1 for one in above) or not _name_rows(grid[depth:], [one.start for one in sets]):
        return whole
    over = [" ".join(next(iter(one))) for one in above]
    return [(one, name if len(set(over)) > 1 else "") for one, name in zip(sets, over, strict=True)]


def _name_rows(body: Sequence[Row], columns: Sequence[int]) -> bool:
    """Whether the first columns of all sets name rows: with words, or numbers of which none comes twice."""
    names = [[cell.text for row in body if (cell := row[column]) is not None] for column in columns]
    if not all(names):
        return False
    every = [name for one in names for name in one]
    return len(set(every)) == len(every) or all(sum(name[:1].isalpha() for name in one) * 2 > len(one) for one in names)
