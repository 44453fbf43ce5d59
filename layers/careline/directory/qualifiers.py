"""Reads what a question says that changes what answers it: that it is denied, for whom it is, that another is meant."""

from __future__ import annotations

from collections.abc import Sequence

from careline.directory.phrase_tables import found_in
from careline.text.asked_words import AskedWord, listed, words_of

NAME = "qualifiers"
DENIED, KNOWING = "denied", "of_knowing"
FOR = "of_"
"""With which the qualifiers begin that say whom, or what, something is for."""
_FOR_THINGS = frozenset((KNOWING, "of_car_park"))
NEAR = 2
"""Words within which a verb of knowing stands beside what denies it."""
PAST = "past"
AT_FIRST = frozenset(("needed", "reason"))
"""What counts at the beginning of what is asked alone; behind it, it is said of something else."""
SHORT = 10
"""Words of a question that tells no story: what stands anywhere in it is said of what is asked."""


def qualifiers_in(text: str, language: str, named: Sequence[tuple[int, int]]) -> frozenset[str]:
    """The qualifiers of a question, by the tables of `data/qualifiers.yaml`; what stands within a name is none."""
    words = [word for word in words_of(text) if not any(start <= word.start < end for start, end in named)]
    found = list(found_in(words, NAME, language))
    knowing = [at for table, at, _ in found if table == KNOWING]
    return frozenset(
        table
        for table, at, _ in found
        if table != KNOWING and _counts(table, at, words, language) and not _of_knowing(table, at, knowing)
    )


def is_for_somebody(qualifier: str) -> bool:
    """Whether a qualifier says whom something is for."""
    return qualifier.startswith(FOR) and qualifier not in _FOR_THINGS


def _of_knowing(table: str, at: int, knowing: Sequence[int]) -> bool:
    return table == DENIED and any(abs(one - at) <= NEAR for one in knowing)


def _counts(table: str, at: int, words: Sequence[AskedWord], language: str) -> bool:
    if table == PAST:
        return len(words) <= SHORT
    before = listed("joins", language) | listed("then", language)
    return table not in AT_FIRST or all(word.plain in before for word in words[:at])
