"""Writes a directory as a bundle of FHIR R4: what FHIR has a place for.

Hours of a department that differ by campus are services of their own under the identifier of the first, and
consultations roles of their own, one for each campus and department in turn, so that their order stays.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from careline.directory.directory import Directory
from careline.directory.entries import Absence, Campus, Consultation, Department, Doctor, Entrance
from careline.directory.entries import Location as Place
from careline.directory.formats.fhir.resources import (
    CARELINE_ID,
    CARELINE_PLACE,
    CARELINE_ROLE,
    CARELINE_SPECIALTY,
    LANGUAGE,
    ORGANIZATION_TYPE,
    PHYSICAL_TYPE,
)
from careline.directory.formats.fhir.times import written_span, written_week
from careline.directory.formats.fhir.wording import PLACES, written_names, written_telecom
from careline.directory.week import DAYS, Week

BASE = "https://directory.invalid/fhir"
"""What the addresses of a bundle's entries begin with; nothing is there."""
AWAY = "Absent"
"""What FHIR wants said of days on which somebody is away."""
_ID = re.compile(r"[A-Za-z0-9.-]{1,64}")
Written = dict[str, Any]


def write_bundle(directory: Directory) -> bytes:
    """A directory as a bundle in JSON."""
    language = directory.language
    resources = list(_resources(directory, language))
    entries = [{"fullUrl": f"{BASE}/{one['resourceType']}/{one['id']}", "resource": one} for one in resources]
    bundle = {"resourceType": "Bundle", "type": "collection", **({"entry": entries} if entries else {})}
    return json.dumps(bundle, ensure_ascii=False, indent=1).encode()


def _resources(directory: Directory, language: str) -> Iterator[Written]:
    yield from _organization(directory, language)
    for campus in directory.campuses:
        yield _campus(campus, language)
    for department in directory.departments:
        yield from _department(department, language)
    for doctor in directory.doctors:
        yield from _doctor(doctor, language)


def _resource(kind: str, called: str, language: str, /, **said: Any) -> Written:
    held = {key: value for key, value in said.items() if value not in (None, [], {})}
    return {"resourceType": kind, "id": _resource_id(called), "language": language, **held}


def _resource_id(name: str) -> str:
    """An id of FHIR, which has neither _ nor more than 64 signs."""
    return name if _ID.fullmatch(name) else hashlib.sha256(name.encode()).hexdigest()[:32]


def _own_id(entry_id: str) -> list[Written]:
    return [{"system": CARELINE_ID, "value": entry_id}]


def _reference(kind: str, name: str) -> Written:
    return {"reference": f"{kind}/{_resource_id(name)}"}


def _coded(system: str, code: str, text: str | None = None) -> Written:
    return {"coding": [{"system": system, "code": code}], **({"text": text} if text else {})}


def _organization(directory: Directory, language: str) -> Iterator[Written]:
    hospital = directory.hospital
    if not hospital.names:
        return
    yield _resource(
        "Organization", "hospital", _language(hospital.names, language),
        identifier=_own_id(hospital.id) if hospital.id else [], active=True,
        type=[_coded(ORGANIZATION_TYPE, "prov")], **written_names(hospital.names, language),
        **written_telecom(phone=hospital.phones.get("main"), email=hospital.email, url=hospital.website),
    )  # fmt: skip


def _language(names: Any, language: str) -> str:
    """The language that a resource is written in: the hospital's, or the first that it has a name in."""
    return language if language in names or not names else str(next(iter(names)))


def _campus(campus: Campus, language: str) -> Written:
    names: Any = campus.names or {language: campus.name or campus.id}
    # Other names have no translations in FHIR: they are in the language of the resource.
    own = _language([one for one in names if one in campus.synonyms] or names, language)
    address = campus.address
    postal: Written = {}
    if address is not None:
        postal = {"line": [address.street], "city": address.town, "postalCode": address.postcode}
        postal |= {"country": address.country} if address.country else {}
    aliases: Any = campus.synonyms
    return _resource(
        "Location", campus.id, own, identifier=_own_id(campus.id), status="active",
        **written_names(names, own), alias=list(aliases.get(own, [])), mode="instance",
        **written_telecom(phone=campus.phone, email=campus.email), address=postal,
        physicalType=_coded(PHYSICAL_TYPE, "si"), hoursOfOperation=[_operating(one) for one in _open(campus)],
    )  # fmt: skip


def hours_entrance(campus: Campus) -> Entrance | None:
    """The entrance whose hours are those of a campus: the first that has any."""
    return next((one for one in campus.entrances if one.hours is not None or one.weekly), None)


def daily(entrance: Entrance) -> Week:
    """The week of an entrance, also of one that is open the same hours every day."""
    return entrance.weekly or ({day: [entrance.hours] for day in DAYS} if entrance.hours is not None else {})


def _open(campus: Campus) -> list[Written]:
    entrance = hours_entrance(campus)
    return written_week(daily(entrance)) if entrance is not None else []


def _operating(times: Written) -> Written:
    renamed = {"availableStartTime": "openingTime", "availableEndTime": "closingTime"}
    return {renamed.get(key, key): value for key, value in times.items()}


