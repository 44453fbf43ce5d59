"""Says which words of a page its readers cannot see: without ink, white on white, too small, or beside the page."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from careline.knowledge.extract.pdf.geometry import PageWord

_SMALLEST_POINTS = 2.0
_WHITE = 245
"""Of 255 in each of red, green and blue: paper."""
_NO_INK = frozenset({3, 7})
"""Render modes that draw nothing (ISO 32000-1, table 106)."""
_SCAN = 0.5
"""Share of the page that pictures cover on a scan, whose invisible text is what was recognised on it."""
_MOST_GROUNDS = 5_000
Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Ink:
    """How a word is drawn. `drawn` is False for invisible render modes and for full transparency."""

    drawn: bool
    white: bool


def ink_of(pdfium: Any, text_page: Any, index: int) -> Ink:
    """The ink of one character; ordinary where pdfium cannot tell."""
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    held = pdfium.FPDFText_GetFillColor(text_page.raw, index, red, green, blue, alpha)
    drawn = pdfium.FPDFText_GetTextObject(text_page.raw, index)
    mode = pdfium.FPDFTextObj_GetTextRenderMode(drawn) if drawn else 0
    white = bool(held) and min(red.value, green.value, blue.value) >= _WHITE and mode != 1
    return Ink(mode not in _NO_INK and (not held or alpha.value > 0), white)


def is_ground(pdfium: Any, drawn: Any) -> bool:
    """Whether an object of a page may lie behind white words: a picture, a shading or a path filled in a colour."""
    kind = pdfium.FPDFPageObj_GetType(drawn)
    if kind in (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING):
        return True
    if kind != pdfium.FPDF_PAGEOBJ_PATH:
        return False
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    if not (pdfium.FPDFPath_GetDrawMode(drawn, fill, stroke) and fill.value):
        return False
    held = pdfium.FPDFPageObj_GetFillColor(drawn, red, green, blue, alpha)
    return not held or (alpha.value > 0 and min(red.value, green.value, blue.value) < _WHITE)


class PageBackground:
    """What lies behind the words of one page."""

    def __init__(self, page: Box, picture_share: float) -> None:
        self._page = page
        self._scan = picture_share >= _SCAN
        self._boxes: list[Box] = []

    def add(self, box: Box) -> None:
        """One more coloured area."""
        if len(self._boxes) < _MOST_GROUNDS:
            self._boxes.append(box)

    def shows(self, word: PageWord, ink: Ink) -> bool:
        """Whether a reader sees the word."""
        if word.size < _SMALLEST_POINTS or not _meet(self._page, word):
            return False
        if not ink.drawn:
            return self._scan
        return not ink.white or self._scan or any(_meet(box, word) for box in self._boxes)


def hidden(found: Iterable[tuple[PageWord, Ink]], grounds: PageBackground) -> list[PageWord]:
    """Those of the words that no reader sees."""
    return [word for word, ink in found if not grounds.shows(word, ink)]


def _meet(box: Box, word: PageWord) -> bool:
    return box[0] < word.x1 and word.x0 < box[2] and box[1] < word.y1 and word.y0 < box[3]
