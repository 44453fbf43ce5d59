"""The words of a text as the medical vocabulary compares them: without accents, without endings, with their places."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from careline.text.analysers import STEMMERS
from careline.text.spelling.misspelt import common_beginning, is_one_slip

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

_WORD = re.compile(r"[^\W_](?:[^\W_]|[\u0300-\u036f]|&(?=[^\W_]))*")
"""Letters and digits, with the accents that some keyboards write as characters of their own; "A&E" is one word."""
_TWO_LETTERS = {"œ": "oe", "æ": "ae", "ß": "ss", "ø": "o"}
_SHORTEST_STEMMED = 4
_SHORTEST_INFLECTED, _LONG = 5, 7
"""Letters of a word that has other forms, and of one whose forms may differ more than by a plural."""
_LONGEST_ENDING = 2
_ENDINGS = frozenset(("s", "es", "n", "en", "e", "x"))
_VOWELS = frozenset("aeio")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text: in lower case without accents, and where it stands (end exclusive)."""

    plain: str
    start: int
    end: int


def words_of(text: str) -> list[Word]:
    """The words of a text, in order; a hyphen or an apostrophe parts two words."""
    return [Word(plain(found[0]), found.start(), found.end()) for found in _WORD.finditer(text)]


def plain(word: str) -> str:
    """A word in lower case without accents, of letters and digits alone; never empty."""
    lower = word.lower().replace("&", "")
    if lower.isascii():
        return lower
    for sign, letters in _TWO_LETTERS.items():
        lower = lower.replace(sign, letters)
    return "".join(c for c in unicodedata.normalize("NFKD", lower) if c.isalnum()) or lower


def stems(words: Sequence[str], language: str) -> list[str]:
    """The stem of each plain word, as many as there are words. Words of up to three letters are their own."""
    found = _stemmer(language).analyze(" ".join(words)) if words else []
    if len(found) != len(words):
        found = [(_stemmer(language).analyze(word) or [word])[0] for word in words]
    return [stem if len(word) >= _SHORTEST_STEMMED else word for word, stem in zip(words, found, strict=True)]


@cache
def _stemmer(language: str) -> TextAnalyzer:
    import tantivy

    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace())
    return builder.filter(tantivy.Filter.stemmer(STEMMERS[language])).build()


def is_inflected(word: str, other: str) -> bool:
    """Whether two words of one stem are forms of one word. Stems alone join too much: "contract" and "contractions"."""
    short, long = sorted((word, other), key=len)
    alike = common_beginning(short, long)
    if len(short) >= _LONG:
        return len(long) - len(short) <= _LONGEST_ENDING and alike >= len(short) - _LONGEST_ENDING
    if len(short) < _SHORTEST_INFLECTED:
        return False
    return long[len(short) :] in _ENDINGS if alike == len(short) else alike == len(long) - 1 and long[-1] in _VOWELS


class Spellings:
    """Finds the one listed word from which a word differs by a letter added, left out, changed or swapped. The first
    letter is right: words that differ in it are others ("iPhone" is no "aphone", "Torino" no "otorino").

    Either half of a word is free of its one slip, so words are filed under their length and each of their halves; a
    swap of the two letters in the very middle is undone first. A look-up compares with the few words of a drawer.
    """

    __slots__ = ("_drawers", "_words")
    SHORTEST = 6

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(word for word in words if len(word) >= self.SHORTEST and word.isalpha())
        self._drawers: dict[tuple[int, str, bool], list[str]] = {}
        for word in self._words:
            half = len(word) // 2
            for part, is_end in ((word[:half], False), (word[-half:], True)):
                self._drawers.setdefault((len(word), part, is_end), []).append(word)

    def __contains__(self, word: str) -> bool:
        return word in self._words

    def of(self, word: str) -> str | None:
        """The listed word that was meant; None where none is, or several are."""
        if len(word) < self.SHORTEST:
            return None
        near = (listed for listed in self._near(word) if listed[0] == word[0])
        found = {listed for listed in near if is_one_slip(*sorted((word, listed), key=len))}
        if len(found) > 1:
            found = {listed for listed in found if listed[-1] == word[-1]} or found
        return found.pop() if len(found) == 1 else None

    def _near(self, word: str) -> Iterator[str]:
        middle = len(word) // 2
        swapped = word[: middle - 1] + word[middle] + word[middle - 1] + word[middle + 1 :]
        if swapped in self._words:
            yield swapped
        for length in range(max(len(word) - 1, self.SHORTEST), len(word) + 2):
            half = length // 2
            yield from self._drawers.get((length, word[:half], False), ())
            yield from self._drawers.get((length, word[-half:], True), ())
