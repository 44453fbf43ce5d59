"""Says which elements of a web page its readers do not see, by attribute, inline style or the page's own rules."""

from __future__ import annotations

from typing import Any

import re2

from careline.knowledge.extract.html.openings import Openings

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
_COLOUR = re2.compile(r"(?i)(?:^|[;\s])color\s*:\s*([#\w(),.% ]+)")
_GROUND = re2.compile(r"(?i)background(?:-color)?\s*:\s*([^;]+)")
_MEDIA = re2.compile(r"@[a-z-]+[^{};]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}")
_NOTES = re2.compile(r"(?s)/\*.*?\*/")
_RULE = re2.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE = re2.compile(r"^(?:[a-z][a-z0-9]*)?(?:[.#][A-Za-z_][\w-]*)?$")
_MOST_RULES = 2_000
_WHITES = frozenset({"white", "#fff", "#ffffff", "#fefefe", "rgb(255,255,255)", "#fdfdfd", "rgba(255,255,255,1)"})


def hides(style: str, *, by_script: bool = False) -> bool:
    """Whether declarations hide the text of their element. `by_script`: a script may show what is gone."""
    if _UNSEEN.search(style) or (_HEIGHT.search(style) and _CUT.search(style)):
        return True
    if _GONE.search(style) and not by_script:
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
        scripted = bool(tree.css("script[src], script:not([type='application/ld+json'])"))
        self.openings = Openings(tree, scripted=scripted)
        grounds = False
        for sheet in tree.css("style")[:50]:
            text = _MEDIA.sub(" ", _NOTES.sub(" ", sheet.text()))
            grounds = grounds or bool(_GROUND.search(text))
            for number, found in enumerate(_RULE.finditer(text)):
                if number > _MOST_RULES:
                    break
                selectors, style = found.groups()
                self.openings.add_rule(selectors, style)
                if _hidden_by_rule(style, scripted=scripted):
                    names = (each.strip() for each in selectors.split(","))
                    closes = not _hidden_by_rule(_CLOSED.sub(";", style), scripted=scripted)
                    (self._closing if closes else self._hiding).update(
                        name for name in names if name and _SIMPLE.search(name)
                    )

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
            return not any(self.openings.opens(node, name) for name in names)
        return tag in self._closing


def _hidden_by_rule(style: str, *, scripted: bool) -> bool:
    """White alone is no sign in a rule: the ground may come from another one."""
    if _colourless(style) and _GROUND.search(style) is None:
        return hides(_COLOUR.sub(";", style), by_script=scripted)
    return hides(style, by_script=scripted)


def is_hidden(node: Any, rules: HidingRules) -> bool:
    """Whether readers do not see an element's text, its ancestors aside."""
    attributes = node.attributes
    opened = rules.openings.is_controlled(node)
    if ("hidden" in attributes or attributes.get("aria-hidden") == "true") and not opened:
        return True
    style = attributes.get("style") or ""
    if style and _colourless(style) and _GROUND.search(style) is None and _stands_on_colour(node):
        style = _COLOUR.sub(";", style)
    return hides(style, by_script=opened) or rules.hide(node)


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
