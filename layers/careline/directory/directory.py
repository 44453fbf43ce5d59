"""A hospital's directory as a whole: its sections, what they refer to, and what is wrong with a written one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

from pydantic import AliasChoices, Field, ValidationError

from careline import time_zone
from careline.directory.entries import (
    Campus,
    Closure,
    Contact,
    Department,
    Doctor,
    Entry,
    Hospital,
    Language,
    LayWords,
    Tariff,
)
from careline.directory.part import Part
from careline.directory.wrong import what_is_wrong

if TYPE_CHECKING:
    from careline.directory.published import Published

SECTIONS: Mapping[str, type[Entry]] = MappingProxyType(
    {
        "campuses": Campus,
        "departments": Department,
        "doctors": Doctor,
        "tariffs": Tariff,
        "contacts": Contact,
        "closures": Closure,
    }
)
"""The sections whose entries have an id, and what an entry of each is."""
HOSPITAL, LAY_WORDS = "hospital", "lay_words"
WORKED_OUT = ("main_campus", "staff", "changes")
"""What a directory works out of its sections once."""
DAY = timedelta(days=1)
MOST_TOLD = 200
"""Problems of one directory that are told."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a directory: in which section, entry (its id, or its place from 1) and field. `row` is that of
    a sheet, where it came from one. A `warning` does not keep it from being used."""

    section: str
    entry: str
    field: str
    message: str
    row: int | None = None
    warning: bool = False

    def __str__(self) -> str:
        place = [self.section, f"row {self.row}" if self.row is not None else "", self.entry, self.field]
        return f"{', '.join(part for part in place if part)}: {self.message}"


class Directory(Part):
    """Everything that a person has confirmed of a hospital."""

    hospital: Hospital = Field(default=Hospital(), validation_alias=AliasChoices("hospital", "tenant"))
    campuses: list[Campus] = Field(default=[], max_length=200)
    departments: list[Department] = Field(default=[], max_length=2_000)
    doctors: list[Doctor] = Field(default=[], max_length=20_000)
    tariffs: list[Tariff] = Field(default=[], max_length=5_000)
    contacts: list[Contact] = Field(default=[], max_length=2_000)
    lay_words: list[LayWords] = Field(
        default=[], max_length=10_000, validation_alias=AliasChoices("lay_words", "synonyms")
    )
    closures: list[Closure] = Field(default=[], max_length=2_000)

    def entries(self, section: str) -> Sequence[Entry]:
        """The entries of a section of `SECTIONS`."""
        found: Sequence[Entry] = getattr(self, section)
        return found

    def entry(self, section: str, entry_id: str) -> Entry | None:
        """An entry by its id."""
        return next((one for one in self.entries(section) if one.id == entry_id), None)

    @cached_property
    def main_campus(self) -> Campus | None:
        """The campus that is meant where none is named: the one with the role `main`, else the first."""
        return next((one for one in self.campuses if one.role == "main"), next(iter(self.campuses), None))

    @cached_property
    def staff(self) -> tuple[str, ...]:
        """Names of the doctors, without titles, and the other ways in which these are written; each once."""
        names = (
            name
            for doctor in self.doctors
            for name in (" ".join(filter(None, (doctor.first_name, doctor.last_name))), *doctor.synonyms)
        )
        return tuple(dict.fromkeys(names))

    @property
    def person_phone(self) -> str | None:
        """The number at which a person answers: the switchboard, which knows everybody, else a desk that helps."""
        main = self.main_campus.phone if self.main_campus else None
        return self.hospital.phones.get("main") or self.hospital.phones.get("helpdesk") or main

    @cached_property
    def published(self) -> Published:
        """The hospital's own numbers, addresses and names."""
        # Whoever only reads a directory, as the phone worker does, needs no analysers of texts.
        from careline.directory.published import Published

        written = [one.address for one in self.campuses if one.address]
        addresses = [(one.street, f"{one.postcode} {one.town}") for one in written]
        return Published.of(self._phones(), self._mails(), addresses, self._names(), self.country)

    def _phones(self) -> Iterator[str]:
        yield from self.hospital.phones.values()
        for department in self.departments:
            yield from department.phones.values()
            yield from (one.phone for one in department.locations if one.phone)
        yield from (one.phone for one in self._reachable() if one.phone)

    def _mails(self) -> Iterator[str]:
        yield from [self.hospital.email] if self.hospital.email else []
        yield from (one.email for one in self._reachable() if one.email)

    def _reachable(self) -> list[Campus | Department | Doctor | Contact]:
        return [*self.campuses, *self.departments, *self.doctors, *self.contacts]

    def _names(self) -> Iterator[str]:
        """Of the hospital, its campuses, departments and contacts; those of doctors are names of staff."""
        yield from self.hospital.names.values()
        yield from (one.name for one in self.campuses if one.name)
        named: list[Campus | Department | Contact] = [*self.campuses, *self.departments, *self.contacts]
        for entry in named:
            yield from entry.names.values()
            yield from (name for names in entry.synonyms.values() for name in names)

    @property
    def language(self) -> Language:
        """The language that is meant where none is named: Dutch where the hospital says nothing."""
        return self.hospital.default_language or "nl"

    @property
    def country(self) -> str | None:
        """Whose public holidays are kept."""
        address = self.main_campus.address if self.main_campus else None
        return self.hospital.country or (address.country if address else None)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy in which nothing stands that was worked out of what has changed in it."""
        copied = super().model_copy(update=update, deep=deep)
        for name in WORKED_OUT:
            copied.__dict__.pop(name, None)
        return copied

    @cached_property
    def changes(self) -> tuple[date, ...]:
        """The days from which something begins or has ceased to hold, in order."""
        entries = [one for section in SECTIONS for one in self.entries(section)]
        begins = {one.valid_from for one in entries if one.valid_from is not None}
        ended = {one.valid_until + DAY for one in entries if one.valid_until is not None and one.valid_until < date.max}
        return tuple(sorted(begins | ended))

    def valid_on(self, day: date) -> Directory:
        """What holds on a day."""
        return self.valid_within((day, day))

    def valid_within(self, *spans: tuple[date, date]) -> Directory:
        """What holds on one day at least of one of several stretches of time, both of whose ends count."""
        return self.model_copy(
            update={
                section: [one for one in self.entries(section) if any(one.holds_within(*span) for span in spans)]
                for section in SECTIONS
            }
        )

    def to_json(self) -> dict[str, Any]:
        """As it is written and kept: without what is not set."""
        return self.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def read_directory(written: Mapping[str, Any]) -> tuple[Directory | None, list[Problem]]:
    """What somebody wrote as a directory, with everything that is wrong with it; None where it cannot be used."""
    try:
        directory = Directory.model_validate(written)
    except ValidationError as error:
        return None, [_problem(one, written) for one in error.errors(include_url=False)][:MOST_TOLD]
    problems = list(problems_of(directory))
    usable = all(problem.warning for problem in problems)
    return directory if usable else None, problems[:MOST_TOLD]


def _problem(error: Any, written: Mapping[str, Any]) -> Problem:
    """What is wrong, as a person reads it: without what was written there, which may be anything."""
    section, *place = map(str, error["loc"])
    entry = ""
    if place and place[0].isdigit():
        entry = _name_of(written, section, int(place.pop(0)))
    return Problem(section, entry, ".".join(place), what_is_wrong(error))


def _name_of(written: Mapping[str, Any], section: str, at: int) -> str:
    try:
        found = written[section][at]["id"]
    except (KeyError, TypeError, IndexError):
        found = None
    return found if isinstance(found, str) and len(found) <= 80 else f"entry {at + 1}"


def problems_of(directory: Directory) -> Iterator[Problem]:
    """What does not fit together: an id twice, a campus or department that is not there, a zone that is none."""
    known = {section: {one.id for one in directory.entries(section)} for section in SECTIONS}
    for section in SECTIONS:
        seen: set[str] = set()
        for one in directory.entries(section):
            if one.id in seen:
                yield Problem(section, one.id, "id", "is there twice; give each entry an id of its own")
            seen.add(one.id)
    for section, entry, field, kind, named in _references(directory):
        if named not in known[kind]:
            yield Problem(section, entry, field, f"no entry of {kind} has the id {named}")
    if directory.hospital.time_zone is not None:
        try:
            time_zone.checked(directory.hospital.time_zone)
        except ValueError as error:
            yield Problem(HOSPITAL, "", "timezone", str(error))
    yield from _gaps(directory)


def _references(directory: Directory) -> Iterator[tuple[str, str, str, str, str]]:
    """Section, entry, field and what that names: the section, and the id in it."""
    for department in directory.departments:
        yield from (("departments", department.id, field, "campuses", one) for field, one in _campuses_of(department))
    for doctor in directory.doctors:
        yield from (("doctors", doctor.id, *named) for named in _named_by(doctor))
    for tariff in directory.tariffs:
        yield from (("tariffs", tariff.id, "campus", "campuses", one) for one in [tariff.campus] if one)
    for contact in directory.contacts:
        yield from (("contacts", contact.id, "campus", "campuses", one) for one in [contact.campus] if one)
    for at, words in enumerate(directory.lay_words, 1):
        yield LAY_WORDS, f"entry {at}", "department", "departments", words.department
    for closure in directory.closures:
        yield from (("closures", closure.id, "campuses", "campuses", one) for one in closure.campuses)
        yield from (("closures", closure.id, "departments", "departments", one) for one in closure.departments)


def _campuses_of(department: Department) -> Iterator[tuple[str, str]]:
    """Each campus that a department names, and in which field."""
    yield from (("campuses", one) for one in department.campuses)
    yield from (("locations", one.campus) for one in department.locations)
    yield from (("opening_hours", one.campus) for one in department.opening_hours if one.campus)
    yield from (("visiting_hours", one.campus) for one in department.visiting_hours if one.campus)


def _named_by(doctor: Doctor) -> Iterator[tuple[str, str, str]]:
    """What a doctor names: the field, the section and the id in it."""
    yield from (("department", "departments", one) for one in doctor.departments)
    yield from (("campuses", "campuses", one) for one in doctor.campuses)
    for held in doctor.consultations:
        yield from (("consultations", "campuses", one) for one in [held.campus] if one)
        yield from (("consultations", "departments", one) for one in [held.department] if one)
    yield from (("absences", "doctors", one.replaced_by) for one in doctor.absences if one.replaced_by)


def _gaps(directory: Directory) -> Iterator[Problem]:
    """What callers will ask and the directory does not hold."""
    for campus in directory.campuses:
        if campus.address is None:
            yield Problem("campuses", campus.id, "address", "is missing: nobody can be told where it is", warning=True)
        elif campus.address.country not in (None, directory.country):
            abroad = f"is another: public holidays are those of {directory.country}; write its own ones as closures"
            yield Problem("campuses", campus.id, "address.country", abroad, warning=True)
    for department in directory.departments:
        reachable = department.phone or department.phones or any(one.phone for one in department.locations)
        if not reachable and not department.email:
            missing = "is missing: callers get the main number"
            yield Problem("departments", department.id, "phone", missing, warning=True)
    for doctor in directory.doctors:
        if not doctor.consultations:
            yield Problem("doctors", doctor.id, "consultations", "are missing: nobody can be told when", warning=True)
