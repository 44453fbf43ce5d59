"""Sets what is left out apart from what is told, and counts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from careline.model import LeftOut, LeftOutCount
from careline.tables.extracted import Block, Extracted, Page


def apart(pages: Sequence[Page]) -> tuple[tuple[Page, ...], list[tuple[Block, ...]]]:
    """The pages with what is told alone, and what is left out of each."""
    told = tuple(replace(page, blocks=tuple(b for b in page.blocks if b.left_out is None)) for page in pages)
    return told, [tuple(b for b in page.blocks if b.left_out is not None) for page in pages]


def counts(extracted: Extracted) -> tuple[LeftOutCount, ...]:
    """How much is left out, by reason, in the order of `LeftOut`; reasons that hold for nothing are not there."""
    blocks = [block for page in extracted.pages for block in page.blocks]
    found = []
    for reason in LeftOut:
        texts = [block.text for block in blocks if block.left_out is reason]
        if texts:
            found.append(LeftOutCount(reason, len(texts), sum(map(len, texts))))
    return tuple(found)
