"""Tells which rows of a table are its header and which columns name its rows, where the document does not say."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from careline.tables.extracted import Cell

Row = Sequence[Cell | None]
_DIGITS = re.compile(r"[0-9]+")
_CODE = re.compile(r"[A-Za-z]{1,4}[-. /]?[0-9]{1,5}[a-z]?|[0-9]{4,6}|#?[0-9]{1,3}[.)]")
_MOST_HEADERS = 4


def is_figure(text: str) -> bool:
    """Whether a cell holds a figure."""
    return any("0" <= character <= "9" for character in text)


def header_depth(grid: Sequence[Row]) -> int:
    """How many rows on top are headers. At least one row stays below them."""
    if len(grid) < 2 or len(grid[0]) < 2:
        return 0
    depth = 0
    while depth < min(len(grid) - 1, _MOST_HEADERS) and _is_header(grid, depth):
        depth += 1
    return depth


def _is_header(grid: Sequence[Row], at: int) -> bool:
    row, body = grid[at], grid[at + 1 :]
    cells = _distinct(row)
    if at and len(cells) == 1 and row[0] is cells[0]:
        # Below the header, one cell in front or across the whole row names the rows that follow.
        return False
    if all(cell.header for cell in cells):
        return True
    if any(_is_corner(cell, grid, at) and cell.header for cell in cells[:1]):
        return True
    if at == 0:
        return _may_be_first(row, body)
    return _goes_on(grid, at)


def _is_corner(cell: Cell, grid: Sequence[Row], at: int) -> bool:
    """Whether a cell begins on top and reaches further down: one that begins below names several rows."""
    return cell.row <= _number(grid, 0) and cell.row + cell.rows > _number(grid, at) + 1


def _number(grid: Sequence[Row], at: int) -> int:
    """The row's number in the document, of which empty rows may have been left out."""
    return max(cell.row for cell in grid[at] if cell is not None)


def _distinct(row: Row) -> list[Cell]:
    return list({id(cell): cell for cell in row if cell is not None}.values())


def _may_be_first(row: Row, body: Sequence[Row]) -> bool:
    """Whether the first row reads as a header: it has no figures where the rows below it have, or other ones."""
    if any(cell is not None and cell.header for cell in row[1:]):
        return True
    if body and any(cell is not None and cell.header for other in body for cell in other[1:]):
        # The document marks headers elsewhere, so that an unmarked first row is none.
        return False
    if len(row) == 2 and all(other[0] is not None and other[0].header for other in (row, *body)):
        # The document marks a label in front of each value, the first one too.
        return False
    if row[0] is None and any(row[1:]):
        return True
    if any(1 < cell.columns < len(row) for cell in _distinct(row)):
        return True
    alike = unlike = 0
    for column in range(1, len(row)):
        cell = row[column]
        below = [one.text for other in body if (one := other[column]) is not None and is_figure(one.text)]
        if cell is None or 2 * len(below) < len(body):
            continue
        shapes = Counter(map(_shape, below))
        is_body = is_figure(cell.text) and _shape(cell.text) in shapes and not _is_axis(row)
        if is_body or (len(row) == 2 and not _is_one_shape(shapes)):
            alike += 1
        else:
            unlike += 1
    if alike or unlike:
        return unlike > alike
    return len(row) > 2


def _is_one_shape(shapes: Counter[str]) -> bool:
    """Most figures of a column are written alike, as under a header; a list of particulars has one of each kind."""
    return len(shapes) == 1 or shapes.most_common(1)[0][1] * 3 >= shapes.total() * 2 > 4


def _is_axis(row: Row) -> bool:
    """Whole numbers that grow evenly from cell to cell under a corner in words: an axis and not values."""
    corner, rest = row[0], [cell.text for cell in row[1:] if cell is not None]
    if corner is None or is_figure(corner.text) or len(rest) < 2 or not all(text.isdecimal() for text in rest):
        return False
    numbers = [int(text[:9]) for text in rest]
    steps = {other - one for one, other in itertools.pairwise(numbers)}
    return steps == {1} or (len(numbers) > 2 and len(steps) == 1 and min(steps) > 0)


def _shape(text: str) -> str:
    """A figure's form: "€ 1,20" and "€ 12,50" are alike, "2 h" is not."""
    return _DIGITS.sub("0", " ".join(text.split())).casefold()


def _goes_on(grid: Sequence[Row], at: int) -> bool:
    """Whether a row below a header is header too: it divides a merged header, or holds only units under an empty
    corner."""
    above, row, body = grid[at - 1], grid[at], grid[at + 1 :]
    label = row[0]
    covered = label is None or (above[0] is label and label is not None)
    values = [cell.text for cell in row[1:] if cell is not None]
    below = [cell.text for other in body for cell in other[1:] if cell is not None]
    if not values or (any(map(is_figure, values)) and not covered):
        return False
    divides = any(
        cell is not None and 1 < cell.columns < len(row) and row[column] is not cell
        for column, cell in enumerate(above)
        if column
    ) or _fills_gaps(above, row)
    if divides:
        shapes = {_shape(text) for text in below}
        return covered or not any(is_figure(text) and _shape(text) in shapes for text in values)
    return covered and not any(map(is_figure, values)) and any(map(is_figure, below))


def _fills_gaps(above: Row, row: Row) -> bool:
    """The header above has empty places behind a filled one, as where cells cannot be merged, and this row none."""
    gaps = [n for n in range(2, len(row)) if above[n] is None and any(cell is not None for cell in above[1:n])]
    return bool(gaps) and all(row[n] is not None for n in range(1, len(row)))


def label_columns(grid: Sequence[Row], depth: int) -> int:
    """How many columns on the left name the rows: those drawn as headers, and as many as tell the rows apart
    where these reach over several rows or there are none."""
    width, body = len(grid[0]), grid[depth:]
    if width < 2:
        return width
    marked = 0
    while marked < width - 1 and _marked(body, marked):
        marked += 1
    if marked and not _names_several(body, marked - 1):
        return marked
    first = max(1, marked)
    while first < width - 1 and _tells_more(body, first):
        first += 1
    return first


def _marked(body: Sequence[Row], column: int) -> bool:
    cells = [row[column] for row in body if row[column] is not None]
    return bool(cells) and all(cell is not None and cell.header for cell in cells)


def _names_several(body: Sequence[Row], column: int) -> bool:
    """Whether cells of a column reach over rows, so that another column tells these apart."""
    return any(cell is not None and cell.rows > 1 and cell.columns == 1 for cell in (row[column] for row in body))


def _tells_more(body: Sequence[Row], first: int) -> bool:
    """Rows have the same labels so far, and the next column, in words, tells more of them apart."""
    rows = [row for row in body if len(_distinct(row)) > 1]
    if first == 1 and rows and all(row[0] is not None and _CODE.fullmatch(row[0].text.strip()) for row in rows):
        # "L08" names nothing to anybody; what it stands for is beside it.
        return sum((cell := row[1]) is not None and not is_figure(cell.text[:1]) for row in rows) * 2 > len(rows)
    now = {_labels(row, first) for row in rows}
    more = {_labels(row, first + 1) for row in rows}
    words = [cell.text for row in rows if (cell := row[first]) is not None]
    in_words = sum(not is_figure(text) for text in words) * 2 > len(words)
    merged = any((cell := row[0]) is not None and cell.rows > 1 for row in rows)
    return len(now) < len(rows) and len(more) > len(now) and (in_words or merged)


def _labels(row: Row, count: int) -> tuple[str, ...]:
    return tuple(cell.text if cell is not None else "" for cell in row[:count])
