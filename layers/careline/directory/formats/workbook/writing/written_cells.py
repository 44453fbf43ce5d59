"""Writes values into cells, each so that it is read again as the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from careline.directory.formats.workbook.hours_writing import BY_APPOINTMENT, write_hours
from careline.directory.formats.workbook.layout import Column
from careline.directory.formats.workbook.lists import join_list
from careline.directory.formats.workbook.words import choice, written

TEXT = "@"
"""The format in which Excel leaves what is typed as it is."""
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_LIKE_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
"""What a workbook would take for a sign that it stands for."""
LONGEST = 32_767
"""Characters of a cell."""


def write_text(cell: Any, text: str) -> None:
    """Text that stays text: what begins with = is no formula, and no zero is lost."""
    cell.value = _LIKE_ESCAPED.sub("_x005F_", _FORBIDDEN.sub("", text))[:LONGEST]
    cell.data_type = "s"
    cell.number_format = TEXT


def write_cell(cell: Any, value: Any, column: Column, language: str) -> None:
    """A value as its column holds it, in words of a language."""
    _WRITERS.get(column.holds, _text)(cell, value, column, language)


def _text(cell: Any, value: Any, column: Column, language: str) -> None:
    write_text(cell, join_list(value) if isinstance(value, list) else str(value))


def _chosen(cell: Any, value: Any, column: Column, language: str) -> None:
    known = choice({"days": "day", "day_parts": "day", "spoken": "spoken"}.get(column.holds, column.of))
    if isinstance(value, list):
        write_text(cell, join_list([known.word(one, language) for one in value]))
    else:
        write_text(cell, known.word(value, language))


def _answer(cell: Any, value: Any, column: Column, language: str) -> None:
    write_text(cell, choice("answer").word("yes" if value else "no", language))


def _hours(cell: Any, value: Any, column: Column, language: str) -> None:
    if value == BY_APPOINTMENT:
        write_text(cell, choice("frequency").word(BY_APPOINTMENT, language))
    else:
        write_text(cell, write_hours(value, written()["closed"][language]))


def _number(cell: Any, value: Any, column: Column, language: str) -> None:
    cell.value = value


def _place(cell: Any, value: Any, column: Column, language: str) -> None:
    if isinstance(value, int):
        cell.value = value
    else:
        write_text(cell, value)


def _date(cell: Any, value: Any, column: Column, language: str) -> None:
    cell.value = value
    cell.number_format = "yyyy-mm-dd"


def _price(cell: Any, value: Decimal, column: Column, language: str) -> None:
    decimals = max(0, -int(value.as_tuple().exponent))
    cell.value = value
    cell.number_format = f"0.{'0' * decimals}" if decimals else "0"


_Writer = Callable[[Any, Any, Column, str], None]
_WRITERS: Mapping[str, _Writer] = MappingProxyType(
    {
        "choice": _chosen, "choices": _chosen, "word": _chosen, "days": _chosen, "day_parts": _chosen,
        "frequencies": _chosen, "spoken": _chosen, "answer": _answer, "hours": _hours, "count": _number,
        "number": _number, "place": _place, "date": _date, "price": _price,
    }
)  # fmt: skip
