"""Tells which quotations say nothing that another one of the same answer does not say."""

from __future__ import annotations

from collections.abc import Sequence

from careline.search.label_words import folded
from careline.search.row_wording import row_wording

_CELLS = " – "
"""Between the labels of a row and what is told of it (`careline.search.said_row`)."""
_NEARLY = 0.85
"""Share of the words of a quotation with figures that another one has where both tell the same fact."""


def repeated(texts: Sequence[str], language: str) -> frozenset[int]:
    """The numbers of the texts that another text says: in the same words, or with the same figures in nearly the same.

    Of two that say the same the first is kept, or the longer one where it holds the other. A text that denies what
    another one says is none of the two. `language` is that of the texts.
    """
    wording = row_wording(language)
    denies = wording.denies if wording is not None else frozenset()
    held = [_words(text) for text in texts]
    gone: set[int] = set()
    for n, words in enumerate(held):
        others = [held[m] for m in range(len(held)) if m not in gone and m != n]
        before = [held[m] for m in range(n) if m not in gone]
        if any(_holds(other, words) and (other != words or other in before) for other in others):
            gone.add(n)
        elif any(_is_same(other, words, denies) for other in before):
            gone.add(n)
        elif any(_tells_more_of_row(texts[m], texts[n]) for m in range(len(texts)) if m not in gone and m != n):
            gone.add(n)
    return frozenset(gone)


def _holds(other: Sequence[str], words: Sequence[str]) -> bool:
    """Whether a text stands in another, word for word."""
    return f" {' '.join(words)} " in f" {' '.join(other)} "


def _tells_more_of_row(other: str, text: str) -> bool:
    """Whether a text tells cells of the row of a table that another tells with more of them."""
    (row, joint, cells), (other_row, _, other_cells) = text.partition(_CELLS), other.partition(_CELLS)
    told, more = ({cell.strip(" .") for cell in each.split(";")} for each in (cells, other_cells))
    return bool(joint) and row == other_row and told < more


def _is_same(other: Sequence[str], words: Sequence[str], denies: frozenset[str]) -> bool:
    figures = [[word for word in each if word.isdigit()] for each in (words, other)]
    differing = set(words) ^ set(other)
    shared = len(set(words) & set(other))
    return (
        bool(figures[0]) and figures[0] == figures[1] and not differing & denies and shared >= _NEARLY * len(set(words))
    )


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() else " " for c in folded(text)).split()
