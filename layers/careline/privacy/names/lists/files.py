"""Holds the lists of names and ordinary words that tell a personal name from a word, read when they are first needed.

`training/build_names.py` makes the lists; all entries are folded, and surnames of several words hold spaces.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import yaml

import careline_artefacts

_LETTERS = str.maketrans({"ø": "o", "ł": "l", "ß": "ss", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "’": "'", "ʼ": "'"})


def fold(text: str) -> str:
    """Lower case without accents: the form of every entry and the form that a word is looked up in."""
    lower = text.lower()
    if lower.isascii():
        return lower
    decomposed = unicodedata.normalize("NFKD", lower.translate(_LETTERS))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


@dataclass(frozen=True, slots=True)
class Names:
    """Folded names. The common ones are believed beside a cue or another name though they are words too."""

    first: frozenset[str]
    last: frozenset[str]
    common_first: frozenset[str]
    common: frozenset[str]
    places: frozenset[str]


def _entries(name: str) -> frozenset[str]:
    content = (careline_artefacts.FOLDER / "names" / f"{name}.json").read_bytes()
    return frozenset(json.loads(content))


@cache
def names() -> Names:
    """The names of all countries together; callers of one hospital come from everywhere."""
    first, common = _entries("common_first"), _entries("common_last")
    return Names(_entries("first") | first, _entries("last") | common, first, common, _entries("places"))


@dataclass(frozen=True, slots=True)
class Spelling:
    """How names are spelled in texts of a language: what each run of two or three letters says, and what is enough.

    One word in eight that is no name reaches `likely`, one in twenty-five `surely`; twice and three times as many where
    more words are known, so that fewer of them are unlisted.
    """

    likely: int
    surely: int
    weights: dict[str, int]

    def score(self, word: str) -> float:
        """The mean weight of the pieces of a folded word; the higher, the more it is spelled like a name."""
        marked = f"^{word[:40]}$"
        get = self.weights.get
        total = sum(get(marked[at : at + 2], 0) for at in range(len(marked) - 1))
        total += sum(get(marked[at : at + 3], 0) for at in range(len(marked) - 2))
        return total / (len(marked) - 2)


@cache
def spelling(language: str) -> Spelling:
    """The spelling of names against that of the words of a language."""
    content = json.loads((careline_artefacts.FOLDER / "names" / f"spelling_{language}.json").read_bytes())
    return Spelling(content["likely"], content["surely"], content["weights"])


def content(name: str) -> dict[str, str]:
    """One file of `data/person`: its lists, each as written."""
    loaded: dict[str, str] = yaml.load(
        (files("careline.privacy") / "data" / "person" / f"{name}.yaml").read_bytes(),
        Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader),  # noqa: S506  both are safe loaders
    )
    return loaded
