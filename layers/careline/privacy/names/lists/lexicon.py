"""What stands beside the names of people in one language, read from `data/person` when it is first needed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cache
from typing import TypeVar

from careline.privacy.names.lists.files import content
from careline.privacy.names.lists.medical_terms import MedicalTerms, medical_terms

_SHARED = frozenset("disease_of eponyms shared_eponyms not_names months peoples".split())
"""Sets of words that are the same in every language."""
_ELISIONS = frozenset("l' d' j' qu' n' s' c' m' t' jusqu' un' dell' nell' all' dall' sull' quell'".split())


class Strength(IntEnum):
    """How surely a name follows: FAINT "with", WEAK "this is", KIN "my son", TITLE "madam", INTRODUCED "my name is".

    A phrase of one word ("name") introduces no more surely than a title does.
    """

    NONE = 0
    FAINT = 1
    WEAK = 2
    KIN = 3
    TITLE = 4
    INTRODUCED = 5


@dataclass(frozen=True, slots=True)
class Grammar:
    """Words that hold a sentence together, and those that a person does or is."""

    articles: frozenset[str]
    possessives: frozenset[str]
    conjunctions: frozenset[str]
    copulas: frozenset[str]
    clause: frozenset[str]
    particles: frozenset[str]
    stop: frozenset[str]
    accented: frozenset[str]
    verbs: frozenset[str]
    person_verbs: frozenset[str]
    before_verb: frozenset[str]
    predicates: frozenset[str]
    alternatives: frozenset[str]
    quantities: frozenset[str]
    origin: frozenset[str]
    origin_of: frozenset[str]


@dataclass(frozen=True, slots=True)
class Requests:
    """How callers open a call, say what they come for and end."""

    openers: frozenset[str]
    starts: frozenset[str]
    wishes: frozenset[str]
    asks: frozenset[str]
    toward: frozenset[str]
    errands: frozenset[str]
    errand_leads: frozenset[str]
    reports: frozenset[str]
    closings: frozenset[str]
    greeted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Persons:
    """Words that a person is called beside the name: titles, family, orders, what is named after somebody."""

    staff: frozenset[str]
    kin: frozenset[str]
    people: frozenset[str]
    relatives: frozenset[str]
    named_before: frozenset[str]
    named_after: frozenset[str]
    name_words: frozenset[str]
    no_name_after: frozenset[str]
    of_names: frozenset[str]
    within: frozenset[str]
    led_by: frozenset[str]
    convent: frozenset[str]
    religious: frozenset[str]
    deeds: frozenset[str]
    parted: frozenset[str]


@dataclass(frozen=True, slots=True)
class OtherSenses:
    """What a listed name also is: an illness, a month, a people, a place, a room, a feast."""

    disease: frozenset[str]
    disease_of: frozenset[str]
    eponyms: frozenset[str]
    shared_eponyms: frozenset[str]
    not_names: frozenset[str]
    months: frozenset[str]
    peoples: frozenset[str]
    place_before: frozenset[str]
    things: frozenset[str]
    calendar: frozenset[str]
    feasts: frozenset[str]
    rooms: frozenset[str]
    chambers: frozenset[str]
    eateries: frozenset[str]


@dataclass(frozen=True, slots=True)
class Spelling:
    """How names are spelled aloud."""

    spelled: frozenset[str]
    lettered: frozenset[str]
    letters_said: frozenset[str]
    letters_also: frozenset[str]
    letter_names: frozenset[str]
    doubles: frozenset[str]
    doubled: frozenset[str]
    initials: frozenset[str]
    links: frozenset[str]
    writes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Corrections:
    """How a name is put right, denied or stood by."""

    denied: frozenset[str]
    corrected: frozenset[str]
    contrast: frozenset[str]
    oneself: frozenset[str]
    affirmed: frozenset[str]
    myself: frozenset[str]
    called: frozenset[str]
    renamed: frozenset[str]
    resumed: frozenset[str]


@dataclass(frozen=True, slots=True)
class NameLexicon:
    """The words of one language around names. `phrases`: by first word, the words and the strength, longest first."""

    language: str
    phrases: dict[str, list[tuple[tuple[str, ...], Strength]]]
    grammar: Grammar
    requests: Requests
    persons: Persons
    other_senses: OtherSenses
    spelling: Spelling
    corrections: Corrections
    built_on: tuple[str, ...]
    """Endings of words that are made on a name ("-syndrome")."""
    suffixes: tuple[str, ...]
    """Endings of words that are no names."""
    medical: MedicalTerms
    """What tells things of medicine from people."""


def pieces(phrase: str) -> tuple[str, ...]:
    """A folded phrase cut as `tokens.cut` cuts a text: an elided word stands alone, a possessive is dropped."""
    found = []
    for part in phrase.split():
        head, mark, rest = part.partition("'")
        if mark and rest and head + mark in _ELISIONS and len(rest) > 1:
            found += [head + mark, rest]
        elif part.endswith("'s") and len(part) > 2:
            found.append(part[:-2])
        else:
            found.append(part)
    return tuple(found)


def _phrases(own: dict[str, str]) -> dict[str, list[tuple[tuple[str, ...], Strength]]]:
    """The phrases that introduce a name, by their first word, longest first."""
    phrases: dict[str, list[tuple[tuple[str, ...], Strength]]] = {}
    for field, strength in (
        ("introduce", Strength.INTRODUCED),
        ("title", Strength.TITLE),
        ("kin", Strength.KIN),
        ("weak", Strength.WEAK),
        ("faint", Strength.FAINT),
    ):
        for line in own[field].splitlines():
            cut = pieces(line)
            is_loose = len(cut) == 1 and strength is Strength.INTRODUCED
            phrases.setdefault(cut[0], []).append((cut, Strength.TITLE if is_loose else strength))
    for options in phrases.values():
        options.sort(key=lambda option: -len(option[0]))
    return phrases


_Group = TypeVar("_Group", Grammar, Requests, Persons, OtherSenses, Spelling, Corrections)


def _group(kind: type[_Group], own: Mapping[str, str], shared: Mapping[str, str]) -> _Group:
    """The word sets that a group has, those that are the same in every language from `shared`."""
    listed = {field.name: (shared if field.name in _SHARED else own)[field.name] for field in fields(kind)}
    sets = {name: frozenset(words.split()) for name, words in listed.items()}
    if kind is Persons:
        sets["kin"] = frozenset(line for line in own["kin"].splitlines() if " " not in line)
    return kind(**sets)


@cache
def name_lexicon(language: str) -> NameLexicon:
    """The lexicon of "nl", "en", "fr" or "it"."""
    own, shared = content(language), content("shared")
    return NameLexicon(
        language=language,
        phrases=_phrases(own),
        grammar=_group(Grammar, own, shared),
        requests=_group(Requests, own, shared),
        persons=_group(Persons, own, shared),
        other_senses=_group(OtherSenses, own, shared),
        spelling=_group(Spelling, own, shared),
        corrections=_group(Corrections, own, shared),
        built_on=tuple(own["built_on"].split()),
        suffixes=tuple(own["suffixes"].split()),
        medical=medical_terms(language),
    )
