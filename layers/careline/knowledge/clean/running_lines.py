"""Marks what is printed on every page: running headers and footers, and page numbers.

A line is running when it stands at the same edge of many pages with nothing but such lines outside of it. A number in
it may differ only as page numbers do, so that "Kamer 12" and "Stap 3" at the top of a page stay. A running line that
says how to reach somebody stays once, on the last page: in a brochure it is often the only place that does.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind, Page
from careline.text.phone_numbers import PHONE

_EDGE_LINES = 4
_LONGEST = 160
_SHARE_OF_PAGES = 0.25
_FEWEST_PAGES = 3
_DENSE = 2.2
"""A header of one chapter stands on most pages of a stretch: the stretch is at most this many times its count."""

_DIGITS = re.compile(r"\d+")
_PAGE_WORD = r"(?:page|pagina|pagine|pag|blz|bladzijde|p|pg|folio)"
_PAGE_NUMBER = re.compile(
    rf"[\W_]*(?:{_PAGE_WORD}\.?\s*)?(\d{{1,4}})(?:\s*(?:/|\||van|of|de|di|sur|su|op|-|–)\s*\d{{1,4}})?[\W_]*",
    re.I,
)
_NAMED_PAGE_NUMBER = re.compile(rf"[\W_]*{_PAGE_WORD}\.?\s*\d{{1,4}}.*", re.I)
_CONTACT = re.compile(r"\S@[^\s@]+\.\w|(?:\+|\b0)\d(?:[\s./()-]?\d){7,}")
"""An e-mail address or a telephone number."""

_ROMAN = re.compile(r"[\W_]*[ivxl]{1,7}[\W_]*")

_Place = tuple[int, int, int]
"""Index of the page, of the block on it, of the line in it."""


@dataclass(frozen=True, slots=True)
class _EdgeLine:
    """A line near the top or bottom of a page."""

    place: _Place
    number: int
    edge: str
    text: str
    kind: BlockKind

    @property
    def signature(self) -> tuple[str, str]:
        """Edge and text with every number masked."""
        return self.edge, _DIGITS.sub("#", " ".join(self.text.casefold().split()))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers in the text, in order."""
        return tuple(int(found[:9]) for found in _DIGITS.findall(self.text))


def with_running_lines_marked(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with their running lines and page numbers marked as left out, each as a block of its own."""
    lines = [line for index, page in enumerate(pages) for line in _edge_lines(index, page)]
    filled = sum(bool(page.blocks) for page in pages)
    running = set(_page_numbers(lines))
    groups: defaultdict[tuple[str, str], list[_EdgeLine]] = defaultdict(list)
    for line in lines:
        groups[line.signature].append(line)
    for group in groups.values():
        running.update(_running(group, filled))
    if not running:
        return tuple(pages)
    dropped = _reaching_the_edge(lines, running)
    return tuple(_marked(page, index, dropped) for index, page in enumerate(pages))


def says_how_to_reach(text: str) -> bool:
    """Whether a line has an e-mail address or a telephone number."""
    return _CONTACT.search(text) is not None or PHONE.search(text) is not None


def is_page_number(text: str) -> bool:
    """Whether a text is nothing but the number of a page."""
    return _PAGE_NUMBER.fullmatch(text) is not None


def _edge_lines(index: int, page: Page) -> Iterator[_EdgeLine]:
    """The first and the last lines of a page, from each edge inwards, up to the first table or long line."""
    lines = [
        (place, line, block.kind)
        for place, block in enumerate(page.blocks)
        for line in enumerate(block.text.split("\n"))
    ]
    top = min(_EDGE_LINES, max(1, len(lines) // 3))
    bottom = min(top, len(lines) - top)
    for edge, found in (("top", lines[:top]), ("bottom", reversed(lines[len(lines) - bottom :]))):
        for place, (line_index, text), kind in found:
            if len(text) > _LONGEST or kind is BlockKind.TABLE:
                break
            yield _EdgeLine((index, place, line_index), page.number, edge, text, kind)


def _reaching_the_edge(lines: Sequence[_EdgeLine], running: set[_Place]) -> set[_Place]:
    """Running lines with only running lines between them and the edge; `lines` go from each edge inwards."""
    reached: set[_Place] = set()
    for _, edge in groupby(lines, key=lambda line: (line.number, line.edge)):
        reached.update(line.place for line in takewhile(lambda line: line.place in running, edge))
    return reached


def _page_numbers(lines: Sequence[_EdgeLine]) -> Iterator[_Place]:
    """Lines that are nothing but a page number. A bare number counts when it runs along with the pages."""
    bare: list[tuple[_EdgeLine, int]] = []
    roman: list[_EdgeLine] = []
    for line in lines:
        found = _PAGE_NUMBER.fullmatch(line.text)
        if found and _NAMED_PAGE_NUMBER.fullmatch(line.text):
            yield line.place
        elif found:
            bare.append((line, int(found.group(1)) - line.number))
        elif _ROMAN.fullmatch(line.text):
            roman.append(line)
    offsets = Counter(offset for _, offset in bare)
    yield from (line.place for line, offset in bare if offset == 0 or offsets[offset] >= _FEWEST_PAGES - 1)
    if len({line.number for line in roman}) >= _FEWEST_PAGES - 1:
        yield from (line.place for line in roman)


def _running(group: Sequence[_EdgeLine], filled: int) -> Iterator[_Place]:
    """The places of a group that is a running line, without those that stay.

    The first heading stays: it may be the title or the chapter. The last line with a way to reach somebody stays.
    """
    pages = sorted({line.number for line in group})
    if len(pages) < min(_FEWEST_PAGES, max(2, filled)):
        return
    dense = len(pages) > _FEWEST_PAGES and pages[-1] - pages[0] + 1 <= _DENSE * len(pages)
    if len(pages) < _SHARE_OF_PAGES * filled and not dense:
        return
    headings = any(line.kind is BlockKind.HEADING for line in group)
    if not _same_but_for_page(group, allow_page_number=not headings):
        return
    stays = next((line for line in group if line.kind is BlockKind.HEADING), None)
    if stays is None and says_how_to_reach(group[-1].text):
        stays = group[-1]
    yield from (line.place for line in group if line is not stays)


def _same_but_for_page(group: Sequence[_EdgeLine], *, allow_page_number: bool) -> bool:
    """The numbers in the lines are all the same, or those that differ go with the number of the page."""
    rows = [line.numbers for line in group]
    for column in zip(*rows, strict=True):
        if len(set(column)) == 1:
            continue
        offsets = Counter(value - line.number for value, line in zip(column, group, strict=True))
        if not allow_page_number or offsets.most_common(1)[0][1] < 0.8 * len(group):
            return False
    return True


def _marked(page: Page, index: int, dropped: set[_Place]) -> Page:
    blocks: list[Block] = []
    for place, block in enumerate(page.blocks):
        lines = block.text.split("\n")
        running = [line for number, line in enumerate(lines) if (index, place, number) in dropped]
        if block.kind is BlockKind.TABLE or not running:
            blocks.append(block)
            continue
        kept = [line for number, line in enumerate(lines) if (index, place, number) not in dropped]
        if kept:
            blocks.append(replace(block, text="\n".join(kept)))
        blocks.append(Block(BlockKind.PARAGRAPH, "\n".join(running), left_out=LeftOut.RUNNING))
    return replace(page, blocks=tuple(blocks))
