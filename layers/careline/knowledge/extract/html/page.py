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
        if node.tag in _STRUCK or node.attributes.get("role") == "deletion" or self.styles.is_struck(node):
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

    def _twin(self, node: Any) -> LeftOut | None:
        """Of a text for the eye and one for the ear beside it one is told: the one for the eye, if it has letters. If
        both hold the same figures it is the one for the ear, which says them whole ("€4<sup>30</sup>", "€4.30")."""
        seen = not _is_spoken_only(node, self.rules)
        twin = self._beside(node, spoken=seen)
        has_letters = self.text.has_letters(node)
        if seen:
            gone = is_hidden(node, self.rules) and twin is None
            is_other = twin is not None and (not has_letters or self._has_same_figures(node, twin))
            return LeftOut.HIDDEN if gone or is_other else None
        if twin is None:
            return LeftOut.HIDDEN if is_hidden(node, self.rules) else None
        is_short = has_letters and len(self.text.beginning(node, 2 * _LONGEST_SPOKEN).strip()) <= _LONGEST_SPOKEN
        is_better = not self.text.has_letters(twin) or self._has_same_figures(node, twin)
        return None if is_short and is_better else LeftOut.HIDDEN

    def _has_same_figures(self, node: Any, twin: Any) -> bool:
        one, other = (_FIGURES.findall(self.text.beginning(each, 2 * _LONGEST_SPOKEN)) for each in (node, twin))
        return bool(one) and "".join(one) == "".join(other)

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
