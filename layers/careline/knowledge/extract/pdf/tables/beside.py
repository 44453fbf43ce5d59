"""Keeps tables that stand beside each other with their own headings: each is read with what stands above it."""

from __future__ import annotations

from collections.abc import Sequence

from careline.knowledge.extract.pdf.geometry import Segment, rows_of

_SIDE = 6.0
"""Points that a heading may begin before its table."""

_ABOVE = 2.5
"""In line heights: a heading is not further above its table."""

_MOST_TABLES = 12


def with_own_headings(region: Sequence[Segment]) -> list[list[Segment]]:
    """The region in parts, in reading order: what stands above tables beside each other, each of these with the line
    above it that every one of them has a piece of, and the rest."""
    tables = sorted((piece for piece in region if piece.table), key=lambda piece: piece.y0)
    if not 1 < len(tables) <= _MOST_TABLES:
        return [list(region)]
    for first in tables:
        beside = sorted((other for other in tables if other is first or _beside(first, other)), key=lambda one: one.x0)
        if len(beside) > 1 and (parts := _parted(region, beside)):
            before, columns, after = parts
            return [*([before] if before else []), *columns, *(with_own_headings(after) if after else [])]
    return [list(region)]


def _beside(one: Segment, other: Segment) -> bool:
    return (one.x1 < other.x0 or other.x1 < one.x0) and one.y0 < other.y1 and other.y0 < one.y1


def _parted(
    region: Sequence[Segment], beside: Sequence[Segment]
) -> tuple[list[Segment], list[list[Segment]], list[Segment]] | None:
    """What comes before, each table with its heading, and what comes after; None without a heading for each."""
    top, bottom = min(table.y0 for table in beside), max(table.y1 for table in beside)
    others = [piece for piece in region if not any(piece is table for table in beside)]
    above = rows_of([piece for piece in others if piece.y1 <= top + 1])
    line = above[-1] if above else []
    own = [[piece for piece in line if _is_over(piece, table)] for table in beside]
    near = bool(line) and top - line[0].y1 < _ABOVE * (line[0].y1 - line[0].y0)
    if not near or not all(own) or sum(map(len, own)) != len(line):
        return None
    columns = [[*heading, table] for heading, table in zip(own, beside, strict=True)]
    rest = [piece for piece in others if piece.y1 > top + 1]
    after = [piece for piece in rest if piece.y0 >= bottom - 1]
    for piece in rest:
        if piece.y0 < bottom - 1:
            middle = (piece.x0 + piece.x1) / 2
            min(columns, key=lambda column: abs((column[-1].x0 + column[-1].x1) / 2 - middle)).insert(-1, piece)
    return [piece for row in above[:-1] for piece in row], columns, after


def _is_over(piece: Segment, table: Segment) -> bool:
    return table.x0 - _SIDE <= piece.x0 and piece.x1 <= table.x1 + _SIDE
