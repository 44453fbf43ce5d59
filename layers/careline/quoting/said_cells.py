"""Says rows of tables: the one that was read, whole with its labels or by the cells that answer; where the reader does
not tell rows apart, all of a short table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from careline.model import Table
from careline.passages.quotable import Quotable
from careline.passages.windows import PassageWindow, cells_of
from careline.ports import Source
from careline.quoting.window_read import WindowRead
from careline.search.select_windows import cut
from careline.tables.said_row import about_of, said_row

REACH = 3.0
"""How far below the best cell of a row another one may lie to be told with it, in logits of the reader."""
WHOLE_ROW = {False: 5, True: 2}
"""Values of a row that are told together, by whether they are spoken; of a longer one those that answer."""
UNSURE = 1.0
"""Logits of relevance by which the best row has to lie above the others of its table to be told alone: below that it
was the right one 19 times in 34 on the open hospitals, from half a logit more on nine times in ten."""
WHOLE_TABLE = 8
"""Rows of a table that is told whole."""
MOST_CHARACTERS = 900
"""Characters of such a table."""


def said_cells(one: WindowRead, voice: bool) -> Quotable | None:
    """The cells of a row that are told, with the labels of row and column; None where it has no value."""
    table = _table(one.source)
    row = one.window.row
    assert row is not None
    columns = _columns(table, row, one.read.parts, WHOLE_ROW[voice])
    if not columns:
        return None
    about = about_of(table, one.source.hit.passage.chunk.heading_path, one.source.language)
    said = said_row(table, table.rows[row], columns, one.source.language, about)
    return Quotable(one.window.heading, said, language=one.source.language)


def rows_within_reach(ranked: Sequence[WindowRead]) -> list[WindowRead]:
    """The best window, if it is a row, with the other rows of its table that answer about as well; itself alone where
    the reader is sure; none where it is no row. `ranked` are best first."""
    if not ranked or ranked[0].window.row is None:
        return []
    best = ranked[0]
    return [
        one
        for one in ranked
        if one.window.row is not None
        and one.source is best.source
        and one.read.relevance > best.read.relevance - UNSURE
    ]


def said_table(rows: Sequence[WindowRead], may_be_told: Callable[[Source, PassageWindow], bool]) -> Quotable | None:
    """A short table whole, a row in each line, where several of its rows answer about as well; None where one does, or
    where it is too long. A row that may not be told is left out."""
    if len(rows) < 2:
        return None
    best = rows[0]
    table, language = _table(best.source), best.source.language
    if len(table.rows) > WHOLE_TABLE or table.total > len(table.rows):
        return None
    windows = cut(best.source.hit.passage.chunk, best.source.hit.passage.facts.language)
    numbers = [one.row for one in windows if one.row is not None and may_be_told(best.source, one)]
    told = [
        said_row(table, table.rows[n], columns, language)
        for n in numbers
        if (columns := [column for column, _ in cells_of(table, n)])
    ]
    if sum(map(len, told)) > MOST_CHARACTERS:
        return None
    about = about_of(table, best.source.hit.passage.chunk.heading_path, language) or best.window.heading
    return Quotable(best.window.heading, f"{about.rstrip('?:. ')}:", tuple(told), language=language)


def _table(source: Source) -> Table:
    table = source.hit.passage.chunk.table
    assert table is not None
    return table


def _columns(table: Table, row: int, parts: Sequence[float], whole: int) -> list[int]:
    cells = [column for column, _ in cells_of(table, row)]
    if len(cells) <= whole or len(parts) != len(cells):
        return cells
    best = max(parts)
    return [column for column, part in zip(cells, parts, strict=True) if part >= best - REACH]
