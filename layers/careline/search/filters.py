"""What a search may be filtered on, and of which type the values of each field are; every engine asks here first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal, get_args, get_type_hints

from careline.errors import BadRequest
from careline.model import DocumentFacts

Kind = Literal["text", "number", "day"]
Values = tuple[str | int, ...]

BETWEEN = ".."
"""Between the first and the last of a range, as in `2020..2026`, `2020..` and `..2026`."""

MOST_VALUES = 1000
"""Alternatives for one field; OpenSearch takes 65,536 in a clause."""
LARGEST = 2**31 - 1
"""An index holds numbers in 32 bits."""


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers or days from `first` to `last`, both included; None where there is no end."""

    first: str | int | None
    last: str | int | None

    def holds(self, value: object) -> bool:
        """Whether a value lies within; days as YYYY-MM-DD, which order as text."""
        if self.first is not None and value < self.first:  # type: ignore[operator]
            return False
        return self.last is None or value <= self.last  # type: ignore[operator]


CheckedValues = tuple[str | int | Range, ...]


def _kind(hint: object) -> Kind:
    types = {hint, *get_args(hint)}
    return "number" if int in types else "day" if date in types else "text"


FIELDS: Mapping[str, Kind] = {
    **{name: _kind(hint) for name, hint in get_type_hints(DocumentFacts).items()},
    "doc_key": "text",
    "document_id": "text",
    "version": "number",
    "kind": "text",
}
"""Every fact of a document, and what names a passage."""
EXAMPLES: Mapping[Kind, str] = {
    "text": "text",
    "number": "whole numbers such as 2026, and ranges such as 2020..",
    "day": "days like 2026-03-02, and ranges such as 2026-03-02..2026-12-31",
}


def checked(where: Mapping[str, Values]) -> dict[str, CheckedValues]:
    """The filter with numbers as int, days as YYYY-MM-DD and ranges of either, in order of the fields' names.

    Raises: BadRequest, which names the field, for one that does not exist, a value of another type or too many.
    """
    unknown = sorted(set(where) - set(FIELDS))
    if unknown:
        raise BadRequest(f"filters: {unknown[0]} is not a field that can be filtered on; known: {', '.join(FIELDS)}")
    for name, values in where.items():
        if len(values) > MOST_VALUES:
            raise BadRequest(f"filters: {name} takes at most {MOST_VALUES} values")
    return {name: tuple(_value(name, value) for value in where[name]) for name in sorted(where)}


def _value(name: str, value: str | int) -> str | int | Range:
    kind = FIELDS[name]
    if kind != "text" and isinstance(value, str) and BETWEEN in value:
        first, _, last = value.partition(BETWEEN)
        ends = [_single(name, end) if end else None for end in (first, last)]
        if ends != [None, None]:
            return Range(*ends)
    return _single(name, value)


def _single(name: str, value: str | int) -> str | int:
    kind = FIELDS[name]
    read = {"text": _text, "number": _number, "day": _day}[kind](value)
    if read is None:
        raise BadRequest(f"filters: {name} takes {EXAMPLES[kind]}")
    return read


def _text(value: str | int) -> str | int | None:
    written = isinstance(value, str) and not any("\ud800" <= character <= "\udfff" for character in value)
    return value if written else None


def _number(value: str | int) -> str | int | None:
    """A number may be written as text: a command line has nothing else."""
    if isinstance(value, str):
        value = int(value) if value.isascii() and value.isdigit() and len(value) <= 10 else -1
    return value if not isinstance(value, bool) and 0 <= value <= LARGEST else None


def _day(value: str | int) -> str | int | None:
    try:
        return date.fromisoformat(value).isoformat() if isinstance(value, str) else None
    except ValueError:
        return None
