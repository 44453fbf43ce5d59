"""Gives what stands for an element that has no text of its own: a picture, an icon, a box that is ticked, a formula."""

from __future__ import annotations

import re
from typing import Any

from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.html.page_text import PageText

_FILE_NAME = re.compile(r"[\w .()-]{1,120}\.(?:jpe?g|png|gif|svg|webp|avif|bmp|tiff?)", re.I)
_ICON_NAME = re.compile(r"[a-z][a-z0-9_]{1,40}")
_LONGEST_ICON_NAME = 60
_ICON_CLASS = re.compile(r"(?:^|[\s_-])(?:icons?|symbols|glyphicon|glyph|fa|mdi|bi)(?:[\s_-]|$)", re.I)
_TICKED, _EMPTY_BOX = "☑", "☐"
_UNREAD = frozenset("iframe object embed canvas audio video frame".split())
_NAMED = "img, svg, input, [aria-label], [title]"
_LONGEST = 500
_DEEPEST = 50


def alternative(node: Any, text: PageText, *, in_cell: bool) -> str | None:
    """The text that an element says instead of its content; None where its content is what it says.

    Empty for what only decorates.
    """
    tag, attributes = node.tag, node.attributes
    if tag in ("img", "area") or (tag == "input" and attributes.get("type") == "image"):
        return _of_picture(attributes.get("alt"), attributes)
    if tag == "svg":
        return _of_drawing(node)
    if tag == "math":
        return _tidy(attributes.get("alttext") or "") or formula(node)
    if tag == "input":
        return _of_box(attributes, in_cell=in_cell)
    if tag in ("time", "data") and not text.length(node):
        return _tidy(attributes.get("datetime") or attributes.get("value") or "")
    if is_icon_name(node, text):
        return _label(attributes)
    if (label := _label(attributes)) and not _says_itself(node, text):
        return label
    return None


def unread(node: Any) -> str:
    """What an element is whose words cannot be read, with what the page says of it; empty for every other element."""
    tag, attributes = node.tag, node.attributes
    if tag == "img":
        after = node.next
        if after is not None and after.tag == "noscript" and after.css_first("img[alt]") is not None:
            return ""
        if "alt" in attributes or attributes.get("role") in ("presentation", "none") or _label(attributes):
            return ""
        return f"img {_source(attributes)}".strip()
    if tag in _UNREAD:
        return " ".join(filter(None, (tag, _label(attributes), _source(attributes))))
    return ""


def name_of(node: Any) -> str:
    """What is known of an element without text: its kind and its classes."""
    return f"{node.tag} {node.attributes.get('class') or ''}".strip()


def is_empty_icon(node: Any, text: PageText) -> bool:
    """Whether an element can only be a drawing that a style sheet puts there, without a word of what it means."""
    if node.tag not in ("i", "span") or not node.attributes.get("class") or text.length(node):
        return False
    return not text.holds(node, "img, svg, input")


def is_icon_name(node: Any, text: PageText) -> bool:
    """Whether the text is the name by which a font draws an icon ("check_circle"), which nobody sees."""
    if node.tag not in ("i", "span", "em") or _ICON_CLASS.search(node.attributes.get("class") or "") is None:
        return False
    return _ICON_NAME.fullmatch(text.beginning(node, _LONGEST_ICON_NAME).strip()) is not None


def formula(node: Any, depth: int = 0) -> str:
    """A formula of MathML on one line: a fraction with a stroke, raised and lowered signs as such."""
    tag = node.tag
    if depth > _DEEPEST:
        return _tidy(node.text(separator=" "))
    if tag == "-text":
        return (node.text_content or "").strip()
    if tag in ("annotation", "annotation-xml", "-comment"):
        return ""
    parts = [formula(child, depth + 1) for child in node.iter(include_text=True)]
    if tag == "mfrac" and len(parts) == 2:
        return "/".join(part if part.isalnum() else f"({part})" for part in parts)
    if tag == "msup" and len(parts) == 2:
        return parts[0] + (raised(parts[1]) if parts[1].isdecimal() else f"^{parts[1]}")
    if tag == "msqrt":
        return f"√({' '.join(parts)})"
    return (" " if tag in ("math", "mrow", "semantics") else "").join(filter(None, parts))


def _says_itself(node: Any, text: PageText) -> bool:
    """Whether an element has letters, or something in it that has a text of its own; a picture's parts are drawn."""
    if node.attributes.get("role") == "img":
        return False
    return text.has_letters(node) or text.holds(node, _NAMED)


def _of_picture(alt: str | None, attributes: dict[str, str | None]) -> str:
    text = _tidy(alt or "") or _label(attributes)
    return "" if _FILE_NAME.fullmatch(text) else text


def _of_drawing(node: Any) -> str:
    """A drawing's name, else the words that are drawn in it."""
    if label := _label(node.attributes):
        return label
    title = node.css_first("title")
    if title is not None and (named := _tidy(title.text())):
        return named
    return _tidy(" ".join(each.text() for each in node.css("text")))


def _of_box(attributes: dict[str, str | None], *, in_cell: bool) -> str | None:
    """A box that shows a mark: one that nobody can tick, or one in a table."""
    if attributes.get("type") not in ("checkbox", "radio") or not (in_cell or "disabled" in attributes):
        return ""
    return _TICKED if "checked" in attributes else _EMPTY_BOX


def _label(attributes: dict[str, str | None]) -> str:
    return _tidy(attributes.get("aria-label") or attributes.get("title") or "")


def _source(attributes: dict[str, str | None]) -> str:
    source = attributes.get("src") or attributes.get("data-src") or attributes.get("data") or ""
    return "" if source.startswith("data:") else source[:200]


def _tidy(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
