"""Reads the styles of a DOCX: headings, lists, tables of contents, and how runs look by their styles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from careline.knowledge.extract.docx.names import A, W, number, value
from careline.knowledge.extract.docx.run_properties import NOTHING, PLAIN, RunLook, RunProperties, resolved
from careline.knowledge.extract.docx.shown import MARK

_HEADING = re.compile(r"heading ?([1-9])", re.I)
_CONTENTS = re.compile(r"(?:toc|index|toa)(?: \d| heading)|table of (?:figures|authorities)", re.I)
"""Built-in styles of lists that lead to other places of the document, by their English names."""
_MOST_STYLES_DEEP = 20
_THEME_FONTS = {"major": "majorFont", "minor": "minorFont"}


@dataclass(frozen=True, slots=True)
class NumberingReference:
    """The list that a paragraph is an item of: `number_id` of its definition, and how many lists it stands within.
    `style` is the paragraph style that says so, which may have a level of its own in the list."""

    number_id: str
    level: int | None = None
    style: str = ""


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph style means. `level` is 1-6 for headings and 0 for others; `numbering` is None where paragraphs
    of the style are no items; `is_contents` is True for lines of a table of contents or an index."""

    level: int = 0
    numbering: NumberingReference | None = None
    is_contents: bool = False


class Styles:
    """The styles of a document, inherited along `basedOn`. `theme` is the root of its theme part, None for none."""

    def __init__(self, root: Any, theme: Any = None) -> None:
        found = list(root.iter(W + "style")) if root is not None else []
        self._elements = {style.get(W + "styleId", ""): style for style in found}
        self._defaults = {
            style.get(W + "type", ""): style.get(W + "styleId", "")
            for style in found
            if style.get(W + "default") in ("1", "true", "on")
        }
        self._fonts = _theme_fonts(theme)
        defaults = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr") if root is not None else None
        self._of_document = RunProperties.read(defaults, self._fonts)
        self._paragraphs: dict[str, ParagraphStyle] = {}
        self._of_styles: dict[str, RunProperties] = {}
        self._looks: dict[tuple[str, str, str], tuple[RunProperties, bool]] = {}

    def paragraph(self, style: str) -> ParagraphStyle:
        """What a paragraph style means; an id that the document does not define by what it is called."""
        if style not in self._paragraphs:
            self._paragraphs[style] = self._paragraph(style)
        return self._paragraphs[style]

    def _paragraph(self, style: str) -> ParagraphStyle:
        if style not in self._elements:
            named = _HEADING.fullmatch(style)
            return ParagraphStyle(min(6, int(named[1])) if named else int(style.lower() == "title"))
        level, is_contents = 0, False
        number_id, depth, of = "", None, ""
        for name, element in self._ancestry(style):
            level = level or _level(element)
            is_contents = is_contents or _CONTENTS.fullmatch(value(element, W + "name")) is not None
            properties = element.find(W + "pPr")
            written = value(properties, f"{W}numPr/{W}ilvl")
            if depth is None and written:
                depth = number(written, 0, 8)
            if not number_id and (found := value(properties, f"{W}numPr/{W}numId")):
                number_id, of = found, name
        numbering = NumberingReference(number_id, depth, of) if number_id not in ("", "0") else None
        return ParagraphStyle(0 if is_contents else level, numbering, is_contents)

    def _ancestry(self, style: str) -> Iterator[tuple[str, Any]]:
        for _ in range(_MOST_STYLES_DEEP):
            element = self._elements.get(style)
            if element is None:
                return
            yield style, element
            style = value(element, W + "basedOn")

    def look(self, run: Any, paragraph: str, table: str = "") -> RunLook:
        """How a run looks in a paragraph and a table of these styles ("" for the usual ones)."""
        own = run.find(W + "rPr")
        properties = NOTHING if own is None else RunProperties.read(own, self._fonts)
        base, is_plain = self._base(paragraph, properties.style, table)
        if is_plain and properties is NOTHING and run.get(MARK) is None:
            return PLAIN
        return resolved(run, properties, base)

    def _base(self, paragraph: str, character: str, table: str) -> tuple[RunProperties, bool]:
        """What styles say of runs, and whether they are to be read as they are."""
        key = (paragraph, character, table)
        if key not in self._looks:
            parts = [self._of_style(paragraph or self._defaults.get("paragraph", ""))]
            if character:
                parts.insert(0, self._of_style(character))
            if table:
                parts.append(self._of_style(table))
            together = RunProperties.together(parts, self._of_document)
            self._looks[key] = together, together.is_plain
        return self._looks[key]

    def _of_style(self, style: str) -> RunProperties:
        if style not in self._of_styles:
            levels = (RunProperties.read(each.find(W + "rPr"), self._fonts) for _, each in self._ancestry(style))
            self._of_styles[style] = RunProperties.inherited(levels)
        return self._of_styles[style]


def _level(style: Any) -> int:
    """Level from the style's built-in English name, which Word keeps in every language, or from its outline level."""
    name = value(style, W + "name")
    if found := _HEADING.fullmatch(name):
        return min(6, int(found.group(1)))
    if name.lower() == "title":
        return 1
    return outline_level(style.find(W + "pPr"))


def outline_level(properties: Any) -> int:
    """Outline levels count from 0; 9 means body text (ECMA-376, 17.3.1.20)."""
    level = number(value(properties, W + "outlineLvl"), 9, 9)
    return min(6, level + 1) if level < 9 else 0


def _theme_fonts(theme: Any) -> dict[str, str]:
    """The fonts that a theme means by "major" and "minor", for western letters (ECMA-376, 20.1.4.1.18)."""
    if theme is None:
        return {}
    fonts = {name: theme.find(f".//{A}{tag}/{A}latin") for name, tag in _THEME_FONTS.items()}
    return {name: font.get("typeface", "") for name, font in fonts.items() if font is not None}
