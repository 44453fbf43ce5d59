"""Reads plain text: paragraphs by blank lines, and the ways in which people mark headings without a word processor."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from careline.knowledge.extract import facts
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.charset import decode_lines
from careline.knowledge.extract.lists import is_item, without_bullet
from careline.knowledge.extract.tables import is_pipe_row, pipe_table, tab_table
from careline.limits import Limits
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
    text, warnings = decode_lines(content, limits)
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


def _blocks_of_group(group: Sequence[str], width: int) -> Iterator[Block]:
    at = 0
    while at < len(group):
        size, block = _block_at(group, at, width)
        if block is not None:
            yield block
        at += size


def _block_at(group: Sequence[str], at: int, width: int) -> tuple[int, Block | None]:
    """How many lines the block that begins at a line takes, and the block."""
    if _is_underlined(group, at):
        return 2, Block(BlockKind.HEADING, group[at].strip(), 1 if "=" in group[at + 1] else 2)
    if _UNDERLINE.fullmatch(group[at]):
        return 1, None
    if size := _table_size(group, at):
        rows = group[at : at + size]
        return size, Block(BlockKind.TABLE, pipe_table(rows) if is_pipe_row(rows[0]) else tab_table(rows))
    if level := _heading_level(group, at):
        return 1, Block(BlockKind.HEADING, group[at].strip(), level)
    size = _paragraph_size(group, at, width)
    text = "\n".join(line.strip() for line in group[at : at + size])
    if is_item(text):
        return size, Block(BlockKind.LIST_ITEM, without_bullet(text))
    return size, Block(BlockKind.PARAGRAPH, text)


def _is_underlined(group: Sequence[str], at: int) -> bool:
    """Whether the next line is a stroke of about the length of this one."""
    if at + 1 >= len(group):
        return False
    title, stroke = group[at].strip(), group[at + 1].strip()
    fits = len(stroke) >= 3 and 0.5 <= len(stroke) / max(1, len(title)) <= 2
    return fits and _UNDERLINE.fullmatch(stroke) is not None and any(map(str.isalpha, title))


def _table_size(group: Sequence[str], at: int) -> int:
    """How many lines from this one on form a table of pipes (two at least) or tabs (three at least); 0 when none do."""
    end = at
    if is_pipe_row(group[at]):
        while end < len(group) and is_pipe_row(group[end]):
            end += 1
        return end - at if end - at >= 2 else 0
    tabs = group[at].strip().count("\t")
    while tabs and end < len(group) and group[end].strip().count("\t") == tabs:
        end += 1
    return end - at if end - at >= 3 else 0


def _heading_level(group: Sequence[str], at: int) -> int:
    """Level of a heading by number ("2.1 Parking" is 2) or by capitals, alone in its group or above its text."""
    line = group[at].strip()
    letters = sum(map(str.isalpha, line)) if len(line) <= _LONGEST_HEADING else 0
    if letters < 3 or _ENDED.search(line):
        return 0
    numbered = _NUMBERED.fullmatch(line)
    level = min(6, line.split()[0].rstrip(".").count(".") + 1) if numbered else 1
    if line.isupper() and letters >= 4 and (numbered or not is_item(line)):
        return level
    alone = at + 1 == len(group) or level > 1
    return level if numbered and alone and line.split(None, 1)[-1][:1].isupper() else 0


def _paragraph_size(group: Sequence[str], at: int, width: int) -> int:
    """How many lines belong to the paragraph or list item that begins at a line."""
    for index in range(at + 1, len(group)):
        line = group[index].strip()
        starts = is_item(line) or _heading_level(group, index) or _is_underlined(group, index) or is_pipe_row(line)
        if starts or not _was_wrapped(group[index - 1].strip(), line, width):
            return index - at
    return len(group) - at


def _was_wrapped(previous: str, line: str, width: int) -> bool:
    """The next word would not have fitted, or the sentence plainly goes on."""
    if width == 0:
        return False
    room = width - len(previous) - 1 - len(line.split(None, 1)[0])
    return room < _ROOM or (line[:1].islower() and len(previous) > width // 2)
