"""Reads a bundle of FHIR R4 as a directory."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from careline.directory.directory import HOSPITAL, Directory, Problem, read_directory
from careline.directory.formats.fhir.bundle import Bundle, BundleWrong, read_bundle
from careline.directory.formats.fhir.doctors import doctors_of
from careline.directory.formats.fhir.interpret import Interpretation
from careline.directory.formats.fhir.merge import merged
from careline.directory.formats.fhir.resources import Organization
from careline.directory.formats.fhir.wording import language_of
from careline.directory.formats.fhir.write import write_bundle
from careline.directory.formats.read import FILE, Read, nothing, told

MOST_PROBLEMS = 2_000
"""Problems of one bundle that are told."""
KINDS: Mapping[str, str] = {
    "campuses": "Location", "departments": "HealthcareService", "doctors": "Practitioner", HOSPITAL: "Organization",
}  # fmt: skip
ELEMENTS: Mapping[str, str] = {
    "names": "name", "last_name": "name", "first_name": "name", "title": "name", "phone": "telecom",
    "phones": "telecom", "email": "telecom", "website": "telecom", "synonyms": "alias", "focus": "specialty",
    "opening_hours": "availableTime", "consultations": "availableTime", "entrances": "hoursOfOperation",
    "absences": "notAvailable", "campuses": "location", "locations": "location", "department": "healthcareService",
    "languages": "communication", "role": "code",
}  # fmt: skip
"""Which element of a resource holds what a field does."""
OF_ROLES = (
    "department", "also_in", "campuses", "role", "focus", "consultations", "absences", "valid_from", "valid_until",
)  # fmt: skip
"""Fields of a doctor that their roles say."""


def read_fhir(name: str, content: bytes, before: Directory | None) -> Read:
    """The directory before with what a bundle says of it, or everything that is wrong. Raises: TooLarge."""
    before = before or Directory()
    try:
        bundle = read_bundle(name, content, before)
    except BundleWrong as error:
        return nothing(Problem(FILE, name, "", error.message))
    said = Interpretation(bundle, _language(bundle))
    said_before = _said_by(before)
    written = _written(said, doctors_of(bundle, said), said_before)
    problems = list(bundle.problems)
    new = None
    try:
        new = Directory.model_validate(written)
    except ValidationError as error:
        problems += _told(error, written, bundle, problems)
    if new is None or any(not one.warning for one in problems):
        return Read(None, told(problems, MOST_PROBLEMS))
    directory, found = read_directory(merged(before, said_before, new, said.gone))
    problems += [_placed(one, bundle) for one in found]
    return Read(directory, told(problems, MOST_PROBLEMS))


def _language(bundle: Bundle) -> str:
    """The language of what names none: of the directory before, or of the bundle's first organization."""
    default = bundle.before.language
    if bundle.before.hospital.names:
        return default
    return next((language_of(held.resource.language, default) for held, _ in bundle.of(Organization)), default)


def _said_by(before: Directory) -> Directory:
    """What FHIR holds of a directory: as a bundle of it is read."""
    written = write_bundle(before)
    try:
        bundle = read_bundle("", written, Directory())
    except BundleWrong:
        return Directory()
    said = Interpretation(bundle, _language(bundle))
    return Directory.model_validate(_written(said, doctors_of(bundle, said), Directory()))


def _written(said: Interpretation, doctors: list[dict[str, Any]], before: Directory) -> dict[str, Any]:
    """The entries of a bundle as a directory. Of a doctor whose roles are not in it, these are as before."""
    known = {one.id: one.model_dump(by_alias=True) for one in before.doctors}
    held = [
        {**one, **{field: known[one["id"]][field] for field in OF_ROLES}}
        if one["id"] in said.without_role and one["id"] in known
        else one
        for one in doctors
    ]
    return {
        HOSPITAL: said.hospital,
        "campuses": said.campuses,
        "departments": said.departments,
        "doctors": held,
    }


def _told(error: ValidationError, written: Mapping[str, Any], bundle: Bundle, known: list[Problem]) -> list[Problem]:
    """What is wrong with the content of elements, where nothing was told of the element yet."""
    seen = {(one.section, one.entry, one.field.partition("[")[0].partition(".")[0]) for one in known}
    found: list[Problem] = []
    for one in error.errors(include_url=False, include_input=False):
        if len(found) >= MOST_PROBLEMS:
            break
        section, *place = one["loc"]
        entry_id = ""
        if place and isinstance(place[0], int) and section in KINDS:
            entry_id = str(written[str(section)][place.pop(0)].get("id", ""))
        field = str(place[0]) if place else ""
        element = ELEMENTS.get(field, field)
        called = _called(bundle, str(section), entry_id)
        message = str(one["msg"]).removeprefix("Value error, ")
        problem = Problem(KINDS.get(str(section), str(section)), called, element, message)
        if (problem.section, problem.entry, element) not in seen:
            seen.add((problem.section, problem.entry, element))
            found.append(problem)
    return found


def _called(bundle: Bundle, section: str, entry_id: str) -> str:
    """What messages call the resource of an entry."""
    kinds = {KINDS.get(section, ""), "Organization"} if section != "doctors" else {"Practitioner"}
    found = (one for one in bundle.held if one.entry_id == entry_id and one.resource.resource_type in kinds)
    return next((one.name for one in found), entry_id)


def _placed(problem: Problem, bundle: Bundle) -> Problem:
    """A problem of the directory with the resource and element that it comes from."""
    field, dot, rest = problem.field.partition(".")
    return dataclasses.replace(
        problem,
        section=KINDS.get(problem.section, problem.section),
        entry=_called(bundle, problem.section, problem.entry),
        field=f"{ELEMENTS.get(field, field)}{dot}{rest}",
    )
