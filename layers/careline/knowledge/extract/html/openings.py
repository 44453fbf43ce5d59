"""Says which hidden parts of a web page its readers can open: the answers of an accordion, a tab, a folded list.

A rule of the page's own style sheets shows what another one hides once something is open, checked, aimed at or has one
more class; or a button names what it opens. Where nothing on the page can bring that state about, nothing is opened.
"""

from __future__ import annotations

from typing import Any

import re2

_SHOWN = re2.compile(
    r"(?i)display\s*:\s*(?:block|flex|grid|inline|contents|table|list-item|revert|initial|unset)"
    r"|visibility\s*:\s*visible|(?:max-)?height\s*:\s*(?:[1-9]\d|auto|none|fit-content|max-content)"
)
_LAST = re2.compile(r"[^\s>+~]+$")
_NAME = re2.compile(r"[.#][A-Za-z_][\w-]*")
_FOLDED, _TARGET, _CHECKED, _CLASS = "folded", "target", "checked", "class"
_PRESSED = "button, [role=button], [role=tab], summary, label, [onclick], [aria-expanded], [data-toggle]"
OPENERS = (
    "[aria-controls], [data-target], [data-bs-target], [popovertarget], [commandfor], a[data-toggle], "
    "a[data-bs-toggle], a[role=tab], a[role=button], button[onclick], a[onclick]"
)
"""Selector of elements that may name what they open."""
_NAMING = ("aria-controls", "data-target", "data-bs-target", "popovertarget", "commandfor")
_QUOTED_NAME = re2.compile(r"[A-Za-z_][\w-]*")
_FOLDING = ", ".join(
    f"{each}[aria-expanded]:not([disabled])"
    for each in ("button", "summary", "[role=button]", "[role=tab]", "a:not([href])", "a[href^='#']")
)
"""Selector of buttons that say whether something is unfolded. A link to another page unfolds nothing."""
_BUTTON_ROLES = ("button", "tab")
_UNSEEN = frozenset(("-comment", "style", "script", "template", "link", "meta"))
_AROUND_BUTTON = frozenset(("button", "a", "h1", "h2", "h3", "h4", "h5", "h6", "dt"))
_MOST = 500
_DEEPEST = 40


class Openings:
    """What the rules and buttons of a page open, and what there is to open it with."""

    def __init__(self, tree: Any, *, scripted: bool) -> None:
        self._states: dict[str, set[str]] = {}
        self._aims = {(each.attributes.get("href") or "")[1:] for each in tree.css("a[href^='#']")[:_MOST]} - {""}
        self._checks = bool(tree.css("input[type=checkbox], input[type=radio]"))
        self._presses = scripted or bool(tree.css(_PRESSED))
        self._controlled = {name for each in tree.css(OPENERS)[:_MOST] for name in opened_by(each)}
        self._openers = {each.attributes["id"] for each in tree.css(_PRESSED)[:_MOST] if each.attributes.get("id")}

    def add_rule(self, selectors: str, style: str) -> None:
        """Take in a rule of a style sheet."""
        if not _SHOWN.search(style):
            return
        for selector in selectors.split(","):
            last = _LAST.search(selector.strip())
            names = _NAME.findall(last.group()) if last is not None else []
            state = _state(selector.strip(), names)
            for name in names if state else ():
                self._states.setdefault(name, set()).add(state)

    def opens(self, node: Any, name: str) -> bool:
        """Whether readers can bring about a state in which a rule shows this element, which has the class or id."""
        states = self._states.get(name, set())
        return (
            (_CLASS in states and self._presses)
            or (_CHECKED in states and self._checks)
            or (_FOLDED in states and _stands_in(node, "details"))
            or (_TARGET in states and self._is_aimed_at(node))
        )

    def is_controlled(self, node: Any) -> bool:
        """Whether a button of the page names this element as what it opens, or the element its button, or stands before
        it and says that it folds. A script that does so may be in no file: pages are saved without theirs."""
        name = node.attributes.get("id") or ""
        labels = (node.attributes.get("aria-labelledby") or "").split()
        return name in self._controlled or not self._openers.isdisjoint(labels) or _follows_folding(node)

    def _is_aimed_at(self, node: Any) -> bool:
        return any((each.attributes.get("id") or "") in self._aims for each in _upwards(node))


def _follows_folding(node: Any) -> bool:
    """Whether right before stands a button that says whether something is unfolded, alone or in its heading."""
    before = node.prev
    while before is not None and (before.tag in _UNSEEN or _is_blank(before)):
        before = before.prev
    around = before is not None and (before.tag in _AROUND_BUTTON or before.attributes.get("role") in _BUTTON_ROLES)
    # The short selector costs a tenth of the long one, and nearly all elements end here.
    return around and before.css_first("[aria-expanded]") is not None and before.css_first(_FOLDING) is not None


def _is_blank(node: Any) -> bool:
    return node.tag == "-text" and not (node.text_content or "").strip()


def opened_by(node: Any) -> list[str]:
    """The ids of the elements that an opener names."""
    attributes = node.attributes
    named = [each.lstrip("#") for name in _NAMING for each in (attributes.get(name) or "").split()]
    href = attributes.get("href") or ""
    if href.startswith("#") and len(href) > 1:
        named.append(href[1:])
    named.extend(_QUOTED_NAME.findall((attributes.get("onclick") or "")[:500]))
    return named


def _state(selector: str, names: list[str]) -> str:
    """In what state a rule holds; empty for one that always does."""
    for sign, state in (("[open]", _FOLDED), (":target", _TARGET), (":checked", _CHECKED)):
        if sign in selector:
            return state
    before = selector.removesuffix(names[0]) if names else ""
    always = len(names) == 1 and (not before or before.isalnum())
    return "" if always or ":" in selector else _CLASS


def _upwards(node: Any) -> list[Any]:
    found: list[Any] = []
    while node is not None and node.tag not in (None, "html", "-document") and len(found) < _DEEPEST:
        found.append(node)
        node = node.parent
    return found


def _stands_in(node: Any, tag: str) -> bool:
    return any(each.tag == tag for each in _upwards(node))