def _place_name(department: Department, at: int) -> str:
    return f"{department.id}.place.{at}"


def _is_campus_alone(place: Place) -> bool:
    return place.phone is None and all(getattr(place, one) is None for one in PLACES)


def _place(department: Department, at: int, place: Place, language: str) -> Written:
    own = _language(department.names, language)
    said = [(name, getattr(place, name)) for name in PLACES if getattr(place, name) is not None]
    return _resource(
        "Location", _place_name(department, at), own,
        identifier=[{"system": f"{CARELINE_PLACE}{name}", "value": str(value)} for name, value in said],
        status="active", **written_names(department.names, own), mode="instance", **written_telecom(phone=place.phone),
        physicalType=_coded(PHYSICAL_TYPE, "area"), partOf=_reference("Location", place.campus),
    )  # fmt: skip


def _campuses_of(department: Department) -> list[str]:
    """The campuses of a department in their order, behind them those that only its places name."""
    return list(dict.fromkeys([*department.campuses, *(place.campus for place in department.locations)]))


def _where(department: Department) -> Iterator[str]:
    """The names of the Locations of a department: its places, which stand for their campuses, and other campuses.

    Both keep their order, which is that in which callers hear them: what refers to a campus first counts. So a campus
    that comes before that of a place is named before the place, also where it has a place of its own further on.
    """
    ahead = _campuses_of(department)
    for at, place in _places(department):
        if place.campus in ahead:
            number = ahead.index(place.campus)
            yield from ahead[:number]
            ahead = ahead[number + 1 :]
        yield _place_name(department, at)
    yield from ahead


def _places(department: Department) -> Iterator[tuple[int, Place]]:
    """The places of a department that are more than a campus, with their numbers."""
    return ((at, one) for at, one in enumerate(department.locations, 1) if not _is_campus_alone(one))


def _department(department: Department, language: str) -> Iterator[Written]:
    own = _language(department.names, language)
    yield from (_place(department, at, place, language) for at, place in _places(department))
    campuses = _campuses_of(department)
    weeks = list(department.opening_hours)
    is_first = bool(weeks) and weeks[0].campus == (campuses[0] if len(campuses) == 1 else None)
    first = weeks.pop(0) if is_first else None
    specialty = [_coded(CARELINE_SPECIALTY, department.specialty)] if department.specialty else []
    yield _resource(
        "HealthcareService", department.id, own, identifier=_own_id(department.id), active=True, specialty=specialty,
        location=[_reference("Location", one) for one in _where(department)], **written_names(department.names, own),
        **written_telecom(phone=department.phone, email=department.email),
        availableTime=written_week(first.weekly) if first is not None else [],
    )  # fmt: skip
    for at, week in enumerate(weeks, 1):
        yield _resource(
            "HealthcareService", f"{department.id}.hours.{at}", own, identifier=_own_id(department.id), active=True,
            location=[_reference("Location", week.campus)] if week.campus is not None else [],
            **written_names(department.names, own), availableTime=written_week(week.weekly),
        )  # fmt: skip


def _doctor(doctor: Doctor, language: str) -> Iterator[Written]:
    name = {"use": "official", "family": doctor.last_name}
    given: Written = {"given": [doctor.first_name]} if doctor.first_name else {}
    prefix: Written = {"prefix": [doctor.title]} if doctor.title else {}
    yield _resource(
        "Practitioner", doctor.id, language, identifier=_own_id(doctor.id), active=True,
        name=[{**name, **given, **prefix}], gender=doctor.sex,
        **written_telecom(phone=doctor.phone, email=doctor.email),
        communication=[_coded(LANGUAGE, one) for one in doctor.languages],
    )  # fmt: skip
    dates = {"start": doctor.valid_from, "end": doctor.valid_until}
    shared = {
        "active": True,
        "period": {key: day.isoformat() for key, day in dates.items() if day is not None},
        "practitioner": _reference("Practitioner", doctor.id),
    }
    own = _language(doctor.focus, language)
    yield _resource(
        "PractitionerRole", f"{doctor.id}.role", own, **shared,
        code=[_coded(CARELINE_ROLE, doctor.role)] if doctor.role else [],
        specialty=[written_names(doctor.focus, own, "text")] if doctor.focus else [],
        location=[_reference("Location", one) for one in doctor.campuses],
        healthcareService=[_reference("HealthcareService", one) for one in doctor.departments],
        notAvailable=[_away(one) for one in doctor.absences],
    )  # fmt: skip
    runs = groupby(doctor.consultations, key=lambda one: (one.campus, one.department))
    for at, ((campus, department), held) in enumerate(runs, 1):
        yield _resource(
            "PractitionerRole", f"{doctor.id}.consultations.{at}", language, **shared,
            location=[_reference("Location", campus)] if campus is not None else [],
            healthcareService=[_reference("HealthcareService", department)] if department is not None else [],
            availableTime=[_consultation(one) for one in held],
        )  # fmt: skip


def _consultation(held: Consultation) -> Written:
    return written_span(held.weekday, held.opens, held.closes)


def _away(absence: Absence) -> Written:
    return {
        "description": AWAY,
        "during": {"start": absence.since.isoformat(), "end": absence.until.isoformat()},
    }
