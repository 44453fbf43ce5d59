"""Keeps of several things those that a question says more of: of two visits the second, of two lines the boat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TypeVar

from careline.directory.capabilities.facts import Asked
from careline.model import LANGUAGES
from careline.text.label_words import question_words

Thing = TypeVar("Thing")
KEPT = 20_000
"""Texts of directories whose stems are kept, of less than a kilobyte each."""


def narrowed(things: Sequence[Thing], texts_of: Callable[[Thing], Iterable[str]], asked: Asked) -> list[Thing]:
    """The things whose texts have most of the words that the question says and not all of them have; all where none
    has more than another."""
    if len(things) < 2 or not asked.words:
        return list(things)
    held = [_said_of(one, texts_of, asked) for one in things]
    telling = frozenset().union(*held) - held[0].intersection(*held[1:])
    most = max(len(one & telling) for one in held)
    return [one for one, words in zip(things, held, strict=True) if len(words & telling) == most]


def by_words(things: Sequence[Thing], texts_of: Callable[[Thing], Iterable[str]], asked: Asked) -> list[Thing]:
    """The things that hold every word of the question which any of them holds: of two words at least, or of the one
    that no other has."""
    held = [_said_of(one, texts_of, asked) for one in things]
    telling = frozenset().union(*held)
    found = [one for one, words in zip(things, held, strict=True) if words == telling]
    return found if len(telling) > 1 or (telling and len(found) == 1) else []


def _said_of(thing: Thing, texts_of: Callable[[Thing], Iterable[str]], asked: Asked) -> frozenset[str]:
    """The words of the question that a thing has in one of its texts."""
    return frozenset().union(*(_stems(text) for text in texts_of(thing))) & asked.words


@lru_cache(maxsize=KEPT)
def _stems(text: str) -> frozenset[str]:
    """The stems of a text of the directory, whichever of the languages it is in."""
    return frozenset(word.stem for code in LANGUAGES for word in question_words(text, code))
