"""Finds the fenced code of a Markdown text, whose lines are no Markdown (CommonMark 4.5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"\s*(`{3,}(?!`)|~{3,}(?!~))(.*)")


@dataclass(frozen=True, slots=True)
class Fenced:
    """Code between two fences: its lines, and the number of the line behind the second."""

    lines: Sequence[str]
    after: int


def fenced(lines: Sequence[str], unquoted: Sequence[str]) -> dict[int, Fenced]:
    """The fenced code of a text by the number of the line with its first fence. `unquoted` are the lines without the
    signs of quotations; code in one ends with it at the latest, other code has such signs of its own."""
    found: dict[int, Fenced] = {}
    at = 0
    while at < len(lines):
        fence = _FENCE.fullmatch(unquoted[at])
        if fence is None:
            at += 1
            continue
        is_quoted = lines[at] != unquoted[at]
        text, end = unquoted if is_quoted else lines, at + 1
        while end < len(lines) and not text[end].strip().startswith(fence[1]):
            if is_quoted and lines[end] == unquoted[end]:
                break
            end += 1
        is_closed = end < len(lines) and text[end].strip().startswith(fence[1])
        found[at] = Fenced(text[at + 1 : end], end + is_closed)
        at = found[at].after
    return found
