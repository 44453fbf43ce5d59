"""Asks pdfium what stands on a page: words with their boxes, ruling lines, and how much of it is pictures."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from careline.knowledge.extract.pdf.geometry import PageWord, RuledLine
from careline.knowledge.extract.pdf.ink import Box, Ink, PageBackground, hidden, ink_of, is_ground
from careline.knowledge.extract.pdf.raised_signs import with_raised_signs
from careline.knowledge.extract.pdf.struck import marks_of, split_words, struck

_LINE_END_HYPHENS = {0x2: "-", 0xFFFE: "-", 0xAD: "\u00ad"}
_LAYOUT_CONTROLS = frozenset((0x2, 0x9, 0xA, 0xD))
_BULLETS = dict.fromkeys(map(chr, (0xF0B7, 0xF0A7, 0xF076, 0xF0D8, 0xF0FC, 0xF06E, 0xF071, 0xF02D)), "•")
"""Bullets of the Symbol and Wingdings fonts, which word processors leave in the private use area."""

_BOLD_NAMES = ("bold", "black", "heavy", "demi")
_RAISED_SIZE = 0.9
_RAISED_BY = 0.12
"""In heights of the larger neighbour: signs of notes are set this much smaller, and stand this much higher."""

_Box = tuple[float, float, float, float]
_MOST_OBJECTS = 20_000
_MOST_POINTS = 400
_FAR = 1e7
"""Points from the corner of a page to anything that is on it; the largest page has 14,400 (ISO 32000-2, annex C)."""

_THIN = 2.5
_SHORTEST_RULE, _SHORTEST_STROKE = 8.0, 3.0
"""Points: of a line of a table, and of one through a single figure."""

Placing = Callable[[float, float], tuple[float, float]]
_PLACINGS: tuple[Placing, ...] = (
    lambda x, y: (x, -y),
    lambda x, y: (y, x),
    lambda x, y: (-x, y),
    lambda x, y: (-y, -x),
)
"""From PDF user space (y upwards) to what a reader sees, by the page's rotation in quarter turns clockwise."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What stands on one page. `turned` are words that do not run from left to right, such as watermarks.

    `characters` counts the letters that can be read, `unmapped` those of which the font does not say what they are.
    """

    words: tuple[PageWord, ...]
    turned: tuple[PageWord, ...]
    rules: tuple[RuledLine, ...]
    picture_share: float
    characters: int
    unmapped: int = 0
    hidden: tuple[PageWord, ...] = ()
    """Words that no reader sees."""
    struck: tuple[PageWord, ...] = ()
    """Words with a line through them."""

    @property
    def lost(self) -> float:
        """Share of the letters that a reader sees and the text does not say, 0 to 1."""
        return self.unmapped / max(1, self.characters + self.unmapped)


def read_sheet(page: Any) -> Sheet:
    """Everything on a pypdfium2 page. The caller holds the pdfium lock: the library is not thread-safe."""
    import pypdfium2.raw as pdfium

    place = _PLACINGS[pdfium.FPDFPage_GetRotation(page) % 4]
    text_page = page.get_textpage()
    unmapped: list[int] = []
    try:
        drawn = list(_words(pdfium, text_page, place, unmapped))
    finally:
        text_page.close()
    rules, picture_area = _drawn(pdfium, page, place)
    width, height = page.get_size()
    share = min(1.0, picture_area / max(1.0, width * height))
    unseen = hidden(((one.word, one.ink) for one in drawn), _grounds(pdfium, page, place, share))
    gone = set(map(id, unseen))
    marks = [RuledLine(*_placed(box, place)) for box in marks_of(pdfium, page)]
    seen = [(one.word, one.places) for one in drawn if one.is_upright and id(one.word) not in gone]
    told, crossed, lines = _without_struck(seen, rules, marks)
    found = list(
        with_raised_signs(
            (word, one.is_upright)
            for one in drawn
            if id(one.word) not in gone
            for word in told.get(id(one.word), [one.word])
        )
    )
    upright = tuple(word for word, is_upright in found if is_upright)
    return Sheet(
        upright,
        tuple(word for word, is_upright in found if not is_upright),
        tuple(rule for rule in rules if id(rule) not in lines and _length(rule) >= _SHORTEST_RULE),
        share,
        max(0, sum(len(word.text) for word in upright) - sum(1 for code in unmapped if code > 31)),
        len(unmapped),
        tuple(unseen),
        tuple(crossed),
    )


def _without_struck(
    seen: Sequence[tuple[PageWord, Sequence[float]]], rules: Sequence[RuledLine], marks: Sequence[RuledLine]
) -> tuple[dict[int, list[PageWord]], list[PageWord], set[int]]:
    """What is left of each word of which something is struck, by its identity; what is struck; and the identities of
    the lines that do it."""
    parts = split_words(seen, rules, marks)
    pieces = [piece for word, _ in seen for piece in parts.get(id(word), [word])]
    crossed, lines = struck(pieces, rules, marks)
    gone = set(map(id, crossed))
    left: dict[int, list[PageWord]] = {}
    for word, _ in seen:
        whole = parts.get(id(word), [word])
        if any(id(piece) in gone for piece in whole):
            left[id(word)] = [piece for piece in whole if id(piece) not in gone]
    return left, crossed, set(map(id, lines))


def _grounds(pdfium: Any, page: Any, place: Placing, picture_share: float) -> PageBackground:
    """What lies behind the words, and the part of the sheet that is shown."""
    grounds = PageBackground(_placed(page.get_cropbox(), place), picture_share)
    for each in _objects(pdfium, page):
        if is_ground(pdfium, each):
            grounds.add(_placed(_bounds(pdfium, each), place))
    return grounds


def _placed(box: Box, place: Placing) -> Box:
    (ax, ay), (bx, by) = place(box[0], box[1]), place(box[2], box[3])
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


class _Drawn(NamedTuple):
    """A word as it is drawn, and where each of its letters begins."""

    word: PageWord
    is_upright: bool
    ink: Ink
    places: tuple[float, ...]


@dataclass(slots=True)
class _Run:
    """A word while its characters are being collected."""

    first: int
    text: list[str]
    x0: float
    y0: float
    x1: float
    y1: float
    last_x0: float
    places: list[float]

    def goes_on(self, box: _Box) -> bool:
        """Whether a box is the next character's. The letters of a ligature share one box."""
        height = self.y1 - self.y0
        near = abs(box[3] - self.y1) < 0.6 * height and box[0] >= self.last_x0 and box[0] - self.x1 < 0.35 * height
        return near and not _is_other_height((self.x0, self.y0, self.x1, self.y1), box)

    def add(self, letter: str, box: _Box) -> None:
        self.text.append(letter)
        self.places.append(box[0])
        self.last_x0 = box[0]
        self.x0, self.y0 = min(self.x0, box[0]), min(self.y0, box[1])
        self.x1, self.y1 = max(self.x1, box[2]), max(self.y1, box[3])


