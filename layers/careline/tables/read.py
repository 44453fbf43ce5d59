"""Reads a table as it is drawn: which cells are headers, which name rows, and which value belongs under which labels.

Extraction gives cells with their places; `read` makes a `Table` of them, and `text_of` and `block` make text of it,
once. Nothing takes a table's text apart again.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from careline.model import Table, TableRow
from careline.tables.extracted import Block, BlockKind, Cell
from careline.tables.headers import header_depth, is_figure, label_columns
from careline.tables.side_by_side import column_sets
from careline.text.note_signs import each_sign, note_in, signs_of

_MOST_CELLS = 20_000
_LONGEST_VALUE = 200
_LONGEST_REPEAT = 60
"""Characters of a merged cell that are written again in the rows below its first."""
_TOTALS = frozenset(("totaal", "total", "totale", "algemeen totaal", "grand total", "total général", "totale generale"))


def cells_of(rows: Iterable[Sequence[str]], headers: int = 0) -> tuple[Cell, ...]:
    """Cells of rows of texts, the first `headers` rows headers. Every text keeps its place, empty ones leave a gap."""
    return tuple(
        Cell(" ".join(text.split()), row, column, header=row < headers)
        for row, texts in enumerate(rows)
        for column, text in enumerate(texts)
        if text.strip()
    )


def block(cells: Sequence[Cell], edges: tuple[float, ...] = ()) -> Block:
    """The block of a table, with its text for people: one line a row, cells at their places between pipes."""
    grid = _grid(cells)
    lines = (" | ".join(row) for row in _drawn(grid))
    return Block(BlockKind.TABLE, "\n".join(line for line in lines if line.strip(" |")), 0, tuple(cells), edges)


def read(cells: Sequence[Cell], caption: str = "") -> Table:
    """The table that cells form. `caption` is the text that introduces it; a title row on top is added to it.

    Merged cells count for every row and column that they cover. A row without a value that names those below it becomes
    their first label. Values that are missing stay empty. Of tables set side by side in one, the rows of each follow
    those of the one before.
    """
    grid, has_no_header = _without_empty(_grid(cells))
    title, grid = _title(grid)
    body_notes, grid = _notes(grid)
    caption = ". ".join(dict.fromkeys(filter(None, (caption, title))))
    if not grid:
        return Table(caption, (), (), (), body_notes)
    depth = 0 if has_no_header else header_depth(grid)
    paths = [_path(grid, column, depth) for column in range(len(grid[0]))]
    sets = column_sets(grid, paths, depth)
    if len(sets) > 1:
        paths = [path[-1:] for path in paths]
    parts = [([row[one.start : one.stop] for row in grid], name) for one, name in sets]
    first = min(label_columns(part, depth) for part, _ in parts)
    width = len(sets[0][0])
    stub = tuple(" ".join(path) for path in paths[:first])
    rows = [row for part, name in parts for row in _rows_of_set(part[depth:], first, name)]
    return Table(caption, stub, tuple(paths[first:width]), tuple(rows), body_notes)


Grid = list[list[Cell | None]]


def _grid(cells: Sequence[Cell]) -> Grid:
    """For each place the cell that covers it. Where cells overlap, the one that begins there wins.

    Raises: ValueError when the table has more places than any reader could use.
    """
    height = max((cell.row + cell.rows for cell in cells), default=0)
    width = max((cell.column + cell.columns for cell in cells), default=0)
    if height * width > _MOST_CELLS * 10:
        raise ValueError("the table has too many cells")
    grid: Grid = [[None] * width for _ in range(height)]
    for cell in cells:
        for row in range(cell.row, cell.row + cell.rows):
            for column in range(cell.column, cell.column + cell.columns):
                held = grid[row][column]
                begins_here = (cell.row, cell.column) == (row, column)
                if held is None or begins_here:
                    grid[row][column] = cell
    return grid


def _drawn(grid: Grid) -> Iterable[list[str]]:
    """Rows of texts: a merged cell stands once in each row that it covers, shortened where it is long."""
    shown: set[int] = set()
    for row in grid:
        texts: list[str] = []
        for column, cell in enumerate(row):
            here = cell is not None and cell.column == column
            text = cell.text if cell is not None and here else ""
            texts.append(_cell(_shortened(text) if id(cell) in shown else text))
            if here:
                shown.add(id(cell))
        yield texts


def _without_empty(grid: Grid) -> tuple[Grid, bool]:
    """The grid without empty rows and columns, and whether its first row is empty: a document that draws a header
    without text says that there is none."""
    has_no_header = bool(grid) and not any(grid[0])
    rows = [row for row in grid if any(row)]
    kept = [column for column in range(len(rows[0]) if rows else 0) if any(row[column] for row in rows)]
    return [[row[column] for column in kept] for row in rows], has_no_header


def _only(row: Sequence[Cell | None]) -> Cell | None:
    """The only cell of a row that begins in its first column; None when there are others."""
    distinct = {id(cell): cell for cell in row if cell is not None}
    return next(iter(distinct.values())) if len(distinct) == 1 and row[0] is not None else None


def _title(grid: Grid) -> tuple[str, Grid]:
    """Rows on top that one cell fills are the table's title."""
    titles: list[str] = []
    while len(grid) > 1 and len(grid[0]) > 1 and (only := _only(grid[0])) is not None and all(grid[0]):
        titles.append(only.text)
        grid = grid[1:]
    return " ".join(titles), grid


