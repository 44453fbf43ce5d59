"""Joins small raised signs to the word that they stand at, in superscript characters: 12.50¹ is not 12.501."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from careline.knowledge.extract.characters.superscripts import raised
from careline.knowledge.extract.pdf.geometry import PageWord

_SMALLER = 0.9
_HIGHER = 0.12
_LONGEST = 6
"""Characters: longer runs of small type are a text of their own."""

_TOUCHES = 0.12
_NEAR = 0.8
"""In font sizes: a sign touches its word, or follows it after a space."""


def with_raised_signs(words: Iterable[tuple[PageWord, bool]]) -> Iterator[tuple[PageWord, bool]]:
    """Words in the order of the file, each with whether it is upright; signs behind a word are part of it."""
    listed = list(words)
    signs = {n + 1 for n, ((one, _), (two, up)) in enumerate(pairwise(listed)) if up and _is_raised(two, one, _NEAR)}
    signs |= {n for n, ((one, up), (two, _)) in enumerate(pairwise(listed)) if up and _leads(one, two)} - signs
    held: tuple[PageWord, bool] | None = None
    after_sign = False
    for number, (word, upright) in enumerate(listed):
        sign = number in signs
        if sign:
            word = word._replace(text=raised(word.text, held[0].text if held is not None else ""))
        if held is not None and upright and (sign or after_sign) and _touches(held[0], word):
            held = (_joined(held[0], word), True)
        else:
            if held is not None:
                yield held
            held = (word, upright)
        after_sign = sign
    if held is not None:
        yield held


def _is_raised(small: PageWord, large: PageWord, reach: float) -> bool:
    """Smaller than its neighbour in front, above its baseline, and close to it."""
    height = large.y1 - large.y0
    gap = small.x0 - large.x1
    return (
        len(small.text) <= _LONGEST
        and small.y1 - small.y0 < _SMALLER * height
        and large.y1 - small.y1 > _HIGHER * height
        and large.y0 - 0.5 * height < small.y0
        and small.y1 > large.y0 + 0.2 * height
        and -0.3 * height < gap < reach * height
    )


def _leads(small: PageWord, large: PageWord) -> bool:
    """A raised sign in front of the words of its note."""
    mirrored = large._replace(x0=small.x0 - 1.0, x1=small.x0)
    follows = -0.3 * large.size < large.x0 - small.x1 < large.size
    return follows and _is_raised(small, mirrored, _NEAR)


def _touches(left: PageWord, right: PageWord) -> bool:
    size = max(left.size, right.size)
    return -0.3 * size < right.x0 - left.x1 < _TOUCHES * size and left.y0 < right.y1 and right.y0 < left.y1


def _joined(left: PageWord, right: PageWord) -> PageWord:
    """One word as high as the larger of the two, so that the line it stands on stays the same."""
    large = left if left.y1 - left.y0 >= right.y1 - right.y0 else right
    return large._replace(text=left.text + right.text, x0=min(left.x0, right.x0), x1=max(left.x1, right.x1))
