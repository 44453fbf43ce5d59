"""Says which words of a page are struck through: by a line drawn over them, as word processors print it, or by a mark.

A line strikes the words whose middle it crosses where it is as long as they are. A border, an underline and a line set
around a title are none.
"""

from __future__ import annotations

import ctypes
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from careline.knowledge.extract.pdf.geometry import PageWord, RuledLine

_HIGHEST, _LOWEST = 0.38, 0.76
"""Where a line crosses a word, in heights of its box from above. Fonts put it at .5 to .65 (OpenType, `OS/2` table,
yStrikeoutPosition) and an underline below .85 (`post` table, underlinePosition)."""
_COVERED = 0.8
"""Share of a word that a line must run over, and of a line that must run over words."""
_MOST_MARKS = 1_000
_MOST_LINES = 20_000
_STRIP = 4
"""Points: words are looked up by the strips of the page that they stand in."""


def struck(
    words: Sequence[PageWord], rules: Sequence[RuledLine], marks: Sequence[RuledLine]
) -> tuple[list[PageWord], list[RuledLine]]:
    """Those of the words that are struck through, and the lines that strike them. `marks` are the boxes of marks."""
    found: dict[int, PageWord] = {}
    lines: list[RuledLine] = []
    strips = _strips(words)
    for rule in islice((rule for rule in rules if rule.y1 - rule.y0 < rule.x1 - rule.x0), _MOST_LINES):
        crossed = [word for word in strips.get(int((rule.y0 + rule.y1) / 2 // _STRIP), ()) if _crosses(rule, word)]
        over = sum(min(rule.x1, word.x1) - max(rule.x0, word.x0) for word in crossed)
        gaps = sum(word.size for word in crossed) / 2
        if crossed and over + gaps >= _COVERED * (rule.x1 - rule.x0):
            lines.append(rule)
            found.update((id(word), word) for word in crossed)
    for mark in marks:
        found.update((id(word), word) for word in words if _covers(mark, word))
    return list(found.values()), lines


def _strips(words: Sequence[PageWord]) -> dict[int, list[PageWord]]:
    strips: dict[int, list[PageWord]] = defaultdict(list)
    for word in words:
        height = word.y1 - word.y0
        first, last = word.y0 + _HIGHEST * height, word.y0 + _LOWEST * height
        for strip in range(int(first // _STRIP), int(last // _STRIP) + 1):
            strips[strip].append(word)
    return strips


def marks_of(pdfium: Any, page: Any) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of a page's marks that strike text out (ISO 32000-2, 12.5.6.10): left, bottom, right, top."""
    for index in range(min(_MOST_MARKS, pdfium.FPDFPage_GetAnnotCount(page))):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_STRIKEOUT:
                yield from _boxes(pdfium, annotation)
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _boxes(pdfium: Any, annotation: Any) -> Iterator[tuple[float, float, float, float]]:
    quad = pdfium.FS_QUADPOINTSF()
    for index in range(min(_MOST_MARKS, pdfium.FPDFAnnot_CountAttachmentPoints(annotation))):
        if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, index, ctypes.byref(quad)):
            across, up = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            yield min(across), min(up), max(across), max(up)


def _crosses(rule: RuledLine, word: PageWord) -> bool:
    height = word.y1 - word.y0
    at = (rule.y0 + rule.y1) / 2 - word.y0
    return _HIGHEST * height < at < _LOWEST * height and _runs_over(rule, word)


def _covers(mark: RuledLine, word: PageWord) -> bool:
    return mark.y0 < (word.y0 + word.y1) / 2 < mark.y1 and _runs_over(mark, word)


def _runs_over(line: RuledLine, word: PageWord) -> bool:
    return min(line.x1, word.x1) - max(line.x0, word.x0) >= _COVERED * (word.x1 - word.x0)
