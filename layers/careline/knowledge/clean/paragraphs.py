"""Puts together paragraphs that a page or column break cut in two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from careline.tables.extracted import Block, BlockKind, Page

_ENDED = re.compile(r"[.!?:;…][)\"'”’»\]]*$")
_HYPHENATED = re.compile(r"\w[-\u00ad\u2010]$")
_ADDRESS = re.compile(r"https?:|www\.|\S+@\S")
_GOES_ON = re.compile(
    r"(?:^|\s)(?:of|to|for|from|at|on|in|until|than|with|the|and|or|van|tot|voor|aan|op|om|met|de|het|een|en|bij|naar|vanaf"
    r"|à|du|des|le|la|les|un|une|et|ou|pour|par|avec|au|aux|di|da|dal|del|della|al|alla|il|e|o|per|con|fino)$"
)
"""A preposition, an article or "and", with which no paragraph ends."""
_FIGURE = re.compile(r"[€£]? ?[0-9]+(?![.)] )")
"""A figure that a sentence goes on with, and no number of an item."""
_SHORTEST = 25
"""Shorter pieces are lines of an address or a form, not the beginning of a paragraph."""


def joined_over_breaks(pages: Sequence[Page]) -> tuple[Page, ...]:
    """Pages on which every paragraph is whole, standing where it begins."""
    held: list[tuple[int, Block, list[str]]] = []
    for index, page in enumerate(pages):
        for block in page.blocks:
            if held and _goes_on(held[-1][1].kind, held[-1][2], block):
                held[-1][2].append(block.text)
            else:
                held.append((index, block, [block.text]))
    finished: list[list[Block]] = [[] for _ in pages]
    for index, block, parts in held:
        finished[index].append(block if len(parts) == 1 else replace(block, text="\n".join(parts)))
    return tuple(replace(page, blocks=tuple(blocks)) for page, blocks in zip(pages, finished, strict=True))


def _goes_on(kind: BlockKind, parts: list[str], block: Block) -> bool:
    """The first part is unfinished and the second begins in the middle of a sentence."""
    if kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or block.kind is not BlockKind.PARAGRAPH:
        return False
    end = parts[-1][-_SHORTEST:]
    is_middle = block.text[:1].islower() or (_GOES_ON.search(end) and _FIGURE.match(block.text))
    if not is_middle or _ADDRESS.match(block.text):
        return False
    return _HYPHENATED.search(end) is not None or (
        (len(parts) > 1 or len(parts[0]) >= _SHORTEST) and _ENDED.search(end) is None
    )
