"""Compares the words of a text with those of a label or heading: as they are written, or by what they mean."""

from __future__ import annotations

from collections import Counter

from careline.text.figures import Figure
from careline.text.label_words import LabelWord, question_words


class TextWords:
    """The words of a text that may name labels; the numbers of the figure that it tells are no label's."""

    def __init__(self, text: str, language: str, told: Figure | None = None) -> None:
        self.language = language
        found = question_words(text, language)
        self._words = [word for word in found if word.number is None]
        self._forms = {(word.text, word.is_denied) for word in self._words}
        self._stems = {(word.stem, word.is_denied) for word in self._words}
        self._numbers = Counter(word.number for word in found if word.number is not None)
        self._numbers -= Counter(set(told.numbers) if told is not None else ())

    def say(self, word: LabelWord, written_in: str) -> bool:
        """Whether a label's word is said: as it is written, up to its ending, or by what it means in another
        language."""
        if word.number is not None:
            return self._numbers[word.number] > 0
        if (word.text, word.is_denied) in self._forms:
            return True
        if written_in == self.language:
            return (word.stem, word.is_denied) in self._stems
        return bool(word.concepts) and any(
            word.concepts <= one.concepts and word.is_denied == one.is_denied for one in self._words
        )
