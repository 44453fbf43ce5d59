"""Looks for the text that a rule set of patterns takes longest over: what a caller could make every turn wait for."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass

from careline.safety.rules.plain_text import normalise
from careline.safety.rules.rule_sets import RuleSet
from careline.schemas.wire import MAX_QUESTION

_LONGEST = 60
"""Words of a random text; one in a hundred is as long as a question may be."""


@dataclass(frozen=True, slots=True)
class Slowest:
    """The input that a rule set took longest over, by its length: its words are random."""

    file: str
    milliseconds: float
    characters: int


def slowest(rule_set: RuleSet, inputs: int, seed: int = 0) -> Slowest:
    """Times normalising and matching, each input once; a text that was slow is timed again and the better time counts.

    So that one interruption of the process is not taken for a slow pattern.
    """
    worst = Slowest(rule_set.file, 0.0, 0)
    for text in random_inputs(rule_set, inputs, seed):
        taken = _milliseconds(rule_set, text)
        if taken > worst.milliseconds:
            taken = min(taken, _milliseconds(rule_set, text), _milliseconds(rule_set, text))
        if taken > worst.milliseconds:
            worst = Slowest(rule_set.file, taken, len(text))
    return worst


def random_inputs(rule_set: RuleSet, inputs: int, seed: int) -> Iterator[str]:
    """Texts made of the words of the rule set's own examples, which come nearest to its patterns, and of any
    characters."""
    chance = random.Random(seed)  # noqa: S311 - a fixed seed, so that a slow text can be found again
    words = sorted({word for rule in rule_set.rules for example in rule.must_match for word in example.split()}) or [
        "?"
    ]
    for number in range(inputs):
        count = MAX_QUESTION if number % 100 == 0 else chance.randint(1, _LONGEST)
        some = (chance.choice(words) if chance.random() < 0.9 else _any_word(chance) for _ in range(count))
        yield " ".join(some)[:MAX_QUESTION]


def _any_word(chance: random.Random) -> str:
    return "".join(chr(chance.choice((chance.randint(33, 126), chance.randint(160, 0x2FFF)))) for _ in range(8))


def _milliseconds(rule_set: RuleSet, text: str) -> float:
    began = time.perf_counter()
    rule_set.find(normalise(text))
    return (time.perf_counter() - began) * 1000
