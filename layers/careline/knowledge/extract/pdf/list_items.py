"""Tells the lines of a page that begin an item of a list from lines that merely begin with a number or a dash."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from careline.knowledge.extract.lists import BULLETS
from careline.knowledge.extract.pdf.geometry import Line

_TYPED = "-–—+*"
"""Signs that people also type in the middle of a text: between numbers, before a number, for a note."""

_BULLET = re.compile(rf"([{BULLETS}])[{BULLETS}]*\s+(\S)")
_NUMBER = re.compile(r"(\(?)([0-9]{1,2}|[a-z])([.)])\s")
_NEAR = 3.0
_INDENT = 0.6
"""In font sizes: how far the lines of an item stand behind its number."""


def first_lines(lines: Sequence[Line]) -> set[int]:
    """The places of lines that begin an item. A bullet is evidence; a number needs a neighbour in its sequence, or
    lines that hang behind it, and a sign that people type must not stand in the middle of a number."""
    found: set[int] = set()
    numbered = _numbered(lines)
    stars = sum(line.text.startswith("* ") for line in lines)
    for index, line in enumerate(lines):
        if bullet := _BULLET.match(line.text):
            is_item = bullet[1] not in _TYPED or _is_typed_item(lines, index, bullet, stars)
        elif number := _NUMBER.match(line.text):
            is_item = _is_numbered_item(lines, index, number, numbered)
        else:
            is_item = False
        if is_item:
            found.add(index)
    return found


def _numbered(lines: Sequence[Line]) -> dict[tuple[str, str, int], list[float]]:
    """Where lines begin that have a number: by the way it is written and its value."""
    places: defaultdict[tuple[str, str, int], list[float]] = defaultdict(list)
    for line in lines:
        if (found := _NUMBER.match(line.text)) and not line.table:
            places[found[1], found[3], _value(found[2])].append(line.x0)
    return places


def _value(number: str) -> int:
    """A number or a letter, which do not follow one another."""
    return int(number) if number.isdecimal() else 1000 + ord(number)


def _is_typed_item(lines: Sequence[Line], index: int, bullet: re.Match[str], stars: int) -> bool:
    before = lines[index - 1].text[-1:] if index and not lines[index - 1].table else ""
    if bullet[2].isdecimal() and (bullet[1] == "+" or (before.isdecimal() and _is_below(lines, index))):
        return False
    return bullet[1] != "*" or stars > 1


def _is_numbered_item(
    lines: Sequence[Line],
    index: int,
    number: re.Match[str],
    numbered: dict[tuple[str, str, int], list[float]],
) -> bool:
    line, value = lines[index], _value(number[2])
    for near in (value - 1, value + 1):
        if any(abs(x0 - line.x0) < _NEAR * line.size for x0 in numbered.get((number[1], number[3], near), ())):
            return True
    following = lines[index + 1] if index + 1 < len(lines) else None
    if following is not None and not following.table and _is_below(lines, index + 1):
        if following.x0 - line.x0 > _INDENT * line.size and (index == 0 or lines[index - 1].x0 - line.x0 < 2):
            return True
    return value in (1, _value("a")) and not (
        index and _is_below(lines, index) and lines[index - 1].text[-1:].isalnum()
    )


def _is_below(lines: Sequence[Line], index: int) -> bool:
    """Right below the line before it, as the lines of one paragraph are."""
    above, line = lines[index - 1], lines[index]
    return not above.table and 0 < line.y0 - above.y0 < 1.8 * max(line.size, 1.0)
