"""Counts the figures of an answer and those that stand nowhere in what it cites, by their digits alone.

It reads figures in another way than the screen of answers does, so that a fault of that reading shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from careline.model import Passage

_MARKER = re.compile(r"\[\d{1,3}\]")
_FIGURE = re.compile(r"\d+(?:[.,:/ \u00a0\u202f-]\d+)*")
_HOUR = re.compile(r"(?<=\d)\s?[hu]\s?(?=\d\d(?!\d))")
"""What stands between hours and minutes: "9 h 30" is 9:30."""
_PART = re.compile(r"\d+(?:[.,:]\d+)*")


def figures(text: str) -> tuple[str, ...]:
    """The figures of an answer as they are written, without its citation markers; number words are not read."""
    return tuple(found[0] for found in _FIGURE.finditer(_HOUR.sub(":", _MARKER.sub(" ", text))))


def ungrounded(said: Sequence[str], passages: Iterable[Passage]) -> tuple[str, ...]:
    """Those of the figures that do not stand in the passages, whole or number by number."""
    held: set[str] = set()
    for passage in passages:
        for found in _FIGURE.finditer(_HOUR.sub(":", _text(passage))):
            held |= {_digits(found[0]), *map(_digits, _PART.findall(found[0]))}
    return tuple(one for one in said if _digits(one) not in held and not {*map(_digits, _PART.findall(one))} <= held)


def _text(passage: Passage) -> str:
    table = passage.chunk.table
    rows = () if table is None else (text for row in table.rows for text in (*row.labels, *row.values))
    return "\n".join((passage.facts.title, *passage.chunk.heading_path, passage.chunk.text, *rows))


def _digits(written: str) -> str:
    """The digits of a figure, the same for 8:00, 08.00 and 8."""
    digits = re.sub(r"\D", "", written)
    whole = digits[:-2] if re.fullmatch(r"\d+[.,:]00", written) else digits
    return whole.lstrip("0") or "0"
