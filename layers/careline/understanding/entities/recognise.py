"""What a text names: entries of the directory, terms of medicine, days, and what doctors are asked to be."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from threading import Lock
from typing import Any, TypeAlias

import yaml

from careline.directory.asked_time import ANY_TIME, AskedTime, asked_time
from careline.directory.directory import Directory
from careline.directory.entries import name_in
from careline.text.asked_words import words_of
from careline.text.label_words import question_words
from careline.understanding.entities.name_forms import plain, told_of_place, usual_title, ways_in
from careline.understanding.entities.name_index import Mention, NameIndex
from careline.understanding.question import Entity
from careline.understanding.terms.entries import Kind
from careline.understanding.terms.expansions import expanded
from careline.understanding.terms.index import medical_terms
from careline.understanding.terms.lookup import Term, find_terms, find_terms_of_any
from careline.understanding.terms.specialty_words import specialty_words

KEPT = 16
"""Directories whose names are kept ready."""
PURPOSE = "purpose"
"""Origin of an entity that nobody named: who is there for what is wanted."""
_SECTIONS = {"doctor": "doctors", "department": "departments", "campus": "campuses", "contact": "contacts"}
_TERMS = {Kind.CONDITION: "condition", Kind.PROCEDURE: "condition", Kind.DRUG: "drug"}
"""What terms are called as entities: an examination leads to a department as a complaint does."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a text names, of when it is, and where that stands (`spans`). `beneath` are terms of medicine that name
    something of the directory too: of a patient, "gout" is no department."""

    entities: tuple[Entity, ...] = ()
    time: AskedTime = ANY_TIME
    spans: tuple[tuple[int, int], ...] = ()
    beneath: tuple[Entity, ...] = ()
    sex: str | None = None
    spoken: str | None = None
    is_head: bool = False


class HospitalNames:
    """The names of a directory as it holds on a day, and which of its departments practise which specialty.

    Where a question is of other days than today, `directory` is what holds then; whoever is named today is known by
    name still, lest another be taken for them.
    """

    def __init__(self, written: Directory, day: date, asked: tuple[date, date] | None = None) -> None:
        self.written = written
        self.directory = directory = written.valid_within(asked or (day, day))
        self.index = NameIndex(written.valid_within((day, day), asked) if asked else directory)
        self.by_specialty = dict(_by_specialty(directory))
        self.sexes = {doctor.id: doctor.sex for doctor in directory.doctors}
        self.ways_in = ways_in(directory.campuses) if len(directory.campuses) > 1 else {}
        self.purposes = _by_purpose(directory)

    def recognised(self, text: str, language: str, now: datetime, time: AskedTime | None = None) -> Recognised:
        """What a text names; `now` by the hospital's clocks, `time` of when it is where that is read already."""
        found, named = find_terms_of_any(text, language), self.index.find(text, language)
        longer = [
            (one.start, one.end) for one in found if one.kind is not Kind.SPECIALTY or one.key in self.by_specialty
        ]
        mentions = [one for one in named if not _inside(one.start, one.end, longer)]
        time = asked_time(text, language, now) if time is None else time
        taken = [(one.start, one.end) for one in mentions]
        terms = [one for one in found if not _overlaps(one.start, one.end, taken)]
        beneath = [one for one in found if one not in terms and one.kind is not Kind.SPECIALTY]
        named_here = (_of_mention(one) for one in mentions)
        entities = (*named_here, *self._of_terms(terms, text), *self._in_short(text, language))
        if not any(one.kind == "campus" for one in entities):
            entities = (*entities, *self._of_way_in(text))
        entities = tuple(self.narrowed(one, entities) if one.kind == "doctor" else one for one in entities)
        spans = (*taken, *((one.start, one.end) for one in terms), *time.spans)
        told = _attributes(text, language)
        return Recognised(tuple(dict.fromkeys(entities)), time, spans, tuple(self._of_terms(beneath, text)), **told)

    def _in_short(self, text: str, language: str) -> Iterator[Entity]:
        """What the abbreviations of a text stand for."""
        for each in expanded(text, language)[1]:
            yield from self._of_terms(find_terms(each.expansion, language), each.expansion)

    def _of_terms(self, terms: Sequence[Term], text: str) -> Iterator[Entity]:
        for one in terms:
            said = text[one.start : one.end]
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

    def ward_in(self, text: str, language: str) -> tuple[str, ...]:
        """The one department that a text names by a part of its name which tells a specialty: "on intensive"."""
        said = {word.stem for word in question_words(text, language)} & specialty_words(language)
        named = (
            (one.id, {word.stem for word in question_words(name_in(one.names, language) or "", language)})
            for one in self.directory.departments
        )
        found = tuple(department for department, words in named if words & said)
        return found if len(found) == 1 else ()

    def _of_way_in(self, text: str) -> Iterator[Entity]:
        """The campus of an entrance or a car park that only one has. Its words go on to say which of them is meant."""
        said = told_of_place(plain(text))
        for words, campus in self.ways_in.items():
            if any(said[at : at + len(words)] == words for at in range(len(said) - len(words) + 1)):
                yield Entity("campus", " ".join(words), (campus,))
                return

    def narrowed(self, doctor: Entity, named: Sequence[Entity], text: str = "") -> Entity:
        """Of doctors who share a name those of the department that is named beside them, or whose first name a text
        has; all where that tells nobody apart."""
        if len(doctor.ids) < 2:
            return doctor
        departments = {each for one in named for each in self._departments_of(one)}
        said = set(plain(text))
        held = [one for one in self.directory.doctors if one.id in doctor.ids]
        of_department = [one.id for one in held if not departments.isdisjoint(one.departments)]
        of_name = [one.id for one in held if one.first_name and said.issuperset(plain(one.first_name))]
        return replace(doctor, ids=tuple(of_name or of_department or doctor.ids))

    def _departments_of(self, entity: Entity) -> tuple[str, ...]:
        return entity.ids if entity.kind == "department" else self.departments_for(entity)

    def name_of(self, entity: Entity, language: str) -> str:
        """What the directory calls the first entry that is named, in a language; as it was said where it has none."""
        section = _SECTIONS.get(entity.kind)
        entry = self.directory.entry(section, entity.ids[0]) if section and entity.ids else None
        names = getattr(entry, "names", {})
        name = getattr(entry, "full_name", "") or names.get(language) or next(iter(names.values()), "")
        return str(name or entity.text)

    def addressed(self, entity: Entity, language: str) -> str:
        """What people call something that is named: a doctor by title and last name, all else as it was said."""
        held = next((one for one in self.directory.doctors if entity.kind == "doctor" and one.id in entity.ids), None)
        return entity.text if held is None else f"{usual_title(language)} {held.last_name}"

    def with_departments(self, entities: Sequence[Entity], language: str) -> tuple[Entity, ...]:
        """What was named, with the departments that its complaints lead to: these are spoken of from then on, by their
        names in a language."""
        to = [Entity("department", one.text, found) for one in entities if (found := self.departments_for(one))]
        led = [replace(one, text=self.name_of(one, language)) for one in to]
        return (*entities, *(one for one in led if not any(each.kind == "department" for each in entities)))


