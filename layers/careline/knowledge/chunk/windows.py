"""Lays windows over the sentences of a section: even in size, each beginning with the end of the last."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import ceil

from careline.knowledge.chunk.sections import ChunkUnit

_SLACK = 0.15
"""Share of the size by which a window may end earlier to end with its paragraph."""


def windows(units: Sequence[ChunkUnit], target: int, overlap: int, minimum: int, maximum: int) -> list[tuple[int, int]]:
    """Ranges `[start, end)` of units, in order, that together cover all of them.

    A window has at most `target` tokens unless its rest would be a crumb, and never more than `maximum` unless one
    sentence alone has; all but a short section have at least `minimum` where sentences allow.
    """
    sums = list(accumulate((unit.tokens for unit in units), initial=0))
    total = sums[-1]
    if total <= target or len(units) < 2:
        return [(0, len(units))]
    size = _even_size(total, target, overlap)
    found: list[tuple[int, int]] = []
    start = fresh = 0
    while fresh < len(units):
        end = _end(units, start, fresh, size, target)
        rest = total - sums[end]
        if rest and rest + overlap < minimum and total - sums[start] <= maximum:
            end = len(units)
        found.append((start, end))
        start, fresh = _overlap_start(units, start, end, overlap, target), end
    return found


def _even_size(total: int, target: int, overlap: int) -> float:
    """The size at which all windows of a section are alike, instead of full ones and a rest."""
    count = ceil((total - overlap) / (target - overlap))
    return (total + (count - 1) * overlap) / count


def _end(units: Sequence[ChunkUnit], start: int, fresh: int, size: float, target: int) -> int:
    """Where the window ends: nearest to `size`, rather after a paragraph, not after a sentence that leads in."""
    tokens = sum(unit.tokens for unit in units[start:fresh])
    end, paragraph_end = fresh, 0
    while end < len(units):
        step = units[end].tokens
        if end > fresh and (tokens + step > target or tokens + step / 2 > size):
            break
        tokens += step
        end += 1
        if end < len(units) and units[end].begins_line and tokens >= (1 - _SLACK) * size:
            paragraph_end = end
    if paragraph_end > fresh and end < len(units):
        end = paragraph_end
    while end < len(units) and end - 1 > fresh and units[end - 1].leads_in:
        end -= 1
    return end


def _overlap_start(units: Sequence[ChunkUnit], start: int, end: int, overlap: int, target: int) -> int:
    """The first unit of the next window: whole sentences from the end of this one, if the next sentence leaves room."""
    if end >= len(units):
        return end
    room = min(overlap, target - units[end].tokens)
    first = end
    while first - 1 > start and units[first - 1].tokens <= room:
        first -= 1
        room -= units[first].tokens
    return first
