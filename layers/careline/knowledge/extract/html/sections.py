"""Keeps which heading the text of a page stands under: titles, labels of what opens, terms and what they mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from careline.tables.extracted import Block, BlockKind

_DEEPEST = 6
_LONGEST_TERM = 200
_ENDED = (":", "?", "!", ".", ";")


class _Panel(NamedTuple):
    """A part of the page that a button opens: the element that ends it, and the heading that it stands under."""

    element: int
    level: int
    above: Block | None


class Sections:
    """The headings of one page in order. Behind a part that opens, the heading above it holds again."""

    def __init__(self) -> None:
        self._heading: Block | None = None
        self._panels: list[_Panel] = []
        self._last_closed: _Panel | None = None
        self._holds_again: Block | None = None
        self._terms: list[str] = []
        self._part = ""
        self._is_named = False

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
        panel = _Panel(element, min(_DEEPEST, heading.level + 1) if heading is not None else 1, heading)
        self._panels.append(panel)
        return panel

    def closes_with(self, element: int) -> bool:
        """Whether the part that was opened last ends with this element."""
        return bool(self._panels) and self._panels[-1].element == element

    def close_panel(self, element: int) -> None:
        """An element ends; so does the part that it is."""
        if self.closes_with(element):
            self._last_closed = self._panels.pop()
            self._holds_again = self._last_closed.above

    def stay_open(self) -> None:
        """The part that was closed last goes on: its end is written further down."""
        if self._last_closed is not None:
            self._panels.append(self._last_closed)
            self._holds_again = self._last_closed = None

    def close_last(self) -> None:
        """The part that was opened last ends here."""
        if self._panels:
            self.close_panel(self._panels[-1].element)

    def begin_term(self, tag: str) -> None:
        """A term (`dt`), what it means (`dd`) or a list of them begins."""
        if tag == "dt" and self._is_named:
            self._terms, self._is_named = [], False
        self._part = "" if tag == "dl" else tag

    def end_term(self, tag: str) -> list[Block]:
        """The terms that nothing is said of, where a list of them ends."""
        self._part = ""
        if tag != "dl" or self._is_named or not self._terms:
            return []
        left, self._terms = self._terms, []
        return [Block(BlockKind.PARAGRAPH, term) for term in left]

    def told(self, blocks: list[Block]) -> list[Block]:
        """Blocks as they are told here: below the heading that holds, what a term means behind the term."""
        found: list[Block] = []
        for block in blocks:
            if self._part == "dt" and block.kind is BlockKind.PARAGRAPH and len(block.text) <= _LONGEST_TERM:
                self._terms.append(block.text)
                continue
            if self._part == "dd" and self._terms:
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
        return self.end_term("dl")

    def _named(self, block: Block, before: list[Block]) -> Block:
        """What a term means, behind the term; a list or a table stands below it."""
        term = ", ".join(self._terms)
        self._is_named, self._part = True, ""
        if block.kind is not BlockKind.PARAGRAPH:
            before.append(Block(BlockKind.PARAGRAPH, term))
            return block
        return replace(block, text=f"{term}{'' if term.endswith(_ENDED) else ':'} {block.text}")
