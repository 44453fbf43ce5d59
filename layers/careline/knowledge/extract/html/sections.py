"""Keeps which heading the text of a page stands under: titles, labels of what opens, terms and what they mean."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from careline.tables.extracted import Block, BlockKind

_DEEPEST = 6
_UNDER_NOTHING = 5
"""Level of a label that no heading stands above: titles in its part stand below it, and those behind it do not."""
_LONGEST_TERM = 200
_MOST_TERMS_ABOVE = 3
"""Lists of terms around a term whose own terms are said before it."""
_LONGEST_TERMS = 600
"""Characters of the terms that stand before one meaning; what is more is told as text of its own."""
_MOST_REPEATED = 200_000
"""Characters of terms that are said again, of a page; behind that a term is said before its first meaning alone."""
_ENDED = (":", "?", "!", ".", ";")


class _Panel(NamedTuple):
    """A part of the page that a button opens: the element that ends it, and the heading that it stands under."""

    element: int
    level: int
    above: Block | None


@dataclass
class _Terms:
    """The terms of a list that stand before the next meaning. `group`: the element around them."""

    terms: list[str] = field(default_factory=list)
    is_meant: bool = False
    """What they mean has begun, though it may be empty."""
    is_named: bool = False
    """They stand before what they mean."""
    group: int = 0
    length: int = 0
    """Characters of the terms."""

    def add(self, term: str) -> bool:
        """Take a term in, where there is room for it."""
        if self.length + len(term) > _LONGEST_TERMS:
            return False
        self.length += len(term)
        self.terms.append(term)
        return True


class Sections:
    """The headings of one page in order. Behind a part that opens, the heading above it holds again.

    `title`: that of the page, under which text stands behind a part above which no heading does.
    """

    def __init__(self, title: str = "") -> None:
        self._title = Block(BlockKind.HEADING, title, 1) if title else None
        self._heading: Block | None = None
        self._label: Block | None = None
        self._panels: list[_Panel] = []
        self._last_closed: _Panel | None = None
        self._holds_again: Block | None = None
        self._terms = [_Terms()]
        self._repeated = 0
        self._part = ""

    def level(self, level: int) -> int:
        """The level of a heading of the page: below the label of the part it stands in."""
        return min(_DEEPEST, max(level, self._panels[-1].level + 1)) if self._panels else level

    def open_panel(self, element: int, label: str) -> list[Block]:
        """The label of a part that begins, as its heading."""
        panel = self._open(element)
        return self.told([Block(BlockKind.HEADING, label, panel.level)])

    def begin_folded(self, summary: Any) -> int:
        """The level of the label of folded text, which ends with the element around the label."""
        return self._open(summary.parent.mem_id if summary.parent is not None else summary.mem_id).level

    def _open(self, element: int) -> _Panel:
        heading = self._holds_again or self._heading
        heading = None if heading is self._title else heading
        level = heading.level + 1 if heading is not None else _UNDER_NOTHING
        panel = _Panel(element, min(_DEEPEST, level), heading)
        self._panels.append(panel)
        return panel

    def closes_with(self, element: int) -> bool:
        """Whether the part that was opened last ends with this element."""
        return bool(self._panels) and self._panels[-1].element == element

    def close_panel(self, element: int) -> None:
        """An element ends; so does the part that it is."""
        if self.closes_with(element):
            self._last_closed = self._panels.pop()
            self._label, self._heading = self._heading, None
            self._holds_again = self._last_closed.above or self._title

    def stay_open(self) -> None:
        """The part that was closed last goes on: its end is written further down."""
        if self._last_closed is not None:
            self._panels.append(self._last_closed)
            self._heading, self._holds_again, self._last_closed = self._label, None, None

    def close_last(self) -> None:
        """The part that was opened last ends here."""
        if self._panels:
            self.close_panel(self._panels[-1].element)

    def begin_term(self, tag: str, group: int) -> list[Block]:
        """A term (`dt`), what it means (`dd`) or a list of them begins in the element `group`. The terms before that
        mean nothing that is told."""
        left: list[Block] = []
        last = self._terms[-1]
        if tag == "dl":
            self._terms.append(_Terms())
        elif tag == "dd":
            last.is_meant = True
        elif last.is_meant or last.group != group:
            left = _alone(last)
            self._terms[-1] = _Terms(group=group)
        self._part = "" if tag == "dl" else tag
        return left

    def end_term(self, tag: str) -> list[Block]:
        """The terms that nothing is said of, where a list of them ends."""
        self._part = ""
        if tag != "dl" or len(self._terms) == 1:
            return []
        ended = self._terms.pop()
        self._terms[-1].is_named |= ended.is_named
        return _alone(ended)

    def told(self, blocks: list[Block]) -> list[Block]:
        """Blocks as they are told here: below the heading that holds, what a term means behind the term."""
        found: list[Block] = []
        for block in blocks:
            is_term = self._part == "dt" and block.kind is BlockKind.PARAGRAPH and len(block.text) <= _LONGEST_TERM
            if is_term and self._terms[-1].add(block.text):
                continue
            if self._part == "dd" and any(each.terms for each in self._terms[-_MOST_TERMS_ABOVE:]):
                block = self._named(block, found)
            if block.kind is BlockKind.HEADING:
                self._holds_again, self._heading = None, block
            elif self._holds_again is not None:
                self._heading, self._holds_again = self._holds_again, None
                found.append(self._heading)
            found.append(block)
        return found

    def end(self) -> list[Block]:
        """What is still to be told at the end of the page."""
        left = [block for terms in self._terms for block in _alone(terms)]
        self._terms, self._part = [_Terms()], ""
        return left

    def _named(self, block: Block, before: list[Block]) -> Block:
        """What a term means, behind the term; a list or a table stands below it."""
        last, around = self._terms[-1], self._terms[-_MOST_TERMS_ABOVE:-1]
        if self._repeated > _MOST_REPEATED:
            around = []
        term = ", ".join(term for each in (*around, last) for term in each.terms)
        is_again, last.is_named, self._part = last.is_named, True, ""
        if not term or (is_again and self._repeated > _MOST_REPEATED):
            return block
        self._repeated += len(term) if is_again else sum(each.length for each in around)
        if block.kind is not BlockKind.PARAGRAPH:
            before.append(Block(BlockKind.PARAGRAPH, term))
            return block
        return replace(block, text=f"{term}{'' if term.endswith(_ENDED) else ':'} {block.text}")


def _alone(terms: _Terms) -> list[Block]:
    """Terms that stand before nothing that is told."""
    return [] if terms.is_named else [Block(BlockKind.PARAGRAPH, term) for term in terms.terms]