def _notes(grid: Grid) -> tuple[tuple[tuple[str, str], ...], Grid]:
    """Rows at the end that begin with a note's sign and have one cell only."""
    notes: list[tuple[str, str]] = []
    while len(grid) > 1 and (only := _only(grid[-1])) is not None and (note := note_in(only.text)) is not None:
        notes.insert(0, note)
        grid = grid[:-1]
    return tuple(notes), grid


def signs_in(table: Table) -> set[str]:
    """Signs of notes that stand behind a label or value of the table."""
    texts = [*table.stub, *(label for path in table.columns for label in path), table.caption]
    texts += [text for row in table.rows for text in (*row.labels, *row.values)]
    return {sign for text in texts for sign in each_sign(signs_of(text)[1]) if sign}


def notes_for(table: Table, block: Block) -> tuple[tuple[str, str], ...]:
    """The notes in a block below the table: its lines that begin with a sign of the table, or with that sign written
    as an ordinary character. Empty when a line is something else."""
    signs = signs_in(table) - {sign for sign, _ in table.notes}
    if block.kind is BlockKind.LIST_ITEM and "*" in signs:
        # An asterisk at the beginning of a line is also a bullet.
        return (("*", " ".join(block.text.split())),)
    found: list[tuple[str, str]] = []
    for line in (part for each in block.text.splitlines() for part in _each_note(each, signs)):
        note = note_in(line.strip()) or _plain_note(line.strip(), signs)
        if note is not None and note[0] in signs:
            found.append(note)
        elif found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
        else:
            return ()
    return tuple(found)


def _each_note(line: str, signs: set[str]) -> Iterator[str]:
    """The notes of one line, which may stand behind one another: "¹ On request. ² Not at weekends."

    A sign that is written as an ordinary character begins a note behind the end of a sentence only.
    """
    written = {unicodedata.normalize("NFKC", sign) for sign in signs}
    plain = {form for sign in written for form in (sign, f"({sign})", f"{sign})", f"{sign}.")}
    held: list[str] = []
    for word in line.split():
        if held and (word.startswith(tuple(signs)) or (word in plain and held[-1].endswith((".", "!", "?", ";")))):
            yield " ".join(held)
            held = []
        held.append(word)
    if held:
        yield " ".join(held)


def _plain_note(line: str, signs: set[str]) -> tuple[str, str] | None:
    for sign in signs:
        written = unicodedata.normalize("NFKC", sign)
        for begin in (f"({written})", f"{written})", f"{written}.", f"{written} "):
            if line.startswith(begin) and any(map(str.isalpha, line[len(begin) :])):
                return sign, line[len(begin) :].strip()
    return None


def _path(grid: Grid, column: int, depth: int) -> tuple[str, ...]:
    """The header labels above a column, outermost first, a merged one once."""
    found: list[str] = []
    for number, row in enumerate(grid[:depth]):
        cell = row[column]
        if cell is None and number + 1 < depth:
            # Where a format cannot merge cells, a header over several columns stands in the first of them.
            cell = next((left for left in reversed(row[1:column]) if left is not None), None)
        if cell is not None and (not found or found[-1] != cell.text):
            found.append(cell.text)
    return tuple(found)


