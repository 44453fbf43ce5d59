"""Finds what stands to the right of a piece of a page on the same height, without comparing every pair."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from careline.knowledge.extract.pdf.geometry import Segment

_SMALLEST_FONT = 6.0
_WIDE = 0.7
"""In font sizes: narrower white is no gap."""

_OVERLAP = 0.3
"""Share of the upper piece's height that the lower one may begin before its end and still stand below it."""

_MOST_TRIED = 64
"""Pieces that are looked at in one strip. Laid-out pages need two or three; where letters lie in heaps there is no
order to be found."""


class Neighbours:
    """The pieces of a page in strips of their mean height, each from left to right.

    A piece lies in every strip that it touches. Because the strips have the mean height there are at most three times
    as many places as pieces, however the heights differ.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._sizes = {id(piece): piece.size for piece in segments}
        heights = [max(0.0, piece.y1 - piece.y0) for piece in segments]
        self._height = max(1.0, sum(heights) / max(1, len(heights)))
        strips: dict[int, list[Segment]] = {}
        for piece in sorted(segments, key=lambda each: each.x0):
            for strip in self._strips(piece):
                strips.setdefault(strip, []).append(piece)
        self._strip = {strip: ([piece.x0 for piece in held], held) for strip, held in strips.items()}

    def right_of(self, left: Segment) -> float | None:
        """Where the nearest piece to the right begins that is a gap away and on the same height; None without one."""
        found = (self._in_strip(strip, left) for strip in self._strips(left))
        return min((x for x in found if x is not None), default=None)

    def _strips(self, piece: Segment) -> range:
        return range(int(piece.y0 // self._height), int(piece.y1 // self._height) + 1)

    def _in_strip(self, strip: int, left: Segment) -> float | None:
        edges, held = self._strip[strip]
        size = max(self._sizes[id(left)], _SMALLEST_FONT)
        begin = bisect_right(edges, left.x1 + _WIDE * size)
        for right in held[begin : begin + _MOST_TRIED]:
            if right.x0 - left.x1 > _WIDE * self._sizes[id(right)] and _on_one_height(left, right):
                return right.x0
        return None


def _on_one_height(one: Segment, other: Segment) -> bool:
    upper, lower = (one, other) if one.y0 <= other.y0 else (other, one)
    return lower.y0 < upper.y1 - _OVERLAP * (upper.y1 - upper.y0)
