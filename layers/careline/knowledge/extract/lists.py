"""Recognises the bullets and numbers that items of a list begin with."""

from __future__ import annotations

import re

BULLETS = "•◦▪▫‣·●○■□➢➤►▶✓✔❖∙⁃–—*+-"
_BULLET = re.compile(rf"(?<![{BULLETS}])[{BULLETS}]+(?=\s)\s*")
_NUMBER = re.compile(r"(?:\(?(?:\d{1,2}|[a-z])\)|\d{1,2}\.|[a-z]\.)(?=\s)\s*")
_MARKER = re.compile(rf"(?:[{BULLETS}]|\(?(?:\d{{1,2}}|[a-z])[.)])")


def is_marker(text: str) -> bool:
    """Whether the text is nothing but a bullet or an item's number."""
    return _MARKER.fullmatch(text) is not None


def is_item(line: str) -> bool:
    """Whether a line begins a list item."""
    return (_BULLET.match(line) or _NUMBER.match(line)) is not None


def is_numbered(text: str) -> bool:
    """Whether an item's text begins with its number, which is part of what it says."""
    return _NUMBER.match(text) is not None


def without_bullet(line: str) -> str:
    """The text of an item: bullets go, numbers stay."""
    return _BULLET.sub("", line, count=1).strip()
