"""Tells whether a question is one that a person's answer was written for: nothing that either names is missing in the
other, and both ask for the same.

Nearness in meaning cannot tell: "campus North" and "campus South", "before" and "after", 2023 and 2024 lie next to each
other. So words, figures and what is asked for must agree, and whoever asks otherwise is answered as ever: the answer
stays among the passages that the reader chooses from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.figures import Figure, figures, is_same, readable
from careline.text.label_words import LabelWord, folded, question_words, vocabulary

_WORD = re.compile(r"[^\W_]+")
_WEAK = ("which", "how", "many", "amount")
"""What is asked for only where nothing else is: "how late" asks for a time, "how much time" for how long."""


@dataclass(frozen=True, slots=True)
class _NamedWord:
    """A word that names something; `is_name` behind what names are told after, as "campus" or "dokter"."""

    word: LabelWord
    is_name: bool

    def is_same(self, other: _NamedWord) -> bool:
        if self.is_name or other.is_name:
            return self.word.text == other.word.text
        return self.word.stem == other.word.stem


def is_same_question(asked: str, written: str, language: str) -> bool:
    """Whether two questions of one language ask the same; False in doubt, and where neither names anything."""
    words, others = _plain(asked), _plain(written)
    if words == others:
        return True
    said, held = _named(asked, language), _named(written, language)
    return bool(said) and (
        _are_all_in(said, held)
        and _are_all_in(held, said)
        and _marks(words, language) == _marks(others, language)
        and _are_same(_figures(asked, language), _figures(written, language))
        and (not _is_way(words, language) or _in_one_order(words, others))
    )


def _plain(question: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(question.casefold()))


def _named(question: str, language: str) -> list[_NamedWord]:
    """The words that name something; figures are compared by themselves."""
    words = question_words(question, language)
    names = vocabulary().before_names
    return [
        _NamedWord(word, n > 0 and words[n - 1].text in names)
        for n, word in enumerate(words)
        if not word.is_talk and word.number is None
    ]


def _are_all_in(some: Sequence[_NamedWord], others: Sequence[_NamedWord]) -> bool:
    """Whether each word is among others: by its stem, a name letter by letter. That two words mean the same in a
    hospital is not enough: the restaurant has other hours than the cafeteria."""
    return all(any(one.is_same(other) for other in others) for one in some)


def _figures(question: str, language: str) -> list[Figure]:
    return figures(readable(question), (language,))


def _are_same(some: Sequence[Figure], others: Sequence[Figure]) -> bool:
    return all(any(is_same(one, other) for other in others) for one in some) and all(
        any(is_same(one, other) for one in some) for other in others
    )


def _marks(words: Sequence[str], language: str) -> frozenset[str]:
    """What is asked for, what turns it round, and whom it is about."""
    found = {name for table in ("asks", "turns", "persons") for word in words for name in _of(word, table, language)}
    for weak in _WEAK:
        if len(found & _content()["asks"].keys()) > 1:
            found.discard(weak)
    return frozenset(found)


def _is_way(words: Sequence[str], language: str) -> bool:
    found = {name for word in words for name in _of(word, "ways", language)}
    return {"from", "to"} <= found


def _in_one_order(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether what both hold comes in the same order in both."""
    shared = [word for word in dict.fromkeys(words) if word in others]
    return shared == [word for word in dict.fromkeys(others) if word in words]


def _of(word: str, table: str, language: str) -> tuple[str, ...]:
    listed = _listed(table).get(language, {})
    return listed.get(word, ()) or listed.get(folded(word), ())


@cache
def _content() -> dict[str, dict[str, str]]:
    text = files("careline.search.curated").joinpath("same_question.yaml").read_text("utf-8")
    content: dict[str, dict[str, str]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


@cache
def _listed(table: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """By language, what each word of a table stands for."""
    found: dict[str, dict[str, tuple[str, ...]]] = {code: {} for code in LANGUAGES}
    for name, listed in _content()[table].items():
        for code, words in zip(LANGUAGES, listed.split("|"), strict=True):
            for word in words.split():
                found[code][word] = (*found[code].get(word, ()), name)
    return found
