# ruff: noqa: RUF001 - the quotation marks, dashes and accents of four languages are data here
"""Puts together paragraphs that a page or column break cut in two."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from careline.model import Block, BlockKind, Page

_ENDED = re.compile(r"[.!?:;…][)\"'”’»\]]*$")
_HYPHENATED = re.compile(r"\w[-\u00ad\u2010]$")
_SHORTEST = 25
"""Shorter pieces are lines of an address or a form, not the beginning of a paragraph."""


def joined_over_breaks(pages: Iterable[Page]) -> tuple[Page, ...]:
    """Pages on which every paragraph is whole, standing where it begins."""
    finished: list[list[Block]] = []
    numbers: list[Page] = []
    end: tuple[int, int] | None = None
    for index, page in enumerate(pages):
        numbers.append(page)
        finished.append([])
        for block in page.blocks:
            if end is not None and _goes_on(finished[end[0]][end[1]], block):
                before = finished[end[0]][end[1]]
                finished[end[0]][end[1]] = replace(before, text=f"{before.text}\n{block.text}")
                continue
            finished[index].append(block)
            end = index, len(finished[index]) - 1
    return tuple(replace(page, blocks=tuple(blocks)) for page, blocks in zip(numbers, finished, strict=True))


def _goes_on(before: Block, block: Block) -> bool:
    """The first part is unfinished and the second begins in the middle of a sentence."""
    if before.kind not in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM) or block.kind is not BlockKind.PARAGRAPH:
        return False
    if not block.text[:1].islower():
        return False
    if _HYPHENATED.search(before.text):
        return True
    return len(before.text) >= _SHORTEST and _ENDED.search(before.text) is None
