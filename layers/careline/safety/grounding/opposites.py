"""Tells of two texts whether one says "outside the town" where the other says "inside the town"."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files

import yaml

from careline.text.analysers import terms

State = tuple[int, bool]
"""The pair of opposite words, and which of the two it is."""
Relation = tuple[int, bool, str]
"""The pair of opposite words, which of the two it is, and the first word behind that it is said of."""
_WORD = re.compile(r"[^\W_]+")
_REACH = 4
"""Words behind one of a pair among which is what it is said of."""


def relations(text: str, language: str) -> frozenset[Relation]:
    """What a text says by words that have an opposite."""
    sides = _known()["relations"].get(language, {})
    written = [word.casefold() for word in _WORD.findall(text)]
    found: set[Relation] = set()
    for at, word in enumerate(written):
        if (side := sides.get(word)) is not None:
            behind = terms(" ".join(written[at + 1 : at + 1 + _REACH]), language)
            found.update((*side, of) for of in behind[:1] if of not in sides)
    return frozenset(found)


def are_opposite(claim: frozenset[Relation], source: frozenset[Relation]) -> bool:
    """Whether a claim says the opposite of something that its source says, and the source says no such thing itself."""
    return any((pair, not side, of) in source and (pair, side, of) not in source for pair, side, of in claim)


def states(said: Collection[str], language: str) -> frozenset[State]:
    """What words in plain letters say that a thing is, where that has an opposite: free, closed."""
    sides = _known()["states"].get(language, {})
    return frozenset(sides[word] for word in said if word in sides)


def are_contrary(one: frozenset[State], other: frozenset[State]) -> bool:
    """Whether one says that something is the opposite of what the other says, and the other does not say both."""
    return any((pair, not side) in other and (pair, side) not in other for pair, side in one)


@cache
def _known() -> dict[str, dict[str, dict[str, tuple[int, bool]]]]:
    """By kind of opposites and language, the pair of each word and whether it is on its second side."""
    kinds = yaml.safe_load(files(__package__).joinpath("opposites.yaml").read_text("utf-8"))
    return {kind: {language: _sides(pairs) for language, pairs in known.items()} for kind, known in kinds.items()}


def _sides(pairs: Sequence[Sequence[Sequence[str]]]) -> dict[str, tuple[int, bool]]:
    return {
        word: (number, side == 1)
        for number, pair in enumerate(pairs)
        for side, words in enumerate(pair)
        for word in words
    }
