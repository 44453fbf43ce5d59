"""Gives the cells of a table with everything that stands around each: labels of its row and column, and its notes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from careline.curation.proposals.proposal import Source
from careline.model import Chunk, Table
from careline.text.note_signs import SUPERSCRIPTS, each_sign, signs_of

_INNER = re.compile(rf"(?<=[^\W\d_])(?<!m)[{SUPERSCRIPTS}]{{1,4}}(?= \()")
"""Signs of notes in front of what stands in brackets: "Collaboratori² (CHF)"."""
SHOWN = 300
"""Characters of a row that a source shows."""


@dataclass(frozen=True, slots=True)
class Page:
    """The passage that is read, and the document that it is of. `context` is what stands above it: caption, headings,
    innermost first, and the title."""

    doc_key: str
    version: int
    title: str
    language: str
    chunk: Chunk
    context: tuple[str, ...]

    def source(self, text: str, row: int | None = None, column: int | None = None) -> Source:
        """Where a row, cell or line of it stands; rows and columns from 0."""
        shown = " ".join(text.split())
        return Source(
            self.doc_key, self.version, self.title, self.chunk.first_page, self.chunk.ordinal,
            None if row is None else row + 1, None if column is None else column + 1, shown[:SHOWN],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlacedValue:
    """One value of a table. `labels` name its row and `path` its column, outermost first, without the signs of notes;
    `notes` are what these signs say, at the value and its labels."""

    row: int
    column: int
    labels: tuple[str, ...]
    path: tuple[str, ...]
    value: str
    notes: tuple[str, ...]


def page_of(doc_key: str, version: int, title: str, language: str, chunk: Chunk) -> Page:
    """A passage with what stands above it."""
    caption = chunk.table.caption if chunk.table else ""
    context = [text.strip() for text in (caption, *reversed(chunk.heading_path), title) if text.strip()]
    return Page(doc_key, version, title, language, chunk, tuple(dict.fromkeys(context)))


def values_of(table: Table) -> Iterator[PlacedValue]:
    """Every value, row by row."""
    notes = dict(table.notes)
    for row, held in enumerate(table.rows):
        for column, value in enumerate(held.values):
            texts, signs = [], ""
            labels, path = _bare(held.labels), _bare(table.columns[column] if column < len(table.columns) else ())
            for text in (*held.labels, *(table.columns[column] if column < len(table.columns) else ()), value):
                signs += signs_of(text)[1] + "".join(_INNER.findall(signs_of(text)[0]))
            texts = [notes[sign] for sign in dict.fromkeys(each_sign(signs)) if sign in notes]
            unexplained = any(sign not in notes for sign in each_sign(signs)) if signs else False
            said = (*texts, "?") if unexplained else tuple(texts)
            yield PlacedValue(row, column, labels, path, signs_of(value)[0].strip(), said)


def _bare(labels: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(bare for label in labels if (bare := _INNER.sub("", signs_of(label)[0]).strip()))


def row_text(table: Table, row: int) -> str:
    """A row as its document draws it."""
    held = table.rows[row]
    return " | ".join((" – ".join(filter(None, held.labels)), *held.values))
