"""Cuts a passage into windows: a few sentences, a list with its lead-in, or one row of a table, under its headings; a
person's answer is one whole, once under each of its questions.

A passage of 500 tokens says many things and its vector their average; what a question asks for stands in one window.
Windows are embedded beside their passage, and a window is what the reader reads together with a question.
"""

from __future__ import annotations

from dataclasses import dataclass

from careline.model import Chunk, Table
from careline.passages.quotable import SHORT, Quotable, quotables
from careline.tables.row_sentence import is_missing, row_sentence

CUT = 3
"""Counts up whenever passages are cut otherwise, so that vectors of other windows are not taken for those of now."""
WORDS = 45
"""Words of a window of prose; a longer sentence or list stands alone."""
MOST = 40
"""Windows of one passage. A passage has 750 tokens at most; what lies behind is found by its passage alone."""


@dataclass(frozen=True, slots=True)
class PassageWindow:
    """A window of a passage. `row` is the number of the row of the passage's table, None for prose; `quotables` are
    what can be quoted of it, one for a row of a table."""

    heading: str
    quotables: tuple[Quotable, ...]
    row: int | None = None

    @property
    def text(self) -> str:
        """What the window says, without its headings."""
        return " ".join(_said(one) for one in self.quotables)


def windows_of(chunk: Chunk, language: str) -> tuple[PassageWindow, ...]:
    """The windows of a passage in reading order, the same whenever it is cut again."""
    if chunk.curated is not None:
        return tuple(_curated(question, chunk.text, language) for question in chunk.curated.questions)[:MOST]
    if chunk.table is not None:
        return _of_table(chunk.table, " ".join(chunk.heading_path[-2:]))[:MOST]
    return tuple(_of_prose(quotables(chunk, language)))[:MOST]


def in_context(title: str, heading: str) -> str:
    """What a window stands under: title and headings, each once."""
    return title if heading in title else f"{title} - {heading}"


def embedded_text(title: str, window: PassageWindow) -> str:
    """What is embedded for a window."""
    return f"{in_context(title, window.heading)}\n{window.text}"


def cells_of(table: Table, row: int) -> tuple[tuple[int, str], ...]:
    """Each value of a row that is there, by the number of its column, said with its labels."""
    return tuple(
        (column, row_sentence(table, table.rows[row], [column]))
        for column, value in enumerate(table.rows[row].values)
        if not is_missing(value)
    )


def _curated(question: str, text: str, language: str) -> PassageWindow:
    """A person's answer under one wording of its question; it is told whole, and a mere "yes" with the question."""
    asked = question if len(text.split()) <= SHORT else ""
    return PassageWindow(question, (Quotable(question, text, asked=asked, language=language),))


def _of_table(table: Table, heading: str) -> tuple[PassageWindow, ...]:
    columns = range(len(table.columns))
    heading = f"{heading} {table.caption}".strip() if table.caption not in heading else heading
    rows = ((n, row_sentence(table, row, columns)) for n, row in enumerate(table.rows))
    return tuple(PassageWindow(heading, (Quotable(heading, said),), n) for n, said in rows if len(said) > 1)


def _of_prose(found: list[Quotable]) -> list[PassageWindow]:
    windows: list[PassageWindow] = []
    words = 0
    for one in found:
        length = len(_said(one).split())
        last = windows[-1] if windows else None
        if last is not None and last.heading == one.heading and words + length <= WORDS:
            windows[-1] = PassageWindow(one.heading, (*last.quotables, one))
            words += length
        else:
            windows.append(PassageWindow(one.heading, (one,)))
            words = length
    return windows


def _said(one: Quotable) -> str:
    return " ".join(part for part in (one.lead, *one.items) if part)
