"""Tells a word from its misspelt form: a slip of the keyboard, or a long name spelt otherwise in its middle."""

from __future__ import annotations

_LONG_NAME, _SAME_BEGINNING, _SAME_END = 10, 5, 4
"""Letters of a word that may be spelt otherwise in the middle, and of its beginning and end, which are the same."""


def common_beginning(one: str, other: str) -> int:
    """How many letters two words begin with alike."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def is_spelt_otherwise(short: str, long: str) -> bool:
    """Whether long words differ in two letters at one place in their middle: "carpaaltunnel" for "carpaletunnel", and
    not "hypo-" for "hyper-"."""
    if len(short) < _LONG_NAME:
        return False
    begins = common_beginning(short, long)
    ends = min(common_beginning(short[::-1], long[::-1]), len(short) - begins)
    return begins >= _SAME_BEGINNING and ends >= _SAME_END and begins + ends >= len(long) - 2


def is_one_slip(short: str, long: str) -> bool:
    """One letter added, left out, changed or two neighbours swapped."""
    if len(long) - len(short) > 1:
        return False
    at = common_beginning(short, long)
    if len(long) > len(short):
        return short[at:] == long[at + 1 :]
    if short[at + 1 :] == long[at + 1 :]:
        return True
    return short[at + 2 :] == long[at + 2 :] and short[at : at + 2] == long[at : at + 2][::-1]
