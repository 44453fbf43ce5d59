"""Turns lines into headings, paragraphs, list items and tables, by how the document as a whole is set."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from careline.knowledge.extract.lists import ListDepth, without_bullet
from careline.knowledge.extract.pdf.geometry import Line, Segment, most_common, rows_of
from careline.knowledge.extract.pdf.list_items import first_lines
from careline.tables.extracted import Block, BlockKind

_LARGER = 1.12
"""A line set this much larger than the body is a heading."""

_NESTED = 0.9
"""Of the body's size: so much further to the right an item begins that stands under another."""
_LONGEST_HEADING = 160
_LONGEST_BOLD_HEADING = 90
_MOST_HEADING_LINES = 3
_CONTENTS_LINE = re.compile(r"(?<!\.)(?<!\.\s)(?:\.\s?){4,}\s*\d+$")
_ENDED = re.compile(r"[.!?:;…][)\"'”’»]*$")


class Typography(NamedTuple):
    """How the document is set: body size, sizes of headings with their rank from 1, titles of its outline."""

    body: float
    heading_ranks: Mapping[float, int]
    bold_body: bool
    outline: Mapping[str, int]


def lines_of(region: Sequence[Segment]) -> list[Line]:
    """The lines of one region, from top to bottom, those marked that begin an item of a list."""
    lines: list[Line] = []
    for row in rows_of(region):
        for table in (piece for piece in row if piece.table):
            lines.append(Line("", table.x0, table.y0, table.x1, table.y1, 0.0, False, 0.0, table.table))
        words = [word for piece in row if not piece.table for word in piece.words]
        if words:
            lines.append(
                Line(
                    " ".join(word.text for word in words),
                    words[0].x0,
                    min(word.y0 for word in words),
                    max(word.x1 for word in words),
                    max(word.y1 for word in words),
                    most_common((word.size, len(word.text)) for word in words),
                    all(word.bold for word in words),
                    words[0].x1 - words[0].x0,
                )
            )
    items = first_lines(lines)
    return [line._replace(item=number in items) for number, line in enumerate(lines)]


def typography(lines: Sequence[Line], outline: Mapping[str, int]) -> Typography:
    """Measures a whole document. The outline maps titles, as `plain` writes them, to levels from 1."""
    body = most_common((line.size, len(line.text)) for line in lines if not line.table)
    larger = sorted(
        {_rounded(line.size) for line in lines if line.size >= body * _LARGER and _is_title(line.text)}, reverse=True
    )
    bold = sum(len(line.text) for line in lines if line.bold)
    total = sum(len(line.text) for line in lines) or 1
    return Typography(body, {size: rank for rank, size in enumerate(larger, 1)}, bold > 0.5 * total, outline)


def plain(text: str) -> str:
    """A title for comparison: letters and digits only, in small letters."""
    return re.sub(r"\W+", " ", text).strip().casefold()


def blocks_of(lines: Sequence[Line], style: Typography) -> Iterator[Block]:
    """The blocks of one region. Lines of a paragraph stay on lines of their own, so that cleaning can join them."""
    edge = max((line.x1 for line in lines if not line.table), default=0.0)
    pitch = _pitch(lines)
    group: list[Line] = []
    left = 0.0
    depth = ListDepth(_NESTED * style.body)
    for line in lines:
        if group and _begins_block(group, left, line, style, edge, pitch):
            yield _block(group, style, depth)
            group = []
        left = min(left, line.x0) if group else line.x0
        group.append(line)
    if group:
        yield _block(group, style, depth)


def with_whole_headings(blocks: Iterable[Block]) -> Iterator[Block]:
    """The blocks of a page, a heading that goes on in the next region joined: two columns begin below the first line of
    a title, and its second line, which begins small, is the left one's."""
    held: Block | None = None
    for block in blocks:
        if held is not None and _goes_on_in(held, block):
            held = Block(BlockKind.HEADING, f"{held.text}\n{block.text}", held.level)
            continue
        if held is not None:
            yield held
        held = block
    if held is not None:
        yield held


