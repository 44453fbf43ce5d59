"""Knows of a parsed web page which of its elements are told, and why the others are not."""

from __future__ import annotations

import re
from typing import Any

from careline.knowledge.extract.html.alternatives import is_empty_icon
from careline.knowledge.extract.html.furniture.furniture import is_furniture
from careline.knowledge.extract.html.furniture.page_values import PageValues
from careline.knowledge.extract.html.hidden import HidingRules, is_hidden
from careline.knowledge.extract.html.notes import PageNotes
from careline.knowledge.extract.html.openers import Openers
from careline.knowledge.extract.html.page_text import PageText
from careline.knowledge.extract.html.seams import carries_spaces
from careline.knowledge.extract.html.styles import PageStyles
from careline.model import LeftOut

SKIPPED = frozenset("script style template head title link meta base param source track col colgroup rp".split())
"""Elements that hold no text of the document at all."""
_SECTIONS = frozenset("main article section aside nav blockquote figure td".split())
_STRUCK = frozenset("del s strike".split())
_FORM = frozenset("button input textarea datalist".split())
_SPOKEN_ONLY = frozenset(
    "sr-only visually-hidden screen-reader-text screen-reader-only screenreader show-for-sr a11y-hidden "
    "element-invisible u-visually-hidden visuallyhidden sr-text".split()
)
"""Classes by which the common style libraries keep text for programs that read aloud."""
_LONGEST_SPOKEN = 80
_FIGURES = re.compile(r"\d+")
_DEEPEST = 40
_WRAPPED = 4
"""Elements around a struck text, each with nothing else in it."""


class ReadPage:
    """The rules, styles and buttons of one page. `sheets`: a page whose style sheets hold, where not its own."""

    def __init__(self, tree: Any, sheets: ReadPage | None = None) -> None:
        self.rules: HidingRules = HidingRules(tree) if sheets is None else sheets.rules
        self.styles = PageStyles(tree)
        self.text = PageText(tree.body)
        self.values = PageValues(self.text, tree)
        self.notes = PageNotes(tree, self.text)
        self._spaced: dict[int, bool] = {}
        self._has_article = len(tree.css("article")) == 1
        self.openers = Openers(tree, self.text, lambda node: self.left_out(node) is not None)

    def carries_spaces(self, parent: Any) -> bool:
        """Whether one of an element's parts begins or ends with a space of its own."""
        if parent.mem_id not in self._spaced:
            self._spaced[parent.mem_id] = carries_spaces(parent, self.text)
        return self._spaced[parent.mem_id]

    def left_out(self, node: Any, *, in_main: bool = False) -> LeftOut | None:
        """Why an element with all that is in it is not told; None where it is, or where something in it may be."""
        if self._is_struck(node):
            return LeftOut.STRUCK
        if _is_unspoken(node) or _is_spoken_only(node, self.rules):
            return self._twin(node)
        if is_hidden(node, self.rules):
            return LeftOut.HIDDEN
        controlled = self.rules.openings.is_controlled(node)
        if not (controlled and node.attributes.get("role") in ("dialog", "menu")) and is_furniture(
            node, self.text, self.values, of_page=_is_of_page(node), in_main=in_main, has_article=self._has_article
        ):
            return LeftOut.FURNITURE
        return LeftOut.FURNITURE if node.tag in _FORM and not self._is_told_button(node) else None

    def _is_told_button(self, node: Any) -> bool:
        """A button in a heading or behind which something opens; any other one only with a figure that callers want."""
        if node.tag == "input":
            return True
        return node.tag == "button" and (self.openers.is_opener(node) or self.values.tells(node))

    def _is_struck(self, node: Any) -> bool:
        role = node.attributes.get("role")
        return bool(node.tag in _STRUCK or role == "deletion" or self.styles.is_struck(node))

    def _is_struck_whole(self, node: Any) -> bool:
        """Whether an element, or the one in it that has all of its text, is struck."""
        for _ in range(_WRAPPED):
            if node is None or self._is_struck(node):
                return node is not None
            length, inner = self.text.length(node), node.child
            while inner is not None and (inner.tag[:1] in ("-", "_") or self.text.length(inner) < length):
                inner = inner.next
            node = inner
        return False

    def _twin(self, node: Any) -> LeftOut | None:
        """Of a text for the eye and one for the ear beside it one is told: the one for the eye, if it has letters. If
        a part of that is raised it is the one for the ear, where it has the same figures and says them whole
        ("€4<sup>30</sup>", "€4.30")."""
        seen = not _is_spoken_only(node, self.rules)
        twin = self._beside(node, spoken=seen)
        if twin is None:
            return LeftOut.HIDDEN if is_hidden(node, self.rules) else None
        eye, ear = (node, twin) if seen else (twin, node)
        if self._is_struck_whole(eye):
            return LeftOut.STRUCK
        return LeftOut.HIDDEN if self._ear_is_told(eye, ear) is seen else None

    def _ear_is_told(self, eye: Any, ear: Any) -> bool:
        """Whether of two texts beside each other the one for the ear says more."""
        is_short = len(self.text.beginning(ear, 2 * _LONGEST_SPOKEN).strip()) <= _LONGEST_SPOKEN
        if not is_short or not self.text.has_letters(ear):
            return False
        return not self.text.has_letters(eye) or (self.text.holds(eye, "sup") and self._has_same_figures(eye, ear))

    def _has_same_figures(self, eye: Any, ear: Any) -> bool:
        """Whether two texts have the same figures. One for the eye has them apart where its elements are."""
        one, other = (_FIGURES.findall(self.text.beginning(each, 2 * _LONGEST_SPOKEN, " ")) for each in (eye, ear))
        return bool(one) and one == other

    def _beside(self, node: Any, *, spoken: bool) -> Any | None:
        """The element right beside one that says the same for the ear (`spoken`) or for the eye."""
        for way in ("prev", "next"):
            other = getattr(node, way)
            while other is not None and other.tag in ("-text", "-comment") and not (other.text_content or "").strip():
                other = getattr(other, way)
            if other is None or other.tag[:1] == "-":
                continue
            if _is_spoken_only(other, self.rules) if spoken else (_is_unspoken(other) or self._is_sign(other)):
                return other
        return None

    def _is_sign(self, node: Any) -> bool:
        """A drawing without a text of its own."""
        return is_empty_icon(node, self.text) or (node.tag in ("svg", "img") and not node.attributes.get("alt"))


def _is_of_page(node: Any) -> bool:
    """Whether no section of the page holds the element."""
    if node.tag not in ("header", "footer", "aside"):
        return False
    above = node.parent
    for _ in range(_DEEPEST):
        if above is None:
            return True
        if above.tag in _SECTIONS or above.attributes.get("role") == "main":
            return False
        above = above.parent
    return False


def _is_unspoken(node: Any) -> bool:
    return bool(node.attributes.get("aria-hidden") == "true")


def _is_spoken_only(node: Any, rules: HidingRules) -> bool:
    """Whether an element's text is for programs that read aloud alone."""
    names = (node.attributes.get("class") or "").split()
    return bool(names) and (not _SPOKEN_ONLY.isdisjoint(names) or rules.clips(node))
