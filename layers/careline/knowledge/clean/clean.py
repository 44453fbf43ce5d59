"""Cleans what was extracted: running lines, page numbers, broken characters and words, the references at the end.

What is left out stays in the document, marked with why, so that it can be counted and shown to those who keep it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from careline.knowledge.clean.characters import repaired
from careline.knowledge.clean.hyphens import DocumentVocabulary, unwrapped
from careline.knowledge.clean.left_out import apart
from careline.knowledge.clean.paragraphs import joined_over_breaks
from careline.knowledge.clean.references import with_references_marked
from careline.knowledge.clean.running_lines import with_running_lines_marked
from careline.knowledge.clean.spacing import spaced
from careline.knowledge.clean.tables_over_breaks import tables_joined_over_breaks
from careline.model import LeftOut
from careline.tables import read as tables
from careline.tables.extracted import Block, BlockKind, Extracted, Page


def clean(extracted: Extracted) -> Extracted:
    """The same document, cleaned. No digit of the text is changed.

    Pages keep their numbers and stay even when nothing is left on them. A paragraph that goes on over a page break is
    found whole on the page of its first line. What is left out stands last on its page.
    """
    told, left_out = apart(_with_repaired(extracted.pages))
    if extracted.paged:
        told, running = apart(with_running_lines_marked(told))
        told = tables_joined_over_breaks(joined_over_breaks(told))
        left_out = [(*above, *below) for above, below in zip(left_out, running, strict=True)]
    vocabulary = DocumentVocabulary(block.text for page in told for block in page.blocks)
    told = tuple(_with_blocks(page, tuple(_tidy(block, vocabulary) for block in page.blocks)) for page in told)
    pages = []
    for page, blocks in zip(with_references_marked(told), left_out, strict=True):
        # What is hidden is screened as it would be read; what else is left out is shown as it stands.
        apart_from_it = (_tidy(one, vocabulary) if one.left_out is LeftOut.HIDDEN else one for one in blocks)
        pages.append(_with_blocks(page, (*page.blocks, *apart_from_it)))
    return replace(extracted, pages=tuple(pages))


def _with_repaired(pages: Sequence[Page]) -> tuple[Page, ...]:
    return tuple(_with_blocks(page, tuple(map(_repaired, page.blocks))) for page in pages)


def _with_blocks(page: Page, blocks: tuple[Block, ...]) -> Page:
    return replace(page, blocks=tuple(block for block in blocks if block.text))


def _repaired(block: Block) -> Block:
    if block.cells:
        return _with_cells(block, repaired)
    text = repaired(block.text)
    return block if text == block.text else replace(block, text=text)


def _with_cells(block: Block, change: Callable[[str], str]) -> Block:
    """The table with each cell's text changed by itself, at its place."""
    cells = tuple(replace(cell, text=" ".join(change(cell.text).split())) for cell in block.cells)
    return block if cells == block.cells else tables.block([cell for cell in cells if cell.text], block.edges)


def _tidy(block: Block, vocabulary: DocumentVocabulary) -> Block:
    if block.cells:
        return _with_cells(block, lambda text: _in_order(repaired(unwrapped(text, vocabulary)), spaced))
    text = block.text if block.kind is BlockKind.TABLE else repaired(unwrapped(block.text, vocabulary))
    text = _in_order(text, _spaced_lines)
    return block if text == block.text else replace(block, text=text)


def _in_order(text: str, space: Callable[[str], str]) -> str:
    """The text with its spaces in order, repaired once more: a space too many hides what was decoded wrongly."""
    tidied = space(text)
    again = repaired(tidied)
    return tidied if again == tidied else space(again)


def _spaced_lines(text: str) -> str:
    return "\n".join(filter(None, (spaced(line) for line in text.split("\n"))))
