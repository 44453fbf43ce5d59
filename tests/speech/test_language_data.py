"""The four languages say and hear the same things: no entry is missing in one of them, and each is text."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

import pytest
import yaml

LANGUAGES = ("nl", "en", "fr", "it")
FREE = (
    "units",
    "abbreviations.words",
    "abbreviations.before_number",
    "abbreviations.before_name",
    "abbreviations.ending",
    "per",
    "dates.short_months",
    "dates.weekdays",
    "numbers.ordinals",
    "numbers.ordinal_suffixes",
    "numbers.short",
    "fractions.always",
)
"""Tables whose keys are words of the language itself."""


def entries(value: object, path: str = "") -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from entries(inner, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        yield from ((path, one) for one in value)
    else:
        yield path, value


def written(language: str) -> list[tuple[str, object]]:
    folder = resources.files("careline.speech").joinpath("data")
    names = (f"{language}.yaml", f"numbers_{language}.yaml")
    return [entry for name in names for entry in entries(yaml.safe_load(folder.joinpath(name).read_text("utf-8")))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_entry_is_text(language: str) -> None:
    assert [path for path, value in written(language) if not isinstance(value, str)] == []


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_a_language_has_the_entries_that_dutch_has(language: str) -> None:
    def keys(code: str) -> set[str]:
        return {path for path, _ in written(code) if not path.startswith(FREE)}

    empty_lists = {"numbers.range_openers", "numbers.clock_openers", "numbers.years_after"}
    empty_lists |= {"fractions.marked", "fractions.marked_endings"}
    assert keys(language) - empty_lists == keys("nl") - empty_lists
