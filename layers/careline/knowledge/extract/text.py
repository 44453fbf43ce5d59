"""Reads plain text: paragraphs by blank lines, and the ways in which people mark headings without a word processor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from careline.knowledge.extract import facts, spaced_tables, tables
from careline.knowledge.extract.addresses import written_out
from careline.knowledge.extract.admission import check_text
from careline.knowledge.extract.characters.charset import decode_lines
from careline.knowledge.extract.leaders import has_leader
from careline.knowledge.extract.lists import ListDepth, is_item, without_bullet
from careline.knowledge.extract.tables import is_pipe_row, pipe_table, tab_table
from careline.limits import Limits
from careline.tables.extracted import Block, BlockKind, Cell, Extracted, Page

_UNDERLINE = re.compile(r"\s{0,3}(=+|-+|~+|_+|\*+)\s*")
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\S.*")
_ENDED = re.compile(r"[.!?:;,…]$")
_LONGEST_HEADING = 90
_WRAPPED_AT_MOST = 150
"""Lines longer than this were not wrapped by hand: each is a paragraph."""

_HYPHENS = ("-", "\u2010", "\u00ad")
_ROOM = 4
_NESTED = 2
"""Columns by which an item begins further to the right that stands under another."""
_FEWEST_TAB_ROWS = 3


def read(content: bytes, limits: Limits) -> Extracted:
    """The text with its headings (numbered, in capitals, underlined), lists and tables.

    Raises: DocumentRejected `disguised`, `charset`, `long_line`, `too_large`.
    """
    check_text(content, ".txt")
    text, warnings = decode_lines(content, limits)
    found = blocks(written_out(text))
    return Extracted((Page(1, found),), facts.with_title({}, found), tuple(warnings))


def blocks(text: str) -> tuple[Block, ...]:
    """The blocks of a text. Lines that were wrapped stay on lines of their own, so that cleaning can join them."""
    lines = [line.rstrip() for line in text.expandtabs(1).splitlines()] if "\t" not in text else text.splitlines()
    width = _width(lines)
    found: list[Block] = []
    depth = ListDepth(_NESTED)
    for group in _groups(lines):
        found.extend(_blocks_of_group(group, width, depth))
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


def _blocks_of_group(group: Sequence[str], width: int, depth: ListDepth) -> Iterator[Block]:
    at = 0
    while at < len(group):
        size, found = _blocks_at(group, at, width)
        for block in found:
            if block.kind is BlockKind.LIST_ITEM:
                yield replace(block, level=depth.of(_indentation(group[at])))
            else:
                if block.kind is not BlockKind.PARAGRAPH or not _indentation(group[at]):
                    depth.end()
                yield block
        at += size


def _blocks_at(group: Sequence[str], at: int, width: int) -> tuple[int, list[Block]]:
    """How many lines the block that begins at a line takes, and the block; a very long table is several."""
    if _is_underlined(group, at):
        return 2, [Block(BlockKind.HEADING, group[at].strip(), 1 if "=" in group[at + 1] else 2)]
    if _UNDERLINE.fullmatch(group[at]):
        return 1, []
    for size_of, cells_of in _TABLES:
        if size := size_of(group, at):
            return size, tables.blocks(cells_of(group[at : at + size]))
    if level := _heading_level(group, at):
        return 1, [Block(BlockKind.HEADING, group[at].strip(), level)]
    size = _paragraph_size(group, at, width)
    text = "\n".join(line.strip() for line in group[at : at + size])
    if is_item(text):
        return size, [Block(BlockKind.LIST_ITEM, without_bullet(text))]
    return size, [Block(BlockKind.PARAGRAPH, text)]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip())


def _is_underlined(group: Sequence[str], at: int) -> bool:
    """Whether the next line is a stroke of about the length of this one."""
    if at + 1 >= len(group):
        return False
    title, stroke = group[at].strip(), group[at + 1].strip()
    fits = len(stroke) >= 3 and 0.5 <= len(stroke) / max(1, len(title)) <= 2
    return fits and _UNDERLINE.fullmatch(stroke) is not None and any(map(str.isalpha, title))


def _pipe_rows(group: Sequence[str], at: int) -> int:
    """How many lines from this one on form a table of pipes, two at least; 0 when none do."""
    end = at
    while end < len(group) and is_pipe_row(group[end]):
        end += 1
    return end - at if end - at >= 2 else 0


def _tab_rows(group: Sequence[str], at: int) -> int:
    """How many lines from this one on form a table of tabs, three at least, or two with three columns; 0 when none do.

    A tab in front is an empty first cell; tabs at the end may be missing. A short line between rows names those below.
    """
    tabs = group[at].rstrip(" ").count("\t")
    end = at
    while tabs and end < len(group) and 0 < group[end].rstrip(" ").count("\t") <= tabs + 1:
        if end + 2 < len(group) and "\t" not in group[end + 1] and _names_rows(group, end + 1, tabs):
            end += 1
        end += 1
    rows = [line.split("\t") for line in group[at:end] if "\t" in line]
    full = sum(len([field for field in fields if field.strip()]) > 1 for fields in rows)
    usual = max((len(fields) for fields in rows), default=0)
    alike = sum(len(fields) == usual for fields in rows)
    enough = len(rows) >= (2 if usual >= 3 else _FEWEST_TAB_ROWS)
    return end - at if enough and full >= 0.6 * len(rows) and alike >= 0.6 * len(rows) else 0


def _names_rows(group: Sequence[str], at: int, tabs: int) -> bool:
    line = group[at].strip()
    return tabs > 1 and len(line) < 60 and not _ENDED.search(line.rstrip(":")) and group[at + 1].count("\t") > 1


_TABLES: tuple[tuple[Callable[[Sequence[str], int], int], Callable[[Sequence[str]], tuple[Cell, ...]]], ...] = (
    (_pipe_rows, pipe_table),
    (_tab_rows, tab_table),
    (spaced_tables.table_size, spaced_tables.cells_of),
)
"""Ways to set a table in plain text: how many lines are one, and the cells of these lines."""


def _heading_level(group: Sequence[str], at: int) -> int:
    """Level of a heading by number ("2.1 Parking" is 2) or by capitals, alone in its group or above its text."""
    line = group[at].strip()
    letters = sum(map(str.isalpha, line)) if len(line) <= _LONGEST_HEADING else 0
    if letters < 3 or _ENDED.search(line) or has_leader(line):
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
        starts = starts or ("  " in line and spaced_tables.table_size(group, index))
        if starts or not _was_wrapped(group[index - 1].strip(), line, width):
            return index - at
    return len(group) - at


def _was_wrapped(previous: str, line: str, width: int) -> bool:
    """The next word would not have fitted, or the sentence plainly goes on."""
    if width == 0:
        return False
    room = width - len(previous) - 1 - len(line.split(None, 1)[0])
    goes_on = len(previous) > width // 2 or (previous[-1:] in _HYPHENS and previous[-2:-1].islower())
    return room < _ROOM or (line[:1].islower() and goes_on)
