"""Marks the list of references at the end: it answers no question and matches every one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from careline.tables.extracted import Block, BlockKind, LeftOut, Page

_TITLE = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2})*\.?\s+)?(?:"
    r"references|reference list|bibliography|literature(?: cited)?|works cited|"
    r"referenties(?:lijst)?|bronnen(?:lijst|vermelding)?|bibliografie|literatuur(?:lijst|verwijzingen|opgave)?|"
    r"geraadpleegde (?:bronnen|literatuur)|"
    r"r[ée]f[ée]rences(?: bibliographiques)?|bibliographie|sources|"
    r"bibliografia|riferimenti(?: bibliografici)?|fonti|referenze"
    r")\s*:?",
    re.I,
)
"""What the list is called in Dutch, English, French and Italian, alone on its line."""

_CITES = re.compile(
    r"\b(?:19|20)\d\d[a-z]?\b|\bdoi\b|\b10\.\d{4,9}/|https?://|\bet al\b|\bPMID\b|\bISBN\b|www\.|\b(?:cfr|op\. ?cit)\b",
    re.I,
)
_CITING_SHARE = 0.6
_MOST_TITLES = 10
_LATTER_PART = 0.4
"""The list begins after this share of the text at the earliest."""


def with_references_marked(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with a trailing list of references marked as left out, title and all; what follows it under a heading
    of its own (an annex) is told."""
    blocks = [(index, place, block) for index, page in enumerate(pages) for place, block in enumerate(page.blocks)]
    total = sum(len(block.text) for _, _, block in blocks)
    passed = 0
    titles: list[int] = []
    for position, (_, _, block) in enumerate(blocks):
        if passed >= _LATTER_PART * total and _is_title(block):
            titles.append(position)
        passed += len(block.text)
    for position in titles[-_MOST_TITLES:]:
        end = _end(blocks, position)
        if _is_list([each for _, _, each in blocks[position + 1 : end]]):
            return _marked(pages, {(index, place) for index, place, _ in blocks[position:end]})
    return tuple(pages)


def _is_title(block: Block) -> bool:
    return (
        block.kind is not BlockKind.TABLE and len(block.text) < 60 and _TITLE.fullmatch(block.text.strip()) is not None
    )


def _end(blocks: Sequence[tuple[int, int, Block]], position: int) -> int:
    """Past the last block of the list: the next heading of the same level or a higher one, or the end."""
    level = blocks[position][2].level or 6
    for later in range(position + 1, len(blocks)):
        block = blocks[later][2]
        if block.kind is BlockKind.HEADING and block.level <= level and not _CITES.search(block.text):
            return later
    return len(blocks)


def _is_list(blocks: Sequence[Block]) -> bool:
    """Most of the entries cite something: a year, a DOI, an address."""
    entries = [block for block in blocks if len(block.text) > 3]
    cited = sum(_CITES.search(block.text) is not None for block in entries)
    return bool(entries) and cited >= _CITING_SHARE * len(entries)


def _marked(pages: Sequence[Page], places: set[tuple[int, int]]) -> tuple[Page, ...]:
    def mark(block: Block, place: tuple[int, int]) -> Block:
        return replace(block, left_out=LeftOut.REFERENCES) if place in places else block

    return tuple(
        replace(page, blocks=tuple(mark(block, (index, place)) for place, block in enumerate(page.blocks)))
        for index, page in enumerate(pages)
    )
