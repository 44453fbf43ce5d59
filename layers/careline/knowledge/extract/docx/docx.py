"""Reads DOCX as people see it: headings, lists, tables, notes and boxes in their place, headers and footers once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from careline.knowledge.extract import facts
from careline.knowledge.extract.admission import kind_of
from careline.knowledge.extract.archive import check_archive
from careline.knowledge.extract.docx import properties
from careline.knowledge.extract.docx.inline.text import InlineReader
from careline.knowledge.extract.docx.names import W, is_on
from careline.knowledge.extract.docx.notes import Notes
from careline.knowledge.extract.docx.numbering import Numbering
from careline.knowledge.extract.docx.package import Package, is_wordprocessing
from careline.knowledge.extract.docx.running import RunningPart, parts_of, running_blocks
from careline.knowledge.extract.docx.shown import as_shown, building_blocks, text_within
from careline.knowledge.extract.docx.story import ReadBlock, Story
from careline.knowledge.extract.docx.styles import Styles
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind, Extracted, Page

_NOTES = ("footnotes", "endnotes")
_LINES = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
_LED_IN = (BlockKind.LIST_ITEM, BlockKind.TABLE)
_WORD = re.compile(r"[^\W\d_]+")
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")


def read(content: bytes, limits: Limits) -> Extracted:
    """The text of a DOCX on one page. What tracked changes deleted and comments are left out; whatever else is not told
    stands in blocks of its own that say why.

    Raises: DocumentRejected `disguised`, `encrypted`, `zip_bomb`, `corrupt`, `too_large`.
    """
    _check(content, limits)
    document = _Document(Package(content))
    found: list[ReadBlock] = []
    characters = 0
    for each in document.blocks():
        characters += len(each.block.text)
        if characters > limits.max_characters:
            raise rejected("too_large", limit=f"{limits.max_characters:,} characters")
        if each.block.text:
            found.append(each)
    found = _without_unanswered_labels(found)
    finished = _with_bold_headings(found)
    stated = facts.with_title(properties.stated(document.package), map(_unnumbered, found, finished))
    return Extracted((Page(1, finished),), stated)


def _check(content: bytes, limits: Limits) -> None:
    kind = kind_of(content)
    if kind == "an old Office file" and _ENCRYPTED_PACKAGE in content:
        raise rejected("encrypted")
    if kind != "a ZIP archive":
        if kind is None and content[:2] == b"PK":
            raise rejected("corrupt", detail="it is cut off")
        raise rejected("disguised", extension=".docx", found=kind or "something else")
    names = {name.replace("\\", "/").lower().lstrip("/") for name in check_archive(content, limits)}
    if "[content_types].xml" not in names:
        raise rejected("disguised", extension=".docx", found="a ZIP archive")
    if not any(name.startswith("word/") for name in names):
        raise rejected("disguised", extension=".docx", found="another kind of Office file")


class _Document:
    """The parts of a document that are read."""

    def __init__(self, package: Package) -> None:
        """Raises: DocumentRejected `corrupt`."""
        self.package = package
        root = package.xml(package.main)
        if not is_wordprocessing(root):
            raise rejected("corrupt", detail="it has no body")
        glossary = self._part("glossaryDocument")
        self._placeholders = building_blocks(package.xml_if_readable(glossary) if glossary else None)
        self._body = as_shown(root, self._placeholders).find(W + "body")
        theme = self._part("theme")
        self._styles = Styles(self._xml("styles"), package.xml_if_readable(theme) if theme else None)
        self._numbering = Numbering(self._xml("numbering"), self._body)
        notes = [as_shown(each, self._placeholders) if each is not None else None for each in map(self._xml, _NOTES)]
        self._notes = Notes(*notes)

    def _part(self, kind: str) -> str:
        return next(iter(self.package.related(self.package.main, kind)), "")

    def _xml(self, kind: str) -> Any:
        part = self._part(kind)
        return self.package.xml(part) if part else None

    def blocks(self) -> Iterator[ReadBlock]:
        """Every block: headers, the body, footers."""
        settings = self._part("settings")
        root = self.package.xml_if_readable(settings) if settings else None
        headers, footers = parts_of(
            self._body,
            even_and_odd=root is not None and is_on(root.find(W + "evenAndOddHeaders")),
            one_page=properties.is_one_page(self.package) or not text_within(self._body),
        )
        seen: set[str] = set()
        yield from self._running(headers, seen)
        yield from self._story(self.package.main, self._notes, self._numbering).blocks(self._body)
        yield from self._running(footers, seen)

    def _running(self, parts: list[RunningPart], seen: set[str]) -> Iterator[ReadBlock]:
        for part in parts:
            found = self.package.relationships(self.package.main).get(part.relationship)
            root = self.package.xml(found.target) if found is not None and not found.is_external else None
            if found is None or root is None:
                continue
            story = self._story(found.target, None, Numbering(None))
            blocks = list(story.blocks(as_shown(root, self._placeholders)))
            yield from map(ReadBlock, running_blocks(blocks, seen, on_one_page=part.on_one_page))

    def _story(self, part: str, notes: Notes | None, numbering: Numbering) -> Story:
        return Story(self._styles, InlineReader(self._styles, notes, self.package, part), numbering, _embedded)


def _embedded(element: Any) -> list[Block]:
    """A document that stands in this one in a format of its own is not read."""
    what = "embedded document" if element.tag == W + "altChunk" else "document in another file"
    return [Block(BlockKind.PARAGRAPH, what, left_out=LeftOut.UNREAD)]


def _without_unanswered_labels(found: list[ReadBlock]) -> list[ReadBlock]:
    """A line with a colon whose value is left out is left out too: it would be the label of the line below. Behind a
    value that is struck through, a line of other figures in the same words is the new value."""
    finished: list[ReadBlock] = []
    after: Block | None = None
    following: Block | None = None
    for each in reversed(found):
        block = each.block
        is_label = block.left_out is None and block.kind in _LINES and block.text.endswith(":")
        is_unanswered = after is not None and after.left_out in (LeftOut.PLACEHOLDER, LeftOut.STRUCK)
        is_unanswered = is_unanswered and not _is_replaced(after, following)
        if is_label and is_unanswered and (following is None or following.kind not in _LED_IN):
            finished.append(each._replace(block=replace(block, left_out=after.left_out if after else None)))
        else:
            finished.append(each)
            following = block if block.left_out is None else following
        after = block
    return finished[::-1]


def _is_replaced(former: Block | None, following: Block | None) -> bool:
    """Whether a value that is struck through has its new one below: figures, and no word that the former has not."""
    if former is None or former.left_out is not LeftOut.STRUCK or following is None:
        return False
    texts = (former.text, following.text)
    words, others = (set(_WORD.findall(text.casefold())) for text in texts)
    return others <= words and all(any(map(str.isdecimal, text)) for text in texts)


def _unnumbered(read: ReadBlock, block: Block) -> Block:
    """A heading without its automatic number, as the title that it may be."""
    return replace(block, text=block.text.removeprefix(read.label).lstrip(" .")) if read.label else block


def _with_bold_headings(found: list[ReadBlock]) -> tuple[Block, ...]:
    """Bold lines become headings in a document that has no heading below its title."""
    blocks = [each.block for each in found]
    if any(block.kind is BlockKind.HEADING and block.level > 1 for block in blocks):
        return tuple(blocks)
    has_title = any(block.kind is BlockKind.HEADING for block in blocks)
    level = 2 if has_title else 1
    return tuple(
        replace(each.block, kind=BlockKind.HEADING, level=level) if each.is_bold else each.block for each in found
    )
