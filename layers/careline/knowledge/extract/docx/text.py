"""Writes the visible text of a paragraph of a DOCX, raised signs in superscript characters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from careline.knowledge.extract.superscripts import raised

FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_SKIPPED = frozenset(_W + name for name in ("del", "moveFrom", "instrText", "delText", "rPr", "pPr"))
_SPACES = {_W + "tab": "\t", _W + "br": "\n", _W + "cr": "\n", _W + "noBreakHyphen": "-", _W + "softHyphen": "\u00ad"}


def text_of(paragraph: Any, is_hidden: Callable[[Any], bool]) -> str:
    """The visible text of a paragraph, without that of text boxes in it; `\\n` where the author broke a line.

    `is_hidden` says of a run whether readers see nothing of it.
    """
    parts: list[str] = []
    stack = [iter(paragraph)]
    while stack:
        element = next(stack[-1], None)
        if element is None:
            stack.pop()
        elif element.tag == _W + "t":
            text = element.text or ""
            parts.append(raised(text, parts[-1] if parts else "") if _is_raised(element.getparent()) else text)
        elif element.tag in _SPACES:
            parts.append(_SPACES[element.tag])
        elif element.tag not in _SKIPPED and not _is_left_out(element, is_hidden):
            stack.append(iter(element))
    return "".join(parts).strip()


def _is_left_out(element: Any, is_hidden: Callable[[Any], bool]) -> bool:
    return (element.tag == _W + "r" and is_hidden(element)) or element.tag in (FALLBACK, _W + "txbxContent")


def _is_raised(run: Any) -> bool:
    """Set as a superscript, or raised by at least two points (`w:position` counts half points; ECMA-376, 17.3.2.24)."""
    align, position = run.find(f"{_W}rPr/{_W}vertAlign"), run.find(f"{_W}rPr/{_W}position")
    lifted = position.get(_W + "val", "0") if position is not None else "0"
    is_superscript = align is not None and align.get(_W + "val") == "superscript"
    return is_superscript or (lifted.isascii() and lifted.isdecimal() and int(lifted[:6]) >= 4)
