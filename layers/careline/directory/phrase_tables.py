"""Finds in a text the phrases of a table that is data: what is said of a question beside what it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.asked_words import AskedWord, words_of

Tables = Mapping[str, Mapping[str, Mapping[str, Sequence[tuple[str, ...]]]]]
"""Of each table and language the phrases, by their first word, the longest first."""


@cache
def tables_of(name: str) -> Tables:
    """The tables of `data/<name>.yaml`."""
    text = files("careline.directory").joinpath("data", f"{name}.yaml").read_text("utf-8")
    content: Mapping[str, Mapping[str, Sequence[str]]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return {table: {code: _by_first(listed[code]) for code in LANGUAGES} for table, listed in content.items()}


def _by_first(listed: Sequence[str]) -> Mapping[str, Sequence[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for text in listed:
        phrase = tuple(word.plain for word in words_of(text))
        found.setdefault(phrase[0], []).append(phrase)
    return {first: sorted(phrases, key=lambda one: -len(one)) for first, phrases in found.items()}


def found_in(words: Sequence[AskedWord], name: str, language: str) -> Iterator[tuple[str, int, int]]:
    """What of which table stands in a text: its table, and from which word to which. At one place a table counts once,
    by its longest phrase."""
    plain = [word.plain for word in words]
    for table, by_language in tables_of(name).items():
        known = by_language.get(language, {})
        for at, word in enumerate(plain):
            for phrase in known.get(word, ()):
                if tuple(plain[at : at + len(phrase)]) == phrase:
                    yield table, at, at + len(phrase)
                    break
