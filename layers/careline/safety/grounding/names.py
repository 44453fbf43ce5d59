"""Compares what a sentence names with what a source names: people, places and designations such as "building C".

Neither words nor the reader tell "behind building D" from "behind building C", or one doctor from another. What is
written like a name is compared as it is; it is one where it does not begin the sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from careline.text.analysers import terms
from careline.text.figure_words import plain

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_BEFORE_NAME = re.compile(r"[^\W_][\"'“‘«(]*[,]?[ \u00a0\u202f]+[\"'“‘«(]*$")
NEAR = 8
"""Characters before a word that tell whether it begins a sentence or a quotation."""
LONGEST_DESIGNATION = 4
"""Characters of a designation: a letter, or letters with a number ("C", "B12")."""


def names_in(sentence: str) -> Iterator[str]:
    """The words of a sentence that are written like a name, in order."""
    for found in _WORD.finditer(sentence):
        word, start = found[0], found.start()
        is_inside = _BEFORE_NAME.search(sentence[max(0, start - NEAR) : start]) is not None
        is_first_letter = len(word) == 1 and not is_inside
        if (is_designation(word) and not is_first_letter) or (word[0].isupper() and is_inside):
            yield word


def is_designation(word: str) -> bool:
    """Whether a word is a letter alone or letters with a number."""
    letters = word.rstrip("0123456789")
    return len(word) <= LONGEST_DESIGNATION and letters.isupper() and (len(letters) == 1 or len(letters) < len(word))


def lacks_name(sentence: str, texts: Iterable[str], language: str, *, is_foreign: bool) -> bool:
    """Whether a name of the sentence stands in none of the texts. Of a text in another language only designations are
    compared: days, months and places have other names there."""
    held = "\n".join(texts)
    designations = {plain(word) for word in _WORD.findall(held) if is_designation(word)}
    known = {plain(word) for word in _WORD.findall(held)} | set(terms(held, language))
    for name in names_in(sentence):
        if is_designation(name):
            if plain(name) not in designations and plain(name) not in known:
                return True
        elif not is_foreign and plain(name) not in known and not known.issuperset(terms(name, language)):
            return True
    return False
