"""The sheets of the workbook and their columns, as `layout.yaml` says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.directory.formats.identifiers import folded
from careline.directory.formats.workbook.words import LANGUAGES, choice

QUALIFIERS = {"language": "language", "purpose": "purpose", "day": "day"}
"""What there may be one column each for, and the words that say which."""
IGNORED = "ignored"
Headings = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet, or one for each language, purpose or day (`per`). `field` is the key of what it
    holds, `holds` what its cells are, `of` the words they choose from, `to` the sheet whose rows they name."""

    field: str
    headings: Headings
    holds: str
    per: str = ""
    of: str = ""
    to: str = ""
    needed: bool = False
    hidden: bool = False
    """Whether the template leaves it out."""

    def heading(self, language: str, qualifier: str = "") -> str:
        """As it is written in a language, for one of its qualifiers."""
        base = self.headings[language][0]
        if not qualifier:
            return base
        word = qualifier if self.per == "language" else choice(QUALIFIERS[self.per]).word(qualifier, language)
        return f"{base} ({word})" if base else word

    @property
    def qualifiers(self) -> tuple[str, ...]:
        """Each of which there may be a column."""
        if not self.per:
            return ("",)
        return LANGUAGES if self.per == "language" else tuple(choice(QUALIFIERS[self.per]).words)


@dataclass(frozen=True, slots=True)
class Place:
    """Which column a heading means, and for which language, purpose or day."""

    column: Column
    qualifier: str = ""

    @property
    def key(self) -> str:
        """The field, with its qualifier."""
        return f"{self.column.field}.{self.qualifier}" if self.qualifier else self.column.field


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet. `is_upright`: its headings stand below one another, with the value beside each."""

    key: str
    titles: Headings
    columns: tuple[Column, ...]
    is_upright: bool = False

    def title(self, language: str) -> str:
        """As it is written in a language."""
        return self.titles[language][0]

    def column(self, field: str) -> Column:
        """The column of a field."""
        return next(one for one in self.columns if one.field == field)

    def places(self, *, with_hidden: bool) -> Iterator[Place]:
        """Every column that is written, one by one."""
        for column in self.columns:
            if with_hidden or not column.hidden:
                yield from (Place(column, qualifier) for qualifier in column.qualifiers)


@cache
def sheets() -> Mapping[str, Sheet]:
    """The sheets by key, in their order."""
    source = files("careline.directory.formats.workbook").joinpath("layout.yaml").read_text("utf-8")
    said = yaml.load(source, Loader=yaml.CSafeLoader)
    return {key: _sheet(key, one, said) for key, one in said["sheets"].items()}


def _sheet(key: str, sheet: Mapping[str, Any], said: Mapping[str, Any]) -> Sheet:
    entry: dict[str, dict[str, Any]] = {field: {} for field in said["entry"]}
    fields = {**sheet["columns"], **(entry if sheet.get("entry") else {}), "note": {}}
    columns = tuple(
        _column(field, {**said["shared"].get(field, {}), **own}, said["headings"]) for field, own in fields.items()
    )
    return Sheet(key, sheet["titles"], columns, bool(sheet.get("upright")))


def _column(field: str, said: Mapping[str, Any], headings: Mapping[str, Headings]) -> Column:
    return Column(
        field, headings[field], said["is"], said.get("per", ""), said.get("of", ""), said.get("to", ""),
        bool(said.get("needed")), bool(said.get("hidden")),
    )  # fmt: skip


@cache
def _places(key: str) -> Mapping[str, Place]:
    """What each folded heading of a sheet means."""
    found: dict[str, Place] = {}
    for column in sheets()[key].columns:
        bases = {folded(one) for some in column.headings.values() for one in some} | {folded(column.field)}
        for base in bases - {""}:
            found.setdefault(base, Place(column))
    for column in sheets()[key].columns:
        bases = {folded(one) for some in column.headings.values() for one in some}
        for word, meant in (choice(QUALIFIERS[column.per]).meanings if column.per else {}).items():
            # A word that means several, such as "ma", is no heading of a day.
            if len(meant) == 1:
                for base in bases:
                    found.setdefault(f"{base} {word}".strip(), Place(column, next(iter(meant))))
    return found


def place_of(sheet: Sheet, heading: str) -> Place | None:
    """Which column a heading means."""
    return _places(sheet.key).get(folded(heading))


@cache
def _titles() -> Mapping[str, Sheet]:
    return {
        folded(title): sheet
        for sheet in reversed(list(sheets().values()))
        for title in (sheet.key, *(one for some in sheet.titles.values() for one in some))
    }


def sheet_of(title: str) -> Sheet | None:
    """Which sheet a title means."""
    return _titles().get(folded(title))
