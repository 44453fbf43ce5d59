"""The ways to call each entry of a directory: whole, without what kind of thing it is, by a synonym, by a last name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml

from careline.directory.directory import Directory
from careline.directory.entries import Campus, Language
from careline.model import LANGUAGES
from careline.text.asked_words import words_of
from careline.text.frequent_words import frequent_words
from careline.understanding.terms.entries import Kind
from careline.understanding.terms.lookup import find_terms

By = Literal["name", "full_name", "last_name", "first_name", "synonym", "lay_word", "spelt", "title"]
SHORTEST_SPELT = 5
"""Letters from which a name may be misspelt."""
LONGEST_PARTICLE = 3
"""Letters of a small word that a last name begins with."""
MAIN = "main"
"""The role of the campus that is meant where none is named."""


@dataclass(frozen=True, slots=True)
class NameForm:
    """One way to call an entry, as words without capitals and accents. `capitals`: only if it is written in these.
    `beside`: only next to a word for what kind of thing it is, as an ordinary word is: the "pain" of a pain clinic."""

    words: tuple[str, ...]
    kind: str
    id: str
    by: By
    capitals: bool = False
    beside: bool = False

    @property
    def joined(self) -> str:
        """As one word, which is how it may be written too."""
        return "".join(self.words)


@cache
def _naming() -> Mapping[str, Mapping[str, tuple[tuple[str, ...], ...]]]:
    content = yaml.load(
        files("careline.understanding.entities").joinpath("naming.yaml").read_text("utf-8"), Loader=yaml.CSafeLoader
    )
    return {
        table: {code: tuple(plain(text) for text in listed[code]) for code in LANGUAGES}
        for table, listed in content.items()
    }


@cache
def _words(table: str) -> frozenset[str]:
    """The words of a table, of all languages."""
    return frozenset(word for listed in _naming()[table].values() for words in listed for word in words)


def kind_words() -> frozenset[str]:
    """Words for a kind of thing, such as "department", of all languages."""
    return _words("kinds")


def small_words() -> frozenset[str]:
    """Articles and prepositions between the words of a name, of all languages."""
    return _words("small")


@cache
def generic_words() -> frozenset[str]:
    """Words beside names that name nothing by themselves, of all languages."""
    return kind_words() | small_words()


def campus_words() -> frozenset[str]:
    """Words for a site, behind or before which its name stands, of all languages."""
    return _words("campuses")


def title_words() -> frozenset[str]:
    """What doctors are addressed with, of all languages."""
    return _words("titles")


def usual_title(language: str) -> str:
    """What a doctor is usually addressed with."""
    return " ".join(_naming()["titles"][language][0])


@cache
def titles_of_sexes() -> Mapping[str, frozenset[str]]:
    """The titles that only a woman or only a man has, of all languages."""
    return {sex: _words(f"{sex}_titles") for sex in ("female", "male")}


def plain(text: str) -> tuple[str, ...]:
    """The words of a name without capitals and accents."""
    return tuple(word.plain for word in words_of(text))


def core(text: str) -> tuple[str, ...]:
    """The words of a name that tell it from others: "campus Oost" is "oost"; all where none would be left."""
    words = plain(text)
    left = tuple(word for word in words if word not in generic_words())
    return left or words


def forms_of(directory: Directory) -> Iterator[NameForm]:
    """The forms of everything that a directory holds."""
    for campus in directory.campuses:
        called = [*campus.names.items(), *([("", campus.name)] if campus.name else [])]
        yield from _called("campus", campus.id, called, campus.synonyms)
        if campus.role == MAIN:
            yield from (NameForm(words, "campus", campus.id, "synonym") for words in _all("main_campus"))
    for department in directory.departments:
        yield from _called("department", department.id, department.names.items(), department.synonyms)
    yield from _doctors(directory)
    for words in directory.lay_words:
        terms = [(code, term) for code, listed in words.terms.items() for term in listed]
        yield from _written("lay_word", words.department, (*terms, *words.clinical.items()), "lay_word")
    for tariff in directory.tariffs:
        yield from _called("tariff", tariff.id, tariff.subject.items(), tariff.synonyms)
    for contact in directory.contacts:
        yield from _called("contact", contact.id, contact.names.items(), contact.synonyms)


def _all(table: str) -> Iterator[tuple[str, ...]]:
    yield from (words for listed in _naming()[table].values() for words in listed)


def _called(
    kind: str, entry_id: str, names: Iterable[tuple[str, str]], synonyms: Mapping[Language, list[str]]
) -> Iterator[NameForm]:
    yield from _written(kind, entry_id, names, "name")
    others = [(code, word) for code, listed in synonyms.items() for word in listed]
    yield from _written(kind, entry_id, others, "synonym")


def _written(kind: str, entry_id: str, names: Iterable[tuple[str, str]], by: By) -> Iterator[NameForm]:
    """The forms of names by language: whole, and without the words that only say what kind of thing it is."""
    for language, name in names:
        whole, short = plain(name), core(name)
        for words in dict.fromkeys((whole, short)):
            if len("".join(words)) > 1 and not all(word in generic_words() for word in words):
                capitals = all(len(word) <= 2 for word in words)
                beside = words != whole and kind != "campus" and _is_ordinary(words, language)
                yield NameForm(words, kind, entry_id, by, capitals, beside)


def _is_ordinary(words: tuple[str, ...], language: str) -> bool:
    """Whether what is left of a name is one word that people use for something else too: "day", "pain"."""
    if len(words) > 1 or language not in LANGUAGES or words[0] not in frequent_words(language):
        return False
    return not any(one.kind is Kind.SPECIALTY for one in find_terms(words[0], language))


def _without_particles(last: tuple[str, ...]) -> tuple[str, ...]:
    """A last name without the small words it begins with: "van den abbeele" is "abbeele"."""
    at = next((n for n, word in enumerate(last) if len(word) > LONGEST_PARTICLE), 0)
    return last[at:]


def _doctors(directory: Directory) -> Iterator[NameForm]:
    for doctor in directory.doctors:
        last, first = plain(doctor.last_name), plain(doctor.first_name or "")
        if not last:
            continue
        yield NameForm(last, "doctor", doctor.id, "last_name")
        bare = _without_particles(last)
        if bare != last and len(bare[0]) >= SHORTEST_SPELT:
            yield NameForm(bare, "doctor", doctor.id, "last_name")
        if first:
            yield NameForm(first, "doctor", doctor.id, "first_name")
            yield NameForm((*first, *last), "doctor", doctor.id, "full_name")
            yield NameForm((*last, *first), "doctor", doctor.id, "full_name")
        for synonym in doctor.synonyms:
            if words := plain(synonym):
                yield NameForm(words, "doctor", doctor.id, "synonym")


def ways_in(campuses: Iterable[Campus]) -> dict[tuple[str, ...], str]:
    """The campus of each entrance and car park whose name no other campus has, by the words that tell it."""
    found: dict[tuple[str, ...], set[str]] = {}
    for campus in campuses:
        places = [*(one.names for one in campus.entrances), *(one.names for one in campus.parking)]
        for names in places:
            for name in names.values():
                found.setdefault(told_of_place(plain(name.partition("(")[0])), set()).add(campus.id)
    return {words: ids.pop() for words, ids in found.items() if len(ids) == 1 and len("".join(words)) >= SHORTEST_SPELT}


def told_of_place(words: Iterable[str]) -> tuple[str, ...]:
    """The words of a place inside without articles and "side"."""
    beside = small_words() | _words("sides")
    return tuple(word for word in words if word not in beside)
