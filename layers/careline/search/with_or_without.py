"""Tells whether labels are of a thing with something where the question is without it, or the other way round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from careline.search.label_words import LabelWord, same

_WITH = frozenset(("met", "op", "with", "by", "avec", "sur", "con", "col", "su"))
"""Among them "op", "by", "sur" and "su", of appointments."""
_WITHOUT = frozenset(("zonder", "without", "sans", "senza"))
PREPOSITIONS = _WITH | _WITHOUT
_LONG = 6
"""Letters of a word that names something here though it names nothing by itself: an appointment."""
_NEAR = 3
"""Words from such a preposition within which stands what it is with or without: "sans une lettre"."""


def is_with(word: str) -> bool:
    """Whether a word says that something is with what follows."""
    return word in _WITH


def is_without(word: str) -> bool:
    """Whether a word says that something is without what follows."""
    return word in _WITHOUT


def is_the_opposite(asked: Sequence[LabelWord], labels: Sequence[Sequence[LabelWord]]) -> bool:
    """Whether a label is with what the question is without, or the other way round, and none is as the question is."""
    held = [(is_with, named) for label in labels for is_with, named in _accompanied(label)]
    return any(
        {has_it for has_it, named in held if any(same(wanted[0], one) for one in named)} == {not is_with}
        for is_with, wanted in (_accompanied(asked) if held else ())
    )


def _accompanied(words: Sequence[LabelWord]) -> Iterator[tuple[bool, list[LabelWord]]]:
    """Whether such a preposition says "with", and the words behind it that name something; not where there are none."""
    for n, word in enumerate(words):
        if word.text in _WITH or word.text in _WITHOUT:
            behind = words[n + 1 : n + 1 + _NEAR]
            named = [one for one in behind if not one.is_talk] or [one for one in behind if len(one.text) >= _LONG][:1]
            if named:
                yield word.text in _WITH, named
