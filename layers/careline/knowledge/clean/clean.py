"""Cleans what was extracted: running lines, page numbers, broken characters and words, the references at the end.

What is left out stays in the document, marked with why, so that it can be counted and shown to those who keep it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from careline.knowledge.clean.characters import repaired
from careline.knowledge.clean.hyphens import DocumentVocabulary, unwrapped
from careline.knowledge.clean.paragraphs import joined_over_breaks
from careline.knowledge.clean.references import without_references
from careline.knowledge.clean.running_lines import without_running_lines
from careline.knowledge.clean.spacing import spaced
from careline.knowledge.clean.tables_over_breaks import tables_joined_over_breaks
from careline.tables import read as tables
from careline.tables.extracted import Block, BlockKind, Extracted, Page


def clean(extracted: Extracted) -> Extracted:
    """The same document, cleaned. No digit of the text is changed.

    Pages keep their numbers and stay even when nothing is left on them. A paragraph that goes on over a page break is
    found whole on the page of its first line. What is left out stands last on its page.
    """
    unseen = [tuple(block for block in page.blocks if block.left_out is not None) for page in extracted.pages]
    extracted = replace(extracted, pages=tuple(_seen(page) for page in extracted.pages))
    pages = tuple(_with_blocks(page, tuple(_repaired(block) for block in page.blocks)) for page in extracted.pages)
    if extracted.paged:
        pages = tables_joined_over_breaks(joined_over_breaks(without_running_lines(pages)))
    vocabulary = DocumentVocabulary(block.text for page in pages for block in page.blocks)
    pages = tuple(_with_blocks(page, tuple(_tidy(block, vocabulary) for block in page.blocks)) for page in pages)
    told = without_references(pages)
    return replace(extracted, pages=tuple(map(_with_left_out, told, unseen)))


def _seen(page: Page) -> Page:
    return replace(page, blocks=tuple(block for block in page.blocks if block.left_out is None))


def _with_left_out(page: Page, blocks: tuple[Block, ...]) -> Page:
    return replace(page, blocks=(*page.blocks, *filter(lambda block: block.text, map(_repaired, blocks))))


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
