"""What a text names: entries of the directory, terms of medicine, days, and what doctors are asked to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any

import yaml

from careline.directory.asked_time import ANY_TIME, AskedTime, asked_time
from careline.directory.directory import Directory
from careline.text.asked_words import words_of
from careline.understanding.entities.name_index import Mention, NameIndex, plain
from careline.understanding.question import Entity
from careline.understanding.terms.entries import Kind
from careline.understanding.terms.expansions import expanded
from careline.understanding.terms.index import medical_terms
from careline.understanding.terms.lookup import Term, find_terms

KEPT = 16
"""Directories whose names are kept ready."""
_TERMS = {Kind.CONDITION: "condition", Kind.PROCEDURE: "condition", Kind.DRUG: "drug"}
"""What terms are called as entities: an examination leads to a department as a complaint does."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a text names, of when it is, and where that stands (`spans`)."""

    entities: tuple[Entity, ...] = ()
    time: AskedTime = ANY_TIME
    spans: tuple[tuple[int, int], ...] = ()
    sex: str | None = None
    spoken: str | None = None
    is_head: bool = False


class HospitalNames:
    """The names of a directory as it holds on a day, and which of its departments practise which specialty."""

    def __init__(self, written: Directory, day: date) -> None:
        self.written = written
        self.directory = directory = written.valid_on(day)
        self.index = NameIndex(directory)
        self.by_specialty = dict(_by_specialty(directory))
        self.sexes = {doctor.id: doctor.sex for doctor in directory.doctors}

    def recognised(self, text: str, language: str, now: datetime) -> Recognised:
        """What a text names; `now` by the hospital's clocks."""
        found, named = find_terms(text, language), self.index.find(text, language)
        longest = [(one.start, one.end) for one in found if one.kind is not Kind.SPECIALTY]
        mentions = [one for one in named if not _inside(one.start, one.end, longest)]
        time = asked_time(text, language, now)
        taken = [(one.start, one.end) for one in mentions]
        terms = [one for one in found if not _overlaps(one.start, one.end, taken)]
        meant = [one for each in expanded(text, language)[1] for one in find_terms(each.expansion, language)]
        entities = (*(_of_mention(one) for one in mentions), *self._of_terms(terms, text), *self._of_terms(meant))
        spans = (*taken, *((one.start, one.end) for one in terms), *time.spans)
        return Recognised(tuple(dict.fromkeys(entities)), time, spans, **_attributes(text, language))

    def _of_terms(self, terms: Sequence[Term], text: str = "") -> Iterator[Entity]:
        for one in terms:
            said = text[one.start : one.end] or one.key
            if one.kind is Kind.SPECIALTY:
                if departments := self._called(said, self.by_specialty.get(one.key, ())):
                    yield Entity("department", said, departments)
            else:
                yield Entity(_TERMS[one.kind], said, (one.key,))

    def _called(self, said: str, departments: tuple[str, ...]) -> tuple[str, ...]:
        """Of the departments of a specialty those whose names have the word that was said; all where none has it."""
        words = set(plain(said))
        named = [one for one in self.directory.departments if one.id in departments]
        having = tuple(one.id for one in named if any(words <= set(plain(name)) for name in one.names.values()))
        return having or departments

    def departments_for(self, entity: Entity) -> tuple[str, ...]:
        """The departments that a lay word or a condition leads to: as the directory says, else by its specialty."""
        if entity.kind == "lay_word":
            return entity.ids
        for key in entity.ids if entity.kind == "condition" else ():
            for kind in (Kind.CONDITION, Kind.PROCEDURE):
                term = medical_terms().entries.get((kind, key))
                for specialty in term.specialties if term is not None else ():
                    if found := self.by_specialty.get(specialty):
                        return found
        return ()

    def with_departments(self, entities: Sequence[Entity]) -> tuple[Entity, ...]:
        """What was named, with the departments that its complaints lead to: these are spoken of from then on."""
        led = [Entity("department", one.text, found) for one in entities if (found := self.departments_for(one))]
        return (*entities, *(one for one in led if not any(each.kind == "department" for each in entities)))


def _by_specialty(directory: Directory) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The departments of each specialty: those that say so, else those that have its name."""
    found: dict[str, list[str]] = {}
    for department in directory.departments:
        for key in {department.specialty} if department.specialty else set(_named_specialties(department.names)):
            found.setdefault(key, []).append(department.id)
    yield from ((key, tuple(ids)) for key, ids in found.items())


def _named_specialties(names: Mapping[Any, str]) -> Iterator[str]:
    for language, name in names.items():
        yield from (one.key for one in find_terms(name, language) if one.kind is Kind.SPECIALTY)


def _inside(start: int, end: int, longer: Sequence[tuple[int, int]]) -> bool:
    """Whether a name is a part of a longer term: the "pain" of "back pain"."""
    return any(since <= start and end <= to and end - start < to - since for since, to in longer)


def _overlaps(start: int, end: int, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start < to and since < end for since, to in taken)


def _of_mention(one: Mention) -> Entity:
    return Entity(one.kind, one.text, one.ids)


@cache
def _words() -> Mapping[str, Any]:
    text = files("careline.understanding.entities").joinpath("attributes.yaml").read_text("utf-8")
    content: Mapping[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content


def _attributes(text: str, language: str) -> dict[str, Any]:
    said = {word.plain for word in words_of(text)}
    words = _words()
    sexes = [sex for sex in ("female", "male") if said & set(words[sex][language])]
    spoken = [code for name, code in words["languages"][language].items() if name in said]
    return {
        "sex": sexes[0] if len(sexes) == 1 else None,
        "spoken": spoken[0] if len(spoken) == 1 else None,
        "is_head": bool(said & set(words["head"][language])),
    }


def attribute_words(language: str) -> frozenset[str]:
    """The words that ask of doctors what they are to be."""
    words = _words()
    listed = {word for table in ("female", "male", "head") for word in words[table][language]}
    return frozenset(listed | set(words["languages"][language]))


@dataclass(slots=True)
class _Kept:
    names: dict[tuple[int, date], HospitalNames] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)


_kept = _Kept()


def hospital_names(directory: Directory, day: date) -> HospitalNames:
    """The names of a directory as it holds on a day, made once for each."""
    with _kept.lock:
        found = _kept.names.get((id(directory), day))
        if found is None or found.written is not directory:
            found = HospitalNames(directory, day)
            _kept.names.pop((id(directory), day), None)
            _kept.names[id(directory), day] = found
            while len(_kept.names) > KEPT:
                _kept.names.pop(next(iter(_kept.names)))
        return found
