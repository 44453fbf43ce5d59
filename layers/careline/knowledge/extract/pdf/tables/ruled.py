"""Finds tables whose cells are drawn: a grid of ruling lines, with merged cells where a line is missing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from careline.knowledge.clean.hyphens import in_one_line
from careline.knowledge.extract.bold_headers import with_headers
from careline.knowledge.extract.pdf.geometry import PageWord, RuledLine, Segment, is_set_bold
from careline.tables.extracted import Cell
from careline.tables.read import block
from careline.text.note_signs import SUPERSCRIPTS

_NEAR = 3.0
_MOST_RULES = 600
_MOST_CELLS = 6000
_FEWEST_BELOW = 2
_TALLEST_ROW = 90.0
"""Points; what is higher is no row of a table whose header alone is drawn in cells."""


@dataclass(frozen=True, slots=True)
class _Grid:
    """Lines that touch one another, and the rows and columns between them."""

    across: tuple[RuledLine, ...]
    down: tuple[RuledLine, ...]
    xs: tuple[float, ...]
    ys: tuple[float, ...]


def take_ruled_tables(words: Sequence[PageWord], rules: Sequence[RuledLine]) -> tuple[list[Segment], list[PageWord]]:
    """Tables found, and the words that are in none of them. A box around text is not a table."""
    tables: list[Segment] = []
    rest = list(words)
    across = _joined([rule for rule in rules if rule.x1 - rule.x0 >= rule.y1 - rule.y0], horizontal=True)
    for drawn in _grids(rules):
        grid = _with_header_parted(_with_rows_below(drawn, across, rest), rest)
        inside = [word for word in rest if _within(grid, word)]
        cells = _cells(grid, inside)
        if len({cell.row for cell in cells}) < 2 or len({cell.column for cell in cells}) < 2:
            continue
        taken = set(map(id, inside))
        rest = [word for word in rest if id(word) not in taken]
        table = block(cells, grid.xs[:-1])
        tables.append(Segment((), grid.xs[0], grid.ys[0], grid.xs[-1], grid.ys[-1], table))
    return tables, rest


def in_lines(words: Iterable[PageWord]) -> str:
    """The words of a cell as they are read: from top to bottom, each line from left to right."""
    lines: list[list[PageWord]] = []
    # A note's sign is raised, and stands on the line of the word before it.
    signs, plain = _parted_signs(words)
    for word in sorted(plain or signs, key=lambda each: each.y0 + each.y1):
        if lines and (word.y0 + word.y1) / 2 < lines[-1][0].y1 - 0.25 * (word.y1 - word.y0):
            lines[-1].append(word)
        else:
            lines.append([word])
    for sign in signs if plain else ():
        min(lines, key=lambda line: abs(line[0].y0 - sign.y0)).append(sign)
    written = (" ".join(word.text for word in sorted(line, key=lambda each: each.x0)) for line in lines)
    return in_one_line("\n".join(written))


def is_sign(word: PageWord) -> bool:
    """Whether a word is the raised sign of a note."""
    return all(letter in SUPERSCRIPTS for letter in word.text)


def _parted_signs(words: Iterable[PageWord]) -> tuple[list[PageWord], list[PageWord]]:
    signs: list[PageWord] = []
    plain: list[PageWord] = []
    for word in words:
        (signs if is_sign(word) else plain).append(word)
    return signs, plain


def _within(grid: _Grid, word: PageWord) -> bool:
    x, y = (word.x0 + word.x1) / 2, (word.y0 + word.y1) / 2
    return grid.xs[0] <= x <= grid.xs[-1] and grid.ys[0] <= y <= grid.ys[-1]


def _grids(rules: Sequence[RuledLine]) -> Iterable[_Grid]:
    across = _joined([rule for rule in rules if rule.x1 - rule.x0 >= rule.y1 - rule.y0], horizontal=True)
    down = _joined([rule for rule in rules if rule.x1 - rule.x0 < rule.y1 - rule.y0], horizontal=False)
    if not (1 < len(across) < _MOST_RULES and 1 < len(down) < _MOST_RULES):
        return
    for group_across, group_down in _touching(across, down):
        xs = _distinct(rule.x0 for rule in group_down)
        ys = _distinct(rule.y0 for rule in group_across)
        if len(xs) > 2 and len(ys) > 2 and len(xs) * len(ys) < _MOST_CELLS:
            yield _Grid(tuple(group_across), tuple(group_down), xs, ys)


def _with_rows_below(grid: _Grid, across: Sequence[RuledLine], words: Sequence[PageWord]) -> _Grid:
    """A grid with the rows below it that lines across part and no lines down: the header alone is drawn in cells. Their
    words stand in the columns of the last row that is drawn."""
    left, right, bottom = grid.xs[0], grid.xs[-1], grid.ys[-1]
    below = [line for line in across if abs(line.x0 - left) <= _NEAR and abs(line.x1 - right) <= _NEAR]
    last = len(grid.ys) - 2
    xs = [x for n, x in enumerate(grid.xs) if n in {0, len(grid.xs) - 1} or _divided_left(grid, last, n)]
    ys: list[float] = []
    for line in below:
        top = ys[-1] if ys else bottom
        if line.y0 - top <= _NEAR:
            continue
        row = [word for word in words if top < (word.y0 + word.y1) / 2 < line.y0 and left <= word.x0 <= right]
        is_row = row and line.y0 - top < _TALLEST_ROW and len({_between(grid.xs, word.x0) for word in row}) > 1
        if not is_row or any(word.x0 < x - 1 and word.x1 > x + 1 for word in row for x in xs):
            break
        ys.append(line.y0)
    if len(ys) < _FEWEST_BELOW:
        return grid
    down = (*grid.down, *(RuledLine(x, bottom, x, ys[-1]) for x in xs))
    lines = (*grid.across, *(RuledLine(left, y, right, y) for y in ys))
    return _Grid(lines, down, grid.xs, (*grid.ys, *ys))


def _with_header_parted(grid: _Grid, words: Sequence[PageWord]) -> _Grid:
    """A grid with a line below its header where none is drawn, since a ground in colour ends there: in each column of
    the first row bold words stand above others."""
    above, below = grid.ys[:2]
    columns: dict[int, tuple[list[PageWord], list[PageWord]]] = {}
    for word in words:
        if above < (word.y0 + word.y1) / 2 < below and grid.xs[0] <= word.x0 < grid.xs[-1] and not is_sign(word):
            columns.setdefault(_between(grid.xs, (word.x0 + word.x1) / 2), ([], []))[not word.bold].append(word)
    if len(columns) < len(grid.xs) - 1 or not all(bold and plain for bold, plain in columns.values()):
        return grid
    bottom = max(word.y1 for bold, _ in columns.values() for word in bold)
    top = min(word.y0 for _, plain in columns.values() for word in plain)
    if bottom > top:
        return grid
    y = (bottom + top) / 2
    line = RuledLine(grid.xs[0], y, grid.xs[-1], y)
    return _Grid((*grid.across, line), grid.down, grid.xs, (above, y, *grid.ys[1:]))


def _joined(rules: list[RuledLine], *, horizontal: bool) -> list[RuledLine]:
    """Pieces of one line, drawn cell by cell, put together; double lines become one."""
    joined: list[RuledLine] = []
    key = (
        (lambda rule: (round(rule.y0 / _NEAR), rule.x0))
        if horizontal
        else (lambda rule: (round(rule.x0 / _NEAR), rule.y0))
    )
    for rule in sorted(rules, key=key):
        last = joined[-1] if joined else None
        if last is not None and _continues(last, rule, horizontal):
            joined[-1] = RuledLine(last.x0, last.y0, max(last.x1, rule.x1), max(last.y1, rule.y1))
        else:
            joined.append(rule)
    return joined


def _continues(last: RuledLine, rule: RuledLine, horizontal: bool) -> bool:
    if horizontal:
        return abs(rule.y0 - last.y0) <= _NEAR and last.x0 - _NEAR <= rule.x0 <= last.x1 + _NEAR
    return abs(rule.x0 - last.x0) <= _NEAR and last.y0 - _NEAR <= rule.y0 <= last.y1 + _NEAR


def _touching(across: list[RuledLine], down: list[RuledLine]) -> Iterable[tuple[list[RuledLine], list[RuledLine]]]:
    """Groups of lines connected with one another."""
    left_across, left_down = list(across), list(down)
    while left_down:
        new_down = [left_down.pop()]
        group_down, group_across = list(new_down), list[RuledLine]()
        while new_down:
            new_across, left_across = _parted(left_across, new_down, _cross)
            new_down, left_down = _parted(left_down, new_across, _crossed)
            group_across += new_across
            group_down += new_down
        yield group_across, group_down


def _parted(
    rules: list[RuledLine], others: list[RuledLine], cross: Callable[[RuledLine, RuledLine], bool]
) -> tuple[list[RuledLine], list[RuledLine]]:
    """The rules that cross any of the others, and the rest."""
    new: list[RuledLine] = []
    left: list[RuledLine] = []
    for rule in rules:
        (new if any(cross(rule, other) for other in others) else left).append(rule)
    return new, left


def _crossed(down: RuledLine, across: RuledLine) -> bool:
    return _cross(across, down)


def _cross(across: RuledLine, down: RuledLine) -> bool:
    return across.x0 - _NEAR <= down.x0 <= across.x1 + _NEAR and down.y0 - _NEAR <= across.y0 <= down.y1 + _NEAR


def _distinct(values: Iterable[float]) -> tuple[float, ...]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > _NEAR:
            kept.append(value)
    return tuple(kept)


def _cells(grid: _Grid, words: Sequence[PageWord]) -> list[Cell]:
    """The cells that lines enclose, each once with the rows and columns that it covers."""
    owner = _owners(grid)
    held: dict[tuple[int, int], list[PageWord]] = {}
    for word in words:
        place = _between(grid.ys, (word.y0 + word.y1) / 2), _between(grid.xs, (word.x0 + word.x1) / 2)
        held.setdefault(owner[place], []).append(word)
    last = {first: place for place, first in sorted(owner.items())}
    cells: list[Cell] = []
    bold: set[Cell] = set()
    for (row, column), inside in sorted(held.items()):
        until = last[row, column]
        cell = Cell(in_lines(inside), row, column, until[0] - row + 1, max(1, until[1] - column + 1))
        cells.append(cell)
        if is_set_bold(inside):
            bold.add(cell)
    return with_headers(cells, bold)


def _owners(grid: _Grid) -> dict[tuple[int, int], tuple[int, int]]:
    """For each place between the lines the first place of the cell that it is part of."""
    columns, rows = len(grid.xs) - 1, len(grid.ys) - 1
    owner = {(r, c): (r, c) for r in range(rows) for c in range(columns)}
    for r in range(rows):
        for c in range(columns):
            if c > 0 and not _divided_left(grid, r, c):
                owner[r, c] = owner[r, c - 1]
            elif r > 0 and not _divided_above(grid, r, c):
                owner[r, c] = owner[r - 1, c]
    return owner


def _between(edges: tuple[float, ...], at: float) -> int:
    return bisect_right(edges, at, 1, len(edges) - 1) - 1


def _divided_left(grid: _Grid, r: int, c: int) -> bool:
    x, y = grid.xs[c], (grid.ys[r] + grid.ys[r + 1]) / 2
    return any(abs(rule.x0 - x) <= _NEAR and rule.y0 <= y <= rule.y1 for rule in grid.down)


def _divided_above(grid: _Grid, r: int, c: int) -> bool:
    x, y = (grid.xs[c] + grid.xs[c + 1]) / 2, grid.ys[r]
    return any(abs(rule.y0 - y) <= _NEAR and rule.x0 <= x <= rule.x1 for rule in grid.across)
