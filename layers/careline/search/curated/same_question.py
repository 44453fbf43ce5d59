"""Tells whether a question is one that a person's answer was written for: nothing that either names is missing in the
other, and both ask for the same, of the same one.

Nearness in meaning cannot tell: "campus North" and "campus South", "before" and "after", 2023 and 2024 lie next to each
other. So words, figures and what is asked for must agree, and whoever asks otherwise is answered as ever: the answer
stays among the passages that the reader chooses from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from careline.search.curated.closed_words import marks
from careline.search.curated.named_words import NamedWord, are_named_in, named_words
from careline.search.curated.question_roles import QuestionRoles
from careline.text.figures import Figure, figures, is_same, readable

_WORD = re.compile(r"[^\W_]+")
_WEAK = ("which", "how", "many", "amount")
"""What is asked for only where nothing else is: "how late" asks for a time, "how much time" for how long."""


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
    roles: QuestionRoles

    @classmethod
    def of(cls, text: str, language: str) -> QuestionContent:
        """The content of a text; nothing of it is kept in memory, as it may be a caller's."""
        words = tuple(_WORD.findall(text.casefold()))
        asks, turns, persons, ways = (
            marks(words, table, language) for table in ("asks", "turns", "persons", "ways")
        )
        for weak in _WEAK:
            asks = asks - {weak} if len(asks) > 1 else asks
        found, named = tuple(figures(readable(text), (language,))), named_words(text, language)
        roles = QuestionRoles.of(words, named, language)
        return cls(words, named, found, asks, turns, persons, {"from", "to"} <= ways, roles)


def is_same_question(asked: QuestionContent, written: QuestionContent) -> bool:
    """Whether two questions of one language ask the same; False in doubt, and where neither names anything."""
    return asked.words == written.words or (names_the_same(asked, written) and asked.roles.agree(written.roles))


def names_the_same(asked: QuestionContent, written: QuestionContent) -> bool:
    """Whether two questions of one language name the same and ask for one kind of thing, whoever does it."""
    return bool(asked.named) and (
        (asked.asks, asked.turns, asked.persons) == (written.asks, written.turns, written.persons)
        and are_named_in(asked.named, written.named)
        and are_named_in(written.named, asked.named)
        and are_figures_in(asked.figures, written.figures)
        and are_figures_in(written.figures, asked.figures)
        and (not asked.is_way or _in_one_order(asked.words, written.words))
    )


def are_figures_in(some: Sequence[Figure], others: Sequence[Figure]) -> bool:
    """Whether each figure is among others."""
    return all(any(is_same(one, other) for other in others) for one in some)


def _in_one_order(words: Sequence[str], others: Sequence[str]) -> bool:
    """Whether what both hold comes in the same order in both."""
    shared = [word for word in dict.fromkeys(words) if word in others]
    return shared == [word for word in dict.fromkeys(others) if word in words]
