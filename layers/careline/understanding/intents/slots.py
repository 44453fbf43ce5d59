"""Gives an intent what it needs of what is named: in the question, in the story around it, in what was said before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import yaml

from careline.model import LANGUAGES
from careline.text.asked_words import words_of
from careline.understanding.question import Entity

QUESTION, STORY, BEFORE = "question", "story", "before"


@dataclass(frozen=True, slots=True)
class Slots:
    """The kinds of things that a label needs, the first that is named, and those that say more of it."""

    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    told: bool = False
    """Whether it counts only as surely as it is told."""


@dataclass(frozen=True, slots=True)
class Named:
    """What is named where; what was said before by message, the last one first."""

    question: tuple[Entity, ...] = ()
    story: tuple[Entity, ...] = ()
    before: tuple[tuple[Entity, ...], ...] = ()
    asked: tuple[tuple[Entity, ...], ...] = ()
    """The same of the questions alone: an answer names campuses that nobody asked about."""
    sexes: Mapping[str, str | None] = field(default_factory=dict)
    """Of doctors, by id."""


@cache
def _slots() -> Mapping[str, Slots]:
    text = files("careline.understanding.intents").joinpath("slots.yaml").read_text("utf-8")
    content = yaml.load(text, Loader=yaml.CSafeLoader)
    return {
        label: Slots(tuple(each["needs"]), tuple(each["takes"]), each.get("told", False))
        for label, each in content.items()
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
    return label in _slots()


def is_filled(label: str, entities: Sequence[Entity]) -> bool:
    """Whether what a label needs is among what is named."""
    needs = slots_of(label).needs
    return not needs or any(one.kind in needs for one in entities)


def pronouns_in(text: str, language: str) -> frozenset[str]:
    """The kinds of pronouns of a question: `female`, `male`, `either`, `place`."""
    said = {word.plain for word in words_of(text)}
    return frozenset(kind for kind, by_language in _pronouns().items() if said & by_language[language])


def meant_by_pronoun(named: Named, pronouns: frozenset[str]) -> str:
    """What a pronoun for somebody stands for, as it was said last: a doctor, else a department; nothing where the
    question names one itself."""
    kinds = ("doctor", "department")
    if not pronouns & {"female", "male", "either"} or any(one.kind in kinds for one in named.question):
        return ""
    for entities in named.before:
        if found := _first_of(kinds, entities):
            return found[0].text
    return ""


def filled(label: str, named: Named, pronouns: frozenset[str], *, leans: bool) -> tuple[Entity, ...]:
    """What the label is about: of the kinds it needs the first that is named, and what says more of it.

    What was said before counts where the question `leans` on it, has a pronoun for it, or names nothing that it needs.
    """
    if not is_answered(label):
        return _of_documents(named, leans=leans)
    slots = slots_of(label)
    wanted = (*slots.needs, *(kind for kind in slots.takes if kind not in slots.needs))
    found = [one for one in named.question if one.kind in wanted]
    missing = slots.needs and not any(one.kind in slots.needs for one in found)
    if missing:
        found += _first_of(slots.needs, named.story) or _from_before(slots.needs, named, pronouns)
    if not any(one.kind == "campus" for one in found) and "campus" in wanted:
        found += [one for one in named.story if one.kind == "campus"]
        if leans or "place" in pronouns:
            found += _last(named.asked, "campus")
    return tuple(dict.fromkeys(found))


def _of_documents(named: Named, *, leans: bool) -> tuple[Entity, ...]:
    """What a question for the documents is about: what it names; where it leans on those before and names nothing of a
    kind, what was named last."""
    found = list(named.question)
    if leans and named.before:
        kinds = {one.kind for one in found}
        last = next((entities for entities in named.before if entities), ())
        found += [Entity(one.kind, one.text, one.ids, BEFORE) for one in last if one.kind not in kinds]
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
