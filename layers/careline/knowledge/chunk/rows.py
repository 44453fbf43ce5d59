"""Cuts a table between rows; every piece keeps the labels of its rows and columns and the notes that it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from careline.knowledge.chunk.oversize import cut
from careline.model import Table, TableRow
from careline.tables.read import header_line, row_lines, signs_in, text_of

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Piece:
    """Rows of a table as a chunk holds them; `table` is None for a part of a cell that is longer than a chunk."""

    text: str
    tokens: int
    table: Table | None


def table_pieces(table: Table, count: Count, target: int, maximum: int) -> Iterator[Piece]:
    """The pieces of a table in order. `count` is called once for each row, the caption, the header and each note.

    A row longer than `maximum` is text of its own, cut between words: what it holds is prose.
    """
    head = count(table.caption) + count(header_line(table)) + sum(count(said) for _, said in table.notes)
    room = max(target - head, target // 2)
    held: list[TableRow] = []
    tokens = 0
    for row, line in zip(table.rows, row_lines(table), strict=True):
        size = count(line)
        if held and tokens + size > room:
            yield _piece(table, held, head + tokens)
            held, tokens = [], 0
        if size > maximum:
            yield from _prose(row, count, maximum)
            continue
        held.append(row)
        tokens += size
    if held:
        yield _piece(table, held, head + tokens)


def _piece(table: Table, rows: list[TableRow], tokens: int) -> Piece:
    part = replace(table, rows=tuple(rows), total=len(table.rows))
    signs = signs_in(part)
    part = replace(part, notes=tuple(note for note in table.notes if note[0] in signs))
    return Piece(text_of(part), tokens, part)


def _prose(row: TableRow, count: Count, maximum: int) -> Iterator[Piece]:
    text = " – ".join(filter(None, (*row.labels, *row.values)))
    for piece, tokens in cut(text, count, maximum):
        yield Piece(piece, tokens, None)
