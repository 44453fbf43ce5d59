"""What the template says to the person who fills it in, in each language: `guide/`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.directory.formats.identifiers import folded
from careline.directory.formats.workbook.words import LANGUAGES, written


@dataclass(frozen=True, slots=True)
class Guide:
    """The words of one language. `read_me` and `lists` are titles of sheets, `lines` what the first sheet says."""

    read_me: str
    lists: str
    lines: Sequence[str]
    shared: Mapping[str, str]
    sheets: Mapping[str, Mapping[str, Any]]

    def explains(self, sheet: str) -> str:
        """What a sheet is for."""
        return str(self.sheets[sheet]["explains"])

    def help(self, sheet: str, field: str) -> str:
        """What may be written in a column."""
        return str(self.sheets[sheet]["help"].get(field) or self.shared.get(field, ""))

    def example(self, sheet: str) -> Mapping[str, Any]:
        """A row that shows how, by field."""
        found: Mapping[str, Any] = self.sheets[sheet].get("example", {})
        return found


@cache
def guide(language: str) -> Guide:
    """The guide in a language."""
    source = files("careline.directory").joinpath("formats", "workbook", "guide", f"{language}.yaml")
    said = yaml.load(source.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return Guide(**said)


def examples(sheet: str) -> list[Any]:
    """What the examples of a sheet hold, in every language."""
    return [value for language in LANGUAGES for value in guide(language).example(sheet).values()]


@cache
def for_people() -> frozenset[str]:
    """The folded titles of sheets that are there to be read by people only."""
    own = (title for language in LANGUAGES for title in (guide(language).read_me, guide(language).lists))
    return frozenset(folded(title) for title in (*own, *written()["not_read"]))
