"""Reads what a page's own style sheets and inline styles say of its elements: struck through, set apart, backwards."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import re2

_NOTES = re2.compile(r"(?s)/\*.*?\*/")
_GROUPED = re2.compile(r"@[a-z-]+[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
"""Rules within a rule, which hold on some screens or on paper only."""
_RULE = re2.compile(r"([^{}]+)\{([^{}]*)\}")
_COMBINED = re2.compile(r"[\s>+~]+")
_CONTENT = re2.compile(r"""(?i)(?:^|[;\s])content\s*:\s*(["'])([^"';{}]{1,200})["']""")
_ESCAPED = re2.compile(r"\\([0-9a-fA-F]{1,6})\s?")
_MOST_SHEETS, _MOST_RULES, _MOST_SELECTORS = 50, 2_000, 150
_LONGEST_SELECTOR = 120
_STRUCK_CLASSES = frozenset(("line-through", "strikethrough", "text-decoration-line-through", "is-struck"))
"""Classes by which the common style libraries strike text through; their sheets are not part of the page."""
_BLOCK = frozenset(("block", "list-item", "table", "table-row", "flow-root", "flex", "grid"))
_BESIDE = frozenset(("inline-block", "inline-flex", "inline-grid", "table-cell"))
_PARTS = frozenset(("flex", "grid", "inline-flex", "inline-grid"))


class Layout(Enum):
    """How an element stands among its neighbours."""

    INLINE = "inline"
    BESIDE = "beside"
    """On their line, with a gap."""
    BLOCK = "block"
    """On lines of its own."""


def rules_of(tree: Any) -> Iterator[tuple[str, str]]:
    """The selectors and the declarations of each rule of a page's own sheets that holds always, in order."""
    for sheet in tree.css("style")[:_MOST_SHEETS]:
        text = _GROUPED.sub(" ", _NOTES.sub(" ", sheet.text()))
        for number, found in enumerate(_RULE.finditer(text)):
            if number > _MOST_RULES:
                break
            yield found.group(1), found.group(2)


class PageStyles:
    """What rules and inline styles of a page say of an element. An inline style goes before every rule."""

    def __init__(self, tree: Any) -> None:
        self._ruled: dict[int, dict[str, Any]] = {}
        self._written: dict[tuple[int, str], str] = {}
        for selectors, style in rules_of(tree):
            if (text := _content(style)) is not None:
                self._write(tree, selectors, text)
        for selector, traits in _by_weight(tree):
            for node in _selected(tree, selector):
                self._ruled.setdefault(node.mem_id, {}).update(traits)

    def _write(self, tree: Any, selectors: str, text: str) -> None:
        for selector in selectors.split(",")[:_MOST_SELECTORS]:
            element, _, place = selector.strip().rpartition(":")
            if place in ("before", "after"):
                for node in _selected(tree, element.rstrip(":")):
                    self._written[node.mem_id, place] = text

    def written(self, node: Any, place: str) -> str:
        """What a rule writes in front of (`before`) or behind (`after`) the element's text; empty for a decoration."""
        return self._written.get((node.mem_id, place), "") if self._written else ""

    def is_struck(self, node: Any) -> bool:
        """Whether a line goes through the element's text."""
        attributes = node.attributes
        struck = self._trait(node, "struck")
        if struck is None:
            return not _STRUCK_CLASSES.isdisjoint((attributes.get("class") or "").split())
        return bool(struck)

    def layout(self, node: Any) -> Layout:
        """How it stands among its neighbours, as far as styles say; `INLINE` where they say nothing."""
        return self._trait(node, "layout") or Layout.INLINE

    def has_parts(self, node: Any) -> bool:
        """Whether its children are set apart from one another, as in a grid."""
        return bool(self._trait(node, "parts"))

    def is_backwards(self, node: Any) -> bool:
        """Whether its characters are shown from the last to the first."""
        is_override = node.tag == "bdo" and (node.attributes.get("dir") or "").lower() == "rtl"
        return is_override or bool(self._trait(node, "rtl") and self._trait(node, "override"))

    def _trait(self, node: Any, name: str) -> Any:
        style = node.attributes.get("style")
        inline = _traits(style) if style else {}
        return inline[name] if name in inline else self._ruled.get(node.mem_id, {}).get(name)


def _by_weight(tree: Any) -> list[tuple[str, dict[str, Any]]]:
    """Selectors with what they say of their elements; the one that goes before others comes last."""
    found: list[tuple[str, dict[str, Any]]] = []
    for selectors, style in rules_of(tree):
        if traits := _traits(style):
            found.extend((selector.strip(), traits) for selector in selectors.split(","))
    return sorted(found[:_MOST_SELECTORS], key=lambda rule: _weight(rule[0]))


def _weight(selector: str) -> tuple[int, int, int]:
    """Ids, classes and elements of a selector, near enough to the order of CSS (Selectors 4, 17)."""
    ids, classes = selector.count("#"), sum(map(selector.count, ".[:"))
    return ids, classes, sum(part[:1].isalpha() for part in _COMBINED.split(selector))


def _selected(tree: Any, selector: str) -> list[Any]:
    """The elements of a selector; none for one that the parser does not know, as of `::before`."""
    from selectolax.lexbor import SelectolaxError

    if not 0 < len(selector) <= _LONGEST_SELECTOR or ":has(" in selector:
        return []
    try:
        return list(tree.css(selector))
    except SelectolaxError:
        return []


def _content(style: str) -> str | None:
    """The words or the mark that declarations write beside an element; None for none, and for signs of an icon font."""
    found = _CONTENT.search(style)
    if found is None:
        return None
    text = _ESCAPED.sub(lambda code: _character(int(code.group(1), 16)), found.group(2))
    is_told = any(sign.isalnum() or sign in "✓✔✗✘☑☒☐✅❌" for sign in text)
    return text if is_told and not any("\ue000" <= sign <= "\uf8ff" for sign in text) else None


def _character(number: int) -> str:
    """The character of a number; the replacement character where there is none (CSS Syntax 3, 4.3.7)."""
    is_one = number < 0xD800 or 0xE000 <= number <= 0x10FFFF
    return chr(number) if is_one and number else "\ufffd"


def _traits(style: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        words = value.replace("!important", " ").split()
        match name.strip():
            case "text-decoration" | "text-decoration-line" | "-webkit-text-decoration":
                found["struck"] = "line-through" in words
            case "display" if words:
                found["parts"] = words[-1] in _PARTS
                found["layout"] = _layout(words[0] if len(words) == 1 else "-".join(words))
            case "float" | "position" if words and words[0] in ("left", "right", "absolute"):
                found.setdefault("layout", Layout.BESIDE)
            case "direction":
                found["rtl"] = words == ["rtl"]
            case "unicode-bidi":
                found["override"] = bool(words) and words[0] in ("bidi-override", "isolate-override")
            case _:
                pass
    return found


def _layout(display: str) -> Layout:
    if display in _BLOCK:
        return Layout.BLOCK
    return Layout.BESIDE if display in _BESIDE or display.startswith("inline-") else Layout.INLINE
