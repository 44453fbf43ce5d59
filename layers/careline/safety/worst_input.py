"""Looks for the text that a book of patterns takes longest over: what a caller could make every turn wait for."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from careline.safety.patterns import Book
from careline.safety.plain_text import normalise
from careline.wire import MAX_QUESTION

_LONGEST = 60
"""Words of a random text; one in a hundred is as long as a question may be."""


@dataclass(frozen=True, slots=True)
class Slowest:
    """The input that a book took longest over, by its length: its words are random."""

    file: str
    milliseconds: float
    characters: int


def slowest(book: Book, inputs: int, seed: int = 0) -> Slowest:
    """Times normalising and matching, each input once; a text that was slow is timed again and the better time counts.

    So that one interruption of the process is not taken for a slow pattern.
    """
    worst = Slowest(book.file, 0.0, 0)
    for text in random_inputs(book, inputs, seed):
        taken = _milliseconds(book, text)
        if taken > worst.milliseconds:
            taken = min(taken, _milliseconds(book, text), _milliseconds(book, text))
        if taken > worst.milliseconds:
            worst = Slowest(book.file, taken, len(text))
    return worst


def random_inputs(book: Book, inputs: int, seed: int) -> Iterator[str]:
    """Texts made of the words of the book's own examples, which come nearest to its patterns, and of any characters."""
    chance = random.Random(seed)  # noqa: S311 - a fixed seed, so that a slow text can be found again
    words = sorted({word for rule in book.rules for example in rule.must_match for word in example.split()}) or ["?"]
    for number in range(inputs):
        count = MAX_QUESTION if number % 100 == 0 else chance.randint(1, _LONGEST)
        some = (chance.choice(words) if chance.random() < 0.9 else _any_word(chance) for _ in range(count))
        yield " ".join(some)[:MAX_QUESTION]


def _any_word(chance: random.Random) -> str:
    return "".join(chr(chance.choice((chance.randint(33, 126), chance.randint(160, 0x2FFF)))) for _ in range(8))


def _milliseconds(book: Book, text: str) -> float:
    began = time.perf_counter()
    book.find(normalise(text))
    return (time.perf_counter() - began) * 1000
