"""Says which elements of a web page its readers do not see, by attribute, inline style or the page's own rules."""

from __future__ import annotations

from typing import Any

import re2

from careline.knowledge.extract.html.openings import Openings
from careline.knowledge.extract.html.styles import rules_of

_GONE = re2.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)")
_UNSEEN = re2.compile(
    r"(?i)(?:^|[;\s])(?:font-size\s*:\s*(?:0(?:\.\d+)?|1)(?:px|pt|em|rem|%)?\s*(?:;|!|$)"
    r"|opacity\s*:\s*(?:0(?:\.0\d*)?)\s*(?:;|!|$)"
    r"|(?:left|right|top|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}"
    r"|clip\s*:\s*rect\(\s*(?:0|1)|clip-path\s*:\s*(?:inset\(\s*(?:50|100)%|circle\(\s*0)"
    r"|transform\s*:\s*scale\(\s*0\s*[),]|color\s*:\s*transparent)"
)
_HEIGHT = re2.compile(r"(?i)(?:^|[;\s])(?:max-)?(?:height|width)\s*:\s*[01](?:px)?\s*(?:;|$)")
_CUT = re2.compile(r"(?i)overflow\s*:\s*(?:hidden|clip)")
_CLOSED = re2.compile(r"(?i)display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|overflow\s*:\s*(?:hidden|clip)")
"""Declarations by which a page closes what its readers may open."""
_CLIPPED = re2.compile(r"(?i)clip\s*:\s*rect\(|clip-path\s*:\s*inset\(\s*(?:50|100)%")
_COLOUR = re2.compile(r"(?i)(?:^|[;\s])color\s*:\s*([#\w(),.% ]+)")
_GROUND = re2.compile(r"(?i)background(?:-color)?\s*:\s*([^;]+)")
_SIMPLE = re2.compile(r"^(?:[a-z][a-z0-9]*)?(?:[.#][A-Za-z_][\w-]*)?$")
_OF_THEIR_OWN = frozenset("div section article aside header footer nav ul ol dl table form dialog main p".split())
_LINES = frozenset("p li td th dd dt h1 h2 h3 h4 h5 h6 span a b strong em i label summary button caption".split())
_WHITES = frozenset({"white", "#fff", "#ffffff", "#fefefe", "rgb(255,255,255)", "#fdfdfd", "rgba(255,255,255,1)"})


def hides(style: str, *, by_script: bool = False) -> bool:
    """Whether declarations hide the text of their element. `by_script`: a script may show what is gone or folded."""
    if _UNSEEN.search(style):
        return True
    if not by_script and (_GONE.search(style) or (_HEIGHT.search(style) and _CUT.search(style))):
        return True
    return _colourless(style)


def _colourless(style: str) -> bool:
    """The text has the colour of its ground, which is paper where none is named."""
    found = _COLOUR.search(style)
    if found is None:
        return False
    ground = _GROUND.search(style)
    colour = _named(found.group(1))
    return colour == _named(ground.group(1)) if ground is not None else colour in _WHITES


def _named(colour: str) -> str:
    plain = "".join(colour.lower().replace("!important", "").split())
    return "white" if plain in _WHITES else plain


class HidingRules:
    """Simple selectors (`.a`, `#b`, `p`, `p.a`) of a page's own style sheets that hide what they select."""

    def __init__(self, tree: Any) -> None:
        self._hiding: set[str] = set()
        self._closing: set[str] = set()
        self._clipped: set[str] = set()
        scripted = bool(tree.css("script[src], script:not([type='application/ld+json']), [onclick]"))
        self.openings = Openings(tree, scripted=scripted)
        for selectors, style in rules_of(tree):
            self.openings.add_rule(selectors, style)
            if _CLIPPED.search(style):
                self._clipped.update(selector.strip() for selector in selectors.split(","))
            if _hidden_by_rule(style, scripted=scripted):
                names = (each.strip() for each in selectors.split(","))
                closes = not _hidden_by_rule(_CLOSED.sub(";", style), scripted=scripted)
                (self._closing if closes else self._hiding).update(
                    name for name in names if name and _SIMPLE.search(name)
                )

    def clips(self, node: Any) -> bool:
        """Whether a rule shrinks this element to a point, so that only programs that read aloud find it."""
        names = (node.attributes.get("class") or "").split()
        return any(f".{name}" in self._clipped or f"{node.tag}.{name}" in self._clipped for name in names)

    def hide(self, node: Any) -> bool:
        """Whether a rule hides this element, and no reader can open it."""
        if not self._hiding and not self._closing:
            return False
        tag, attributes = node.tag or "", node.attributes
        names = [f".{name}" for name in (attributes.get("class") or "").split()]
        names += [f"#{attributes['id']}"] if attributes.get("id") else []
        if any(each in self._hiding for name in names for each in (name, tag + name)) or tag in self._hiding:
            return True
        closing = [name for name in names if not self._closing.isdisjoint({name, tag + name})]
        if closing:
            return not (self.openings.is_controlled(node) or any(self.openings.opens(node, name) for name in names))
        return tag in self._closing


def _hidden_by_rule(style: str, *, scripted: bool) -> bool:
    """White alone is no sign in a rule: the ground may come from another one."""
    if _colourless(style) and _GROUND.search(style) is None:
        return hides(_COLOUR.sub(";", style), by_script=scripted)
    return hides(style, by_script=scripted)


def is_hidden(node: Any, rules: HidingRules) -> bool:
    """Whether readers do not see an element's text, its ancestors aside. What a search in the page finds, they see."""
    attributes = node.attributes
    opened = rules.openings.is_controlled(node)
    if not opened and (_is_closed(node.tag, attributes) or (_is_unspoken(attributes) and not _stands_in_line(node))):
        return True
    style = attributes.get("style") or ""
    if style and _colourless(style) and _GROUND.search(style) is None and _stands_on_colour(node):
        style = _COLOUR.sub(";", style)
    return (bool(style) and hides(style, by_script=opened)) or rules.hide(node)


def _is_closed(tag: str, attributes: dict[str, str | None]) -> bool:
    if "hidden" in attributes and (attributes["hidden"] or "").lower() != "until-found":
        return True
    return "popover" in attributes or (tag == "dialog" and "open" not in attributes)


def _is_unspoken(attributes: dict[str, str | None]) -> bool:
    """Whether programs that read aloud pass over the element, which says nothing of those who see it."""
    return attributes.get("aria-hidden") == "true"


def _stands_in_line(node: Any) -> bool:
    """Whether an element is part of a line or a cell that is shown: without it the sentence would have a hole."""
    parent = node.parent
    if parent is None or node.tag in _OF_THEIR_OWN:
        return False
    beside = (each for each in (node.prev, node.next) if each is not None and each.tag == "-text")
    return parent.tag in _LINES or any((each.text_content or "").strip() for each in beside)


def _stands_on_colour(node: Any) -> bool:
    """Whether an ancestor names a ground, in its style or by a class that may."""
    above = node.parent
    for _ in range(40):
        if above is None or above.tag in (None, "html", "-document"):
            return False
        attributes = above.attributes
        ground = _GROUND.search(attributes.get("style") or "")
        if (ground is not None and _named(ground.group(1)) != "white") or "bgcolor" in attributes:
            return True
        above = above.parent
    return False
