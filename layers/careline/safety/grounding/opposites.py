"""Tells of two texts whether one says "outside the town" where the other says "inside the town"."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import yaml

from careline.text.analysers import terms

Relation = tuple[int, bool, str]
"""The pair of opposite words, which of the two it is, and the first word behind that it is said of."""
_WORD = re.compile(r"[^\W_]+")
_REACH = 4
"""Words behind one of a pair among which is what it is said of."""


def relations(text: str, language: str) -> frozenset[Relation]:
    """What a text says by words that have an opposite."""
    sides = _sides().get(language, {})
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


@cache
def _sides() -> dict[str, dict[str, tuple[int, bool]]]:
    known = yaml.safe_load(files(__package__).joinpath("opposites.yaml").read_text("utf-8"))
    return {
        language: {
            word: (number, side == 1)
            for number, pair in enumerate(pairs)
            for side, words in enumerate(pair)
            for word in words
        }
        for language, pairs in known.items()
    }