def _is_other_height(one: _Box, other: _Box) -> bool:
    """One of two neighbours is smaller and raised, as the sign of a note is. Small capitals and indices are not."""
    small, large = (one, other) if one[3] - one[1] < other[3] - other[1] else (other, one)
    height = large[3] - large[1]
    return small[3] - small[1] < _RAISED_SIZE * height and large[3] - small[3] > _RAISED_BY * height


def _words(pdfium: Any, text_page: Any, place: Placing, unmapped: list[int]) -> Iterator[_Drawn]:
    run: _Run | None = None
    upright = True
    for index, letter, box in _letters(pdfium, text_page, place, unmapped):
        if run is not None and (box is None or (upright and not run.goes_on(box))):
            yield _finished(pdfium, text_page, run, place)
            run = None
        if box is None:
            continue
        if run is None:
            run = _Run(index, [letter], *box, box[0], [box[0]])
            upright = _is_upright(_matrix(pdfium, text_page, index), place)
        else:
            run.add(letter, box)
    if run is not None:
        yield _finished(pdfium, text_page, run, place)


def _letters(
    pdfium: Any, text_page: Any, place: Placing, unmapped: list[int]
) -> Iterator[tuple[int, str, _Box | None]]:
    """Every character with its box; None for the box of white space. The codes of those without meaning are noted."""
    raw, box = text_page.raw, pdfium.FS_RECTF()
    here, unicode_at, box_at = ctypes.byref(box), pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox
    wrong_at = pdfium.FPDFText_HasUnicodeMapError
    for index in range(pdfium.FPDFText_CountChars(raw)):
        code = unicode_at(raw, index)
        if _has_no_meaning(code) or (code > 32 and wrong_at(raw, index) == 1 and chr(code) not in _BULLETS):
            unmapped.append(code)
        letter = _LINE_END_HYPHENS.get(code) or (
            chr(code) if 31 < code < 0x110000 and not 0xD800 <= code < 0xE000 else " "
        )
        if letter.isspace() or not box_at(raw, index, here) or not _is_on_a_page(box):
            yield index, letter, None
            continue
        ax, ay = place(box.left, box.top)
        bx, by = place(box.right, box.bottom)
        yield index, _BULLETS.get(letter, letter), (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def _is_on_a_page(box: Any) -> bool:
    """Whether a box has a place: fonts and matrices of a damaged file may put it at infinity, or nowhere (NaN)."""
    return all(-_FAR < edge < _FAR for edge in (box.left, box.top, box.right, box.bottom))


def _has_no_meaning(code: int) -> bool:
    """Nothing, a control, the sign for "unknown", or a private use that is no known bullet."""
    if code < 32:
        return code not in _LAYOUT_CONTROLS
    private = 0xE000 <= code < 0xF900 or code >= 0xF0000
    return code == 0xFFFD or (private and chr(code) not in _BULLETS)


def _finished(pdfium: Any, text_page: Any, run: _Run, place: Placing) -> _Drawn:
    matrix = _matrix(pdfium, text_page, run.first)
    scale = (matrix[2] ** 2 + matrix[3] ** 2) ** 0.5 or 1.0
    size = pdfium.FPDFText_GetFontSize(text_page.raw, run.first) * scale or run.y1 - run.y0
    bold = _is_bold(_font_name(pdfium, text_page, run.first))
    word = PageWord("".join(run.text), run.x0, run.y0, run.x1, run.y1, size, bold)
    return _Drawn(word, _is_upright(matrix, place), ink_of(pdfium, text_page, run.first), tuple(run.places))


def _matrix(pdfium: Any, text_page: Any, index: int) -> _Box:
    matrix = pdfium.FS_MATRIX()
    if not pdfium.FPDFText_GetMatrix(text_page.raw, index, ctypes.byref(matrix)):
        return 1.0, 0.0, 0.0, 1.0
    return matrix.a, matrix.b, matrix.c, matrix.d


def _is_upright(matrix: _Box, place: Placing) -> bool:
    across, down = place(matrix[0], matrix[1])
    return across > 0 and abs(down) < 0.1 * across


def _font_name(pdfium: Any, text_page: Any, index: int) -> bytes:
    name, flags = ctypes.create_string_buffer(96), ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(text_page.raw, index, name, 96, ctypes.byref(flags))
    return name.value


@lru_cache(maxsize=512)
def _is_bold(name: bytes) -> bool:
    lower = name.decode("utf-8", "replace").lower()
    return any(word in lower for word in _BOLD_NAMES)


def _drawn(pdfium: Any, page: Any, place: Placing) -> tuple[list[RuledLine], float]:
    """Ruling lines, and the area of the pictures in square points."""
    rules: list[RuledLine] = []
    area = 0.0
    get_type, path, image = pdfium.FPDFPageObj_GetType, pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE
    for drawn in itertools.islice(_objects(pdfium, page), _MOST_OBJECTS):
        kind = get_type(drawn)
        if kind == path:
            rules.extend(_rules(pdfium, drawn, place))
        elif kind == image:
            x0, y0, x1, y1 = _bounds(pdfium, drawn)
            area += abs(x1 - x0) * abs(y1 - y0)
    return rules, area


def _objects(pdfium: Any, page: Any) -> Iterator[Any]:
    """Objects of the page and of the forms placed on it."""
    for index in range(min(_MOST_OBJECTS, pdfium.FPDFPage_CountObjects(page))):
        drawn = pdfium.FPDFPage_GetObject(page, index)
        yield drawn
        if pdfium.FPDFPageObj_GetType(drawn) == pdfium.FPDF_PAGEOBJ_FORM:
            for inner in range(min(_MOST_OBJECTS, pdfium.FPDFFormObj_CountObjects(drawn))):
                yield pdfium.FPDFFormObj_GetObject(drawn, inner)


def _bounds(pdfium: Any, drawn: Any) -> _Box:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


def _rules(pdfium: Any, drawn: Any, place: Placing) -> Iterator[RuledLine]:
    left, bottom, right, top = _bounds(pdfium, drawn)
    if max(right - left, top - bottom) < _SHORTEST_STROKE:
        return
    if min(right - left, top - bottom) <= _THIN:
        yield from _as_rule(place, (left, bottom), (right, top))
        return
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    if pdfium.FPDFPath_GetDrawMode(drawn, fill, stroke) and stroke.value:
        points = list(_points(pdfium, drawn))
        for (start, _), (end, is_drawn) in itertools.pairwise(points):
            if is_drawn:
                yield from _as_rule(place, start, end)


def _points(pdfium: Any, drawn: Any) -> Iterator[tuple[tuple[float, float], bool]]:
    """Corners of a path in user space, each with whether a line leads to it."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(drawn, ctypes.byref(matrix))
    begin: tuple[float, float] | None = None
    for index in range(min(_MOST_POINTS, pdfium.FPDFPath_CountSegments(drawn))):
        piece = pdfium.FPDFPath_GetPathSegment(drawn, index)
        px, py = ctypes.c_float(), ctypes.c_float()
        pdfium.FPDFPathSegment_GetPoint(piece, px, py)
        point = (
            matrix.a * px.value + matrix.c * py.value + matrix.e,
            matrix.b * px.value + matrix.d * py.value + matrix.f,
        )
        moved = pdfium.FPDFPathSegment_GetType(piece) == pdfium.FPDF_SEGMENT_MOVETO
        begin = point if moved else begin
        yield point, not moved
        if begin is not None and pdfium.FPDFPathSegment_GetClose(piece):
            yield begin, True


def _as_rule(place: Placing, start: tuple[float, float], end: tuple[float, float]) -> Iterator[RuledLine]:
    ax, ay = place(*start)
    bx, by = place(*end)
    rule = RuledLine(min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))
    across, down = rule.x1 - rule.x0, rule.y1 - rule.y0
    if min(across, down) <= _THIN and max(across, down) >= _SHORTEST_STROKE:
        yield rule


def _length(rule: RuledLine) -> float:
    return max(rule.x1 - rule.x0, rule.y1 - rule.y0)
