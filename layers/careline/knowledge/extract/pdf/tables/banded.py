"""Finds tables whose rows are parted by drawn lines and whose columns are not: between two lines stands one row.

The header stands between the first two lines, or above the first one on a ground of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from careline.knowledge.extract.bold_headers import with_headers
from careline.knowledge.extract.pdf.columns import segments_of
from careline.knowledge.extract.pdf.geometry import PageWord, RuledLine, Segment, is_set_bold
from careline.knowledge.extract.pdf.page_columns import parts_of_page
from careline.knowledge.extract.pdf.tables.aligned import take_aligned_tables
from careline.knowledge.extract.pdf.tables.ruled import in_lines, is_sign
from careline.tables.extracted import Cell
from careline.tables.headers import is_figure
from careline.tables.read import block

_SAME_LINE = 3.0
"""Points that the ends of lines of one table lie apart at most."""

_MOST_WORDS = 20_000
"""Words of a page; no page that people read has more."""

_FEWEST_LINES, _FEWEST_ROWS = 3, 2
_MOST_LINES = 200
_TALLEST_ROW = 8.0
"""In line heights."""

_SAME_SIZE = 1.0
"""Points that the sizes of the rows of a table differ by at most."""

_TEXT_SHARE = 0.6
"""Of the width, that is filled by a line which is no row."""

_SAME_HEIGHT = 0.5
"""In line heights: words whose middles are closer than this stand on one line."""

_COLUMN_GAP = 0.8
"""In font sizes: what is left free from top to bottom between two columns."""

_SAME_EDGE = 1.5
"""Points that words at the left edge of one column begin apart at most."""

_LINE_GAP = 0.6
"""In line heights: lines of a header are closer than this to one another, and twice as far from the first row."""

_MOST_COLUMNS = 30
_LONGEST_CELL, _MOST_CELL_WORDS = 240, 80

_HOURS = re.compile(
    r"[0-9]{1,2}[:.hu ]{1,3}[0-9]{2} ?[-–—] ?[0-9]{1,2}[:.hu ]{1,3}[0-9]{2}(?: ?(?:h|u|uur|heures|ore))?"
)

_Row = list[PageWord]


@dataclass(frozen=True, slots=True)
class _Found:
    """A table, and the `id` of each word in it."""

    table: Segment
    taken: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Column:
    """From where to where the words of a column reach, and whether all of its rows begin at one edge."""

    x0: float
    x1: float
    begins_at_edge: bool


def take_tables_without_grid(
    words: Sequence[PageWord], rules: Sequence[RuledLine]
) -> tuple[list[Segment], list[Segment]]:
    """Tables whose cells are not drawn, and the segments that are in none of them: by lines across, where the columns
    alone tell no more columns apart, and else by these."""
    tables, segments = _aligned_tables(words, rules)
    banded = [one for one in _banded_tables(words, rules) if not any(_tells_more(other, one.table) for other in tables)]
    if not banded:
        return tables, segments
    taken = frozenset().union(*(one.taken for one in banded))
    rest = [word for word in words if id(word) not in taken]
    tables, segments = _aligned_tables(rest, rules)
    return [*(one.table for one in banded), *tables], segments


def _aligned_tables(words: Sequence[PageWord], rules: Sequence[RuledLine]) -> tuple[list[Segment], list[Segment]]:
    tables: list[Segment] = []
    segments: list[Segment] = []
    for part in parts_of_page(segments_of(words)) if words else ():
        found, rest = take_aligned_tables(part, rules)
        tables += found
        segments += rest
    return tables, segments


def _tells_more(one: Segment, other: Segment) -> bool:
    """Whether a table stands where another does and has more columns, or as many with another line of headers above."""
    apart = one.y1 <= other.y0 or other.y1 <= one.y0 or one.x1 <= other.x0 or other.x1 <= one.x0
    (rows, columns), (other_rows, other_columns) = _extent(one), _extent(other)
    has_more_above = one.y0 < other.y0 - _SAME_LINE and rows > other_rows and columns == other_columns
    return not apart and (columns > other_columns or has_more_above)


def _extent(table: Segment) -> tuple[int, int]:
    """How many rows and columns a table has."""
    cells = table.table.cells if table.table else ()
    rows = max((cell.row + cell.rows for cell in cells), default=0)
    return rows, max((cell.column + cell.columns for cell in cells), default=0)


def _banded_tables(words: Sequence[PageWord], rules: Sequence[RuledLine]) -> list[_Found]:
    """Text between lines is no table, nor is one whose header runs across columns: which figures it is for would be
    guessed."""
    found: list[_Found] = []
    rest = list(words) if len(words) <= _MOST_WORDS else []
    for stack in _stacks(rules) if rest else ():
        for lines in _parted(stack, rest):
            one = _table(rest, lines, [_between(rest, above, below) for above, below in pairwise(lines)])
            if one is not None:
                found.append(one)
                rest = [word for word in rest if id(word) not in one.taken]
    return found


def _stacks(rules: Sequence[RuledLine]) -> list[list[RuledLine]]:
    """Lines across of one length, one below the other."""
    across = sorted((rule for rule in rules if rule.x1 - rule.x0 >= rule.y1 - rule.y0), key=lambda rule: rule.y0)
    stacks: list[list[RuledLine]] = []
    for rule in across[:_MOST_LINES]:
        same = next((one for one in stacks if _is_as_long(one[-1], rule)), None)
        if same is None:
            stacks.append([rule])
        elif rule.y0 - same[-1].y0 > _SAME_LINE:
            same.append(rule)
    return [stack for stack in stacks if len(stack) >= _FEWEST_LINES]


def _is_as_long(one: RuledLine, other: RuledLine) -> bool:
    return abs(one.x0 - other.x0) <= _SAME_LINE and abs(one.x1 - other.x1) <= _SAME_LINE


def _parted(stack: Sequence[RuledLine], words: Sequence[PageWord]) -> Iterator[list[RuledLine]]:
    """Lines of a stack, parted where what stands between two of them is no row: nothing, a heading or running text."""
    run, size = list(stack[:1]), 0.0
    for line in stack[1:]:
        row = _between(words, run[-1], line)
        if not row or _is_tall(row) or _is_of_another_size(row, size) or _is_text(row, line):
            if len(run) >= _FEWEST_LINES:
                yield run
            run, size = [], 0.0
        else:
            size = max(word.size for word in row)
        run.append(line)
    if len(run) >= _FEWEST_LINES:
        yield run


def _is_of_another_size(row: _Row, size: float) -> bool:
    """Whether the largest words of a row are not of a size: a heading is among them."""
    return size > 0 and abs(max(word.size for word in row) - size) > _SAME_SIZE


def _is_text(row: _Row, line: RuledLine) -> bool:
    """Whether words run on over most of the width."""
    width = max(word.x1 for word in row) - min(word.x0 for word in row)
    return width > _TEXT_SHARE * (line.x1 - line.x0) and _is_run(row)


def _between(words: Sequence[PageWord], above: RuledLine, below: RuledLine) -> _Row:
    return [
        word
        for word in words
        if above.y0 < (word.y0 + word.y1) / 2 < below.y0 and above.x0 <= (word.x0 + word.x1) / 2 <= above.x1
    ]


def _is_tall(row: _Row) -> bool:
    height = max(word.y1 - word.y0 for word in row)
    return max(word.y1 for word in row) - min(word.y0 for word in row) > _TALLEST_ROW * max(height, 1.0)


def _table(words: Sequence[PageWord], lines: Sequence[RuledLine], rows: Sequence[_Row]) -> _Found | None:
    header = _header_above(words, lines[0], rows[0])
    body = rows if header else rows[1:]
    columns = _columns([row for row in body if not _is_run(row)])
    if len(body) < _FEWEST_ROWS or not 2 <= len(columns) <= _MOST_COLUMNS:
        return None
    above = [] if not header else [header]
    placed = [_placed(row, columns) for row in (*above, *rows)]
    split = [_told_apart(row) if row is not None else None for row in placed]
    found = [row for row in split if row is not None]
    if len(found) < len(split) or len(found[0][0]) < 2:
        return None
    if sum(len(row[0]) > 1 for row in found[1:]) * 2 < len(found) - 1:
        return None
    cells = _cells(found)
    if any(len(cell.text) > _LONGEST_CELL for cell in cells):
        return None
    inside = [word for row in found for one in row for cell in one.values() for word in cell]
    top, lefts = min(word.y0 for word in inside), tuple(column.x0 for column in columns)
    table = Segment((), lines[0].x0, top, lines[0].x1, lines[-1].y1, block(cells, lefts))
    return _Found(table, frozenset(map(id, inside)))


def _header_above(words: Sequence[PageWord], line: RuledLine, row: _Row) -> _Row:
    """The lines right above the first one that are set as the rows are, alone; none where there is no such line."""
    size, height = max(word.size for word in row), max(word.y1 - word.y0 for word in row)
    above = sorted(
        (word for word in words if word.y1 <= line.y1 + 1 and line.x0 <= word.x0 and word.x1 <= line.x1 + 1),
        key=lambda word: -word.y1,
    )
    found: _Row = []
    top = line.y0
    for word in above:
        is_far = top - word.y1 > (_LINE_GAP if found else 2 * _LINE_GAP) * height
        if is_far or (abs(word.size - size) > _SAME_SIZE and not is_sign(word)):
            break
        found.append(word)
        top = min(top, word.y0)
    return found if is_set_bold(word for word in found if not is_sign(word)) else []


def _columns(rows: Sequence[_Row]) -> list[_Column]:
    """The columns between the strips that are left free through all rows."""
    spans: list[tuple[float, float]] = []
    for word in sorted((word for row in rows for word in row), key=lambda word: word.x0):
        if spans and word.x0 <= spans[-1][1] + _COLUMN_GAP * word.size:
            spans[-1] = (spans[-1][0], max(spans[-1][1], word.x1))
        else:
            spans.append((word.x0, word.x1))
    return [_Column(x0, x1, _begins_at_edge(rows, x0, x1)) for x0, x1 in spans]


def _begins_at_edge(rows: Sequence[_Row], x0: float, x1: float) -> bool:
    starts = [min(inside) for row in rows if (inside := [word.x0 for word in row if x0 <= word.x0 <= x1])]
    return all(start - x0 <= _SAME_EDGE for start in starts)


def _told_apart(row: dict[int, _Row]) -> list[dict[int, _Row]] | None:
    """A row, or the lines of one whose cells hold several values each, one beside the other: the hours of weekdays and
    of Saturday. A cell of one line is of all of them and stands in the first. None where lines cannot be told apart.

    Hours alone, one below the other, are all of one row: it is open in the morning and again in the evening.
    """
    if any(len(words) > _MOST_CELL_WORDS for words in row.values()):
        return None
    heights = {column: _heights(words) for column, words in row.items()}
    figures = {column: _heights([word for word in words if is_figure(word.text)]) for column, words in row.items()}
    beside = [height for column in row if column for height in figures[column]]
    if sum(any(abs(height - other) < _SAME_LINE for other in beside) for height in heights.get(0, ())) > 1:
        # A label with figures, and another one below it: these are rows, and no line parts them.
        return None
    several = [column for column in row if column and len(figures[column]) > 1]
    named = [column for column in row if column and not figures[column]]
    if not any(_match(heights[other], figures[column]) for column in several for other in named):
        return [row]
    lines = figures[several[0]]
    if any(len(each) > 1 and not _match(each, lines) for each in heights.values()) or len(heights.get(0, ())) > 1:
        return None
    found: list[dict[int, _Row]] = [{} for _ in lines]
    for column, words in row.items():
        for word in words:
            at = 0 if len(heights[column]) == 1 else _nearest(word, lines)
            found[at].setdefault(column, []).append(word)
    return found


def _heights(words: Sequence[PageWord]) -> list[float]:
    """The middles of the lines that words stand on, from top to bottom."""
    found: list[float] = []
    for word in sorted(words, key=lambda word: word.y0 + word.y1):
        middle = (word.y0 + word.y1) / 2
        if not found or middle - found[-1] > _SAME_HEIGHT * (word.y1 - word.y0):
            found.append(middle)
    return found


def _match(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(abs(a - b) < _SAME_LINE for a, b in zip(one, other, strict=True))


def _nearest(word: PageWord, lines: Sequence[float]) -> int:
    return min(range(len(lines)), key=lambda n: abs(lines[n] - (word.y0 + word.y1) / 2))


def _is_run(row: _Row) -> bool:
    """Whether words run on without a gap: the name of a group of rows."""
    ordered = sorted(row, key=lambda word: word.x0)
    reach = ordered[0].x1
    for word in ordered[1:]:
        if word.x0 > reach + _COLUMN_GAP * word.size:
            return False
        reach = max(reach, word.x1)
    return True


def _placed(row: _Row, columns: Sequence[_Column]) -> dict[int, _Row] | None:
    """The words of a row by column; None where one stands in two columns."""
    edges = [
        right.x0 - _SAME_EDGE if right.begins_at_edge else (left.x1 + right.x0) / 2 for left, right in pairwise(columns)
    ]
    if _is_run(row):
        return {sum(min(word.x0 for word in row) >= edge for edge in edges): list(row)}
    found: dict[int, _Row] = {}
    for word in row:
        at = sum(word.x0 >= edge for edge in edges)
        if at < len(edges) and word.x1 > edges[at] + _SAME_EDGE:
            return None
        found.setdefault(at, []).append(word)
    return found


def _cells(rows: Sequence[Sequence[dict[int, _Row]]]) -> list[Cell]:
    cells: list[Cell] = []
    bold: set[Cell] = set()
    number = 0
    for lines in rows:
        alone = {column for column in lines[0] if not any(column in line for line in lines[1:])}
        for line in lines:
            for column, inside in sorted(line.items()):
                cell = Cell(_text(inside), number, column, len(lines) if column in alone else 1)
                cells.append(cell)
                if is_set_bold(inside):
                    bold.add(cell)
            number += 1
    return with_headers(cells, bold)


def _text(words: Sequence[PageWord]) -> str:
    """The words of a cell; of several hours, one below the other, with a comma between."""
    heights = _heights(words)
    said = [in_lines([word for word in words if _nearest(word, heights) == n]) for n in range(len(heights))]
    return ", ".join(said) if len(said) > 1 and all(map(_HOURS.fullmatch, said)) else in_lines(words)
