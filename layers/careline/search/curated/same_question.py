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
class NamedWord:
    """A word that names something; `is_name` behind what names are told after, as "campus" or "dokter"."""

    word: LabelWord
    is_name: bool

    def is_same(self, other: NamedWord) -> bool:
        """Whether both are one word: by the stem, a name letter by letter. That two words mean the same in a hospital
        is not enough: the restaurant has other hours than the cafeteria."""
        if self.is_name or other.is_name:
            return self.word.text == other.word.text
        return self.word.stem == other.word.stem


@dataclass(frozen=True, slots=True)
class QuestionContent:
    """What a question, or a text that answers one, holds: its words in order, those that name something, its figures,
    and its marks by table of `same_question.yaml`."""

    words: tuple[str, ...]
    named: tuple[NamedWord, ...]
    figures: tuple[Figure, ...]
    asks: frozenset[str]
    turns: frozenset[str]
    persons: frozenset[str]
    is_way: bool

    @classmethod
    def of(cls, text: str, language: str) -> QuestionContent:
        """The content of a text; nothing of it is kept in memory, as it may be a caller's."""
        words = tuple(_WORD.findall(text.casefold()))
        asks, turns, persons, ways = (
            frozenset(name for word in words for name in _of(word, table, language))
            for table in ("asks", "turns", "persons", "ways")
        )
        for weak in _WEAK:
            asks = asks - {weak} if len(asks) > 1 else asks
        found = tuple(figures(readable(text), (language,)))
        return cls(words, _named(text, language), found, asks, turns, persons, {"from", "to"} <= ways)


def is_same_question(asked: QuestionContent, written: QuestionContent) -> bool:
    """Whether two questions of one language ask the same; False in doubt, and where neither names anything."""
    if asked.words == written.words:
        return True
    return bool(asked.named) and (
        (asked.asks, asked.turns, asked.persons) == (written.asks, written.turns, written.persons)
        and are_named_in(asked.named, written.named)
        and are_named_in(written.named, asked.named)
        and are_figures_in(asked.figures, written.figures)
        and are_figures_in(written.figures, asked.figures)
        and (not asked.is_way or _in_one_order(asked.words, written.words))
    )


def are_named_in(some: Sequence[NamedWord], others: Sequence[NamedWord]) -> bool:
    """Whether each word is among others."""
    return all(any(one.is_same(other) for other in others) for one in some)


def are_figures_in(some: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether each figure is among others."""
    return all(any(is_same(one, other) for other in others) for one in some)


def _named(text: str, language: str) -> tuple[NamedWord, ...]:
    """The words that name something; figures are compared by themselves."""
    words = question_words(text, language)
    names = vocabulary().before_names
    return tuple(
        NamedWord(word, n > 0 and words[n - 1].text in names)
        for n, word in enumerate(words)
        if not word.is_talk and word.number is None
    )


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
