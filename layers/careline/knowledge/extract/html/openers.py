"""Finds the buttons of a page that open a part of it: questions of an accordion, tabs, folded lists.

Such a button's text is the heading or the label of what it opens. Every other button only acts (print, share, search).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from careline.knowledge.extract.html.openings import opened_by
from careline.knowledge.extract.html.page_text import PageText

_BUTTONS = (
    "button, [role=tab], [role=button], a[data-toggle], a[data-bs-toggle], a[aria-controls], label[for], "
    "li a[href^='#']"
)
_TITLE = "h1, h2, h3, h4, h5, h6"
_HEADINGS = frozenset(_TITLE.split(", "))
_TABBED = re.compile(r"(?:^|[._\s-])(?:tab|tabs|pane|panes|panel|panels|accordion|pills|tablist)(?:[\s_-]|$)", re.I)
_CONTAINERS = frozenset(("div", "section", "dd", "ul", "ol", "article", "aside", "figure"))
_MOST = 1_000
_LONGEST = 300
_FOLDS = ("aria-expanded", "data-toggle", "data-bs-toggle")


class Openers:
    """Which buttons open what. `is_skipped` says of an element that nobody is told it, as it is a menu or hidden."""

    def __init__(self, tree: Any, text: PageText, is_skipped: Callable[[Any], bool]) -> None:
        self._text = text
        self._is_skipped = is_skipped
        self._labels: dict[int, str] = {}
        self._openers: set[int] = set()
        self._moved: set[int] = set()
        buttons = tree.css(_BUTTONS)[:_MOST]
        if not buttons:
            return
        self._by_id = {each.attributes["id"]: each for each in tree.css("[id]") if each.attributes.get("id")}
        self._labelled: dict[str, Any] = {}
        for panel in tree.css("[aria-labelledby]")[:_MOST]:
            for name in (panel.attributes.get("aria-labelledby") or "").split():
                self._labelled.setdefault(name, panel)
        alike: dict[tuple[str, str], int] = {}
        for button in buttons:
            if (following := _following(button, text)) is not None:
                pair = (_look(button), _look(following))
                alike[pair] = alike.get(pair, 0) + 1
        self._paired = dict(_paired_by_place(buttons, self._by_id, text))
        for button in buttons:
            self._add(button, alike)

    def label_of(self, node: Any) -> str:
        """The label of the button that opens this element; empty where none does, or where its heading is that text."""
        return self._labels.get(node.mem_id, "")

    def is_opener(self, node: Any) -> bool:
        """Whether the button opens something that is told."""
        return node.mem_id in self._openers

    def is_moved(self, node: Any) -> bool:
        """Whether the button's text is told where what it opens begins, and not at its own place."""
        return node.mem_id in self._moved

    def _add(self, button: Any, alike: dict[tuple[str, str], int]) -> None:
        text = self._text
        if not text.has_letters(button) or text.length(button) > _LONGEST or button.mem_id in self._openers:
            return
        label = " ".join(text.beginning(button, 2 * _LONGEST, between=" ").split())
        heading = _heading_of(button)
        panel = next((each for each in self._panels(button, alike) if self._is_told(each, button)), None)
        if panel is None:
            if heading is not None and button.tag == "button" and not _has_more(heading, button, self._text):
                self._openers.add(button.mem_id)
            return
        if heading is None and self._labels.setdefault(panel.mem_id, label) != label:
            return
        self._openers.add(button.mem_id)
        if heading is None:
            self._moved.add(button.mem_id)

    def _panels(self, button: Any, alike: dict[tuple[str, str], int]) -> Iterator[Any]:
        """What a button may open: what it names, what names it, and what stands right behind it and looks like it."""
        if button.mem_id in self._paired:
            yield self._paired[button.mem_id]
        if button.tag != "label" and not _is_plain_link(button):
            for name in opened_by(button):
                if name in self._by_id:
                    yield self._by_id[name]
        own = button.attributes.get("id") or ""
        if own in self._labelled:
            yield self._labelled[own]
        following = _following(button, self._text)
        if following is not None and self._folds(button, following, alike):
            yield following

    def _folds(self, button: Any, following: Any, alike: dict[tuple[str, str], int]) -> bool:
        """Whether a button plainly opens what follows: it says so, it asks, or it is one of several such pairs."""
        if button.tag == "label":
            box = self._by_id.get(button.attributes.get("for") or "")
            return box is not None and box.attributes.get("type") in ("checkbox", "radio") and box.tag == "input"
        if _is_plain_link(button):
            return False
        if any(name in button.attributes for name in _FOLDS) or self._text.ends(button)[1].endswith("?"):
            return True
        style = following.attributes.get("style") or ""
        is_closed = "hidden" in following.attributes or "none" in style or "height" in style
        is_panel = following.tag in _CONTAINERS and bool(following.attributes.get("class"))
        return is_closed or (is_panel and alike.get((_look(button), _look(following)), 0) > 1)

    def _is_told(self, panel: Any, button: Any) -> bool:
        """Whether a panel stands behind its button and says something that is told."""
        behind = self._text.elements(panel)[0] > self._text.elements(button)[0]
        return behind and self._text.length(panel) > 0 and not self._is_skipped(panel)


