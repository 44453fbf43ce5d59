"""Puts the cells that a format states into blocks: columns that nothing begins in go, and long tables come in parts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

from careline.tables import read as tables
from careline.tables.extracted import Block, Cell

_RULE = r"[ \t]*(?:-{2,}:?|:-+:?|-:)[ \t]*"
_DIVIDER = re.compile(rf"\|?{_RULE}(?:\|{_RULE})*\|?|\|(?:-\|)+|[+=|:-]{{3,}}")
_UNESCAPED_PIPE = re.compile(r"(?<!\\)\|")
_DRAWN = str.maketrans(
    "│┃║╎╏┆┇┊┋─━═╌╍┄┅┈┉┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬┏┓┗┛┣┫┳┻╋╒╕╘╛╞╡╤╧╪╓╖╙╜╟╢╥╨╫┝┥┠┨┯┷┰┸┿╂",
    "|" * 9 + "-" * 9 + "+" * 55,
)
"""Lines that are drawn with characters, as the signs that people type for them."""

_MOST_PLACES = 20_000
"""Rows times columns of one block; a longer table goes on in the next one, below the same header."""

_MOST_COLUMNS = 400


def blocks(cells: Sequence[Cell]) -> list[Block]:
    """The table that cells form, in several blocks with the header repeated where it is very long."""
    cells = _tight(cells)
    if not cells:
        return []
    height = max(cell.row + cell.rows for cell in cells)
    width = max(cell.column + cell.columns for cell in cells)
    head = _header_rows(cells)
    rows = max(1, _MOST_PLACES // width - head)
    if height - head <= rows:
        return [tables.block(cells)]
    return [tables.block(_part(cells, head, start, start + rows)) for start in range(head, height, rows)]


def _tight(cells: Sequence[Cell]) -> list[Cell]:
    """Cells without the columns in which none begins, as where a cell spans more of them than the table has."""
    begin = sorted({cell.column for cell in cells})[:_MOST_COLUMNS]
    height = max((cell.row for cell in cells), default=0) + 1
    return [
        replace(
            cell,
            column=bisect_left(begin, cell.column),
            columns=max(1, bisect_left(begin, cell.column + cell.columns) - bisect_left(begin, cell.column)),
            rows=min(cell.rows, height - cell.row),
        )
        for cell in cells
    ]


def _header_rows(cells: Sequence[Cell]) -> int:
    """Rows on top that hold nothing but headers, one at least."""
    rows = [(row, list(held)) for row, held in groupby(sorted(cells, key=lambda cell: cell.row), lambda cell: cell.row)]
    count = 0
    for row, held in rows[:4]:
        if row != count or not all(cell.header for cell in held):
            break
        count += 1
    return max(1, count)


def _part(cells: Sequence[Cell], head: int, start: int, end: int) -> list[Cell]:
    """The header and the rows from `start` to `end`. A cell over several rows is whole in each part that it reaches."""
    kept = [replace(cell, rows=min(cell.rows, head - cell.row)) for cell in cells if cell.row < head]
    for cell in cells:
        first, last = max(cell.row, start), min(cell.row + cell.rows, end)
        if first < last:
            kept.append(replace(cell, row=first - start + head, rows=last - first))
    return kept


def drawn_as_typed(line: str) -> str:
    """The line with box-drawing characters as pipes, dashes and plus signs."""
    return line if line.isascii() else line.translate(_DRAWN)


def is_pipe_row(line: str) -> bool:
    """Whether a line of plain text or Markdown is a row of a table."""
    stripped = drawn_as_typed(line).strip()
    pipes = len(_UNESCAPED_PIPE.findall(stripped))
    return pipes >= 2 or (pipes == 1 and not stripped.startswith("|") and " | " in stripped) or is_divider(stripped)


def is_divider(line: str) -> bool:
    """Whether a line only divides rows: dashes between pipes or plus signs."""
    stripped = drawn_as_typed(line).strip()
    is_rule = ("|" in stripped or "+" in stripped) and ("-" in stripped or "=" in stripped)
    return is_rule and _DIVIDER.fullmatch(stripped) is not None


def pipe_cells(line: str) -> list[str]:
    """The cells of a row; `\\|` is a pipe inside a cell."""
    stripped = drawn_as_typed(line).strip()
    stripped = stripped.removeprefix("|")
    if stripped.endswith("|") and not stripped.endswith("\\|"):
        stripped = stripped[:-1]
    return [cell.replace("\\|", "|").strip() for cell in _UNESCAPED_PIPE.split(stripped)]


def pipe_table(lines: Sequence[str]) -> tuple[Cell, ...]:
    """Cells of rows with pipes. What stands above the first line that divides rows is the header."""
    dividers = [number for number, line in enumerate(lines) if is_divider(line)]
    if len(dividers) > 1 and dividers[0] == 0:
        return _framed(lines, dividers)
    headers = dividers[0] if dividers else 0
    rows = [pipe_cells(line) for number, line in enumerate(lines) if number not in dividers]
    return tables.cells_of(rows, headers)


def _framed(lines: Sequence[str], dividers: Sequence[int]) -> tuple[Cell, ...]:
    """Cells between lines that are drawn. Where every row has its own frame, lines in a frame are one row wrapped."""
    edges = [-1, *dividers, len(lines)]
    frames = [list(lines[above + 1 : below]) for above, below in pairwise(edges) if below - above > 1]
    rows: list[list[str]] = []
    headers = 0
    for number, frame in enumerate(frames):
        split = [pipe_cells(line) for line in frame]
        rows.extend([_wrapped(split)] if len(frames) > 2 or (number == 0 < len(frames) - 1) else split)
        headers = len(rows) if number == 0 and len(frames) > 1 else headers
    return tables.cells_of(rows, headers)


def _wrapped(lines: Sequence[Sequence[str]]) -> list[str]:
    width = max(map(len, lines))
    return [" ".join(line[column] for line in lines if column < len(line) and line[column]) for column in range(width)]


def tab_table(lines: Sequence[str]) -> tuple[Cell, ...]:
    """Cells of rows with tabs; an empty field is an empty cell."""
    return tables.cells_of([line.split("\t") for line in lines])
