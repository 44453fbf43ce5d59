"""Counts the items of automatic lists of a DOCX as word processors do, and writes the number of each.

Definitions are those of ECMA-376, 17.9: items count by abstract definition; a number that overrides where it starts
does so at its first item; an item restarts the levels below it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from careline.knowledge.extract.docx.inline.symbols import NOTHING, written
from careline.knowledge.extract.docx.names import W, is_on, number, value
from careline.knowledge.extract.docx.styles import NumberingReference

_LEVELS = 9
_MOST = 1_000_000
_LONGEST_LABEL = 60
_ROMAN = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_LARGEST_ROMAN = 3999
_MOST_LETTERS = 20
_TICKS, _CROSSES, _BOX = frozenset("✓✔☑"), frozenset("✗✘✕✖☒"), "☐"


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 1
    shape: str = "decimal"
    text: str = ""
    style: str = ""
    all_decimal: bool = False
    restarts_after: int | None = None
    """How many levels above restart this one, as `w:lvlRestart` says; None for all of them."""
    font: str = ""


@dataclass(slots=True)
class _List:
    """An abstract definition and where its items are."""

    levels: dict[int, _Level]
    counts: list[int | None] = field(default_factory=lambda: [None] * _LEVELS)


@dataclass(frozen=True, slots=True)
class _Number:
    list_id: str
    starts: dict[int, int]
    levels: dict[int, _Level]


@dataclass(frozen=True, slots=True)
class ItemNumber:
    """The number of an item. `label` is what stands before it, "" for a bullet; `depth` how many lists it is in."""

    label: str
    depth: int


class Numbering:
    """The lists of a document. `root` is that of its numbering part, None for none, and `body` that of its text."""

    def __init__(self, root: Any, body: Any = None) -> None:
        self._lists: dict[str, _List] = {}
        self._links: dict[str, str] = {}
        by_style: dict[str, str] = {}
        for each in root.iterchildren(W + "abstractNum") if root is not None else ():
            name = each.get(W + "abstractNumId", "")
            self._lists[name] = _List(_levels(each))
            if linked := value(each, W + "numStyleLink"):
                self._links[name] = linked
            if style := value(each, W + "styleLink"):
                by_style[style] = name
        self._links = {name: by_style[style] for name, style in self._links.items() if style in by_style}
        numbers = root.iterchildren(W + "num") if root is not None else ()
        self._numbers = {each.get(W + "numId", ""): _number(each) for each in numbers}
        self._started: set[tuple[str, int]] = set()
        self._bullets = {self._bullet_of(each) for each in (body.iter(W + "numPr") if body is not None else ())}

    def _bullet_of(self, properties: Any) -> str:
        """The bullet of an item that says itself in which list it is."""
        defined = self._numbers.get(value(properties, W + "numId"))
        listed = self._lists.get(defined.list_id) if defined is not None else None
        place = number(value(properties, W + "ilvl"), 0, _LEVELS - 1)
        return _bullet(listed.levels.get(place, _Level())) if listed is not None else ""

    def next_item(self, reference: NumberingReference) -> ItemNumber:
        """Count one more item, whether or not it has text, and say its number."""
        defined = self._numbers.get(reference.number_id)
        listed = self._lists.get(self._links.get(defined.list_id, defined.list_id)) if defined is not None else None
        if defined is None or listed is None:
            return ItemNumber("", reference.level or 0)
        levels = {**listed.levels, **defined.levels}
        place = reference.level
        if place is None:
            place = next((at for at, each in levels.items() if each.style and each.style == reference.style), 0)
        self._count(reference.number_id, defined, listed, levels, place)
        return ItemNumber(self._label(levels, listed.counts, place), place)

    def _count(self, name: str, defined: _Number, listed: _List, levels: dict[int, _Level], place: int) -> None:
        start = defined.starts.get(place)
        count = listed.counts[place]
        if start is not None and (name, place) not in self._started:
            listed.counts[place] = start
        elif count is None:
            listed.counts[place] = levels.get(place, _Level()).start if start is None else start
        else:
            listed.counts[place] = min(_MOST, count + 1)
        self._started.add((name, place))
        for below in range(place + 1, _LEVELS):
            after = levels.get(below, _Level()).restarts_after
            if after is None or place < after:
                listed.counts[below] = None

    def _label(self, levels: dict[int, _Level], counts: list[int | None], place: int) -> str:
        level = levels.get(place, _Level())
        if level.shape == "bullet":
            return self._shown(_bullet(level))
        label = level.text
        for at in range(_LEVELS):
            if f"%{at + 1}" in label:
                above = levels.get(at, _Level())
                held = counts[at]
                shape = "decimal" if level.all_decimal and above.shape != "none" else above.shape
                label = label.replace(f"%{at + 1}", shaped(above.start if held is None else held, shape))
        return " ".join(label.split())[:_LONGEST_LABEL]

    def _shown(self, bullet: str) -> str:
        """A bullet where it says yes or no: a cross, and a tick or an empty box where the text has the contrary too."""
        if bullet in _CROSSES:
            return bullet
        contrary = {_BOX, *_CROSSES} if bullet in _TICKS else {*_TICKS, *_CROSSES}
        return bullet if (bullet in _TICKS or bullet == _BOX) and self._bullets & contrary else ""


def _bullet(level: _Level) -> str:
    """The sign of a bullet, "" for a number and for a sign that nobody knows."""
    if level.shape != "bullet":
        return ""
    return written(level.text, level.font).replace(NOTHING, "").strip()


def _levels(element: Any) -> dict[int, _Level]:
    return {
        number(each.get(W + "ilvl", ""), 0, _LEVELS - 1): _level(each) for each in element.iterchildren(W + "lvl")
    }


def _level(element: Any) -> _Level:
    restart = value(element, W + "lvlRestart")
    fonts = element.find(f"{W}rPr/{W}rFonts")
    return _Level(
        start=number(value(element, W + "start"), 0, _MOST),
        shape=value(element, W + "numFmt") or "decimal",
        text=value(element, W + "lvlText")[:_LONGEST_LABEL],
        style=value(element, W + "pStyle"),
        all_decimal=is_on(element.find(W + "isLgl")),
        restarts_after=number(restart, 0, _LEVELS) if restart else None,
        font=(fonts.get(W + "hAnsi") or fonts.get(W + "ascii") or "") if fonts is not None else "",
    )


def _number(element: Any) -> _Number:
    starts: dict[int, int] = {}
    levels: dict[int, _Level] = {}
    for each in element.iterchildren(W + "lvlOverride"):
        place = number(each.get(W + "ilvl", ""), 0, _LEVELS - 1)
        own = each.find(W + "lvl")
        if own is not None:
            levels[place] = _level(own)
        start = value(each, W + "startOverride")
        if start:
            starts[place] = number(start, 0, _MOST)
    return _Number(value(element, W + "abstractNumId"), starts, levels)


def shaped(count: int, shape: str) -> str:
    """A number in one of the shapes of `w:numFmt`; in digits where a shape needs the words of a language."""
    if shape in ("none", "bullet"):
        return ""
    if shape == "decimalZero":
        return f"{count:02d}"
    if shape in ("lowerRoman", "upperRoman") and 0 < count <= _LARGEST_ROMAN:
        return _roman(count) if shape == "upperRoman" else _roman(count).lower()
    if shape in ("lowerLetter", "upperLetter") and 0 < count <= 26 * _MOST_LETTERS:
        letter = chr(ord("A" if shape == "upperLetter" else "a") + (count - 1) % 26)
        return letter * ((count - 1) // 26 + 1)
    return str(count)


def _roman(count: int) -> str:
    said = ""
    for worth, sign in _ROMAN:
        said += sign * (count // worth)
        count %= worth
    return said


def reference_of(properties: Any, of_style: NumberingReference | None, style: str) -> NumberingReference | None:
    """The list that a paragraph's own properties or its style put it in; None where one says that it is in none."""
    own = properties.find(W + "numPr") if properties is not None else None
    if own is None:
        return of_style
    number_id, level = value(own, W + "numId"), value(own, W + "ilvl")
    if number_id == "0":
        return None
    depth = number(level, 0, _LEVELS - 1) if level else None
    if number_id:
        inherited = of_style.level if of_style is not None else 0
        return NumberingReference(number_id, depth if depth is not None else inherited, style)
    return replace(of_style, level=depth if depth is not None else of_style.level) if of_style is not None else None
