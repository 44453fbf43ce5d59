"""The words that people write in the cells of a workbook, and what each means: `words.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.directory.entries import Language
from careline.directory.formats.identifiers import folded, plain

LANGUAGES: tuple[Language, ...] = ("nl", "en", "fr", "it")
_TOKEN = re.compile(r"[0-9]+|[^\W\d_]+|[^\s\w]")


WORDS_SHOWN = 20


class CellWrong(Exception):
    """What is wrong with a cell, for the person who filled it in; never what was written there."""

    def told(self, language: str) -> str:
        """The same to somebody who fills in a workbook in a language."""
        return str(self)


class NoSuchWord(CellWrong):
    """A word that is none of those of a choice."""

    def __init__(self, of: str) -> None:
        super().__init__(of)
        self._of = of

    def told(self, language: str) -> str:
        """With the words that there are, in the language of the workbook."""
        words = choice(self._of).written(language)
        more = " …" if len(words) > WORDS_SHOWN else ""
        return f"is none of: {', '.join(words[:WORDS_SHOWN])}{more}"


def tokens(text: str) -> tuple[str, ...]:
    """Numbers, words and signs of a text."""
    return tuple(_TOKEN.findall(plain(text)))


@cache
def written() -> Mapping[str, Any]:
    """What `words.yaml` holds."""
    source = files("careline.directory.formats.workbook").joinpath("words.yaml").read_text("utf-8")
    found: Mapping[str, Any] = yaml.load(source, Loader=yaml.CSafeLoader)
    return found


@dataclass(frozen=True, slots=True)
class Choice:
    """Values of which a cell holds one, with the words for each by language, the one that is written first."""

    words: Mapping[str, Mapping[str, Sequence[str]]]
    meanings: Mapping[str, Mapping[str, frozenset[str]]]
    """What a folded word means, and in which languages it does."""

    def value(self, text: str, language: str) -> str | None:
        """What a word means: in its language first, else in any. None for a word that is none of them.

        Raises: CellWrong for a word that means one thing in one language and another in another.
        """
        found = self.meanings.get(folded(text), {})
        own = [value for value, languages in found.items() if language in languages]
        named = [value for value, languages in found.items() if "" in languages]
        meant = own or named or list(found)
        if len(meant) > 1:
            raise CellWrong(f"may mean {' or '.join(sorted(meant))}; write the word in full")
        return meant[0] if meant else None

    def word(self, value: str, language: str) -> str:
        """The word for a value."""
        return next(iter(self.words.get(value, {}).get(language, ())), value)

    def written(self, language: str) -> list[str]:
        """The words of a language, one for each value."""
        return [self.word(value, language) for value in self.words]


@cache
def choice(name: str) -> Choice:
    """The values of a name in `choices` of `words.yaml`."""
    words = written()["choices"][name]
    meanings: dict[str, dict[str, set[str]]] = {}
    for value, by_language in words.items():
        meanings.setdefault(folded(value), {}).setdefault(value, set()).add("")
        for language, some in by_language.items():
            for word in some:
                meanings.setdefault(folded(word), {}).setdefault(value, set()).add(language)
    frozen = {word: {value: frozenset(of) for value, of in found.items()} for word, found in meanings.items()}
    return Choice(words, frozen)


class Phrases:
    """Words of more than one token, read the longest first."""

    def __init__(self, meanings: Iterable[tuple[str, str]]) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        for phrase, meaning in meanings:
            parts = tokens(phrase)
            self._by_first.setdefault(parts[0], []).append((parts, meaning))
        for known in self._by_first.values():
            known.sort(key=lambda one: -len(one[0]))

    def read(self, parts: Sequence[str]) -> list[tuple[str, str]]:
        """Each phrase of tokens as its meaning and itself; a token of no phrase has the meaning ""."""
        at, found = 0, []
        while at < len(parts):
            for phrase, meaning in self._by_first.get(parts[at], ()):
                if tuple(parts[at : at + len(phrase)]) == phrase:
                    found.append((meaning, " ".join(phrase)))
                    at += len(phrase)
                    break
            else:
                found.append(("", parts[at]))
                at += 1
        return found
