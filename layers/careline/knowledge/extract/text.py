"""Reads plain text: paragraphs by blank lines, and the ways in which people mark headings without a word processor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from careline.knowledge.extract import facts
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.charset import decode
from careline.knowledge.extract.limits import Limits
from careline.knowledge.extract.lists import is_item, without_bullet
from careline.knowledge.extract.tables import is_pipe_row, pipe_table, tab_table
from careline.model import Block, BlockKind, Extracted, Page

_UNDERLINE = re.compile(r"\s{0,3}(=+|-+|~+|_+|\*+)\s*")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\S.*")
_ENDED = re.compile(r"[.!?:;,…]$")
_LONGEST_HEADING = 90
_WRAPPED_AT_MOST = 150
"""Lines longer than this were not wrapped by hand: each is a paragraph."""

_ROOM = 4


def read(content: bytes, limits: Limits) -> Extracted:
    """The text with its headings (numbered, in capitals, underlined), lists and tables.

    Raises: DocumentRejected `disguised`, `charset`, `long_line`, `too_large`.
    """
    check_text(content, ".txt")
    text, warnings = decode(content, limits)
    found = blocks(text)
    return Extracted((Page(1, found),), facts.with_title({}, found), tuple(warnings))


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a text. Lines that were wrapped stay on lines of their own, so that cleaning can join them."""
    lines = [line.rstrip() for line in text.expandtabs(1).splitlines()] if "\t" not in text else text.splitlines()
    width = _width(lines)
    found: list[Block] = []
    for group in _groups(lines):
        found.extend(_blocks_of_group(group, width))
    return tuple(found)


def _width(lines: Sequence[str]) -> int:
    """The length at which lines were wrapped; 0 when they were not."""
    lengths = sorted(len(line) for line in lines if line.strip())
    width = lengths[int(len(lengths) * 0.98)] if lengths else 0
    return width if 30 <= width <= _WRAPPED_AT_MOST else 0


def _groups(lines: Sequence[str]) -> Iterator[list[str]]:
    """Lines between blank lines."""
    group: list[str] = []
    for line in lines:
        if line.strip(" \t\f\v\u00a0"):
            group.append(line)
        elif group:
            yield group
            group = []
    if group:
        yield group


def _blocks_of_group(group: list[str], width: int) -> Iterator[Block]:
    while group:
        size, block = _first_block(group, width)
        if block is not None:
            yield block
        group = group[size:]


def _first_block(group: list[str], width: int) -> tuple[int, Block | None]:
    """How many lines the first block of a group takes, and the block."""
    if len(group) > 1 and _is_underlined(group[0], group[1]):
        return 2, Block(BlockKind.HEADING, group[0].strip(), 1 if "=" in group[1] else 2)
    if _UNDERLINE.fullmatch(group[0]):
        return 1, None
    if size := _table_size(group):
        rows = group[:size]
        return size, Block(BlockKind.TABLE, pipe_table(rows) if is_pipe_row(rows[0]) else tab_table(rows))
    if level := _heading_level(group):
        return 1, Block(BlockKind.HEADING, group[0].strip(), level)
    size = _paragraph_size(group, width)
    text = "\n".join(line.strip() for line in group[:size])
    if is_item(text):
        return size, Block(BlockKind.LIST_ITEM, without_bullet(text))
    return size, Block(BlockKind.PARAGRAPH, text)


def _is_underlined(title: str, below: str) -> bool:
    stroke = below.strip()
    fits = len(stroke) >= 3 and 0.5 <= len(stroke) / max(1, len(title.strip())) <= 2
    return _UNDERLINE.fullmatch(below) is not None and len(set(stroke)) == 1 and fits and any(map(str.isalpha, title))


def _table_size(group: list[str]) -> int:
    """How many lines from the first on form a table of pipes or tabs; 0 when fewer than two do."""
    if is_pipe_row(group[0]):
        size = next((index for index, line in enumerate(group) if not is_pipe_row(line)), len(group))
        return size if size >= 2 else 0
    tabs = group[0].strip().count("\t")
    if tabs == 0:
        return 0
    size = next((index for index, line in enumerate(group) if line.strip().count("\t") != tabs), len(group))
    return size if size >= 3 else 0


def _heading_level(group: list[str]) -> int:
    """Level of a heading by number ("2.1 Parking" is 2) or by capitals, alone in its group or above its text."""
    line = group[0].strip()
    if len(line) > _LONGEST_HEADING or _ENDED.search(line) or sum(map(str.isalpha, line)) < 3:
        return 0
    if line.isupper() and sum(map(str.isalpha, line)) >= 4 and not is_item(line):
        return 1 if not _NUMBERED.fullmatch(line) else min(6, _numbered_level(line))
    alone = len(group) == 1 or "." in line.split()[0].rstrip(".")
    numbered = _NUMBERED.fullmatch(line)
    title = line.split(None, 1)[-1][:1].isupper()
    return min(6, _numbered_level(line)) if numbered and alone and title else 0


def _numbered_level(line: str) -> int:
    return line.split()[0].rstrip(".").count(".") + 1


def _paragraph_size(group: list[str], width: int) -> int:
    """How many lines belong to the first line's paragraph or list item."""
    for index in range(1, len(group)):
        previous, line = group[index - 1].strip(), group[index].strip()
        starts = (
            is_item(line)
            or _heading_level(group[index:])
            or (len(group) > index + 1 and _is_underlined(line, group[index + 1]))
        )
        if starts or is_pipe_row(line) or not _was_wrapped(previous, line, width):
            return index
    return len(group)


def _was_wrapped(previous: str, line: str, width: int) -> bool:
    """The next word would not have fitted, or the sentence plainly goes on."""
    if width == 0:
        return False
    room = width - len(previous) - 1 - len(line.split(None, 1)[0])
    return room < _ROOM or (line[:1].islower() and len(previous) > width // 2)
