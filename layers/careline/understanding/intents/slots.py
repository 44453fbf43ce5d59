"""Gives an intent what it needs of what is named: in the question, or in what was said before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.asked_words import words_of
from careline.understanding.question import Entity

QUESTION, BEFORE = "question", "before"
PLACES = frozenset({"doctor", "department", "campus"})
"""Kinds of what is found in the hospital."""
LEADING = frozenset({"department", "lay_word", "condition"})
"""Kinds that say of which department."""
OF_PEOPLE = ("female", "male", "either")
"""Kinds of pronouns of somebody."""
_PEOPLE = ("doctor", "department")
"""Kinds of whom a pronoun may speak, in the order in which it may be meant."""
THING = frozenset({"doctor", "department", "contact", "tariff", "lay_word", "condition"})
"""Kinds of what a question asks about; a campus says where."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The kinds of things that a label needs, the first that is named, and those that say more of it."""

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    told: bool = False
    """Whether it counts only as surely as it is told."""
    purpose: str = ""
    """Of whom it is to be told who is there for it."""
    documents: bool = False
    """Whether the directory does not answer it."""
    adds: bool = False
    """Whether conditions add to those that were named before."""
    pairs: bool = False
    """Whether it is of two things, of which a follow-up names another second one."""
    places: bool = True
    """Whether a department, a doctor or a campus that is named may be what is asked about."""


@dataclass(frozen=True, slots=True)
class Named:
    """What is named where; what was said before by message, the last one first."""

    question: tuple[Entity, ...] = ()
    beneath: tuple[Entity, ...] = ()
    """Terms of medicine in the question that name something of the directory too."""
    before: tuple[tuple[Entity, ...], ...] = ()
    asked: tuple[tuple[Entity, ...], ...] = ()
    """The same of the questions alone: an answer names campuses that nobody asked about."""
    sexes: Mapping[str, str | None] = field(default_factory=dict)
    """Of doctors, by id."""
    purposes: Mapping[str, tuple[Entity, ...]] = field(default_factory=dict)
    """The departments that are there for something, as for bills."""


@cache
def _slots() -> Mapping[str, Slots]:
    text = files("careline.understanding.intents").joinpath("slots.yaml").read_text("utf-8")
    content = yaml.load(text, Loader=yaml.CSafeLoader)
    return {
        label: Slots(tuple(each.pop("needs")), tuple(each.pop("takes")), **each) for label, each in content.items()
    }


@cache
def _pronouns() -> Mapping[str, Mapping[str, frozenset[str]]]:
    text = files("careline.understanding.intents").joinpath("pronouns.yaml").read_text("utf-8")
    content = yaml.load(text, Loader=yaml.CSafeLoader)
    return {kind: {code: frozenset(listed[code]) for code in LANGUAGES} for kind, listed in content.items()}


def slots_of(label: str) -> Slots:
    """What a label needs and takes; nothing for one that no capability answers."""
    return _slots().get(label, Slots())


def is_answered(label: str) -> bool:
    """Whether a capability of the directory answers a label."""
    return label in _slots() and not _slots()[label].documents


def is_filled(label: str, entities: Sequence[Entity]) -> bool:
    """Whether what a label needs is among what is named."""
    needs = slots_of(label).needs
    return not needs or any(one.kind in needs for one in entities)


def pronouns_in(text: str, language: str) -> frozenset[str]:
    """The kinds of pronouns of a question: `female`, `male`, `either`, `place`."""
    said = {word.plain for word in words_of(text)}
    return frozenset(kind for kind, by_language in _pronouns().items() if said & by_language[language])


def with_meant(text: str, language: str, named: Named, name_of: Callable[[Entity], str]) -> str:
    """A question with the doctor whom its pronoun stands for in the place of that; as it is where it names somebody
    itself, or a doctor was not what was named last."""
    for word in words_of(text) if _first_of(_PEOPLE, named.question) == [] else ():
        if not any(word.plain in _pronouns()[kind][language] for kind in OF_PEOPLE):
            continue
        found = next((first for entities in named.before if (first := _first_of(_PEOPLE, entities))), [])
        if found and found[0].kind == "doctor":
            return f"{text[: word.start]}{name_of(found[0])}{text[word.end :]}"
    return text


