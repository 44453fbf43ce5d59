"""Finds the columns of a table without drawn cells, and which of them each piece of a row covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from careline.knowledge.extract.lists import is_marker
from careline.knowledge.extract.pdf.geometry import Rule, Segment, segment

_SUPPORT = 0.2
"""Share of the rows that must have as many pieces as the table has columns."""

_SPLIT_GAP = 0.45
"""In font sizes: words further apart than this, at the place of a gutter, stand in two columns. A space takes 0.3."""


_MOST_TOP_ROWS = 4
_PADDING = 12.0
"""Points between the end of a column and the text of the next one, as it is mostly set."""

_CENTRED = 0.8
"""In heights of a header: how far it may be from the middle of the columns that it covers."""


class Column(NamedTuple):
    """A column: from `x0` to `x1` its text reaches, from `left` to `right` its cells do."""

    x0: float
    x1: float
    left: float
    right: float


def columns_of(rows: Sequence[list[Segment]]) -> list[Column]:
    """The columns of rows that have two pieces at least; fewer than two when the rows do not agree."""
    agreed, strips = _agreed(rows), _strips(rows)
    return _boxes(strips if len(strips) > len(agreed) else agreed)


def _agreed(rows: Sequence[list[Segment]]) -> list[tuple[float, float]]:
    """The columns of the rows with the most pieces, when these do not overlap, widened by what other rows add."""
    counts = Counter(map(len, rows))
    enough = max(2, _SUPPORT * len(rows)) if len(rows) > 3 else 1
    supported = [size for size in counts if sum(n for other, n in counts.items() if other >= size) >= enough]
    most = max(supported, default=0)
    full = [row for row in rows if len(row) == most]
    spans = [(min(row[k].x0 for row in full), max(row[k].x1 for row in full)) for k in range(most)] if full else []
    if any(left[1] >= right[0] for left, right in pairwise(spans)):
        return []
    for row in rows[_top(rows, most) :]:
        for piece in row:
            hit = [k for k, (x0, x1) in enumerate(spans) if piece.x0 < x1 and piece.x1 > x0]
            if len(hit) == 1:
                k = hit[0]
                x0, x1 = min(spans[k][0], piece.x0), max(spans[k][1], piece.x1)
                spans[k] = (x0, x1)
            elif not hit and len(row) == most:
                return []
    return spans


def _top(rows: Sequence[list[Segment]], most: int) -> int:
    """The first row that is no header over several columns."""
    return next((n for n, row in enumerate(rows) if len(row) >= most or n >= _MOST_TOP_ROWS), 0)


def _strips(rows: Sequence[list[Segment]]) -> list[tuple[float, float]]:
    """The columns between the white strips that run through all rows but headers over several columns."""
    most = max(map(len, rows))
    words = sorted(place for row in rows[_top(rows, most) :] for piece in row for place in _places(piece))
    spans: list[tuple[float, float]] = []
    for x0, x1, size in words:
        if spans and x0 <= spans[-1][1] + _SPLIT_GAP * size:
            spans[-1] = (spans[-1][0], max(spans[-1][1], x1))
        else:
            spans.append((x0, x1))
    return spans


def _places(piece: Segment) -> list[tuple[float, float, float]]:
    """From where to where each word of a piece reaches, with its size; a bullet is one with the word behind it."""
    words = piece.words
    if len(words) > 1 and is_marker(words[0].text):
        words = (words[1]._replace(x0=words[0].x0), *words[2:])
    return [(word.x0, word.x1, word.size) for word in words]


def _boxes(spans: Sequence[tuple[float, float]]) -> list[Column]:
    middles = [(left[1] + right[0]) / 2 for left, right in pairwise(spans)]
    if not spans:
        return []
    edges = [spans[0][0], *middles, spans[-1][1]]
    return [Column(x0, x1, left, right) for (x0, x1), (left, right) in zip(spans, pairwise(edges), strict=True)]


def placed(
    row: Sequence[Segment], columns: Sequence[Column], rules: Sequence[Rule], *, above_values: bool
) -> dict[tuple[int, int], list[Segment]]:
    """The pieces of a row by their first column and how many they cover."""
    found: dict[tuple[int, int], list[Segment]] = {}
    pieces = [piece for whole in row for piece in _split(whole, columns)]
    shared = _shared_out(pieces, columns) if above_values else {}
    for number, piece in enumerate(pieces):
        first, last = shared.get(number) or _covered(piece, columns)
        if above_values:
            first, last = _ruled_over(piece, columns, rules) or (
                (first, last) if shared else _header_over(piece, (first, last), columns, pieces)
            )
        found.setdefault((first, last - first + 1), []).append(piece)
    return found


def _split(piece: Segment, columns: Sequence[Column]) -> list[Segment]:
    """A piece that runs into the next column without more than a space between is cut where the columns part."""
    parts = [[piece.words[0]]]
    for left, right in pairwise(piece.words):
        gap = right.x0 - left.x1
        crosses = _nearest((left.x0 + left.x1) / 2, columns) != _nearest((right.x0 + right.x1) / 2, columns)
        if crosses and not is_marker(left.text) and gap > _SPLIT_GAP * right.size:
            parts.append([right])
        else:
            parts[-1].append(right)
    return [segment(part) for part in parts]


def _nearest(x: float, columns: Sequence[Column]) -> int:
    return next((k for k, column in enumerate(columns) if x < column.right), len(columns) - 1)


def _covered(piece: Segment, columns: Sequence[Column]) -> tuple[int, int]:
    """The first and the last column in which a piece stands."""
    hit = [k for k, column in enumerate(columns) if piece.x0 < column.x1 - 1 and piece.x1 > column.x0 + 1]
    if not hit:
        nearest = _nearest((piece.x0 + piece.x1) / 2, columns)
        return nearest, nearest
    return hit[0], hit[-1]


def _shared_out(pieces: Sequence[Segment], columns: Sequence[Column]) -> dict[int, tuple[int, int]]:
    """The columns behind the first shared out among headers, each in the middle of its own; empty when that fails."""
    heads = [n for n, piece in enumerate(pieces) if _covered(piece, columns)[0] > 0]
    if not 0 < len(heads) < len(columns) - 1:
        return {}
    # For each number of columns that are shared out, the smallest sum of distances and the ranges that give it.
    best: dict[int, tuple[float, tuple[tuple[int, int], ...]]] = {1: (0.0, ())}
    for n in heads:
        piece, grown = pieces[n], dict[int, tuple[float, tuple[tuple[int, int], ...]]]()
        centre, height = (piece.x0 + piece.x1) / 2, piece.y1 - piece.y0
        for start, (total, ranges) in best.items():
            for end in range(start, len(columns)):
                off = _off(centre, (start, end), columns)
                if off < _CENTRED * height and total + off < grown.get(end + 1, (1e9, ()))[0]:
                    grown[end + 1] = total + off, (*ranges, (start, end))
        best = grown
    return dict(zip(heads, best[len(columns)][1], strict=True)) if len(columns) in best else {}


def _ruled_over(piece: Segment, columns: Sequence[Column], rules: Sequence[Rule]) -> tuple[int, int] | None:
    """The columns above which a line is drawn right under a header."""
    height = piece.y1 - piece.y0
    for rule in rules:
        under = rule.x1 - rule.x0 > rule.y1 - rule.y0 and -0.3 * height < rule.y0 - piece.y1 < 0.9 * height
        if under and rule.x0 - 2 <= piece.x0 and piece.x1 <= rule.x1 + 2:
            inside = [k for k, column in enumerate(columns) if rule.x0 - 3 < (column.x0 + column.x1) / 2 < rule.x1 + 3]
            if inside and len(inside) < len(columns):
                return inside[0], inside[-1]
    return None


def _header_over(
    piece: Segment, covered: tuple[int, int], columns: Sequence[Column], row: Sequence[Segment]
) -> tuple[int, int]:
    """The free columns in the middle of which a header is set; where it stands when there are none."""
    centre, height = (piece.x0 + piece.x1) / 2, piece.y1 - piece.y0
    if covered[0] == covered[1] and _stands_at(piece, columns[covered[0]]):
        return covered
    free = [k for k in range(len(columns)) if not any(o is not piece and _covered(o, columns)[0] == k for o in row)]
    ranges = [
        (first, last)
        for first in free
        for last in free
        if first <= covered[0] and covered[1] <= last and set(range(first, last + 1)) <= set(free)
    ]
    if not ranges:
        return covered
    best = min(ranges, key=lambda span: (_off(centre, span, columns), span[1] - span[0]))
    return best if _off(centre, best, columns) < _CENTRED * height else covered


def _stands_at(piece: Segment, column: Column) -> bool:
    """Left, right or in the middle of a column."""
    middle = abs((piece.x0 + piece.x1) - (column.x0 + column.x1)) / 2
    return min(abs(piece.x0 - column.x0), abs(piece.x1 - column.x1), middle) < 2.5


def _off(centre: float, span: tuple[int, int], columns: Sequence[Column]) -> float:
    """How far a centre is from the middle of columns: of their text, of their cells, or of cells that begin where
    their text does."""
    first, last = columns[span[0]], columns[span[1]]
    pitch = (columns[-1].x0 - columns[0].x0) / (len(columns) - 1)
    end = columns[span[1] + 1].x0 if span[1] + 1 < len(columns) else last.x0 + pitch
    middles = (first.x0 + last.x1, first.left + last.right, first.x0 + end - _PADDING)
    return min(abs(centre - middle / 2) for middle in middles)
