"""Reads DOCX: headings by style or outline level, lists, tables in their place, and the core properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from careline.knowledge.extract import facts
from careline.knowledge.extract.admission import kind_of
from careline.knowledge.extract.archive import check_archive
from careline.knowledge.extract.docx import tables as docx_tables
from careline.knowledge.extract.docx.hidden import HiddenRuns
from careline.knowledge.extract.docx.text import FALLBACK, text_of
from careline.knowledge.extract.lists import DEEPEST, is_item, without_bullet
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits
from careline.tables.extracted import Block, BlockKind, Extracted, LeftOut, Page

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_ENCRYPTED_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_HEADING = re.compile(r"heading ([1-9])", re.I)
_CONTAINERS = frozenset(_W + name for name in ("sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"))
_MOST_BOLD = 100
_MOST_STYLES_DEEP = 20


@dataclass(frozen=True, slots=True)
class _Styles:
    """What paragraph styles mean: heading levels, lists and how deep these are by style, inherited along `basedOn`."""

    levels: dict[str, int]
    lists: frozenset[str]
    depths: dict[str, int]
    hidden: HiddenRuns


def read(content: bytes, limits: Limits) -> Extracted:
    """The text of a DOCX on one page. Deleted text is left out; hidden text stands in blocks of its own.

    Raises: DocumentRejected `disguised`, `encrypted`, `zip_bomb`, `corrupt`, `too_large`.
    """
    _check(content, limits)
    document = _opened(content)
    styles = _styles(document)
    blocks: list[Block] = []
    bold: set[int] = set()
    characters = 0
    for element in _content(document.element.body):
        is_table = element.tag == _W + "tbl"
        is_hidden = styles.hidden.is_hidden
        found = docx_tables.blocks(element, is_hidden) if is_table else list(_paragraph(element, styles))
        found += _unseen(element, styles)
        characters += sum(len(block.text) for block in found)
        if characters > limits.max_characters:
            raise rejected("too_large", limit=f"{limits.max_characters:,} characters")
        told = [block for block in found if block.left_out is None]
        if element.tag == _W + "p" and len(found) == len(told) == 1 and _is_bold_line(element, told[0]):
            bold.add(len(blocks))
        blocks.extend(block for block in found if block.text)
    finished = _with_bold_headings(blocks, bold)
    return Extracted((Page(1, finished),), facts.with_title(_stated(document), finished))


def _check(content: bytes, limits: Limits) -> None:
    kind = kind_of(content)
    if kind == "an old Office file" and _ENCRYPTED_PACKAGE in content:
        raise rejected("encrypted")
    if kind != "a ZIP archive":
        if kind is None and content[:2] == b"PK":
            raise rejected("corrupt", detail="it is cut off")
        raise rejected("disguised", extension=".docx", found=kind or "something else")
    names = check_archive(content, limits)
    if "[Content_Types].xml" not in names:
        raise rejected("disguised", extension=".docx", found="a ZIP archive")
    if not any(name.startswith("word/") for name in names):
        raise rejected("disguised", extension=".docx", found="another kind of Office file")


def _opened(content: bytes) -> Any:
    import io
    import zipfile

    import docx
    from docx.opc.exceptions import OpcError
    from lxml.etree import LxmlError

    try:
        document = docx.Document(io.BytesIO(content))
        if document.element.body is None:
            raise rejected("corrupt", detail="it has no body")
    except (
        OpcError,
        LxmlError,
        KeyError,
        ValueError,
        AttributeError,
        IndexError,
        zipfile.BadZipFile,
        EOFError,
    ) as error:
        raise rejected("corrupt", detail="its parts do not fit together") from error
    return document


def _styles(document: Any) -> _Styles:
    elements = {style.get(_W + "styleId", ""): style for style in document.styles.element.iter(_W + "style")}
    levels: dict[str, int] = {}
    lists: set[str] = set()
    depths: dict[str, int] = {}
    for name, style in elements.items():
        for each in _ancestry(style, elements):
            level = levels.get(name) or _style_level(each)
            if level:
                levels.setdefault(name, level)
            if _numbered(each.find(_W + "pPr")):
                lists.add(name)
            if depth := _list_level(each.find(_W + "pPr")):
                depths.setdefault(name, depth)
    return _Styles(levels, frozenset(lists - levels.keys()), depths, HiddenRuns(elements, _ancestry))


def _ancestry(style: Any, elements: dict[str, Any]) -> Iterator[Any]:
    for _ in range(_MOST_STYLES_DEEP):
        yield style
        parent = style.find(_W + "basedOn")
        following = elements.get(parent.get(_W + "val", "")) if parent is not None else None
        if following is None:
            return
        style = following


def _style_level(style: Any) -> int:
    """Level from the style's built-in English name, which Word keeps in every language, or from its outline level."""
    name = style.find(_W + "name")
    value = name.get(_W + "val", "") if name is not None else ""
    if found := _HEADING.fullmatch(value):
        return min(6, int(found.group(1)))
    if value.lower() == "title":
        return 1
    return _outline_level(style.find(_W + "pPr"))


