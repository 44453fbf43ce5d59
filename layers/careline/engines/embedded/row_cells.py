"""Tells which cells of a row are said, and whether they hold what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from careline.engines.embedded.prose_quotes import AS_GOOD
from careline.engines.embedded.table_quotes import TableQuote
from careline.model import Table, TableRow
from careline.search.answer_kind import holds
from careline.search.label_choice import is_missing
from careline.search.label_days import days_of
from careline.search.passage_windows import cells_of
from careline.search.quotable import Quotable
from careline.search.said_row import about_of, said_row
from careline.search.table_answer import NamedPart

WHOLE_ROW = 5
"""Values of a row that are told where the question does not choose among its columns."""
IN_A_CELL = frozenset(("time", "phone"))
"""Kinds of answers that a cell holds by its form, so that it can be told from one that does not."""


def tells_kind(texts: Iterable[str], kinds: frozenset[str], language: str) -> bool:
    """Whether a text holds one of these kinds of answers; of times, a day is one."""
    return any(holds(text, kinds) or ("time" in kinds and bool(days_of(text, language))) for text in texts)


def is_numbered(row: TableRow) -> bool:
    return any(map(str.isdigit, "".join(row.labels)))


def is_empty(table: Table, row: int, part: NamedPart) -> bool:
    """Whether the question names columns of which a row has no value."""
    return bool(part.columns) and all(is_missing(table.rows[row].values[column]) for column in part.columns)


def both_columns(quote: TableQuote, parts: Sequence[float]) -> Quotable:
    """What else a row tells, where two things are asked and one row tells both; other days than those that were chosen
    do not answer it."""
    whole, found = quote.whole, quote.found
    (row,) = found.rows
    columns = columns_told(whole.table, row, parts, found.columns)
    told = [n for n in columns if n in found.columns or not _tells_days(whole.table, n, whole.language)]
    if len(columns) > WHOLE_ROW:
        return quote.quotable
    about = about_of(whole.table, whole.headings, whole.language)
    said = said_row(whole.table, whole.table.rows[row], told, whole.language, about)
    return Quotable(quote.quotable.heading, said)


def _tells_days(table: Table, column: int, language: str) -> bool:
    return any(days_of(label, language) for label in table.columns[column])


def labels_of(table: Table, row: TableRow) -> tuple[str, ...]:
    return table.caption, *row.labels, *table.stub, *(label for path in table.columns for label in path)


def columns_told(table: Table, row: int, parts: Sequence[float], named: Sequence[int]) -> list[int]:
    """The columns that are told: all of a short row; of a longer one those that are named, or were read to answer."""
    cells = [column for column, _ in cells_of(table, row)]
    if len(cells) <= WHOLE_ROW:
        return cells
    if told := [column for column in cells if column in named]:
        return told
    if len(parts) != len(cells):
        return cells
    best = max(parts)
    return [column for column, part in zip(cells, parts, strict=True) if part >= best - AS_GOOD]
