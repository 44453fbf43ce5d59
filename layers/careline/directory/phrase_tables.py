"""Finds in a text the phrases of a table that is data: what is said of a question beside what it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.asked_words import AskedWord, words_of

Phrases = Mapping[str, Sequence[tuple[str, tuple[str, ...]]]]
"""By their first word phrases with the table of each, the longest first."""


@cache
def _tables_of(name: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    """The tables of `data/<name>.yaml`, by language."""
    text = files("careline.directory").joinpath("data", f"{name}.yaml").read_text("utf-8")
    content: Mapping[str, Mapping[str, Sequence[str]]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


@cache
def _phrases_of(name: str, language: str) -> Phrases:
    """The phrases of all tables in a language; none in one that they do not have."""
    found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for table, listed in _tables_of(name).items() if language in LANGUAGES else ():
        for text in listed[language]:
            phrase = tuple(word.plain for word in words_of(text))
            found.setdefault(phrase[0], []).append((table, phrase))
    return {first: sorted(phrases, key=lambda one: -len(one[1])) for first, phrases in found.items()}


def found_in(words: Sequence[AskedWord], name: str, language: str) -> Iterator[tuple[str, int, int]]:
    """What of which table stands in a text: its table, and from which word to which. At one place a table counts once,
    by its longest phrase."""
    plain, known = tuple(word.plain for word in words), _phrases_of(name, language)
    for at, word in enumerate(plain):
        counted: set[str] = set()
        for table, phrase in known.get(word, ()):
            if table not in counted and plain[at : at + len(phrase)] == phrase:
                counted.add(table)
                yield table, at, at + len(phrase)
