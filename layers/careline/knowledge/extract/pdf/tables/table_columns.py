"""Finds the columns of a table without drawn cells, and which of them each piece of a row covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import inf

from careline.knowledge.extract.lists import is_marker
from careline.knowledge.extract.pdf.geometry import RuledLine, Segment, segment
from careline.knowledge.extract.pdf.tables.spanning_headers import Column, headers_over
from careline.tables.headers import is_figure

_SUPPORT = 0.2
"""Share of the rows that must have as many pieces as the table has columns."""

_SPLIT_GAP = 0.45
"""In font sizes: words further apart than this, at the place of a gutter, stand in two columns. A space takes 0.3."""


_MOST_TOP_ROWS = 4


def apart(piece: Segment, gap: float) -> list[Segment]:
    """The parts of a piece between which there is more room than `gap`, in font sizes; a marker stays with its word."""
    parts = [[piece.words[0]]]
    for left, right in pairwise(piece.words):
        if right.x0 - left.x1 > gap * right.size and not is_marker(left.text):
            parts.append([right])
        else:
            parts[-1].append(right)
    return [segment(part) for part in parts]


def columns_of(rows: Sequence[list[Segment]]) -> list[Column]:
    """The columns of rows that have two pieces at least; fewer than two when the rows do not agree."""
    agreed, strips = _agreed(rows), _strips(rows)
    return _boxes(strips if len(strips) > len(agreed) else agreed)


def named_in_order(rows: Sequence[list[Segment]], body: int) -> list[Column]:
    """The columns where the row that names them has as many headers as there are columns of values behind the labels,
    so that each is of the header in its place, wherever in the column it stands; none where that is not so.

    `body` is the number of the first row below the header.
    """
    label = _end_of_labels(rows)
    heads = [[piece for piece in row if piece.x0 > label] for row in rows[:body]]
    names = max(reversed(heads), key=len, default=[])
    values = [span for span in _white_strips(rows[body:]) if span[0] > label]
    if len(names) < 2 or len(names) != len(values):
        return []
    spans = [(min(name.x0, x0), max(name.x1, x1)) for name, (x0, x1) in zip(names, values, strict=True)]
    spans.insert(0, (min(row[0].x0 for row in rows), label))
    return [] if any(left[1] >= right[0] for left, right in pairwise(spans)) else _boxes(spans)


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
    for row in rows[_top(rows) :]:
        for piece in row:
            hit = [k for k, (x0, x1) in enumerate(spans) if piece.x0 < x1 and piece.x1 > x0]
            if len(hit) == 1:
                k = hit[0]
                x0, x1 = min(spans[k][0], piece.x0), max(spans[k][1], piece.x1)
                spans[k] = (x0, x1)
            elif not hit:
                return []
    return spans


def _top(rows: Sequence[list[Segment]]) -> int:
    """The first row that is no header over several columns: a header's corner may stand in another of its rows."""
    label = _end_of_labels(rows)
    behind = [sum(piece.x0 > label for piece in row) for row in rows]
    most = max(behind)
    return next((n for n, count in enumerate(behind) if count >= most or n >= _MOST_TOP_ROWS), 0)


def _end_of_labels(rows: Sequence[list[Segment]]) -> float:
    """How far those first pieces of the rows reach that stand below one another, from the leftmost on."""
    end = -inf
    for piece in sorted((row[0] for row in rows), key=lambda each: each.x0):
        if end != -inf and piece.x0 > end:
            break
        end = max(end, piece.x1)
    return end


def _strips(rows: Sequence[list[Segment]]) -> list[tuple[float, float]]:
    """The columns between the white strips that run through all rows but headers over several columns."""
    return _white_strips(rows[_top(rows) :])


def _white_strips(rows: Sequence[list[Segment]]) -> list[tuple[float, float]]:
    words = sorted(place for row in rows for piece in row for place in _places(piece))
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
    row: Sequence[Segment], columns: Sequence[Column], rules: Sequence[RuledLine], *, above_values: bool
) -> dict[tuple[int, int], list[Segment]] | None:
    """The pieces of a row by their first column and how many they cover; None for headers that may stand over other
    columns as well, and for values that cannot be told from their neighbours."""
    found: dict[tuple[int, int], list[Segment]] = {}
    pieces = [piece for whole in row for piece in _split(whole, columns)]
    over = headers_over(pieces, [covered(piece, columns) for piece in pieces], columns, rules) if above_values else {}
    if over is None or (not above_values and any(_has_two_figures(piece, columns) for piece in pieces)):
        return None
    for number, piece in enumerate(pieces):
        first, last = over.get(number) or covered(piece, columns)
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


def _has_two_figures(piece: Segment, columns: Sequence[Column]) -> bool:
    """Words that run on from column to column, with figures in more than one behind the labels."""
    places = {_nearest((word.x0 + word.x1) / 2, columns) for word in piece.words if is_figure(word.text)}
    return len(places - {0}) > 1


def _nearest(x: float, columns: Sequence[Column]) -> int:
    return next((k for k, column in enumerate(columns) if x < column.right), len(columns) - 1)


def covered(piece: Segment, columns: Sequence[Column]) -> tuple[int, int]:
    """The first and the last column in which a piece stands."""
    hit = [k for k, column in enumerate(columns) if piece.x0 < column.x1 - 1 and piece.x1 > column.x0 + 1]
    if not hit:
        nearest = _nearest((piece.x0 + piece.x1) / 2, columns)
        return nearest, nearest
    return hit[0], hit[-1]
