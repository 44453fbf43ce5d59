"""Brings headers together with the figures of their column where none of these stands below them: headers on the left
or in the middle of a wide column, and figures on its right or left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.knowledge.extract.pdf.geometry import Segment, segment
from careline.knowledge.extract.pdf.tables.spanning_headers import MOST_COLUMNS, Column

_SAME_EDGE = 2.5
_FEWEST_FIGURES = 2
"""Rows of a column by which it is told that it is set to the right."""


def paired(rows: Sequence[list[Segment]], columns: Sequence[Column], body: int) -> list[Column]:
    """The columns, each that holds a header alone as one with that of figures alone, set to the right, behind it; or
    with that before it, set to the left, where all columns can be put together in twos in this way.

    `body` is the number of the first row below the header. Columns of which it is not clear stay apart; there are none
    where a header and figures of one column only stand near each other, and others lack one or the other.
    """
    if len(columns) > MOST_COLUMNS:
        return list(columns)
    heads = [_pieces(rows[:body], column) for column in columns]
    values = [_pieces(rows[body:], column) for column in columns]
    if any(_may_be_two(heads, values, at) for at in range(1, len(columns))):
        return []
    ways = [way for first in (0, 1) if (way := _in_twos(columns, heads, values, first)) is not None]
    if ways:
        return ways[0].columns if len(ways) == 1 and ways[0].is_sure else list(columns)
    found: list[Column] = []
    at = 0
    while at < len(columns):
        follows = at + 1 < len(columns) and at > 0
        if (
            follows
            and heads[at]
            and not values[at]
            and not heads[at + 1]
            and _is_right_aligned(values[at + 1])
            and not _is_left_alone(heads, values, at)
            and not _may_be_of_next(heads, values, at + 1)
        ):
            one, other = columns[at], columns[at + 1]
            found.append(Column(one.x0, other.x1, one.left, other.right))
            at += 2
        else:
            found.append(columns[at])
            at += 1
    return found


@dataclass(frozen=True, slots=True)
class _Twos:
    columns: list[Column]
    is_sure: bool
    """Whether all values have one edge in line alone: those of one width have both, and may be a neighbour's."""


def _in_twos(
    columns: Sequence[Column], heads: Sequence[list[Segment]], values: Sequence[list[Segment]], first: int
) -> _Twos | None:
    """The columns from `first` on, so that each has a header and values: those that lack one are put together with a
    neighbour that has it. None where that is not possible; where it is, there is one way."""
    found, is_sure, at = list(columns[:first]), True, first
    if any(heads[:first]):
        return None
    while at < len(columns):
        if heads[at] and values[at]:
            found.append(columns[at])
            at += 1
            continue
        if at + 1 == len(columns) or (heads[at + 1] and values[at + 1]):
            return None
        pieces = values[at + 1] if heads[at] else values[at] if heads[at + 1] else []
        to_left, to_right = _is_left_aligned(pieces), _is_right_aligned(pieces)
        if not (to_right if heads[at] else to_left):
            return None
        is_sure = is_sure and to_left != to_right
        one, other = columns[at], columns[at + 1]
        found.append(Column(one.x0, other.x1, one.left, other.right))
        at += 2
    return _Twos(found, is_sure)


def _may_be_two(heads: Sequence[list[Segment]], values: Sequence[list[Segment]], at: int) -> bool:
    """The header and the figures of a column stand beside each other, with little room between, and one of them may
    be of a neighbour that lacks it."""
    if not heads[at] or not values[at]:
        return False
    before = (heads[at - 1], values[at - 1]) if at > 1 else (_stands_behind(heads[0], values[0]), False)
    behind = at + 1 < len(heads) and heads[at + 1], at + 1 < len(heads) and values[at + 1]
    if max(value.x1 for value in values[at]) <= min(head.x0 for head in heads[at]):
        return bool((before[0] and not before[1]) or (behind[1] and not behind[0]))
    if max(head.x1 for head in heads[at]) <= min(value.x0 for value in values[at]):
        return bool((before[1] and not before[0]) or (behind[0] and not behind[1]))
    return False


def _stands_behind(heads: Sequence[Segment], labels: Sequence[Segment]) -> bool:
    """Whether what seems to be the header of the labels stands behind all of them, and may be that of a column."""
    return bool(heads and labels) and min(head.x0 for head in heads) > max(label.x1 for label in labels)


def _pieces(rows: Sequence[list[Segment]], column: Column) -> list[Segment]:
    """What each row has between the edges of a column."""
    inside = (
        [word for piece in row for word in piece.words if column.left <= (word.x0 + word.x1) / 2 < column.right]
        for row in rows
    )
    return [segment(words) for words in inside if words]


def _is_right_aligned(pieces: Sequence[Segment]) -> bool:
    edges = [piece.x1 for piece in pieces]
    return len(edges) >= _FEWEST_FIGURES and max(edges) - min(edges) < _SAME_EDGE


def _is_left_aligned(pieces: Sequence[Segment]) -> bool:
    edges = [piece.x0 for piece in pieces]
    return len(edges) >= _FEWEST_FIGURES and max(edges) - min(edges) < _SAME_EDGE


def _is_left_alone(heads: Sequence[list[Segment]], values: Sequence[list[Segment]], at: int) -> bool:
    """Figures without a header stand before the header, too, so that it may be theirs."""
    return bool(values[at - 1]) and not heads[at - 1] and at > 1 and bool(heads[at - 2]) and bool(values[at - 2])


def _may_be_of_next(heads: Sequence[list[Segment]], values: Sequence[list[Segment]], at: int) -> bool:
    """Figures without a header that have their left edge in line, too, before a header that has none below it."""
    follows = at + 1 < len(heads) and bool(heads[at + 1]) and not values[at + 1]
    return follows and _is_left_aligned(values[at])
