"""Reads one text of a DOCX, block by block: its body, a header, a text box or the cell of a table that lays out a page.

What is not told stands behind the block that it stood in, with why; so do notes, and the text boxes anchored in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from careline.knowledge.extract.docx import tables
from careline.knowledge.extract.docx.inline.paragraph_text import ParagraphText
from careline.knowledge.extract.docx.inline.text import InlineReader
from careline.knowledge.extract.docx.names import (
    BLOCK_CONTAINERS,
    BOX,
    R_,
    SDT,
    SDT_CONTENT,
    TBL,
    TC,
    P,
    T,
    W,
    is_on,
    value,
)
from careline.knowledge.extract.docx.notes import NoteReference
from careline.knowledge.extract.docx.numbering import ItemNumber, Numbering, reference_of
from careline.knowledge.extract.docx.styles import Styles, outline_level
from careline.knowledge.extract.lists import DEEPEST, is_item, without_bullet
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind

_MOST_BOLD = 100
_TICKS = ("✓", "✔")
_EMBEDDED = frozenset((W + "altChunk", W + "subDoc"))

Embedded = Callable[[Any], list[Block]]
"""Reads a document that stands inside this one."""


class ReadBlock(NamedTuple):
    """A block. `is_bold` is True for a short line all in bold, which people use as a heading instead of a style, and
    `counts_pages` for one with the number of its page; `label` is the automatic number that a heading begins with."""

    block: Block
    is_bold: bool = False
    counts_pages: bool = False
    label: str = ""


class _ReadNote(NamedTuple):
    """What a note says on a line, and what of it is not told."""

    said: str
    left_out: tuple[Block, ...]


class Story:
    """Reads the texts of one part of a document; the items of its lists are counted as they are read."""

    def __init__(self, styles: Styles, inline: InlineReader, numbering: Numbering, embedded: Embedded) -> None:
        self._styles = styles
        self._inline = inline
        self._numbering = numbering
        self._embedded = embedded
        self._notes: dict[Any, _ReadNote] = {}

    def blocks(self, container: Any) -> Iterator[ReadBlock]:
        """The blocks of an element that holds paragraphs and tables."""
        for element in _content(container):
            if isinstance(element, list):
                yield from self._paragraph(element)
                for paragraph in element:
                    for box in _boxes(paragraph):
                        yield from self.blocks(box)
            elif element.tag == TBL:
                yield from self._table(element)
            else:
                yield from map(ReadBlock, self._embedded(element))

    def _table(self, table: Any) -> Iterator[ReadBlock]:
        cells = _Cells(self)
        yield from map(ReadBlock, tables.blocks(table, cells))
        yield from map(ReadBlock, [block for block in cells.beside if block.left_out is None])
        yield from map(ReadBlock, [block for block in cells.beside if block.left_out is not None])
        for box in cells.boxes:
            yield from self.blocks(box)

    def _paragraph(self, paragraphs: Sequence[Any]) -> Iterator[ReadBlock]:
        """One block, or one for each line where the author broke lines inside a paragraph; then what belongs to it."""
        properties = paragraphs[-1].find(W + "pPr")
        name = value(properties, W + "pStyle")
        style = self._styles.paragraph(name)
        read = self._inline.read(paragraphs)
        item = self.item(properties, name)
        level = outline_level(properties) or style.level
        is_heading = bool(level) and not style.is_contents
        if read.told and style.is_contents:
            yield ReadBlock(Block(BlockKind.PARAGRAPH, _on_a_line(read.told), left_out=LeftOut.FURNITURE))
        elif is_heading:
            if title := _on_a_line(read.told):
                label = item.label if item is not None else ""
                yield ReadBlock(Block(BlockKind.HEADING, _labelled(item, title), level), label=label)
        said = [self._said(note) for note in read.notes]
        text, behind = read.with_notes(said)
        if text and not style.is_contents and not is_heading:
            yield from self._lines(text, read, item, paragraphs)
        yield from self._beside(read, said, behind)

    def _lines(
        self, told: str, read: ParagraphText, item: ItemNumber | None, paragraphs: Sequence[Any]
    ) -> Iterator[ReadBlock]:
        left_out = LeftOut.UNREAD if read.is_incomplete else None
        lines = [line.strip() for line in told.split("\n") if line.strip()]
        for index, line in enumerate(lines):
            counted = item if index == 0 else None
            is_listed = counted is not None or is_item(line)
            text = line if line.startswith(_TICKS) or not is_listed else without_bullet(line)
            kind = BlockKind.LIST_ITEM if is_listed else BlockKind.PARAGRAPH
            depth = min(counted.depth, DEEPEST) if counted is not None else 0
            block = Block(kind, _labelled(counted, text), depth, left_out=left_out)
            is_bold = len(lines) == 1 and left_out is None and _is_bold_line(paragraphs, block)
            yield ReadBlock(block, is_bold, read.has_page_number)

    def item(self, properties: Any, style: str) -> ItemNumber | None:
        """The number of a paragraph that is an item of an automatic list, which counts it; None for any other."""
        reference = reference_of(properties, self._styles.paragraph(style).numbering, style)
        return self._numbering.next_item(reference) if reference is not None else None

    def read(self, paragraph: Any) -> ParagraphText:
        """What one paragraph says."""
        return self._inline.read([paragraph])

    def beside(self, read: ParagraphText, notes: set[Any]) -> Iterator[Block]:
        """What belongs to a paragraph of a table and does not stand in it: descriptions, notes behind their signs, and
        what is not told. `notes` are the elements of those that stand below the table already."""
        yield from (Block(BlockKind.PARAGRAPH, text) for text in read.beside)
        found = {note.element: note for note in read.notes if note.element not in notes}
        notes.update(found)
        for note in found.values():
            if said := self._said(note):
                yield Block(BlockKind.PARAGRAPH, f"{note.sign} {said}")
        yield from self._left_out(read, found.values())

    def _beside(self, read: ParagraphText, said: Sequence[str], behind: Sequence[int]) -> Iterator[ReadBlock]:
        """What belongs to a paragraph of the text and does not stand in it. A note has its sign only where that
        tells it from others behind the paragraph: in the text a sign may be taken for a part of a figure."""
        yield from (ReadBlock(Block(BlockKind.PARAGRAPH, text)) for text in read.beside)
        for note, text in {read.notes[number]: said[number] for number in behind}.items():
            if text:
                sign = f"{note.sign} " if len(behind) > 1 else ""
                yield ReadBlock(Block(BlockKind.PARAGRAPH, f"{sign}{text}"))
        yield from map(ReadBlock, self._left_out(read, dict.fromkeys(read.notes)))

    def _left_out(self, read: ParagraphText, notes: Iterable[NoteReference]) -> Iterator[Block]:
        yield from (Block(BlockKind.PARAGRAPH, text, left_out=reason) for reason, text in read.left_out)
        for note in notes:
            yield from self._note(note).left_out

    def _said(self, note: NoteReference) -> str:
        """The text of a note on a line, without what could not be read and the mark that its author typed."""
        return self._note(note).said.removeprefix(note.sign).strip()

    def _note(self, note: NoteReference) -> _ReadNote:
        """What a note says, read once however often the text refers to it."""
        if note.element not in self._notes:
            found = [self.read(paragraph) for paragraph in note.element.iter(P)]
            said = " ".join(_on_a_line(each.told) for each in found if not each.is_incomplete).strip()
            left_out = [block for each in found for block in _not_told(each)]
            self._notes[note.element] = _ReadNote(said, tuple(left_out))
        return self._notes[note.element]


class _Cells:
    """Reads the cells of one table. `beside` is what belongs to them and does not stand in them, `boxes` the text boxes
    in them that hold tables."""

    def __init__(self, story: Story) -> None:
        self._story = story
        self.beside: list[Block] = []
        self.boxes: list[Any] = []
        self._notes: set[Any] = set()

    def text(self, cell: Any) -> tuple[str, LeftOut | None]:
        """The text of a cell on one line, with that of text boxes in it; why it has none, where it is left out."""
        apart = [box for box in _boxes_within(cell) if next(box.iter(TBL), None) is not None]
        self.boxes.extend(apart)
        read = [self._read(each) for each in cell.iter(P) if not apart or not _is_within(each, apart)]
        items = [each for item, each in read if item is not None and item.label]
        listed = len(items) > 1 and all(any(map(str.isalpha, each.told)) for each in items)
        said: list[str] = []
        before = len(self.beside)
        for item, each in read:
            self.beside.extend(self._story.beside(each, self._notes))
            if each.is_incomplete:
                self.beside.append(Block(BlockKind.PARAGRAPH, _on_a_line(each.told), left_out=LeftOut.UNREAD))
            else:
                said.append(_labelled(item if listed or not each.told else None, each.signed))
        text = " ".join(" ".join(said).split())
        if text:
            return text, None
        reasons = (block.left_out for block in self.beside[before:] if block.left_out is not None)
        return "", next(reasons, LeftOut.PLACEHOLDER if _is_controlled(cell) else None)

    def leave_out(self, text: str, reason: LeftOut) -> None:
        """Keep the text of a cell whose row is not told."""
        self.beside.append(Block(BlockKind.PARAGRAPH, text, left_out=reason))

    def _read(self, paragraph: Any) -> tuple[ItemNumber | None, ParagraphText]:
        properties = paragraph.find(W + "pPr")
        read = self._story.read(paragraph)
        return self._story.item(properties, value(properties, W + "pStyle")), read

    def blocks(self, cell: Any) -> Iterator[Block]:
        """What a cell of a table that lays out the page holds."""
        return (each.block for each in self._story.blocks(cell))


def _content(container: Any) -> Iterator[Any]:
    """Paragraphs, tables and embedded documents in order, also those inside content controls and insertions.

    A paragraph comes as a list with those before it whose mark was deleted: they are one.
    """
    joined: list[Any] = []
    stack = [iter(container)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == P:
            joined.append(element)
            if not _runs_on(element):
                yield joined
                joined = []
        elif element.tag == TBL or element.tag in _EMBEDDED:
            if joined:
                yield joined
                joined = []
            yield element
        elif element.tag in BLOCK_CONTAINERS:
            stack.append(iter(element))
    if joined:
        yield joined


def _runs_on(paragraph: Any) -> bool:
    """Whether the mark at a paragraph's end was deleted or moved away."""
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    return mark is not None and (mark.find(W + "del") is not None or mark.find(W + "moveFrom") is not None)


