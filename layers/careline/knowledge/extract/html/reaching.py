"""Keeps of what belongs to a web page how somebody is reached, where nothing else on the page says so.

The number to call in an emergency often stands in the footer alone. It is told once, at the end of the page and under
its title, with what stands around it in the same element.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from careline.knowledge.extract.html.furniture.page_values import contacts_of
from careline.knowledge.extract.html.page import ReadPage
from careline.knowledge.extract.html.walk import Walk
from careline.tables.extracted import Block, BlockKind

_MOST = 50
"""Elements of a page that are gone through once more."""


def with_contacts(
    blocks: Sequence[Block], furniture: Sequence[tuple[Any, Block]], page: ReadPage, title: str
) -> tuple[Block, ...]:
    """The blocks of a page, with those of its furniture that say how somebody is reached and no told block does.

    They stand under the page's only title of level 1, else under `title`; before everything where there is none.
    """
    reaching = [(node, block, found) for node, block in furniture if (found := page.values.contacts(node))]
    if not reaching:
        return tuple(blocks)
    told = _contacts(blocks)
    kept: list[Block] = []
    replaced: set[int] = set()
    for node, block, found in reaching[:_MOST]:
        if found <= told:
            continue
        again = [block for block, _ in Walk(page, sought=found - told).blocks(node)]
        if not _contacts(again) <= told:
            kept.extend(again)
            replaced.add(id(block))
            told |= _contacts(again)
    rest = [block for block in blocks if id(block) not in replaced]
    return _under_title(rest, kept, title) if kept else tuple(blocks)


def _contacts(blocks: Sequence[Block]) -> set[str]:
    return {contact for block in blocks if block.left_out is None for contact in contacts_of(block.text)}


def _under_title(blocks: Sequence[Block], kept: Sequence[Block], title: str) -> tuple[Block, ...]:
    headings = [block for block in blocks if block.kind is BlockKind.HEADING and block.left_out is None]
    titles = [block for block in headings if block.level == 1]
    if not headings or (len(titles) == 1 and headings[-1] is titles[0]):
        return (*blocks, *kept)
    if len(titles) == 1:
        return (*blocks, titles[0], *kept)
    return (*blocks, Block(BlockKind.HEADING, title, 1), *kept) if title else (*kept, *blocks)
