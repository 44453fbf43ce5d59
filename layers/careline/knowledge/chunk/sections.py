"""Reads a document as sections: what stands under one heading, sentence by sentence, with its tables apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from careline.knowledge.chunk.oversize import cut
from careline.knowledge.extract.lists import is_numbered
from careline.model import Table
from careline.passages.sub_headings import INDENT
from careline.tables import read as tables
from careline.tables.extracted import Block, BlockKind, Extracted
from careline.text.sentences import split

Count = Callable[[str], int]
_CAPTION = re.compile(r"(?:tabel|table|tableau|tabella|figuur|figure|figura|fig\.)\s*\d", re.I)
_LONGEST_CAPTION = 200
_LONGEST_NAME = 90
"""Characters of a line that names the table below it; a longer one without a stop is a sentence without its end."""


@dataclass(frozen=True, slots=True)
class ChunkUnit:
    """A sentence, as it is written in a chunk. `position` counts units and tables through the document."""

    text: str
    tokens: int
    page: int
    last_page: int
    position: int
    begins_line: bool
    leads_in: bool = False
    """It announces what follows ("Breng mee:") and should not be the end of a chunk."""
    title: int | None = None
    """How deep it lies, from 0, where it is a heading of the document."""


@dataclass(frozen=True, slots=True)
class PlacedTable:
    """A table and where it stands. `position` counts units and tables through the document."""

    table: Table
    page: int
    last_page: int
    position: int


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under one heading, or under several small ones put together.

    `path` are the headings above all of it; `titles` are the same as units, written above the text when the section is
    put together with others and a heading leaves the path.
    """

    path: tuple[str, ...]
    units: tuple[ChunkUnit, ...] = ()
    tables: tuple[PlacedTable, ...] = ()
    titles: tuple[ChunkUnit, ...] = ()
    is_joined: bool = False

    @property
    def tokens(self) -> int:
        """Of its text, without tables."""
        return sum(unit.tokens for unit in self.units)

    def is_near(self, other: Section) -> bool:
        """Siblings, or one the parent of the other."""
        shared = len(_shared(self.path, other.path))
        return shared >= max(len(self.path), len(other.path)) - 1

    def joined_with(self, other: Section) -> Section:
        """One section of both; headings that leave the path stand above their text."""
        path = _shared(self.path, other.path)
        units = self._under(path) + other._under(path)
        return Section(path, units, (), self.titles[: len(path)], is_joined=True)

    def _under(self, path: tuple[str, ...]) -> tuple[ChunkUnit, ...]:
        """The units, below the headings that are not in the path. They stand where their text stands."""
        at = self.units[0].position
        return (*(replace(title, position=at) for title in self.titles[len(path) :]), *self.units)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    length = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one[:length]


def sections_of(extracted: Extracted, language: str, count: Count, longest: int) -> list[Section]:
    """The sections in order. A heading with nothing under it is a sentence of the section above it."""
    reader = _Reader(language, count, longest)
    blocks = [(page.number, block) for page in extracted.pages for block in page.blocks if block.text.strip()]
    for index, (page, block) in enumerate(blocks):
        following = blocks[index + 1][1] if index + 1 < len(blocks) else None
        if index == 0 and following is not None and _is_title(block, following):
            block = replace(block, level=0)
        reader.read(page, block, following)
    return reader.finished()


def _is_title(first: Block, following: Block) -> bool:
    """The document begins with two headings, the second not below the first: the first is the title of everything."""
    return first.kind is following.kind is BlockKind.HEADING and following.level <= first.level


def _is_caption(text: str, is_item: bool) -> bool:
    """Whether a text right above a table names it: it is numbered, announces it, or is a short line without a stop."""
    if len(text) > _LONGEST_CAPTION:
        return False
    is_line = (
        not is_item and len(text) <= _LONGEST_NAME and "\n" not in text and not text.endswith((".", "!", "?", ";"))
    )
    return bool(_CAPTION.match(text)) or text.endswith(":") or is_line


