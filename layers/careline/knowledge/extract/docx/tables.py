"""Reads the tables of a DOCX: merged cells, repeated header rows, and rows and cells inside content controls."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from careline.knowledge.extract import tables
from careline.knowledge.extract.docx.names import BLOCK_CONTAINERS, R_, TBL, TC, TR, VAL, T, W, is_on, number
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind, Cell

_WIDEST = 100
_NO_LABEL = (LeftOut.STRUCK, LeftOut.PLACEHOLDER)


class CellReader(Protocol):
    """Reads what stands in a cell."""

    def text(self, cell: Any) -> tuple[str, LeftOut | None]:
        """Its text on one line, and where it has none because nobody is told it, why."""

    def leave_out(self, text: str, reason: LeftOut) -> None:
        """Keep a text that is not told after all."""

    def blocks(self, cell: Any) -> Iterator[Block]:
        """Its paragraphs, lists and tables."""


class _Drawn(NamedTuple):
    """A cell as a row writes it. `goes_on` says that it belongs to the cell above."""

    text: str
    column: int
    columns: int
    goes_on: bool
    bold: bool
    left_out: LeftOut | None
    """Why it has no text, where what it says is left out."""


def blocks(table: Any, read: CellReader) -> Iterator[Block]:
    """A table's cells. One with a single row of one cell, or a single column, lays out the page and is a paragraph.

    A table with tables in its cells lays out the page too: its paragraphs and these tables are blocks.
    """
    if any(_has_table(cell) for row in inside(table, TR) for cell in inside(row, TC)):
        for row in inside(table, TR):
            for cell in inside(row, TC):
                yield from read.blocks(cell)
        return
    drawn = [(row, list(_row(row, read))) for row in inside(table, TR)]
    below = [_goes_on_below(cells) for _, cells in drawn[1:]]
    rows = [(row, _told(cells, read, goes_on)) for (row, cells), goes_on in zip(drawn, [*below, False], strict=True)]
    wide = max((cell.column + cell.columns for _, row in rows for cell in row), default=0)
    filled = [row for _, row in rows if any(cell.text for cell in row)]
    if not filled:
        return
    if all(len(row) == 1 for row in filled) or wide < 2 or (len(filled) == 1 and _counted(filled[0]) == 1):
        yield Block(BlockKind.PARAGRAPH, "\n".join(cell.text for row in filled for cell in row if cell.text))
        return
    heads = _header_rows(rows)
    yield from tables.blocks(_cells([row for _, row in rows], heads, _marks_first_column(rows, heads)))


def _told(row: list[_Drawn], read: CellReader, label_goes_on: bool) -> list[_Drawn]:
    """The row, empty where its label does not hold or every value is left out: the rest would speak of other rows. A
    label that goes on is that of the row below too."""
    left_out = next((cell.left_out for cell in row if cell.left_out is not None), None)
    holds = row[0].left_out not in _NO_LABEL
    if left_out is None or (holds and (_counted(row) > 1 or label_goes_on)):
        return row
    for cell in row:
        if cell.text:
            read.leave_out(cell.text, left_out)
    return [cell._replace(text="") for cell in row]


def _goes_on_below(row: list[_Drawn]) -> bool:
    """Whether the label of a row is that of the row above, merged with it."""
    return bool(row) and row[0].goes_on


def _has_table(cell: Any) -> bool:
    return next(inside(cell, TBL), None) is not None


def _counted(row: list[_Drawn]) -> int:
    return sum(bool(cell.text) for cell in row)


def inside(parent: Any, name: str) -> Iterator[Any]:
    """Rows of a table, cells of a row or tables of a cell, also those inside content controls and insertions."""
    stack = [iter(parent)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == name:
            yield element
        elif element.tag in BLOCK_CONTAINERS:
            stack.append(iter(element))


def _row(row: Any, read: CellReader) -> Iterator[_Drawn]:
    column = _number(row.find(f"{W}trPr/{W}gridBefore"), 0)
    for cell in inside(row, TC):
        across = max(1, _number(cell.find(f"{W}tcPr/{W}gridSpan"), 1))
        merge = cell.find(f"{W}tcPr/{W}vMerge")
        goes_on = merge is not None and merge.get(VAL, "continue") != "restart"  # ECMA-376, 17.4.84
        text, left_out = read.text(cell)
        if not column or not _goes_on_sideways(cell):
            yield _Drawn(text, column, across, goes_on, _is_bold(cell), left_out)
        column += across


def _goes_on_sideways(cell: Any) -> bool:
    """Whether a cell belongs to the one on its left, as old files write it (`w:hMerge`; ECMA-376, 17.4.22)."""
    merge = cell.find(f"{W}tcPr/{W}hMerge")
    return merge is not None and merge.get(VAL, "continue") != "restart"


def _number(element: Any, default: int) -> int:
    return number(element.get(VAL, ""), default, _WIDEST) if element is not None else default


def _is_bold(cell: Any) -> bool:
    runs = [run for run in cell.iter(R_) if any((text.text or "").strip() for text in run.iter(T))]
    return bool(runs) and all(is_on(run.find(f"{W}rPr/{W}b")) for run in runs)


def _header_rows(rows: list[tuple[Any, list[_Drawn]]]) -> int:
    """Rows on top that are repeated on every page, or are set in bold above others that are not."""
    repeated = 0
    for row, _ in rows[:-1]:
        if not is_on(row.find(f"{W}trPr/{W}tblHeader")):
            break
        repeated += 1
    if repeated:
        return repeated
    bold = 0
    for _, cells in rows:
        if not _counted(cells) or not all(cell.bold for cell in cells if cell.text):
            break
        bold += 1
    return bold if bold < len(rows) else 0


def _marks_first_column(rows: list[tuple[Any, list[_Drawn]]], heads: int) -> bool:
    """Every filled cell in front is bold and others are not. That a table's style may set it so says nothing: Word
    switches this on for every new table."""
    body = [cells for _, cells in rows[heads:]]
    first = [cell for cells in body for cell in cells if cell.column == 0 and cell.text]
    others = [cell for cells in body for cell in cells if cell.column > 0 and cell.text]
    return bool(first) and all(cell.bold for cell in first) and not all(cell.bold for cell in others)


def _cells(rows: list[list[_Drawn]], heads: int, first_column: bool) -> list[Cell]:
    open_cells: dict[int, Cell] = {}
    cells: dict[tuple[int, int], Cell] = {}
    for place, row in enumerate(rows):
        below: dict[int, Cell] = {}
        for drawn in row:
            above = open_cells.get(drawn.column)
            if drawn.goes_on and above is not None:
                text = f"{above.text} {drawn.text}".strip()
                cell = Cell(text, above.row, above.column, place - above.row + 1, above.columns, above.header)
            else:
                alone = _counted(row) == 1 and drawn.bold
                header = place < heads or (first_column and drawn.column == 0) or alone
                cell = Cell(drawn.text, place, drawn.column, 1, drawn.columns, header)
            cells[cell.row, cell.column] = below[drawn.column] = cell
        open_cells = below
    return [cell for cell in cells.values() if cell.text]
