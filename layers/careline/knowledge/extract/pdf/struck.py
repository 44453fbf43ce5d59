"""Says which words of a page are struck through: by a line drawn over them, as word processors print it, or by a mark.

A line strikes the words whose middle it crosses where it is as long as they are. A border, an underline and a line set
around a title are none.
"""

from __future__ import annotations

import ctypes
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from careline.knowledge.extract.pdf.geometry import PageWord, RuledLine

_HIGHEST, _LOWEST = 0.38, 0.68
"""Where a line crosses a word, in heights of its box from above. Fonts put it at .5 to .65 (OpenType, `OS/2` table,
yStrikeoutPosition) and an underline below .85 (`post` table, underlinePosition); the line of a form is drawn at the
foot of the letters, at .75 and below."""
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


def split_words(
    words: Sequence[tuple[PageWord, Sequence[float]]], rules: Sequence[RuledLine], marks: Sequence[RuledLine]
) -> dict[int, list[PageWord]]:
    """The parts of words in which a line begins or ends, by the identity of the word: "43" of which the 4 was struck
    and the 3 written behind it. Each word comes with where each of its letters begins."""
    cuts: dict[int, set[int]] = defaultdict(set)
    edges = {id(word): places for word, places in words}
    strips = _strips([word for word, _ in words])
    for rule in islice((rule for rule in rules if rule.y1 - rule.y0 < rule.x1 - rule.x0), _MOST_LINES):
        for word in strips.get(int((rule.y0 + rule.y1) / 2 // _STRIP), ()):
            if _is_through(rule, word):
                cuts[id(word)] |= _cuts(rule, word, edges[id(word)])
    for mark in marks:
        for word, places in words:
            if mark.y0 < (word.y0 + word.y1) / 2 < mark.y1:
                cuts[id(word)] |= _cuts(mark, word, places)
    return {id(word): _parts(word, places, sorted(cuts[id(word)])) for word, places in words if cuts.get(id(word))}


def _cuts(line: RuledLine, word: PageWord, places: Sequence[float]) -> set[int]:
    """Before which letters of a word a line begins or ends."""
    found: set[int] = set()
    for end in (line.x0, line.x1):
        if word.x0 < end < word.x1:
            behind = bisect_left(places, end)
            around = [at for at in (behind - 1, behind) if 0 <= at < len(places)]
            nearest = min(around, key=lambda at: abs(places[at] - end))
            if 0 < nearest and places[nearest] > places[nearest - 1]:
                found.add(nearest)
    return found


def _parts(word: PageWord, places: Sequence[float], cuts: Sequence[int]) -> list[PageWord]:
    starts = [0, *cuts]
    ends = [*cuts, len(places)]
    edges = [*places, word.x1]
    return [
        word._replace(text=word.text[start:end], x0=edges[start] if start else word.x0, x1=edges[end])
        for start, end in zip(starts, ends, strict=True)
    ]


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
    return _is_through(rule, word) and _runs_over(rule, word)


def _is_through(rule: RuledLine, word: PageWord) -> bool:
    height = word.y1 - word.y0
    at = (rule.y0 + rule.y1) / 2 - word.y0
    return _HIGHEST * height < at < _LOWEST * height


def _covers(mark: RuledLine, word: PageWord) -> bool:
    return mark.y0 < (word.y0 + word.y1) / 2 < mark.y1 and _runs_over(mark, word)


def _runs_over(line: RuledLine, word: PageWord) -> bool:
    return min(line.x1, word.x1) - max(line.x0, word.x0) >= _COVERED * (word.x1 - word.x0)