class _Reader:
    """Builds sections while it goes through the blocks once."""

    def __init__(self, language: str, count: Count, longest: int) -> None:
        self._language = language
        self._count = count
        self._longest = longest
        self._headings: list[tuple[int, ChunkUnit]] = []
        self._sections: list[Section] = []
        self._units: list[ChunkUnit] = []
        self._tables: list[PlacedTable] = []
        self._caption = ""
        self._after_table = False
        self._position = 0

    def read(self, page: int, block: Block, following: Block | None) -> None:
        """Take in the next block; `following` is the one after it."""
        if block.kind is BlockKind.TABLE:
            self._read_table(page, block)
            return
        if self._after_table and self._is_note(block):
            return
        self._after_table = False
        if block.kind is BlockKind.HEADING:
            self._read_heading(page, block, following)
        else:
            self._read_text(page, block, following)

    def finished(self) -> list[Section]:
        """All sections, when there are no more blocks."""
        self._close()
        return self._sections

    def _read_heading(self, page: int, block: Block, following: Block | None) -> None:
        """A heading opens a section, unless nothing stands under it."""
        text = " ".join(block.text.split())
        is_empty = following is None or (following.kind is BlockKind.HEADING and following.level <= block.level)
        self._close()
        while self._headings and self._headings[-1][0] >= block.level:
            self._headings.pop()
        if is_empty:
            self._units.extend(self._written(text, page, begins_line=True))
            return
        self._headings.append((block.level, self._unit(text, page, begins_line=True)))

    def _read_text(self, page: int, block: Block, following: Block | None) -> None:
        is_item = block.kind is BlockKind.LIST_ITEM
        text = block.text if not is_item or is_numbered(block.text) else f"- {block.text}"
        indent = INDENT * block.level if is_item else ""
        first = True
        for sentence in split(text, self._language):
            said = f"{indent}{sentence}" if first else sentence
            self._units.extend(self._written(said, page, begins_line=first))
            first = False
        if following is not None and following.kind is BlockKind.TABLE and self._units and _is_caption(text, is_item):
            self._caption = " ".join(text.split())

    def _read_table(self, page: int, block: Block) -> None:
        table = tables.read(block.cells, self._caption)
        self._caption = ""
        if table.rows:
            self._tables.append(PlacedTable(table, page, page, self._next()))
            self._after_table = True
        else:
            for line in block.text.splitlines():
                self._units.extend(self._written(line, page, begins_line=True))

    def _is_note(self, block: Block) -> bool:
        """Whether the block explains a sign of the table above it; then it becomes a note of that table."""
        placed = self._tables[-1]
        found = tables.notes_for(placed.table, block)
        if found:
            table = replace(placed.table, notes=(*placed.table.notes, *found))
            self._tables[-1] = replace(placed, table=table)
        return bool(found)

    def _written(self, sentence: str, page: int, *, begins_line: bool) -> Iterator[ChunkUnit]:
        """A sentence as one unit, or as several when it is longer than a chunk may be."""
        unit = self._unit(sentence, page, begins_line=begins_line)
        if unit.tokens <= self._longest:
            yield unit
            return
        for index, (piece, tokens) in enumerate(cut(sentence, self._count, self._longest)):
            yield replace(
                unit, text=piece, tokens=tokens, position=self._next(), begins_line=begins_line and index == 0
            )

    def _unit(self, text: str, page: int, *, begins_line: bool) -> ChunkUnit:
        return ChunkUnit(text, self._count(text), page, page, self._next(), begins_line, text.endswith(":"))

    def _next(self) -> int:
        self._position += 1
        return self._position

    def _close(self) -> None:
        if self._units or self._tables:
            titles = tuple(replace(title, title=depth) for depth, (_, title) in enumerate(self._headings))
            path = tuple(title.text for title in titles)
            self._sections.append(Section(path, tuple(self._units), tuple(self._tables), titles))
        self._units, self._tables, self._caption, self._after_table = [], [], "", False
