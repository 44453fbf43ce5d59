"""Finds the sub-headings that each sentence of a section stands under: a chunk that begins below them repeats them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from careline.knowledge.chunk.sections import ChunkUnit
from careline.passages.sub_headings import bare, read_lines


def units_above(units: Sequence[ChunkUnit], path: Sequence[str]) -> dict[int, tuple[ChunkUnit, ...]]:
    """The units that are sub-headings or lead-ins of each unit that stands under some, by its place, outermost first.

    `path` are the headings above all of them.
    """
    begun = [n for n, unit in enumerate(units) if n == 0 or unit.begins_line]
    lines = [(start, units[start:end]) for start, end in pairwise((*begun, len(units)))]
    titles = {n: unit.title - len(path) for n, (_, (unit, *_)) in enumerate(lines) if unit.title is not None}
    texts = [" ".join(" ".join(unit.text.split("\n")) for unit in held) for _, held in lines]
    found: dict[int, tuple[ChunkUnit, ...]] = {}
    for line in read_lines(texts, titles, path):
        start, held = lines[line.number]
        repeated = [_unit(units[:start], text) for text in line.above]
        above = tuple(
            # A sub-heading stays one where another kind of line follows it now.
            replace(unit, title=len(path) + depth) if depth < len(line.headings) and unit.title is None else unit
            for depth, unit in enumerate(repeated)
            if unit is not None
        )
        if above:
            found.update((start + n, above) for n in range(len(held)))
    return found


def _unit(before: Sequence[ChunkUnit], text: str) -> ChunkUnit | None:
    """The nearest unit before that says a sub-heading."""
    return next((unit for unit in reversed(before) if bare(unit.text) == text), None)
