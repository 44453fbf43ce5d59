"""Puts together tables that a page or column break cut in two, with their header once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from careline.knowledge.clean.running_lines import is_page_number
from careline.tables import read as tables
from careline.tables.extracted import Block, BlockKind, Cell, Page
from careline.tables.headers import is_figure

_MOST_HEADERS = 4
_MOST_BETWEEN = 2
_NEAR = 12.0
"""Points that the edges of columns may be apart where text alone tells them."""

_ENDED = (".", "!", "?", ";", ":")


def tables_joined_over_breaks(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Pages on which every table is whole, standing where it begins.

    The second part repeats the header of the first, or has the same columns on the next page and no header of its own.
    Tables with headers of their own stay apart.
    """
    held: list[tuple[int, Block]] = []
    ends: list[int] = []
    for index, page in enumerate(pages):
        for block in page.blocks:
            at = _before(held)
            joined = _joined(held[at][1], block, ends[at] < index) if at >= 0 else None
            if joined is not None:
                held[at], ends[at] = (held[at][0], joined), index
            else:
                held.append((index, block))
                ends.append(index)
    finished: defaultdict[int, list[Block]] = defaultdict(list)
    for index, block in held:
        finished[index].append(block)
    return tuple(replace(page, blocks=tuple(finished[index])) for index, page in enumerate(pages))


def _before(held: Sequence[tuple[int, Block]]) -> int:
    """The place of the last block that is not the number of the page, which stands between two columns; -1 if none."""
    at = len(held) - 1
    while at > 0 and len(held) - at <= _MOST_BETWEEN and is_page_number(held[at][1].text):
        at -= 1
    return at


def _joined(first: Block, second: Block, over_page: bool) -> Block | None:
    if not (first.kind is second.kind is BlockKind.TABLE and first.cells and second.cells):
        return None
    repeated = _repeated(first, second)
    if not repeated and not (over_page and _goes_on(first, second)):
        return None
    if not over_page and _labels(first, repeated) & _labels(second, repeated):
        # Two tables beside each other on a page, each with the same rows.
        return None
    rest = [cell for cell in second.cells if cell.row >= repeated]
    end = max(cell.row + cell.rows for cell in first.cells)
    cells, rest = _with_cut_row(list(first.cells), rest, end, repeated)
    return tables.block([*cells, *(replace(cell, row=cell.row + end - repeated) for cell in rest)], first.edges)


def _labels(block: Block, top: int) -> set[str]:
    return {cell.text for cell in block.cells if cell.column == 0 and cell.row >= top}


def _row(block: Block, row: int) -> list[tuple[int, int, str]]:
    return [(cell.column, cell.columns, cell.text) for cell in block.cells if cell.row == row]


def _repeated(first: Block, second: Block) -> int:
    """How many rows of the header the second part repeats. A first row of figures alone is no header."""
    count = 0
    while count < _MOST_HEADERS and _row(first, count) and _row(first, count) == _row(second, count):
        count += 1
    words = any(not is_figure(text) for _, _, text in _row(first, 0))
    return count if words else 0


def _goes_on(first: Block, second: Block) -> bool:
    """The same columns, and a first row like the rows above and unlike a header."""
    if len(first.edges) != len(second.edges) or not first.edges:
        return False
    if any(abs(one - other) > _NEAR for one, other in zip(first.edges, second.edges, strict=True)):
        return False
    top = min(cell.row for cell in second.cells)
    row = [cell for cell in second.cells if cell.row == top]
    if any(cell.header and (cell.column or len(row) == 1) for cell in row):
        return False
    body = [cell for cell in first.cells if not cell.header and cell.row > 0 and cell.column > 0]
    figures = {column for column in {cell.column for cell in body} if _holds_figures(body, column)}
    found = [cell for cell in row if cell.column in figures]
    return all(is_figure(cell.text) for cell in found) or not figures


def _holds_figures(body: Sequence[Cell], column: int) -> bool:
    cells = [cell for cell in body if cell.column == column]
    return 2 * sum(is_figure(cell.text) for cell in cells) > len(cells)


def _with_cut_row(first: list[Cell], rest: list[Cell], end: int, top: int) -> tuple[list[Cell], list[Cell]]:
    """A row that the break cut in two, when its second part has nothing in front and goes on with what stands above."""
    row = [cell for cell in rest if cell.row == top]
    above = {cell.column: cell for cell in first if cell.row + cell.rows == end}
    if not row or not all(_goes_on_with(above.get(cell.column), cell) for cell in row):
        return first, rest
    texts = {cell.column: cell.text for cell in row}
    whole = [
        replace(cell, text=f"{cell.text} {texts[cell.column]}")
        if cell.column in texts and above[cell.column] is cell
        else cell
        for cell in first
    ]
    return whole, [replace(cell, row=cell.row - 1) for cell in rest if cell.row > top]


def _goes_on_with(above: Cell | None, cell: Cell) -> bool:
    begins_low = cell.column > 0 and cell.text[:1].islower() and not is_figure(cell.text)
    return begins_low and cell.rows == 1 and above is not None and not above.text.endswith(_ENDED)
