"""What ordinary words of the four languages look like, so that a run of letters nobody would write stands out.

The numbers are counts over our own demo documents, utterances and packs; `python -m careline_local.make_letters` makes
the file. They say how usual letters are, never what a text means. Larger lists, of frequent words and of names, are
kept as bit maps: they say whether a word is likely among them, and are wrong for one word in a hundred.
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
from typing import Any

FILE = Path(__file__).parent / "data" / "letters.json"
SIZE = 27
"""Letters a to z, and the edge of a word, which is 0."""
STEPS_A_BIT = 16
"""The tables hold bits of surprise in sixteenths."""
COMMON = 150
"""Words of a language, most frequent first, that hold its sentences together."""
NEIGHBOURS = 1 << 17
"""Places of a bit map of which kinds of words were seen side by side."""
PAIRS = 1 << 20
"""Places of a bit map of the very words that were seen side by side, in any language."""
LISTED = 1 << 19
"""Places of a bit map of a list of words; each word has two."""
_ENDING = 3
_CODES = bytes(code - 96 if 97 <= code <= 122 else 0 for code in range(256))


@dataclass(frozen=True, slots=True)
class Letters:
    """Tables of surprise by three letters, a language each, and the words seen, most frequent first."""

    surprise: Mapping[str, bytes]
    words: Mapping[str, frozenset[str]]
    common: Mapping[str, frozenset[str]]
    neighbours: Mapping[str, bytes]
    known: frozenset[str]
    pairs: bytes
    by_language: tuple[tuple[frozenset[str], bytes], ...]
    """Of each language the words seen, and the bit map of its frequent ones."""
    names: bytes
    terms: frozenset[str]
    """Medicines, illnesses and what people call them, as the packs list them; they are said in any order."""
    ranks: tuple[Mapping[str, int], ...]
    """Where each word of a language stands by frequency, 0 first."""

    def strangeness(self, word: str) -> float:
        """Bits of surprise a letter in the language that finds the word least strange; 3 to 4 for ordinary words.

        The word is lower case without accents; other characters than letters count as the edge of a word.
        """
        codes = f" {word} ".encode("ascii", "replace").translate(_CODES)
        places = [a * SIZE * SIZE + b * SIZE + c for a, b, c in zip(codes, codes[1:], codes[2:], strict=False)]
        if not places:
            return 0.0
        least = min([sum([table[place] for place in places]) for table in self.surprise.values()])
        return least / len(places) / STEPS_A_BIT

    def rank(self, word: str) -> int:
        """Where a known word stands by frequency in the language that uses it most."""
        return min(own[word] for own in self.ranks if word in own)

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

    def said_together(self, first: str, second: str) -> bool:
        """Whether these very words followed one another in some language; wrongly so for one pair in ten."""
        place = pair_place(first, second)
        return bool(self.pairs[place >> 3] >> (place & 7) & 1)

    def listed(self, word: str) -> tuple[int, bool]:
        """A bit for each language that has the word, the first language lowest; and whether somebody is called so."""
        (one, one_bit), (two, two_bit) = ((place >> 3, 1 << (place & 7)) for place in listed_places(word))
        found, language = 0, 1
        for own, listed in self.by_language:
            if (listed[one] & one_bit and listed[two] & two_bit) or word in own:
                found |= language
            language <<= 1
        return found, bool(self.names[one] & one_bit and self.names[two] & two_bit)


@cache
def read_letters(file: Path = FILE) -> Letters:
    """The statistics, read when first asked for."""
    return letters_of(json.loads(file.read_bytes()))


def letters_of(held: Mapping[str, Any]) -> Letters:
    """The statistics as the file writes them."""
    listed = {language: written.split() for language, written in held["words"].items()}
    words = {language: frozenset(each) for language, each in listed.items()}
    return Letters(
        surprise={language: base64.b64decode(written) for language, written in held["surprise"].items()},
        words=words,
        common={language: frozenset(each[:COMMON]) for language, each in listed.items()},
        neighbours={language: base64.b64decode(written) for language, written in held["neighbours"].items()},
        known=frozenset().union(*words.values()),
        pairs=base64.b64decode(held["pairs"]),
        by_language=tuple((own, base64.b64decode(held["listed"][language])) for language, own in words.items()),
        names=base64.b64decode(held["names"]),
        terms=frozenset(held["terms"].split()),
        ranks=tuple(dict(zip(each, range(len(each)), strict=True)) for each in listed.values()),
    )


def pair_place(first: str, second: str) -> int:
    """Where the bit map says whether two words were seen side by side."""
    return zlib.crc32(f"{first} {second}".encode()) % PAIRS


def pairs_map(texts: Iterable[list[str]]) -> bytes:
    """The bit map of the words side by side in texts of every language."""
    return _bit_map((pair_place(*pair) for words in texts for pair in pairwise(words)), PAIRS)


def listed_places(word: str) -> tuple[int, int]:
    """Where the bit maps say whether a word is listed: both bits are set then."""
    code = zlib.crc32(word.encode())
    return code % LISTED, (code >> 13) % LISTED


def listed_map(words: Iterable[str]) -> bytes:
    """The bit map of a list of words."""
    return _bit_map((place for word in words for place in listed_places(word)), LISTED)


def _bit_map(places: Iterable[int], size: int) -> bytes:
    bits = bytearray(size >> 3)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return bytes(bits)


def neighbours_place(first: str, second: str, common: frozenset[str]) -> int:
    """Where the bit map says whether the kinds of two words were seen side by side."""
    kinds = [word if word in common else f"~{word[-_ENDING:]}" for word in (first, second)]
    return zlib.crc32(" ".join(kinds).encode()) % NEIGHBOURS


def neighbours_map(texts: Iterable[list[str]], common: frozenset[str]) -> bytes:
    """The bit map of one language from its texts, each a list of words."""
    places = (neighbours_place(*pair, common) for words in texts for pair in pairwise(words))
    return _bit_map(places, NEIGHBOURS)


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
