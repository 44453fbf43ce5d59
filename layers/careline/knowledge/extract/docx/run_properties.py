"""Says how a run of a DOCX looks to its readers: whether they see it, whether it is struck through, and in which font.

Run properties come from the run, its character style, its paragraph style, its table style and the document's defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from careline.knowledge.extract.docx.names import BOX, TBL, VAL, P, W, is_on, value
from careline.knowledge.extract.docx.shown import MARK
from careline.model import LeftOut

_SMALLEST = 3
"""Half points; smaller runs are read by nobody."""
_PAPER = frozenset({"FFFFFF", "FEFEFE", "FDFDFD", "FCFCFC"})
_NO_FILL = frozenset({"", "auto", "FFFFFF"})
_FONTS_OF_SIGNS = ("symbol", "wingdings", "webdings", "zapf", "itczapf", "monotypesorts", "dingbats")
_LEAST_RAISED = 4
"""Half points by which a raised run stands higher (`w:position`; ECMA-376, 17.3.2.24)."""


@dataclass(frozen=True, slots=True)
class RunLook:
    """How a run looks. `left_out` is why it is not told, None where it is; `low` and `high` are the fonts of its ASCII
    and its other characters, "" where nothing says."""

    left_out: LeftOut | None = None
    is_raised: bool = False
    low: str = ""
    high: str = ""


PLAIN = RunLook()


@dataclass(frozen=True, slots=True)
class RunProperties:
    """What one place says of runs; None where it says nothing."""

    vanish: bool | None = None
    strike: bool | None = None
    double_strike: bool | None = None
    size: str | None = None
    colour: str | None = None
    is_filled: bool | None = None
    is_raised: bool | None = None
    low: str | None = None
    high: str | None = None
    style: str = ""

    @classmethod
    def read(cls, element: Any, theme: Mapping[str, str]) -> RunProperties:
        """What a `w:rPr` says; `theme` are the fonts by the names that it has for them."""
        found: dict[str, Any] = {}
        for each in element if element is not None else ():
            reader = _READERS.get(each.tag)
            if reader is not None:
                found.update(reader(each, theme))
        return cls(**found) if found else NOTHING

    @classmethod
    def inherited(cls, levels: Iterable[RunProperties]) -> RunProperties:
        """What a style says with those that it is based on, itself first."""
        held = cls()
        for level in levels:
            held = held.over(level)
        return replace(held, style="")

    def over(self, other: RunProperties) -> RunProperties:
        """These properties, and where they say nothing the others'."""
        if other is NOTHING:
            return self
        held = {each.name: getattr(self, each.name) for each in fields(self)}
        return RunProperties(**{k: getattr(other, k) if v is None else v for k, v in held.items()})

    @classmethod
    def together(cls, styles: Sequence[RunProperties], defaults: RunProperties) -> RunProperties:
        """What styles of different kinds say together, the nearest first.

        Switches such as "struck through" cancel each other out between kinds of styles, and what the document says of
        all runs holds in any case (ECMA-376, 17.7.3).
        """
        held = cls()
        for style in (*styles, defaults):
            held = held.over(style)
        vanish = bool(defaults.vanish) or sum(bool(style.vanish) for style in styles) % 2 == 1
        strike = bool(defaults.strike) or sum(bool(style.strike) for style in styles) % 2 == 1
        return replace(held, vanish=vanish, strike=strike, style="")

    @property
    def is_plain(self) -> bool:
        """Whether runs without properties of their own are to be read as they are, in any font of letters."""
        low, high = self.low or "", self.high or ""
        if self.vanish or self.strike or self.double_strike or self.is_raised or low != high:
            return False
        return self.colour not in _PAPER and not _is_tiny(self.size) and not low


NOTHING = RunProperties()


def _switch(name: str) -> Any:
    return lambda each, _: {name: is_on(each)}


def _fonts(each: Any, theme: Mapping[str, str]) -> dict[str, str]:
    """The fonts of a `w:rFonts`; one of the theme comes before one that is named (ECMA-376, 17.3.2.26)."""
    found = {}
    for name, attribute in (("low", "ascii"), ("high", "hAnsi")):
        of_theme = theme.get(each.get(f"{W}{attribute}Theme", "")[:5])
        font = of_theme or each.get(W + attribute)
        if font is not None:
            found[name] = font if is_of_signs(font) else ""
    return found


def is_of_signs(font: str) -> bool:
    """Whether a font has signs in place of letters; only such fonts say anything about a text."""
    return "".join(font.casefold().split()).startswith(_FONTS_OF_SIGNS)


_READERS: dict[str, Any] = {
    W + "vanish": _switch("vanish"),
    W + "strike": _switch("strike"),
    W + "dstrike": _switch("double_strike"),
    W + "sz": lambda each, _: {"size": each.get(VAL, "")},
    W + "color": lambda each, _: {"colour": each.get(VAL, "").upper()},
    W + "highlight": lambda each, _: {"is_filled": each.get(VAL) != "none"},
    W + "shd": lambda each, _: {"is_filled": True} if each.get(W + "fill", "") not in _NO_FILL else {},
    W + "vertAlign": lambda each, _: {"is_raised": each.get(VAL) == "superscript"},
    W + "position": lambda each, _: {"is_raised": True} if _is_lifted(each.get(VAL, "")) else {},
    W + "rFonts": _fonts,
    W + "rStyle": lambda each, _: {"style": each.get(VAL, "")},
}
"""How each element of run properties is read."""


def _is_lifted(position: str) -> bool:
    return position.isascii() and position.isdecimal() and int(position[:6]) >= _LEAST_RAISED


def _is_tiny(size: str | None) -> bool:
    return size is not None and size.isascii() and size.isdecimal() and int(size[:6]) < _SMALLEST


def resolved(run: Any, own: RunProperties, base: RunProperties) -> RunLook:
    """How a run looks: what it says itself, and where it says nothing what its styles say."""
    held = own.over(base)
    low, high = held.low or "", held.high or ""
    return RunLook(_left_out(run, held), bool(held.is_raised), low, high)


def _left_out(run: Any, held: RunProperties) -> LeftOut | None:
    if held.vanish or _is_tiny(held.size) or (held.colour in _PAPER and not _is_on_colour(run, held)):
        return LeftOut.HIDDEN
    if mark := run.get(MARK):
        return LeftOut(mark)
    return LeftOut.STRUCK if held.strike or held.double_strike else None


def _is_on_colour(run: Any, held: RunProperties) -> bool:
    """Whether something coloured may lie behind the run. Tables and text boxes get their colour from far away."""
    if next(run.iterancestors(TBL, BOX), None) is not None:
        return not _is_in_plain_table(run)
    paragraph = next(run.iterancestors(P), None)
    shade = paragraph.find(f"{W}pPr/{W}shd") if paragraph is not None else None
    return bool(held.is_filled) or (shade is not None and shade.get(W + "fill", "") not in _NO_FILL)


def _is_in_plain_table(run: Any) -> bool:
    """Whether the run stands in a table without style or shading, where white is white on paper."""
    table = next(run.iterancestors(TBL), None)
    if table is None or next(run.iterancestors(BOX), None) is not None:
        return False
    style = value(table, f"{W}tblPr/{W}tblStyle")
    plain = style in ("", "TableGrid", "TableNormal", "Tabelraster", "Grilledutableau")
    return plain and not any(each.get(W + "fill", "") not in _NO_FILL for each in table.iter(W + "shd"))