def _rows_of_set(body: Grid, first: int, name: str) -> Iterator[TableRow]:
    """The rows of one of the tables side by side, under the header above it alone; those that this one has not are
    left out."""
    for row in _rows([row for row in body if any(row)], first):
        yield replace(row, labels=(name, *row.labels)) if name else row


def _rows(body: Grid, first: int) -> Iterable[TableRow]:
    groups = _groups(body, first)
    group = ""
    above: Sequence[Cell | None] = ()
    for number, row in enumerate(body):
        if number in groups:
            only = _only(row)
            group = only.text if only is not None else ""
            continue
        texts = [_repeated(cell, above) for cell in row]
        labels = tuple(dict.fromkeys(label for label in texts[:first] if label)) or ("",)
        values = tuple(texts[first:])
        above = row
        if number == len(body) - 1 and len(groups) > 1 and _is_only_total(body, number):
            group = ""
        yield TableRow((group, *labels) if group else labels, values)


def _is_only_total(body: Grid, number: int) -> bool:
    """Whether a row says the total of the whole table: no group has one of its own."""
    label = body[number][0]
    if label is None or label.text.strip(" :").casefold() not in _TOTALS:
        return False
    return sum(row[0] is not None and row[0].text == label.text for row in body) == 1


def _repeated(cell: Cell | None, above: Sequence[Cell | None]) -> str:
    """A cell's text in one row that it covers; in the rows below its first a long one is cut, for it may cover many."""
    if cell is None:
        return ""
    is_again = any(one is cell for one in above)
    return cell.text if not is_again or len(cell.text) <= _LONGEST_VALUE else cell.text[:_LONGEST_VALUE] + "…"


def _groups(body: Grid, first: int) -> set[int]:
    """Rows that name the rows below them: one cell that fills the row, is drawn as a header or ends in a colon; or one
    cell alone, where the same row labels come back below another such cell or it is the first row of all."""
    lone = [n for n, row in enumerate(body[:-1]) if _only(row) is not None and len(row) > 1]
    sure = {n for n in lone if _names_what_follows(body[n])}
    rest = [n for n in lone if n not in sure]
    labels = Counter(row[0].text for n, row in enumerate(body) if row[0] is not None and n not in lone)
    comes_back = any(count > 1 for count in labels.values())
    if rest and (rest[0] == 0 or (comes_back and len(rest) > 1)):
        sure.update(n for n in rest if not _is_followed_by_lone(n, lone))
    return {n for n in sure if all(body[n]) or not any(cell is not None and is_figure(cell.text) for cell in body[n])}


def _names_what_follows(row: Sequence[Cell | None]) -> bool:
    only = _only(row)
    return only is not None and (all(row) or only.header or only.text.endswith(":"))


def _is_followed_by_lone(number: int, lone: Sequence[int]) -> bool:
    return number + 1 in lone


def header_line(table: Table) -> str:
    """The header as a line of the table's text; nothing where no column is named."""
    named = [" ".join(path) for path in table.columns]
    if not any(named):
        return ""
    return " | ".join(_cell(text) for text in (" ".join(filter(None, table.stub)), *named))


def row_lines(table: Table) -> list[str]:
    """Each row as a line of the table's text, in order. A long text that the row above has too is shortened."""
    lines: list[str] = []
    above: frozenset[str] = frozenset()
    for row in table.rows:
        labels, values = (
            [_shortened(text) if text in above else text for text in texts] for texts in (row.labels, row.values)
        )
        lines.append(" | ".join(_cell(text) for text in (" – ".join(filter(None, labels)), *values)).rstrip(" |"))
        above = frozenset((*row.labels, *row.values))
    return lines


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_REPEAT else text[:_LONGEST_REPEAT].rsplit(" ", 1)[0] + "…"


def _cell(text: str) -> str:
    return text.replace("|", "/")


def text_of(table: Table) -> str:
    """The table as text: caption, header, rows and notes, a line each."""
    notes = [f"{sign} {said}" for sign, said in table.notes]
    return "\n".join(line for line in (table.caption, header_line(table), *row_lines(table), *notes) if line)
