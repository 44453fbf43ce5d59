"""Makes the parts of a directory of rows, and gathers what is wrong with these, each cell once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from careline.directory.directory import Problem
from careline.directory.formats.workbook.layout import IGNORED, Column
from careline.directory.formats.workbook.reading.archive import CellValue
from careline.directory.formats.workbook.reading.cells import EXCEL_ERROR, NO_VALUE, read_cell, text_of
from careline.directory.formats.workbook.reading.references import Names
from careline.directory.formats.workbook.reading.rows import Row
from careline.directory.formats.workbook.words import CellWrong
from careline.directory.part import Part

IS_MISSING = "is missing"
_WRONG = {
    "phone": "is no telephone number; write digits, spaces and + . / - alone, from two to thirty",
    "email": "is no e-mail address",
    "link": "is no address of a web page, as https://www.hospital.example",
    "country": "is no country that is known; write its two letters, as BE",
    "currency": "is no currency; write its three letters, as EUR",
    "id": "is no id; write letters a to z, digits and - alone",
    "price": "is no price that can be kept: five digits before the point and four behind it at most",
}
"""What is told where a cell does not have the shape that it should, by what it holds."""
RENAMED = {"synonyms": "spellings", "from": "since", "to": "until", "timezone": "time_zone"}
"""Columns by the name that a field has in a file, where the sheet has no column of that name."""
_Part = TypeVar("_Part", bound=Part)


class Builder:
    """Reads rows in the light of the names of all of them. `language` is that of the hospital."""

    def __init__(self, names: Names, language: str) -> None:
        self.names, self.language = names, language
        self.problems: list[Problem] = []
        self._wrong: dict[tuple[str, int], set[str]] = {}

    def tell(self, row: Row, key: str, message: str, *, warning: bool = False) -> None:
        """Keep what is wrong with a cell, the first of it."""
        wrong = self._wrong.setdefault((row.title, row.number), set())
        if key not in wrong:
            wrong.add(key)
            self.problems.append(row.problem(key, message, warning=warning))

    def is_wrong(self, row: Row, field: str) -> bool:
        """Whether something was wrong with a field of a row."""
        wrong = self._wrong.get((row.title, row.number), ())
        return any(key == field or key.startswith(f"{field}.") for key in wrong)

    def values(self, row: Row) -> dict[str, Any]:
        """What the cells of a row hold, by field; by language, purpose or day, where there is a column for each."""
        found: dict[str, Any] = {}
        bare: dict[str, Any] = {}
        for key, cell in row.cells.items():
            place = row.places[key]
            if place.column.holds == IGNORED:
                continue
            try:
                value = self._read(cell, place.column)
            except CellWrong as error:
                self.tell(row, key, error.told(row.language))
                continue
            if place.qualifier:
                found.setdefault(place.column.field, {})[place.qualifier] = value
            else:
                (bare if place.column.per else found)[place.column.field] = value
        for field, value in bare.items():
            # A heading that names no language is in that of the hospital; no purpose, the main one.
            own = self.language if row.sheet.column(field).per == "language" else "main"
            found[field] = {own: value, **found.get(field, {})}
        self._look_for_missing(row, found)
        return found

    def _read(self, cell: CellValue, column: Column) -> Any:
        if column.holds not in ("reference", "references"):
            return read_cell(cell, column, self.language)
        if cell.is_unknown or cell.is_error:
            raise CellWrong(NO_VALUE if cell.is_unknown else EXCEL_ERROR)
        find = self.names.one if column.holds == "reference" else self.names.several
        return find(column.to, text_of(cell))

    def _look_for_missing(self, row: Row, found: dict[str, Any]) -> None:
        for column in row.sheet.columns:
            if not column.needed or column.field in found or self.is_wrong(row, column.field):
                continue
            only = self.names.only(column.to) if column.to == "campuses" else None
            if only is not None:
                found[column.field] = only
            else:
                self.tell(row, self._where_missing(row, column), IS_MISSING)

    def _where_missing(self, row: Row, column: Column) -> str:
        """The place of what is missing: that which the sheet has, that of the hospital's language before others."""
        own = f"{column.field}.{self.language}"
        known = [one for one in row.places if one.partition(".")[0] == column.field]
        if not column.per or column.field in known:
            return column.field
        return own if own in known or not known else known[0]

    def part(self, model: type[_Part], values: Mapping[str, Any], row: Row) -> _Part | None:
        """A part of a directory; None where something is wrong, which is told."""
        try:
            return model.model_validate(values)
        except ValidationError as error:
            for one in error.errors(include_url=False, include_input=False):
                self._tell_error(row, one)
            return None

    def _tell_error(self, row: Row, error: Any) -> None:
        field, *rest = map(str, error["loc"] or ("",))
        if field and all(column.field != field for column in row.sheet.columns):
            field = RENAMED.get(field, field)
        if self.is_wrong(row, field):
            return
        column = next((one for one in row.sheet.columns if one.field == field), None)
        key = f"{field}.{rest[0]}" if column is not None and column.per and rest else field
        self.tell(row, key if key in row.places else field, _message(error, column))


def _message(error: Any, column: Column | None) -> str:
    """What is wrong, without what was written."""
    kind, limits = error["type"], error.get("ctx", {})
    if kind == "missing":
        return IS_MISSING
    if kind == "string_too_long":
        return f"is longer than {limits['max_length']} characters"
    if kind == "too_long":
        return f"holds more than {limits['max_length']} things"
    if column is not None and column.holds in _WRONG and not kind.startswith("value_error"):
        return _WRONG[column.holds]
    return str(error["msg"]).removeprefix("Value error, ")