def filled(label: str, named: Named, pronouns: frozenset[str], *, goes_on: bool, leans: bool) -> tuple[Entity, ...]:
    """What the label is about: of the kinds it needs the first that is named, and what says more of it.

    What was said before counts where the label needs it and the question names none, and where the question `leans`
    on it; the campus already where it `goes_on`.
    """
    if not is_answered(label):
        return _of_documents(slots_of(label), named, leans=goes_on)
    slots = slots_of(label)
    wanted = (*slots.needs, *(kind for kind in slots.takes if kind not in slots.needs))
    found = [one for one in named.question if one.kind in wanted]
    if slots.needs and not any(one.kind in slots.needs for one in found):
        found += _from_before(slots.needs, named, pronouns)
    elif leans and not any(one.kind in THING for one in found):
        found += _from_before([kind for kind in slots.takes if kind in THING], named, pronouns)
    if "campus" in wanted and (goes_on or "place" in pronouns) and not any(one.kind == "campus" for one in found):
        found += _last(named.asked, "campus")
    return tuple(dict.fromkeys((*found, *named.purposes.get(slots.purpose, ()))))


def is_about(label: str, entity: Entity) -> bool:
    """Whether what a question names is something that its label can be about."""
    return slots_of(label).places or entity.kind not in PLACES


def _of_documents(slots: Slots, named: Named, *, leans: bool) -> tuple[Entity, ...]:
    """What a question for the documents is about: what it names; where it leans on those before, what these named last
    of the kinds that it takes."""
    found = list(named.question)
    if not slots.places:
        found = [*(one for one in found if one.kind not in PLACES), *named.beneath]
    for kind in slots.takes if leans else ():
        here = [one for one in found if one.kind == kind]
        last = _last(named.before, kind)
        if slots.pairs and len(here) == 1:
            found += last[:-1] if len(last) > 1 else last
        elif not here or (slots.adds and kind == "condition"):
            ids = {each for one in here for each in one.ids}
            found += [one for one in last if ids.isdisjoint(one.ids)]
    return tuple(dict.fromkeys(found))


def _first_of(kinds: Sequence[str], among: Sequence[Entity]) -> list[Entity]:
    for kind in kinds:
        if of_kind := [one for one in among if one.kind == kind]:
            return of_kind
    return []


def _from_before(kinds: Sequence[str], named: Named, pronouns: frozenset[str]) -> list[Entity]:
    """What was named last of the kinds; with a pronoun for somebody, of the doctors who may be meant."""
    for entities in named.before:
        found = _first_of(_ordered(kinds, pronouns), entities)
        if found and found[0].kind == "doctor":
            found = _of_sex(found, named.sexes, pronouns)
        if found:
            return [Entity(one.kind, one.text, one.ids, BEFORE) for one in found]
    return []


def _ordered(kinds: Sequence[str], pronouns: frozenset[str]) -> Sequence[str]:
    """A pronoun for a person means a doctor before anything else."""
    if pronouns & {"female", "male"} and "doctor" in kinds:
        return ("doctor", *(kind for kind in kinds if kind != "doctor"))
    return kinds


def _of_sex(found: list[Entity], sexes: Mapping[str, str | None], pronouns: frozenset[str]) -> list[Entity]:
    """The doctors that a pronoun may stand for, as one entity where several may be meant."""
    ids = [each for one in found for each in one.ids]
    for sex in ("female", "male"):
        if sex in pronouns and not pronouns & {"female", "male"} - {sex}:
            ids = [each for each in ids if sexes.get(each) in (sex, None)]
    ids = list(dict.fromkeys(ids))
    return [Entity("doctor", found[0].text, tuple(ids), BEFORE)] if ids else []


def _last(before: Sequence[tuple[Entity, ...]], kind: str) -> list[Entity]:
    for entities in before:
        if found := [one for one in entities if one.kind == kind]:
            return [Entity(one.kind, one.text, one.ids, BEFORE) for one in found]
    return []