def _boxes(paragraph: Any) -> Iterator[Any]:
    """The text boxes anchored in a paragraph, without those inside another."""
    return (box for box in paragraph.iter(BOX) if next(box.iterancestors(P), None) is paragraph)


def _boxes_within(cell: Any) -> Iterator[Any]:
    """The text boxes in a cell, without those inside another and those of tables in it."""
    return (box for box in cell.iter(BOX) if next(box.iterancestors(BOX, TC), None) is cell)


def _not_told(read: ParagraphText) -> Iterator[Block]:
    """What is not told of a paragraph of a note."""
    yield from (Block(BlockKind.PARAGRAPH, text, left_out=reason) for reason, text in read.left_out)
    if read.is_incomplete:
        yield Block(BlockKind.PARAGRAPH, _on_a_line(read.told), left_out=LeftOut.UNREAD)


def _is_controlled(cell: Any) -> bool:
    """Whether a cell holds a content control, or stands in one."""
    return next(cell.iter(SDT), None) is not None or cell.getparent().tag == SDT_CONTENT


def _is_within(paragraph: Any, boxes: Sequence[Any]) -> bool:
    return any(box in boxes for box in paragraph.iterancestors(BOX))


def _labelled(item: ItemNumber | None, text: str) -> str:
    """An item with its number; a bare number gets a stop, without which it would be the first figure of the text."""
    label = item.label if item is not None else ""
    if label.isdecimal() and text:
        label += "."
    return f"{label} {text}".strip() if label else text


def _on_a_line(text: str) -> str:
    return " ".join(text.split())


def _is_bold_line(paragraphs: Sequence[Any], block: Block) -> bool:
    """A short line all in bold, which people use as a heading instead of a style."""
    if (
        block.kind is not BlockKind.PARAGRAPH
        or len(block.text) > _MOST_BOLD
        or block.text.endswith((".", ",", ";", ":"))
    ):
        return False
    runs = [
        run
        for paragraph in paragraphs
        for run in paragraph.iter(R_)
        if any((text.text or "").strip() for text in run.iterchildren(T))
    ]
    return bool(runs) and all(is_on(run.find(f"{W}rPr/{W}b")) for run in runs)
