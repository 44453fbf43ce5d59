"""Reads where what a statement says begins or ends: "until 20.00" and "not after 20.00" agree, though one denies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from careline.text.figure_words import words
from careline.text.languages import frequent_words

Bound = tuple[bool, str]
"""Whether it is the least or earliest, else the most or latest; and the number, or the beginning of the word, that it
is."""
LETTERS = 6
"""Letters that the forms of a word have in common."""
_REACH = 4
"""Words before what is bounded, in which the word that bounds it stands."""
_BEHIND = 3


@dataclass(frozen=True, slots=True)
class _Bounding:
    """The words of one language, each one or several, and whether what they bound is the least."""

    any_word: Mapping[str, bool]
    numbers: Mapping[str, bool]
    at_least: frozenset[str]
    behind: Mapping[str, bool]
    single: frozenset[str]
    """The single words of all of these, which are never what is bounded."""


def bounds(said: Sequence[str], language: str, *, denies: bool) -> frozenset[Bound]:
    """The bounds in the words of a statement, in plain letters; none in a language whose words for them are not
    listed."""
    known = bounding().get(language)
    return frozenset() if known is None else frozenset(_bounds(said, known, language, denies=denies))


def are_apart(one: frozenset[Bound], other: frozenset[Bound]) -> bool:
    """Whether what is the least for one statement is the most for the other, so that one may deny what the other
    affirms."""
    return any((not is_least, of) in other and (is_least, of) not in other for is_least, of in one)


def _bounds(said: Sequence[str], known: _Bounding, language: str, *, denies: bool) -> Iterator[Bound]:
    small = frequent_words().get(language, frozenset())
    units, numbers = words().units, words().numbers.get(language, {})
    first = 0
    for at, word in enumerate(said):
        is_number = word.isdigit() or word in numbers or word in words().ordinals
        if is_number or not (word in small or word in units or word in known.single):
            before = said[max(first, at - _REACH) : at]
            side = _before(before, known, is_number=is_number, denies=denies)
            if side is None and is_number:
                side = _side(said[at + 1 : at + 1 + _BEHIND], known.behind)
            if side is not None:
                yield side, word[:LETTERS]
            first = at + 1


def _before(before: Sequence[str], known: _Bounding, *, is_number: bool, denies: bool) -> bool | None:
    """Which side the words before something say that it is."""
    if not known.at_least.isdisjoint(_spans(before)):
        return not denies
    side = _side(before[::-1], known.any_word, backwards=True)
    return _side(before[::-1], known.numbers, backwards=True) if side is None and is_number else side


def _side(said: Sequence[str], known: Mapping[str, bool], *, backwards: bool = False) -> bool | None:
    """What the first of some words, or of two or three of them together, says."""
    for at in range(len(said)):
        for many in (3, 2, 1):
            span = said[at : at + many]
            if (side := known.get(" ".join(reversed(span) if backwards else span))) is not None:
                return side
    return None


def _spans(said: Sequence[str]) -> set[str]:
    return {" ".join(said[at : at + many]) for at in range(len(said)) for many in (1, 2)}


@cache
def bounding() -> Mapping[str, _Bounding]:
    """The words of each language, read once."""
    held = yaml.safe_load(files(__package__).joinpath("bounds.yaml").read_text("utf-8"))
    return {language: _of(each) for language, each in held.items()}


def _of(listed: Mapping[str, Any]) -> _Bounding:
    any_word, numbers, behind = (_sides(each) for each in (listed, listed["of_numbers"], listed["behind"]))
    phrases = (*any_word, *numbers, *behind, *listed["at_least"])
    single = frozenset(word for phrase in phrases for word in phrase.split())
    return _Bounding(any_word, numbers, frozenset(listed["at_least"]), behind, single)


def _sides(listed: Mapping[str, Any]) -> Mapping[str, bool]:
    return {word: side == "least" for side in ("least", "most") for word in listed[side]}