def _goes_on_in(heading: Block, block: Block) -> bool:
    both = heading.kind is BlockKind.HEADING and block.kind is BlockKind.HEADING and heading.level == block.level
    fits = len(heading.text) + len(block.text) < _LONGEST_HEADING
    return both and fits and block.text[:1].islower() and not _ENDED.search(heading.text)


def _rounded(size: float) -> float:
    return round(size * 2) / 2


def _is_title(text: str) -> bool:
    return len(text) <= _LONGEST_HEADING and sum(map(str.isalpha, text)) >= 2


def _pitch(lines: Sequence[Line]) -> float:
    """Usual distance between two lines of text, from top to top."""
    steps = [
        below.y0 - above.y0
        for above, below in itertools.pairwise(lines)
        if not (above.table or below.table)
        and abs(above.size - below.size) < 1
        and 0 < below.y0 - above.y0 < 2.2 * above.size
    ]
    return median(steps) if steps else 0.0


def _level(line: Line, style: Typography) -> int:
    """1 to 6 for a line that is set as a heading, else 0."""
    if line.table or not _is_title(line.text) or _CONTENTS_LINE.search(line.text):
        return 0
    if line.size >= style.body * _LARGER and (rank := style.heading_ranks.get(_rounded(line.size))):
        return min(6, rank)
    if listed := style.outline.get(plain(line.text), 0):
        return min(6, max(listed, 1))
    stands_out = (line.bold and not style.bold_body) or (line.text.isupper() and sum(map(str.isalpha, line.text)) > 3)
    short = len(line.text) <= _LONGEST_BOLD_HEADING and not line.text.endswith((".", ",", ";", ":"))
    begins = line.text[:1].isupper() or line.text[:1].isdigit()
    return min(6, len(style.heading_ranks) + 1) if stands_out and short and begins and not line.item else 0


def _begins_block(group: Sequence[Line], left: float, line: Line, style: Typography, edge: float, pitch: float) -> bool:
    """Whether a line begins another block than the group above it, whose lines begin at `left` or right of it."""
    last = group[-1]
    if last.table or line.table or _level(last, style) != _level(line, style):
        return True
    if line.y0 - last.y0 > 1.35 * max(pitch, last.size * 1.1) or line.y0 < last.y0 - last.size:
        return True
    if _level(line, style):
        return False
    if line.item or abs(line.size - last.size) > 0.12 * last.size:
        return not (line.item and line.text[0] in "–—-+*" and _goes_on(last, line, edge))
    if group[0].item and line.x0 < group[0].x0 - 2:
        return True
    return _was_broken_on_purpose(group, left, line, edge)


def _goes_on(last: Line, line: Line, edge: float) -> bool:
    """A dash at the beginning of a line in the middle of a sentence: the line before is full and unfinished."""
    return not _ENDED.search(last.text) and last.x1 > edge - 0.12 * (edge - last.x0) and abs(line.x0 - last.x0) < 2


def _was_broken_on_purpose(group: Sequence[Line], left: float, line: Line, edge: float) -> bool:
    """The next word would have fitted on the line, so whoever set it wanted a new one (as a paragraph's last line)."""
    last = group[-1]
    room = edge - last.x1 - line.first_word - 0.4 * last.size
    ended = _ENDED.search(last.text) is not None
    indented = ended and line.x0 - left > 0.8 * line.size and not group[0].item
    if line.text[:1].islower():
        return False
    return indented or room > (0 if ended else 0.15 * max(1.0, edge - last.x0))


def _block(group: Sequence[Line], style: Typography, depth: ListDepth) -> Block:
    first = group[0]
    if first.table:
        depth.end()
        return first.table
    text = "\n".join(line.text for line in group)
    level = _level(first, style)
    if level and len(group) <= _MOST_HEADING_LINES and len(text) <= _LONGEST_HEADING:
        depth.end()
        return Block(BlockKind.HEADING, text, level)
    if first.item:
        return Block(BlockKind.LIST_ITEM, without_bullet(text), depth.of(first.x0))
    return Block(BlockKind.PARAGRAPH, text)
