"""Compares what a caller said with lists of phrases: whole words, without capitals, accents and punctuation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from careline.speech import language_data

LONGEST_UTTERANCE = 1000
"""Characters of an utterance that are looked at; a minute of quick speech has fewer."""
_WORD = re.compile(r"[a-z0-9]+")
_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae", "ß": "ss"})


def plain_words(utterance: str) -> list[str]:
    """The words of an utterance in small letters without accents; an apostrophe parts words ("d'accord" is two)."""
    decomposed = unicodedata.normalize("NFKD", utterance[:LONGEST_UTTERANCE].lower().translate(_LIGATURES))
    return _WORD.findall("".join(c for c in decomposed if not unicodedata.combining(c)))


@dataclass(frozen=True, slots=True)
class PhraseSet:
    """A set of phrases, each a tuple of plain words; `longest` is the number of words of the longest."""

    known: frozenset[tuple[str, ...]]
    longest: int

    @classmethod
    def of(cls, phrases: Iterable[str]) -> PhraseSet:
        """From phrases as they are written."""
        known = frozenset(words for phrase in phrases if (words := tuple(plain_words(phrase))))
        return cls(known, max(map(len, known), default=0))

    def found_in(self, words: Sequence[str]) -> bool:
        """Whether one of the phrases stands somewhere in the words."""
        return any(self.length_at(words, start) for start in range(len(words)))

    def make_up(self, words: Sequence[str]) -> bool:
        """Whether the words are phrases of this set from beginning to end, at least one."""
        reached = {0}
        for start in range(len(words)):
            if start in reached:
                reached.update(start + length for length in self._lengths_at(words, start))
        return bool(words) and len(words) in reached

    def length_at(self, words: Sequence[str], start: int) -> int:
        """Number of words of the longest phrase that begins at `start`, 0 where none does."""
        return max(self._lengths_at(words, start), default=0)

    def _lengths_at(self, words: Sequence[str], start: int) -> list[int]:
        most = min(self.longest, len(words) - start)
        return [length for length in range(1, most + 1) if tuple(words[start : start + length]) in self.known]


@cache
def phrases(language: str, *path: str) -> PhraseSet:
    """The phrases of one list of a language's data. Raises: KeyError as `language_data.texts`."""
    return PhraseSet.of(language_data.texts(language, *path))
