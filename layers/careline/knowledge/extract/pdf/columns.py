"""Puts the pieces of a page in the order in which they are read: column by column, not straight across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.knowledge.extract.lists import is_marker
from careline.knowledge.extract.pdf.geometry import PageWord, Segment, segment
from careline.knowledge.extract.pdf.neighbours import Neighbours

_WORD_GAP = 1.3
"""In font sizes: wider gaps separate columns or cells."""

_MARKER_GAP = 5.0
_FEWEST_SHARED_GAPS = 4
_DEEPEST = 5


def segments_of(words: Sequence[PageWord]) -> list[Segment]:
    """Words in the order of the file put together into segments; words of one line that come apart are joined again."""
    runs: list[list[PageWord]] = []
    for word in words:
        if runs and _goes_on(runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return _rejoined([segment(run) for run in runs])


def _goes_on(previous: PageWord, word: PageWord) -> bool:
    height = min(previous.y1 - previous.y0, word.y1 - word.y0)
    overlap = min(previous.y1, word.y1) - max(previous.y0, word.y0)
    return overlap > 0.5 * height and -0.3 * word.size < word.x0 - previous.x1 < _WORD_GAP * word.size


def _rejoined(segments: list[Segment]) -> list[Segment]:
    """Neighbours on a line are put together whatever their order in the file; list markers join their item."""
    lines: list[list[Segment]] = []
    for piece in sorted(segments, key=lambda each: each.y1):
        same = lines[-1][0] if lines else None
        if same is not None and piece.y1 - same.y1 < 0.25 * min(piece.y1 - piece.y0, same.y1 - same.y0):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    joined: list[Segment] = []
    for line in lines:
        line.sort(key=lambda each: each.x0)
        joined.extend(_joined(line))
    return joined


def _joined(line: list[Segment]) -> Iterator[Segment]:
    """The pieces of a line from left to right, those next to each other as one."""
    words, reach = list(line[0].words), line[0].x1
    for piece in line[1:]:
        if _next_to(words, reach, piece):
            words += piece.words
            reach = max(reach, piece.x1)
        else:
            yield segment(words)
            words, reach = list(piece.words), piece.x1
    yield segment(words)


def _next_to(words: Sequence[PageWord], reach: float, right: Segment) -> bool:
    gap, size = right.x0 - reach, max(right.words[0].size, 1.0)
    if len(words) == 1 and is_marker(words[0].text):
        return gap < _MARKER_GAP * size
    return -0.3 * size < gap < _WORD_GAP * size


def reading_order(segments: Sequence[Segment]) -> list[list[Segment]]:
    """Regions in reading order; the segments of a region form one column and are read from top to bottom."""
    return _ordered(list(segments), 0)


def _ordered(segments: list[Segment], depth: int) -> list[list[Segment]]:
    gutter = gutter_of(segments) if depth < _DEEPEST and len(segments) >= 2 * _FEWEST_SHARED_GAPS else None
    if gutter is None:
        return [segments] if segments else []
    regions: list[list[Segment]] = []
    flow: list[Segment] = []
    for left, right, across in bands(segments, gutter):
        if right and left:
            regions += [flow] if flow else []
            regions += _ordered(left, depth + 1) + _ordered(right, depth + 1)
            flow = []
        else:
            flow += left + right
        flow += [across] if across else []
    return regions + ([flow] if flow else [])


def bands(segments: Sequence[Segment], gutter: float) -> list[tuple[list[Segment], list[Segment], Segment | None]]:
    """Left and right pieces down to each piece that runs across the gutter, which closes its band."""
    bands: list[tuple[list[Segment], list[Segment], Segment | None]] = []
    left: list[Segment] = []
    right: list[Segment] = []
    for piece in sorted(segments, key=lambda each: (each.y0 + each.y1) / 2):
        if piece.x0 < gutter < piece.x1:
            bands.append((left, right, piece))
            left, right = [], []
        elif piece.x1 <= gutter:
            left.append(piece)
        else:
            right.append(piece)
    return [*bands, (left, right, None)]


def gutter_of(segments: Sequence[Segment]) -> float | None:
    """The x that lies in the most gaps between neighbours on a line, when enough lines share it."""
    gaps = gaps_between(segments)
    if len(gaps) < _FEWEST_SHARED_GAPS:
        return None
    edges = sorted([(x0, 1) for x0, _ in gaps] + [(x1, -1) for _, x1 in gaps], key=lambda edge: (edge[0], -edge[1]))
    best, best_at, open_gaps = 0, 0.0, 0
    for index, (at, change) in enumerate(edges):
        open_gaps += change
        if open_gaps > best:
            best, best_at = open_gaps, (at + edges[index + 1][0]) / 2
    return best_at if best >= _FEWEST_SHARED_GAPS else None


def gaps_between(segments: Sequence[Segment]) -> list[tuple[float, float]]:
    """Between each segment and its nearest neighbour to the right on the same height."""
    neighbours = Neighbours(segments)
    found = ((left.x1, neighbours.right_of(left)) for left in segments)
    return [(begin, end) for begin, end in found if end is not None]
