"""Marks the lists of references: they answer no question and match every one.

An entry cites: it has a year, a DOI or an address, or names a work and states nothing. What a hospital refers to itself
has no year: "Internal formulary, chapter 2". An entry that cites nothing and has a figure is told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES, LeftOut
from careline.tables.extracted import Block, BlockKind, Page
from careline.text.label_words import folded
from careline.text.values import NUMBER, values

_NUMBER = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+")
"""Of a title."""
_CITES = re.compile(
    r"\b(?:19|20)\d\d[a-z]?\b|\bdoi\b|\b10\.\d{4,9}/|https?://|\bet al\b|\bPMID\b|\bISBN\b|www\.|\b(?:cfr|op\. ?cit)\b",
    re.I,
)
_ENTRIES = re.compile(r"\n|;|\[\d{1,3}\]")
"""What parts the entries of a list that is set as one paragraph."""
_ITEM = re.compile(r"^(?:[\[(]?\d{1,3}[\]).]\s*|\d{1,2}\s+)")
"""The number of an entry."""
_FIGURE = re.compile("[0-9]")
_SPACE = re.compile(r"[^a-z0-9]+")
_CITING_SHARE = 0.6
_MOST_TITLES = 40
_LONGEST_TITLE = 60
_LONGEST_ENTRY = 300
"""Characters of a work's name and place; what is longer tells something."""
_LATTER_PART = 0.4
"""The list begins after this share of the text at the earliest, where it is the only one."""
_Placed = Sequence[tuple[int, int, Block]]
"""Blocks with the page and the place on it that they stand at."""


def with_references_marked(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with lists of references marked as left out; what follows one under a heading of its own (an annex) is
    told.

    One that ends a chapter goes as well as one at the end, where the last one stands in the latter part.
    """
    blocks = [(index, place, block) for index, page in enumerate(pages) for place, block in enumerate(page.blocks)]
    passed = _passed(blocks)
    titles = [n for n, (_, _, block) in enumerate(blocks) if passed[n] and _begins_list(block)][-_MOST_TITLES:]
    if not titles or passed[titles[-1]] < _LATTER_PART * passed[-1]:
        return tuple(pages)
    dropped: set[tuple[int, int]] = set()
    for position in titles:
        end = _end(blocks, position) if _is_title(blocks[position][2]) else position + 1
        listed = blocks[position:end]
        if _is_list([each for _, _, each in listed]):
            dropped.update((index, place) for index, place, block in listed if not _states(block))
    return _marked(pages, dropped) if dropped else tuple(pages)


def _passed(blocks: _Placed) -> list[int]:
    """How many characters stand before each block, and in all."""
    passed = [0]
    for _, _, block in blocks:
        passed.append(passed[-1] + len(block.text))
    return passed


def _begins_list(block: Block) -> bool:
    return _is_title(block) or bool(_run_in(block))


def _is_title(block: Block) -> bool:
    text = block.text.strip()
    return block.kind is not BlockKind.TABLE and len(text) < _LONGEST_TITLE and _is_called(text.rstrip(":"))


def _run_in(block: Block) -> list[str]:
    """The entries of a paragraph that begins with the title: "Sources: ward manual, chapter 3"; none of another."""
    title, colon, rest = block.text.strip().partition(":")
    is_one = block.kind is not BlockKind.TABLE and colon and len(title) < _LONGEST_TITLE and _is_called(title)
    return [entry for each in _ENTRIES.split(rest) if (entry := each.strip())] if is_one else []


def _is_called(title: str) -> bool:
    return _words(_NUMBER.sub("", title)) in _listed("titles")


def _end(blocks: _Placed, position: int) -> int:
    """Past the last block of the list: the next heading of the same level or a higher one, or the end."""
    level = blocks[position][2].level or 6
    for later in range(position + 1, len(blocks)):
        block = blocks[later][2]
        if block.kind is BlockKind.HEADING and block.level <= level and not _CITES.search(block.text):
            return later
    return len(blocks)


def _is_list(blocks: Sequence[Block]) -> bool:
    """Whether most of the entries under a title, or behind it on its line, cite something."""
    title, *listed = blocks
    entries = [entry for entry in (*_run_in(title), *(block.text for block in listed)) if len(entry) > 3]
    return bool(entries) and sum(map(_cites, entries)) >= _CITING_SHARE * len(entries)


def _states(block: Block) -> bool:
    """Whether something in a list that cites nothing has a figure, as a number to call in an emergency."""
    entries = _run_in(block) or [block.text]
    return any(_FIGURE.search(_ITEM.sub("", entry)) and not _cites(entry) for entry in entries)


def _cites(entry: str) -> bool:
    return _CITES.search(entry) is not None or _names_work(entry)


def _names_work(entry: str) -> bool:
    """Whether an entry names a work and states no amount, time or number: each is that of a place in the work."""
    if len(entry) > _LONGEST_ENTRY or any(value.kind != NUMBER for value in values(entry, LANGUAGES)):
        return False
    said = f" {_words(_ITEM.sub('', entry))} "
    return any(_has(said, work) for work in _listed("works")) and not _FIGURE.search(_places().sub(" ", said))


def _has(said: str, work: str) -> bool:
    return f"{work[1:]} " in said if work.startswith("-") else f" {work} " in said


def _words(text: str) -> str:
    return _SPACE.sub(" ", folded(text)).strip()


@cache
def _places() -> re.Pattern[str]:
    """Numbered places, and works that are called by a number."""
    named = sorted(one.replace("-", "[a-z]*") for table in ("places", "works") for one in _listed(table))
    return re.compile(rf" (?:{'|'.join(named)}) [0-9][0-9a-z]*(?: [0-9]+)*(?= )")


@cache
def _listed(table: str) -> frozenset[str]:
    content = yaml.load(
        files("careline.knowledge.clean").joinpath("references.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return frozenset(" ".join(one.split()) for one in content[table].split(","))


def _marked(pages: Sequence[Page], places: set[tuple[int, int]]) -> tuple[Page, ...]:
    def mark(block: Block, place: tuple[int, int]) -> Block:
        return replace(block, left_out=LeftOut.REFERENCES) if place in places else block

    return tuple(
        replace(page, blocks=tuple(mark(block, (index, place)) for place, block in enumerate(page.blocks)))
        for index, page in enumerate(pages)
    )
