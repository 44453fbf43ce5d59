"""Reads the vocabulary's files: each condition, examination, medicine and specialty with its wordings by language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import yaml

from careline.model import LANGUAGES

_SAME = "="
"""Stands for the English name of a medicine."""
CLASS = "class:"
"""What the key of a class of medicines begins with, so that "statin" is no medicine."""


class Kind(StrEnum):
    """What a term names."""

    CONDITION = "condition"
    DRUG = "drug"
    PROCEDURE = "procedure"
    SPECIALTY = "specialty"


@dataclass(frozen=True, slots=True)
class Wordings:
    """What one language calls a thing: as professionals write it, the shown one first, and as people say it."""

    clinical: tuple[str, ...]
    lay: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing of the vocabulary, by its key and its wordings in the four languages.

    `specialties` are those that it belongs to, the usual one first; `drug_class` is the key of a medicine's class.
    """

    kind: Kind
    key: str
    wordings: Mapping[str, Wordings]
    specialties: tuple[str, ...]
    is_urgent: bool = False
    drug_class: str | None = None

    def name(self, language: str) -> str:
        """Its clinical name in a language, or in English for one that the vocabulary has not."""
        wordings = self.wordings.get(language) or self.wordings["en"]
        return (wordings.clinical or wordings.lay)[0]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything that the files hold. `keywords` are words by language that make a specialty likely; `words.yaml` says
    what the others are."""

    entries: tuple[Entry, ...]
    keywords: Mapping[str, Mapping[str, str]]
    small_words: Mapping[str, frozenset[str]]
    tails: Mapping[str, tuple[str, ...]]
    not_forms: Mapping[str, frozenset[str]]


def read() -> Vocabulary:
    """Read all files, about a tenth of a second."""
    folder = files(__package__)
    specialties = _table(folder / "specialties.yaml")
    words = _table(folder / "words.yaml")
    entries = (
        *(_specialty(key, held) for key, held in specialties.items()),
        *(_thing(Kind.CONDITION, key, held) for key, held in _tables(folder / "conditions")),
        *(_thing(Kind.PROCEDURE, key, held) for key, held in _tables(folder / "procedures")),
        *(drug for key, held in _tables(folder / "drugs") for drug in _drugs(key, held)),
    )
    keywords = {
        code: {word: key for key, held in specialties.items() for word in _part(held[code], 2)} for code in LANGUAGES
    }
    return Vocabulary(
        entries,
        keywords,
        _sets(words["small"]),
        {code: tuple(sorted(listed.split(), key=len, reverse=True)) for code, listed in words["tails"].items()},
        _sets(words["not_forms"]),
    )


def _sets(held: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {code: frozenset(listed.split()) for code, listed in held.items()}


def _table(file: Traversable) -> dict[str, Any]:
    content: dict[str, Any] = yaml.load(file.read_text("utf-8"), Loader=yaml.CSafeLoader)
    return content


def _tables(folder: Traversable) -> Iterator[tuple[str, Any]]:
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.name.endswith(".yaml"):
            yield from _table(file).items()


def _part(written: str, number: int) -> tuple[str, ...]:
    parts = written.split(" / ")
    return _listed(parts[number]) if number < len(parts) else ()


def _listed(written: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in written.split(",") if each.strip())


def _thing(kind: Kind, key: str, held: Mapping[str, Any]) -> Entry:
    wordings = {code: Wordings(_part(held[code], 0), _part(held[code], 1)) for code in LANGUAGES}
    return Entry(kind, key, wordings, _listed(held["of"]), bool(held.get("urgent", False)))


def _specialty(key: str, held: Mapping[str, str]) -> Entry:
    wordings = {code: Wordings(_part(held[code], 0), _part(held[code], 1)) for code in LANGUAGES}
    return Entry(Kind.SPECIALTY, key, wordings, (key,))


def _drugs(key: str, held: Mapping[str, Any]) -> Iterator[Entry]:
    specialties = _listed(held["of"])
    names = dict(zip(LANGUAGES, (_listed(part) for part in held["class"].split(" | ")), strict=True))
    wordings = {code: Wordings(listed) for code, listed in names.items()}
    yield Entry(Kind.DRUG, CLASS + key, wordings, specialties, drug_class=key)
    for name, written in held["drugs"].items():
        yield Entry(Kind.DRUG, name, _names_of_drug(name, written), specialties, drug_class=key)


def _names_of_drug(name: str, written: str) -> Mapping[str, Wordings]:
    dutch, french, italian = (name if each == _SAME else each for each in _part(written, 0))
    others = _part(written, 1)
    return {
        code: Wordings((own,), others)
        for code, own in {"nl": dutch, "en": name, "fr": french, "it": italian}.items()
    }