def _outline_level(properties: Any) -> int:
    """Outline levels count from 0; 9 means body text (ECMA-376, 17.3.1.20)."""
    level = properties.find(_W + "outlineLvl") if properties is not None else None
    value = level.get(_W + "val", "9") if level is not None else "9"
    return min(6, int(value) + 1) if value.isdecimal() and int(value) < 9 else 0


def _numbered(properties: Any) -> bool:
    numbering = properties.find(f"{_W}numPr/{_W}numId") if properties is not None else None
    return numbering is not None and numbering.get(_W + "val") != "0"


def _list_level(properties: Any) -> int:
    """How many lists an item of a numbered or bulleted one stands within (ECMA-376, 17.9.3)."""
    level = properties.find(f"{_W}numPr/{_W}ilvl") if properties is not None else None
    value = level.get(_W + "val", "0") if level is not None else "0"
    return min(int(value), DEEPEST) if value.isdecimal() else 0


def _content(container: Any) -> Iterator[Any]:
    """Paragraphs and tables in order, also those inside content controls and tracked insertions."""
    stack = [iter(container)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag in (_W + "p", _W + "tbl"):
            yield element
            if element.tag == _W + "p":
                yield from _boxed(element)
        elif element.tag in _CONTAINERS:
            stack.append(iter(element))


def _boxed(paragraph: Any) -> Iterator[Any]:
    """Paragraphs of the text boxes anchored in a paragraph. Word writes each box twice; the second is a fallback."""
    for box in paragraph.iter(_W + "txbxContent"):
        if not any(ancestor.tag == FALLBACK for ancestor in box.iterancestors()):
            yield from (inner for inner in box.iter(_W + "p"))


def _unseen(element: Any, styles: _Styles) -> list[Block]:
    """What the hidden runs of a paragraph or table say."""
    runs = (run for run in element.iter(_W + "r") if styles.hidden.is_hidden(run))
    text = " ".join("".join(each.text or "" for each in run.iter(_W + "t")) for run in runs)
    return [Block(BlockKind.PARAGRAPH, " ".join(text.split()), left_out=LeftOut.HIDDEN)] if text.strip() else []


def _paragraph(element: Any, styles: _Styles) -> Iterator[Block]:
    """One block, or one for each line where the author broke lines inside a paragraph."""
    text = text_of(element, styles.hidden.is_hidden)
    if not text:
        return
    properties = element.find(_W + "pPr")
    style = properties.find(_W + "pStyle") if properties is not None else None
    name = style.get(_W + "val", "") if style is not None else ""
    level = _outline_level(properties) or styles.levels.get(name, 0)
    if level:
        yield Block(BlockKind.HEADING, " ".join(text.split()), level)
        return
    numbered = _numbered(properties) or (name in styles.lists and not _says_no_number(properties))
    depth = _list_level(properties) or styles.depths.get(name, 0) if numbered else 0
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    for index, line in enumerate(lines):
        item = (numbered and index == 0) or is_item(line)
        kind = BlockKind.LIST_ITEM if item else BlockKind.PARAGRAPH
        yield Block(kind, without_bullet(line) if item else line, depth if item else 0)


def _says_no_number(properties: Any) -> bool:
    numbering = properties.find(f"{_W}numPr/{_W}numId")
    return numbering is not None and numbering.get(_W + "val") == "0"


def _is_bold_line(element: Any, block: Block) -> bool:
    """A short line all in bold, which people use as a heading instead of a style."""
    if (
        block.kind is not BlockKind.PARAGRAPH
        or len(block.text) > _MOST_BOLD
        or block.text.endswith((".", ",", ";", ":"))
    ):
        return False
    runs = [run for run in element.iter(_W + "r") if any((text.text or "").strip() for text in run.iter(_W + "t"))]
    marks = [run.find(f"{_W}rPr/{_W}b") for run in runs]
    return bool(runs) and all(mark is not None and mark.get(_W + "val") not in ("0", "false") for mark in marks)


def _with_bold_headings(blocks: list[Block], bold: set[int]) -> tuple[Block, ...]:
    """Bold lines become headings in a document that has no heading below its title."""
    if any(block.kind is BlockKind.HEADING and block.level > 1 for block in blocks):
        return tuple(blocks)
    has_title = any(block.kind is BlockKind.HEADING for block in blocks)
    level = 2 if has_title else 1
    return tuple(
        replace(block, kind=BlockKind.HEADING, level=level) if index in bold else block
        for index, block in enumerate(blocks)
    )


def _stated(document: Any) -> dict[str, object]:
    from lxml.etree import LxmlError

    try:
        core = document.core_properties
        values = {
            "title": core.title,
            "authors": core.author,
            "language": core.language,
            "year": core.modified or core.created,
        }
    except (LxmlError, KeyError, ValueError, AttributeError):
        return {}
    return facts.stated({key: value for key, value in values.items() if value})
