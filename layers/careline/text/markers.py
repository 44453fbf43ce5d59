"""Reads the markers by which a draft names its sources: `[1]`, `[1, 3]`, or `[1-3]`, which names three.

One dialect for whoever shows, numbers or leaves them out; the gate (`careline.safety.grounding`) reads it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

MARKERS = re.compile(r"(?<![ \t])[ \t]*\[(\d{1,2}(?:\s?[,;–-]\s?\d{1,2}){0,8})\]")
"""A marker with the space before it; what stands in it is the first group."""
_RANGES = re.compile(r"(\d{1,2})(?:\s?[–-]\s?(\d{1,2}))?")


def named(inside: str) -> Iterator[int]:
    """The numbers that what stands in a marker names, in their order."""
    for first, last in _RANGES.findall(inside):
        yield from range(int(first), int(last or first) + 1)


def marked(text: str) -> frozenset[int]:
    """The numbers in the markers of a text."""
    return frozenset(number for marker in MARKERS.finditer(text) for number in named(marker[1]))


def is_range(inside: str) -> bool:
    """Whether what stands in a marker is a range, which may be an interval of a document."""
    return any(last for _, last in _RANGES.findall(inside))


def is_interval(inside: str, sources: Set[int]) -> bool:
    """Whether what stands in a marker is a range that goes beyond the sources, and so is shown: "a score [1-10]"."""
    return is_range(inside) and not sources >= frozenset(named(inside))
