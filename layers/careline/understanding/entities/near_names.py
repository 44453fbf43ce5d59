"""Finds the names that a misspelt word may be, among tens of thousands, in well under a millisecond."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

import yaml
from rapidfuzz import fuzz, process

from careline.understanding.entities.name_forms import SHORTEST_SPELT

MOST_LIKE = 8
"""Names that are weighed against each other."""
LONGEST_MORE = 3
"""Letters that a name may have more or fewer."""
FIRST_NAMES = 80.0
"""How alike, of 100, two writings of a first name are."""
_VOWELS = str.maketrans("", "", "aeiou")


@cache
def _sounds() -> tuple[tuple[tuple[str, str], ...], frozenset[str]]:
    text = files("careline.understanding.entities").joinpath("sounds.yaml").read_text("utf-8")
    content = yaml.load(text, Loader=yaml.CSafeLoader)
    return tuple((old, new) for old, new in content["groups"]), frozenset(content["silent_first"])


def sound_of(word: str) -> str:
    """A word without capitals and accents as it sounds, so that "klaaskens" is "claeskens"."""
    groups, silent = _sounds()
    sound = word[1:] if word[:1] in silent and len(word) > SHORTEST_SPELT else word
    for old, new in groups:
        sound = sound.replace(old, new)
    return "".join(letter for n, letter in enumerate(sound) if n == 0 or letter != sound[n - 1])


def consonants_of(sound: str) -> str:
    """The consonants of what a word sounds like: what an ear that does not know the name keeps of it."""
    return sound.translate(_VOWELS)


def is_alike(one: str, other: str) -> bool:
    """Whether two first names are one, heard or written in another way."""
    return one == other or sound_of(one) == sound_of(other) or fuzz.ratio(one, other, score_cutoff=FIRST_NAMES) > 0


class NearNames:
    """Words that are compared letter by letter. A word that is nearly another has most pairs of letters in common with
    it, so only those that share one of its rarest pairs are compared."""

    __slots__ = ("_having", "_words")

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._having: dict[tuple[int, str], list[int]] = {}
        for n, word in enumerate(words):
            for pair in set(_pairs(word)):
                self._having.setdefault((len(word), pair), []).append(n)

    def like(self, word: str, least: float) -> Iterator[tuple[int, float]]:
        """The places of the words that are at least so much like one (rapidfuzz `ratio`, of 100), likest first."""
        slips = math.floor(2 * len(word) * (100.0 - least) / least)
        more = min(slips, LONGEST_MORE)
        near = list(self._near(word, slips, range(len(word) - more, len(word) + more + 1)))
        choices = [self._words[n] for n in near]
        found = process.extract(word, choices, scorer=fuzz.ratio, score_cutoff=least, limit=MOST_LIKE)
        yield from ((near[at], score) for _, score, at in found)

    def _near(self, word: str, slips: int, lengths: range) -> set[int]:
        """The places of words of these lengths that share one of the rarest pairs. A letter too many breaks two pairs
        at most and one that is missing one, so that a word within reach keeps one of them."""
        pairs = set(_pairs(word))
        near: set[int] = set()
        for length in lengths:
            broken = (3 * slips - (length - len(word))) // 2
            lists = sorted((self._having.get((length, pair), ()) for pair in pairs), key=len)
            near.update(*lists[: broken + 1])
        return near


def _pairs(word: str) -> Iterator[str]:
    padded = f"^{word}$"
    yield from (padded[at : at + 2] for at in range(len(padded) - 1))
