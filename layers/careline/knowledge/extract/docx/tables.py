"""Reads the tables of a DOCX: merged cells, repeated header rows, and rows and cells inside content controls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from careline.knowledge.extract import tables
from careline.knowledge.extract.docx.text import text_of
from careline.tables.extracted import Block, BlockKind, Cell

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_AROUND = frozenset(_W + name for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo"))
_LEFT_OUT = frozenset(_W + name for name in ("del", "moveFrom"))
_WIDEST = 100
_DEEPEST = 6
_OFF = ("0", "false", "off", "none")


IsHidden = Callable[[Any], bool]
"""Whether readers see nothing of a run."""


class _Drawn(NamedTuple):
    """A cell as a row writes it. `goes_on` says that it belongs to the cell above."""

    text: str
    column: int
    columns: int
    goes_on: bool
    bold: bool


def blocks(table: Any, is_hidden: IsHidden, depth: int = 0) -> list[Block]:
    """A table's cells. One with a single row of one cell, or a single column, lays out the page and is a paragraph.

    A table with tables in its cells lays out the page too: its paragraphs and these tables are blocks.
    """
    if depth < _DEEPEST and any(cell.find(_W + "tbl") is not None for row in _inside(table, "tr") for cell in row):
        return list(_laid_out(table, is_hidden, depth))
    rows = [(row, list(_row(row, is_hidden))) for row in _inside(table, "tr") if not _is_deleted(row)]
    wide = max((cell.column + cell.columns for _, row in rows for cell in row), default=0)
    filled = [row for _, row in rows if any(cell.text for cell in row)]
    if not filled:
        return []
    if all(len(row) == 1 for row in filled) or wide < 2 or (len(filled) == 1 and _counted(filled[0]) == 1):
        text = "\n".join(cell.text for row in filled for cell in row if cell.text)
        return [Block(BlockKind.PARAGRAPH, text)]
    heads = _header_rows(rows)
    return tables.blocks(_cells([row for _, row in rows], heads, _marks_first_column(table, rows, heads)))


def _laid_out(table: Any, is_hidden: IsHidden, depth: int) -> Iterator[Block]:
    for row in _inside(table, "tr"):
        for cell in _inside(row, "tc"):
            for element in cell.iterchildren(_W + "p", _W + "tbl"):
                if element.tag == _W + "tbl":
                    yield from blocks(element, is_hidden, depth + 1)
                elif text := text_of(element, is_hidden):
                    yield Block(BlockKind.PARAGRAPH, text)


def _counted(row: list[_Drawn]) -> int:
    return sum(bool(cell.text) for cell in row)


def _inside(parent: Any, name: str) -> Iterator[Any]:
    """Rows of a table or cells of a row, also those inside content controls and tracked insertions."""
    stack = [iter(parent)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == _W + name:
            yield element
        elif element.tag in _AROUND:
            stack.append(iter(element))


def _is_deleted(row: Any) -> bool:
    return row.find(f"{_W}trPr/{_W}del") is not None


def _row(row: Any, is_hidden: IsHidden) -> Iterator[_Drawn]:
    column = _number(row.find(f"{_W}trPr/{_W}gridBefore"), 0)
    for cell in _inside(row, "tc"):
        across = max(1, _number(cell.find(f"{_W}tcPr/{_W}gridSpan"), 1))
        merge = cell.find(f"{_W}tcPr/{_W}vMerge")
        goes_on = merge is not None and merge.get(_W + "val", "continue") != "restart"  # ECMA-376, 17.4.84
        yield _Drawn(_text(cell, is_hidden), column, across, goes_on, _is_bold(cell))
        column += across


def _number(element: Any, default: int) -> int:
    value = element.get(_W + "val", "") if element is not None else ""
    return min(_WIDEST, int(value)) if value.isascii() and value.isdecimal() and len(value) < 9 else default


def _text(cell: Any, is_hidden: IsHidden) -> str:
    """The text of a cell on one line, that of tables inside it included."""
    texts = (
        text_of(paragraph, is_hidden)
        for paragraph in cell.iter(_W + "p")
        if not any(ancestor.tag in _LEFT_OUT for ancestor in paragraph.iterancestors())
    )
    return " ".join(" ".join(texts).split())


def _is_bold(cell: Any) -> bool:
    runs = [run for run in cell.iter(_W + "r") if any((text.text or "").strip() for text in run.iter(_W + "t"))]
    marks = [run.find(f"{_W}rPr/{_W}b") for run in runs]
    return bool(runs) and all(mark is not None and mark.get(_W + "val") not in _OFF for mark in marks)


def _header_rows(rows: list[tuple[Any, list[_Drawn]]]) -> int:
    """Rows on top that are repeated on every page, or are set in bold above others that are not."""
    repeated = 0
    for row, _ in rows[:-1]:
        mark = row.find(f"{_W}trPr/{_W}tblHeader")
        if mark is None or mark.get(_W + "val") in _OFF:
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


def _marks_first_column(table: Any, rows: list[tuple[Any, list[_Drawn]]], heads: int) -> bool:
    """Every filled cell in front is bold and others are not. That a table's style may set it so says nothing: Word
    switches this on for every new table."""
    body = [cells for _, cells in rows[heads:]]
    first = [cell for cells in body for cell in cells if cell.column == 0 and cell.text]
    others = [cell for cells in body for cell in cells if cell.column > 0 and cell.text]
    return bool(first) and all(cell.bold for cell in first) and not all(cell.bold for cell in others)


def _cells(rows: list[list[_Drawn]], heads: int, first_column: bool) -> list[Cell]:
    open_cells: dict[int, Cell] = {}
    cells: dict[tuple[int, int], Cell] = {}
    for number, row in enumerate(rows):
        below: dict[int, Cell] = {}
        for drawn in row:
            above = open_cells.get(drawn.column)
            if drawn.goes_on and above is not None:
                text = f"{above.text} {drawn.text}".strip()
                cell = Cell(text, above.row, above.column, number - above.row + 1, above.columns, above.header)
            else:
                alone = _counted(row) == 1 and drawn.bold
                header = number < heads or (first_column and drawn.column == 0) or alone
                cell = Cell(drawn.text, number, drawn.column, 1, drawn.columns, header)
            cells[cell.row, cell.column] = below[drawn.column] = cell
        open_cells = below
    return [cell for cell in cells.values() if cell.text]
