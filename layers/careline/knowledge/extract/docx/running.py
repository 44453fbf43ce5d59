"""Reads the headers and footers of a DOCX, each once, as the running lines of a page are treated elsewhere.

What stands on one page only is text as any other: a letterhead, or the only page of a leaflet. Of what is repeated on
every page, lines stay that say how to reach somebody, with those beside them that say who it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from careline.knowledge.clean.running_lines import is_page_number, says_how_to_reach
from careline.knowledge.extract.docx.names import R, W, is_on
from careline.knowledge.extract.docx.story import ReadBlock
from careline.model import LeftOut
from careline.tables.extracted import Block, BlockKind

_KINDS = ("first", "default", "even")


class RunningPart(NamedTuple):
    """A header or footer: the id of its relationship, and whether it stands on one page at most."""

    relationship: str
    on_one_page: bool


def parts_of(body: Any, *, even_and_odd: bool, one_page: bool) -> tuple[list[RunningPart], list[RunningPart]]:
    """The headers and the footers that pages show, in the order of their sections, each once.

    A section without one of a kind goes on with that of the section before; a first page is different only where its
    section says so, and even pages where the document does (ECMA-376, 17.10.1 to 17.10.6).
    """
    found: dict[str, dict[str, RunningPart]] = {"headerReference": {}, "footerReference": {}}
    held: dict[tuple[str, str], str] = {}
    for section in body.iter(W + "sectPr"):
        for reference in section.iterchildren(W + "headerReference", W + "footerReference"):
            name = reference.tag.removeprefix(W)
            held[name, reference.get(W + "type", "default")] = reference.get(R + "id", "")
        shown = {"default", *(("even",) if even_and_odd else ())}
        shown |= {"first"} if is_on(section.find(W + "titlePg")) else set()
        for name, parts in found.items():
            for kind in _KINDS:
                part = held.get((name, kind))
                if part and kind in shown:
                    on_one_page = one_page or (kind == "first" and (part not in parts or parts[part].on_one_page))
                    parts[part] = RunningPart(part, on_one_page)
    return list(found["headerReference"].values()), list(found["footerReference"].values())


def running_blocks(blocks: Sequence[ReadBlock], seen: set[str], *, on_one_page: bool) -> Iterator[Block]:
    """The blocks of a header or footer, with why those are left out that are. `seen` are the lines of those before."""
    lines = [(line, read.counts_pages) for read in blocks for line in _lines(read.block)]
    reaches = any(says_how_to_reach(line.text) for line, _ in lines)
    for line, counts_pages in lines:
        key = " ".join(line.text.casefold().split())
        if line.left_out is not None or key in seen:
            continue
        seen.add(key)
        told = says_how_to_reach(line.text) or (
            not (counts_pages or is_page_number(line.text)) and (on_one_page or _names(line.text, reaches))
        )
        yield line if told else Block(BlockKind.PARAGRAPH, line.text, left_out=LeftOut.RUNNING)


def _names(text: str, reaches: bool) -> bool:
    """Whether a line of a header says who is reached: it stands beside a line that says how, and has no figure."""
    return reaches and not any(map(str.isdecimal, text))


def _lines(block: Block) -> list[Block]:
    """A block as paragraphs; a table of one row is a line in columns, one of several rows stays a table."""
    if block.kind is BlockKind.TABLE:
        return [block] if any(cell.row or cell.rows > 1 for cell in block.cells) else _cells(block)
    lines = filter(str.strip, block.text.split("\n"))
    return [Block(BlockKind.PARAGRAPH, line, left_out=block.left_out) for line in lines]


def _cells(block: Block) -> list[Block]:
    return [Block(BlockKind.PARAGRAPH, cell.text) for cell in sorted(block.cells, key=lambda cell: cell.column)]
