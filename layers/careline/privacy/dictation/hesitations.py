"""What a caller says between the parts of one value: hesitations, names of marks, and slips that are taken back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from careline.privacy.vocabulary import words

_MOST = 8
"""Phrases in a row after which a caller speaks of something else."""

Phrases = Mapping[str, Sequence[tuple[str, ...]]]


def past(said: Sequence[str], at: int) -> tuple[int, bool]:
    """The index after the pause that starts at a word, and whether something was taken back in it."""
    slipped = False
    for _ in range(_MOST):
        end = _after(_slips(), said, at)
        if end:
            slipped = True
        else:
            end = _after(_fillers(), said, at) or (slipped and _after(_more(), said, at))
        if not end:
            break
        at = end
    return at, slipped


def begins(said: Sequence[str], at: int) -> bool:
    """Whether a phrase of several words starts with a word that may be a letter ("e poi", "i mean")."""
    return any(_after(phrases, said, at) > at + 1 for phrases in (_fillers(), _slips()))


def _after(phrases: Phrases, said: Sequence[str], at: int) -> int:
    """The index after the longest phrase that starts at a word; 0 if none does."""
    for phrase in phrases.get(said[at] if at < len(said) else "", ()):
        if tuple(said[at : at + len(phrase)]) == phrase:
            return at + len(phrase)
    return 0


def _by_first(listed: Iterable[str]) -> Phrases:
    found: dict[str, list[tuple[str, ...]]] = {}
    for written in listed:
        phrase = tuple(part for part in re.split(r"[ '-]+", written) if part)
        # A letter alone may be a part of the value.
        if phrase and len("".join(phrase)) > 1:
            found.setdefault(phrase[0], []).append(phrase)
    return {first: sorted(each, key=len, reverse=True) for first, each in found.items()}


@cache
def _fillers() -> Phrases:
    return _by_first((*words("numbers", "fillers", "separators"), *words("dates", "slash"), *words("spelling", "lead")))


@cache
def _slips() -> Phrases:
    return _by_first(words("dates", "corrections"))


@cache
def _more() -> Phrases:
    return _by_first(words("dates", "corrected_with"))
