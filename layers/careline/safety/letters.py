"""What ordinary words of the four languages look like, so that a run of letters nobody would write stands out.

The numbers are counts over our own demo documents, utterances and packs; `python -m infra.local.make_letters` makes the
file. They say how usual letters are, never what a text means.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import log2
from pathlib import Path

FILE = Path(__file__).parent / "data" / "letters.json"
SIZE = 27
"""Letters a to z, and the edge of a word, which is 0."""
STEPS_A_BIT = 16
"""The tables hold bits of surprise in sixteenths."""
COMMON = 150
"""Words of a language, most frequent first, that hold its sentences together."""
NEIGHBOURS = 1 << 17
"""Places of a bit map of which kinds of words were seen side by side."""
_ENDING = 3


@dataclass(frozen=True, slots=True)
class Letters:
    """Tables of surprise by three letters, a language each, and the words seen, most frequent first."""

    surprise: Mapping[str, bytes]
    words: Mapping[str, frozenset[str]]
    common: Mapping[str, frozenset[str]]
    neighbours: Mapping[str, bytes]
    known: frozenset[str]

    def strangeness(self, word: str) -> float:
        """Bits of surprise a letter in the language that finds the word least strange; 3 to 4 for ordinary words.

        The word is lower case without accents; other characters than letters count as the edge of a word.
        """
        codes = [0, *(ord(each) - 96 if "a" <= each <= "z" else 0 for each in word), 0]
        places = [a * SIZE * SIZE + b * SIZE + c for a, b, c in zip(codes, codes[1:], codes[2:], strict=False)]
        if not places:
            return 0.0
        least = min(sum(map(table.__getitem__, places)) for table in self.surprise.values())
        return least / len(places) / STEPS_A_BIT

    def seen_together(self, first: str, second: str) -> bool:
        """Whether words of these kinds followed one another in a language: common ones as such, others by ending."""
        tried: dict[tuple[bool, bool], int] = {}
        for language, bits in self.neighbours.items():
            common = self.common[language]
            kinds = (first in common, second in common)
            place = tried.get(kinds)
            if place is None:
                place = tried[kinds] = neighbours_place(first, second, common)
            if bits[place >> 3] >> (place & 7) & 1:
                return True
        return False

    def share_a_language(self, first: str, second: str) -> bool:
        """Whether one language has both words; a word never seen may be of any."""
        return not {first, second} <= self.known or any({first, second} <= words for words in self.words.values())


@cache
def read_letters(file: Path = FILE) -> Letters:
    """The statistics, read when first asked for."""
    held = json.loads(file.read_bytes())
    listed = {language: written.split() for language, written in held["words"].items()}
    return Letters(
        surprise={language: base64.b64decode(written) for language, written in held["surprise"].items()},
        words={language: frozenset(words) for language, words in listed.items()},
        common={language: frozenset(words[:COMMON]) for language, words in listed.items()},
        neighbours={language: base64.b64decode(written) for language, written in held["neighbours"].items()},
        known=frozenset(word for words in listed.values() for word in words),
    )


def neighbours_place(first: str, second: str, common: frozenset[str]) -> int:
    """Where the bit map says whether the kinds of two words were seen side by side."""
    kinds = [word if word in common else f"~{word[-_ENDING:]}" for word in (first, second)]
    return zlib.crc32(" ".join(kinds).encode()) % NEIGHBOURS


def neighbours_map(texts: Iterable[list[str]], common: frozenset[str]) -> bytes:
    """The bit map of one language from its texts, each a list of words."""
    bits = bytearray(NEIGHBOURS >> 3)
    for words in texts:
        for first, second in pairwise(words):
            place = neighbours_place(first, second, common)
            bits[place >> 3] |= 1 << (place & 7)
    return bytes(bits)


def surprise_table(words: Iterable[tuple[str, int]]) -> bytes:
    """The table of one language from its words (a to z) and how often each was seen, smoothed by the pair before."""
    threes = [0.0] * SIZE**3
    for word, seen in words:
        codes = [0, *(ord(each) - 96 for each in word), 0]
        for a, b, c in zip(codes, codes[1:], codes[2:], strict=False):
            threes[a * SIZE * SIZE + b * SIZE + c] += min(seen, 20)
    return bytes(_bits(threes))


def _bits(threes: list[float]) -> Iterable[int]:
    twos = [sum(threes[pair + first * SIZE * SIZE] for first in range(SIZE)) + 0.5 for pair in range(SIZE * SIZE)]
    ones = [sum(twos[middle * SIZE : middle * SIZE + SIZE]) for middle in range(SIZE)]
    for place, seen in enumerate(threes):
        middle, last = place // SIZE % SIZE, place % SIZE
        before = sum(threes[place - last : place - last + SIZE])
        backed = twos[middle * SIZE + last] / ones[middle]
        yield min(255, round(-log2((seen + 4 * backed) / (before + 4)) * STEPS_A_BIT))
