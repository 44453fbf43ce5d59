"""Reads lines whose parts stand apart with a row of dots between them: price lists, and tables of contents.

A price list becomes a table of labels and values. The lines of a table of contents name the headings of the document
itself and the pages they are on, which never go back and are no more than it has; nobody is told those.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import re2

from careline.knowledge.extract import tables
from careline.model import LeftOut
from careline.tables import read as cells
from careline.tables.extracted import Block, BlockKind, Extracted, Page

_LEADER = re2.compile(r"\s*(?:(?:\.[ \xa0]?){4,}|(?:…[ \xa0]?){2,}|(?:·[ \xa0]?){4,}|[ ](?:[-–—][ ]?){4,})\s*")
_LEADER_BEHIND = re2.compile(r"(?:\s*(?:(?:\.[ \xa0]?){4,}|(?:…[ \xa0]?){2,}|(?:·[ \xa0]?){4,}))+$")
_SIGNS = frozenset(".…·-–—")
_PAGE_NUMBER = re.compile(r"([0-9]{1,4})|[ivxl]{1,6}", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}
_NUMBERING = re.compile(r"^(?:\d{1,2}(?:\.\d{1,2}){0,4}[.)]?|[A-Za-z][.)])\s+")
_LONGEST_LABEL, _LONGEST_VALUE = 160, 60
_MOST_PARTS = 8
_KINDS = frozenset((BlockKind.PARAGRAPH, BlockKind.LIST_ITEM))
_OR_TABLE = _KINDS | {BlockKind.TABLE}

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Headings:
    """The headings of a document as `_plain` writes them, each with its first page; `most` is the largest number that a
    page can have. Without pages that is one for each block."""

    pages: Mapping[str, int]
    most: int
    paged: bool

    @classmethod
    def of(cls, extracted: Extracted) -> _Headings:
        """Those of a document."""
        found: dict[str, int] = {}
        for page in extracted.pages:
            for block in page.blocks:
                if block.kind is BlockKind.HEADING:
                    found.setdefault(_plain(block.text), page.number)
        most = len(extracted.pages) if extracted.paged else sum(len(page.blocks) for page in extracted.pages)
        return cls(found, most, extracted.paged)

    def are_listed(self, rows: Sequence[Row]) -> bool:
        """Whether rows are lines of a table of contents: half of them name headings, in pages as far from one another
        as their numbers."""
        numbers = [number for row in rows if (number := _page_number(row[-1]))]
        if len(numbers) < len(rows) or numbers != sorted(numbers) or max(number for _, number in numbers) > self.most:
            return False
        named = [(number, self.pages.get(_plain(row[0]))) for row, (_, number) in zip(rows, numbers, strict=True)]
        offsets = [number - page for number, page in named if page is not None]
        if not offsets or 2 * len(offsets) < len(rows):
            return False
        return not self.paged or 2 * Counter(offsets).most_common(1)[0][1] > len(offsets)


def with_leaders_read(extracted: Extracted) -> Extracted:
    """The same document with its leader lines as tables, those of a table of contents left out."""
    if not any(_has_leader(block, _OR_TABLE) for page in extracted.pages for block in page.blocks):
        return extracted
    headings = _Headings.of(extracted)
    return replace(extracted, pages=tuple(_page(page, headings) for page in extracted.pages))


def has_leader(line: str) -> bool:
    """Whether the parts of a line stand apart with a row of dots between them."""
    return not _SIGNS.isdisjoint(line) and _parted(line) is not None


def _has_leader(block: Block, kinds: frozenset[BlockKind] = _KINDS) -> bool:
    may_have = block.left_out is None and block.kind in kinds and not _SIGNS.isdisjoint(block.text)
    return may_have and _LEADER.search(block.text) is not None


def _page(page: Page, headings: _Headings) -> Page:
    found: list[Block] = []
    rows: list[Row] = []
    for block in page.blocks:
        lines = list(_lines(block)) if _has_leader(block) else []
        if sum(isinstance(line, tuple) for line in lines) == 0 or not _is_list(lines, rows):
            found.extend(_closed(rows, headings))
            rows = []
            found.append(_without_leaders(block) if block.kind is BlockKind.TABLE else block)
            continue
        for line in lines:
            if isinstance(line, tuple):
                rows.append(line)
            else:
                found.extend(_closed(rows, headings))
                rows = []
                found.append(replace(block, text=line))
    found.extend(_closed(rows, headings))
    return replace(page, blocks=tuple(found))


def _is_list(lines: Sequence[Row | str], before: Sequence[Row]) -> bool:
    """Whether lines with leaders are rows: several of them, or one with a figure; dots in prose are neither."""
    rows = [line for line in lines if isinstance(line, tuple)]
    return len(rows) + len(before) > 1 or any(map(str.isdecimal, rows[0][-1]))


def _lines(block: Block) -> Iterator[Row | str]:
    """The lines of a block: the parts of each with a leader, the text of the others. A label may begin a line above."""
    above: list[str] = []
    for line in block.text.split("\n"):
        row = _parted(line)
        if row is None:
            above.append(line)
            continue
        if above and row[0][:1].islower():
            row = (f"{above.pop()} {row[0]}", *row[1:])
        if above:
            yield "\n".join(above)
        above = []
        yield row
    if above:
        yield "\n".join(above)


def _parted(line: str) -> Row | None:
    """The label and the values of a line; None for a line of a form, which has a place to fill in at its end."""
    parts = [part.strip() for part in _LEADER.split(line.strip())]
    if not 2 <= len(parts) <= _MOST_PARTS or not all(any(map(str.isalnum, part)) for part in parts):
        return None
    fits = len(parts[0]) <= _LONGEST_LABEL and max(map(len, parts[1:])) <= _LONGEST_VALUE
    return tuple(parts) if fits else None


def _closed(rows: Sequence[Row], headings: _Headings) -> list[Block]:
    if not rows:
        return []
    if headings.are_listed(rows):
        text = "\n".join(" ".join(row) for row in rows)
        return [Block(BlockKind.PARAGRAPH, text, left_out=LeftOut.FURNITURE)]
    # Each line of such a list is a label and its values, the first one too.
    listed = (replace(cell, header=cell.column == 0) for cell in cells.cells_of(rows))
    return tables.blocks(tuple(listed))


def _without_leaders(block: Block) -> Block:
    """A table whose cells keep no dots behind their words; what they led to stands in the next cell."""
    last = max((cell.column for cell in block.cells), default=0)
    bare = tuple(
        replace(cell, text=cell.text[: found.start()], header=cell.header or cell.column == 0)
        if cell.column < last and (found := _LEADER_BEHIND.search(cell.text))
        else cell
        for cell in block.cells
    )
    return block if bare == block.cells else cells.block(bare, block.edges)


def _page_number(text: str) -> tuple[bool, int] | None:
    """The number of a page, those in Roman figures first; None for any other text."""
    found = _PAGE_NUMBER.fullmatch(text)
    if found is None:
        return None
    if found[1]:
        return True, int(found[1])
    worth = [_ROMAN[letter] for letter in text.lower()]
    return False, sum(-one if one < after else one for one, after in zip(worth, [*worth[1:], 0], strict=True))


def _plain(title: str) -> str:
    """A title for comparison: without its number, letters and digits only."""
    return re.sub(r"\W+", " ", _NUMBERING.sub("", title, count=1)).strip().casefold()