def _paired_by_place(buttons: Sequence[Any], by_id: Mapping[str, Any], text: PageText) -> Iterator[tuple[int, Any]]:
    """Buttons and panels that belong together by their order alone: as many panels that look alike stand behind a row
    of nothing but buttons. Links of a list go to panels that stand beside one another and have no titles."""
    rows: dict[int, tuple[Any, list[Any]]] = {}
    for button in buttons:
        row = button.parent.parent if button.parent.tag == "li" else button.parent
        if row is not None:
            rows.setdefault(row.mem_id, (row, []))[1].append(button)
    for row, members in rows.values():
        if len(members) < 2:
            continue
        if all(map(_is_plain_link, members)):
            panels = [by_id.get((each.attributes.get("href") or "")[1:]) for each in members]
            places = {(each.parent.mem_id, _look(each)) for each in panels if each is not None}
            titled = any(text.begins_with(each, _TITLE) for each in panels if each is not None)
            if None not in panels and len(places) == 1 and not titled:
                yield from ((member.mem_id, panel) for member, panel in zip(members, panels, strict=True))
        elif text.length(row) == sum(map(text.length, members)):
            panels = _panels_behind(row, len(members))
            named = " ".join(map(_look, (row, *members, *panels)))
            if panels and (_TABBED.search(named) or any("hidden" in panel.attributes for panel in panels)):
                yield from ((member.mem_id, panel) for member, panel in zip(members, panels, strict=True))


def _panels_behind(row: Any, count: int) -> list[Any]:
    """As many elements that look alike as there are buttons, right behind their row or in the element behind it."""
    beside: list[Any] = []
    node = row.next
    while node is not None and len(beside) <= count:
        if node.tag[:1] != "-":
            beside.append(node)
        node = node.next
    inside = list(islice(beside[0].iter(), count + 1)) if beside else []
    for panels in (beside, inside):
        looks = [_look(each) for each in panels]
        if len(panels) >= count and len(set(looks[:count])) == 1 and looks[count:] != looks[:1]:
            return panels[:count] if panels[0].tag in _CONTAINERS else []
    return []


def _is_plain_link(node: Any) -> bool:
    """Whether it is a link to a place on the page that nothing marks as a button."""
    attributes = node.attributes
    marked = any(name in attributes for name in ("role", "aria-controls", *_FOLDS))
    return node.tag == "a" and not marked and (attributes.get("href") or "").startswith("#")


def _following(button: Any, text: PageText) -> Any | None:
    """The element right behind a button, or behind the element that holds nothing else."""
    node = button
    for _ in range(4):
        after = node.next
        while after is not None and _is_nothing(after):
            after = after.next
        if after is not None:
            return after if after.tag[:1] != "-" and after.tag not in ("button", "a", "label", "summary") else None
        parent = node.parent
        if parent is None or parent.tag in ("body", "main", "html", "td", "li") or _has_more(parent, button, text):
            return None
        node = parent
    return None


def _is_nothing(node: Any) -> bool:
    return node.tag in ("-comment", "input") or (node.tag == "-text" and not (node.text_content or "").strip())


def _has_more(element: Any, button: Any, text: PageText) -> bool:
    """Whether an element has text beside that of a button in it."""
    return text.length(element) != text.length(button)


def _heading_of(button: Any) -> Any | None:
    node = button.parent
    for _ in range(4):
        if node is None:
            return None
        if node.tag in _HEADINGS:
            return node
        node = node.parent
    return None


def _look(node: Any) -> str:
    attributes = node.attributes
    return f"{node.tag}.{attributes.get('class') or ''}"
