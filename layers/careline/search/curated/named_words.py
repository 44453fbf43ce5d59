"""The words of a question that name something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from careline.text.label_words import LabelWord, question_words, vocabulary


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


def named_words(text: str, language: str) -> tuple[NamedWord, ...]:
    """The words that name something, in order; figures are compared by themselves."""
    words = question_words(text, language)
    names = vocabulary().before_names
    return tuple(
        NamedWord(word, n > 0 and words[n - 1].text in names)
        for n, word in enumerate(words)
        if not word.is_talk and word.number is None
    )


def are_named_in(some: Sequence[NamedWord], others: Sequence[NamedWord]) -> bool:
    """Whether each word is among others."""
    return all(any(one.is_same(other) for other in others) for one in some)