def _by_purpose(directory: Directory) -> Mapping[str, tuple[Entity, ...]]:
    """The departments that are there for something, such as bills, by what it is."""
    found: dict[str, list[Entity]] = {}
    for one in directory.departments:
        name = next(iter(one.names.values()), one.id)
        for purpose in dict.fromkeys((*one.contact_for, one.id)):
            found.setdefault(purpose, []).append(Entity("department", name, (one.id,), PURPOSE))
    return {purpose: tuple(entities) for purpose, entities in found.items()}


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


_Key: TypeAlias = tuple[int, date, tuple[int, int] | None]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Names of a directory on a day, and of the days that are asked about; `key` tells them from others."""

    directory: Directory
    day: date
    asked: tuple[date, date] | None
    key: _Key


class _Kept:
    """The names of the directories that were asked about last. Each is made by one thread, for which others that want
    the same wait; those that want another do not."""

    def __init__(self) -> None:
        self._names: dict[_Key, HospitalNames] = {}
        self._lock, self._making = Lock(), dict[_Key, Lock]()

    def held(self, wanted: _Wanted) -> HospitalNames | None:
        """What is kept of a directory on a day."""
        with self._lock:
            found = self._names.get(wanted.key)
        return found if found is not None and found.written is wanted.directory else None

    def made(self, wanted: _Wanted) -> HospitalNames:
        """What is kept of it, else made now."""
        with self._lock:
            making = self._making.setdefault(wanted.key, Lock())
        with making:
            found = self.held(wanted)
            if found is None:
                found = HospitalNames(wanted.directory, wanted.day, wanted.asked)
                self._keep(wanted.key, found)
        return found

    def _keep(self, key: _Key, names: HospitalNames) -> None:
        with self._lock:
            self._making.pop(key, None)
            self._names.pop(key, None)
            self._names[key] = names
            while len(self._names) > KEPT:
                self._names.pop(next(iter(self._names)))


_kept = _Kept()


def hospital_names(directory: Directory, day: date, asked: tuple[date, date] | None = None) -> HospitalNames:
    """The names of a directory as it holds on a day, made once for each; with what holds on the first to the last of
    the days that are `asked` about, once for each set of entries that this is."""
    wanted = _wanted(directory, day, asked)
    return _kept.held(wanted) or _kept.made(wanted)


async def ready_names(directory: Directory, day: date, asked: tuple[date, date] | None = None) -> HospitalNames:
    """The same. Making those of thousands of doctors takes most of a second, during which others are answered."""
    wanted = _wanted(directory, day, asked)
    found = _kept.held(wanted)
    return found if found is not None else await asyncio.to_thread(_kept.made, wanted)


def _wanted(directory: Directory, day: date, asked: tuple[date, date] | None) -> _Wanted:
    known = directory.changes
    within = (bisect_right(known, asked[0]), bisect_right(known, asked[1])) if asked is not None else None
    if within == (bisect_right(known, day),) * 2:
        asked = within = None
    return _Wanted(directory, day, asked, (id(directory), day, within))
