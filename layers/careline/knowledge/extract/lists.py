"""Recognises the bullets and numbers that items of a list begin with, and how deep an item lies."""

from __future__ import annotations

import re

DEEPEST = 5
"""Lists within lists that are told apart."""
BULLETS = "•◦▪▫‣·●○■□➢➤►▶✓✔❖∙⁃–—*+-"
_BULLET = re.compile(rf"(?<![{BULLETS}])[{BULLETS}]+(?=\s)\s*")
_NUMBER = re.compile(r"(?:\(?(?:\d{1,2}|[a-z])\)|\d{1,2}\.|[a-z]\.)(?=\s)\s*")
_DIGITS = re.compile(r"\d{1,2}[.)](?=\s)")
_MARKER = re.compile(rf"(?:[{BULLETS}]|\(?(?:\d{{1,2}}|[a-z])[.)])")


def is_marker(text: str) -> bool:
    """Whether the text is nothing but a bullet or an item's number."""
    return _MARKER.fullmatch(text) is not None


def is_item(line: str) -> bool:
    """Whether a line begins a list item."""
    return (_BULLET.match(line) or _NUMBER.match(line)) is not None


def is_numbered(text: str) -> bool:
    """Whether an item's text begins with a number that marks it as an item wherever it stands; letters do not."""
    return _DIGITS.match(text) is not None


def without_bullet(line: str) -> str:
    """The text of an item: bullets go, numbers stay."""
    return _BULLET.sub("", line, count=1).strip()


class ListDepth:
    """How many items each item of a list stands under, by where it begins on its line.

    `step` is how much further to the right, in the same measure, an item begins that stands under another.
    """

    def __init__(self, step: float) -> None:
        self._step = step
        self._edges: list[float] = []

    def of(self, edge: float) -> int:
        """The depth of the next item."""
        while self._edges and edge <= self._edges[-1] - self._step:
            self._edges.pop()
        if not self._edges or edge >= self._edges[-1] + self._step:
            self._edges.append(edge)
        return min(len(self._edges) - 1, DEEPEST)

    def end(self) -> None:
        """The list has ended."""
        self._edges.clear()
