"""A bundle of FHIR R4 is read into the directory before, and each wrong element is named."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from fhir.resources.R4B.bundle import Bundle
from hypothesis import HealthCheck, Phase, given, settings

from careline.directory.directory import Directory
from careline.directory.formats.files import read_file, write_file
from careline.directory.formats.read import Read
from tests.directory.formats.demo import demo
from tests.directory.formats.directories import directories

TRANSLATION = "http://hl7.org/fhir/StructureDefinition/translation"
NPI = "http://hl7.org/fhir/sid/us-npi"


def coded(code: str) -> dict[str, Any]:
    return {"coding": [{"code": code}]}


def in_french(text: str) -> dict[str, Any]:
    said = [{"url": "lang", "valueCode": "fr-BE"}, {"url": "content", "valueString": text}]
    return {"extension": [{"url": TRANSLATION, "extension": said}]}


ORGANIZATION = {
    "resourceType": "Organization", "id": "h", "language": "nl-BE", "name": "Ziekenhuis Kaai", "type": [coded("prov")],
    "_name": in_french("Hôpital du Quai"), "telecom": [{"system": "phone", "value": "09 0"}],
}  # fmt: skip
SITE = {
    "resourceType": "Location", "id": "quay", "language": "nl", "name": "Campus Kaai", "physicalType": coded("si"),
    "address": {"line": ["Kaai 3"], "postalCode": "9000", "city": "Gent", "country": "BE"},
    "hoursOfOperation": [{"daysOfWeek": ["mon"], "openingTime": "06:00:00", "closingTime": "22:00:00"}],
}  # fmt: skip
WING = {
    "resourceType": "Location", "id": "wing", "name": "Blok B", "physicalType": coded("bu"),
    "partOf": {"reference": "Location/quay"},
}  # fmt: skip
ROOM = {
    "resourceType": "Location", "id": "room", "name": "B12", "physicalType": coded("ro"),
    "partOf": {"reference": "Location/wing"}, "telecom": [{"system": "phone", "value": "09 12"}],
}  # fmt: skip
EYES = {
    "resourceType": "HealthcareService", "id": "eyes", "language": "nl", "name": "Oogziekten",
    "location": [{"reference": "Location/room"}], "telecom": [{"system": "phone", "value": "09 1"}],
    "availableTime": [
        {"daysOfWeek": ["mon", "tue"], "availableStartTime": "08:00:00", "availableEndTime": "12:00:00"},
        {"daysOfWeek": ["sat"], "allDay": True},
    ],
}  # fmt: skip
DOCTOR = {
    "resourceType": "Practitioner", "id": "p1", "identifier": [{"system": NPI, "value": "1234567893"}],
    "name": [{"family": "Meersman", "given": ["Lien"], "prefix": ["Dr."]}], "gender": "female",
    "communication": [{"coding": [{"system": "urn:ietf:bcp:47", "code": "nl-BE"}]}, coded("fr")],
}  # fmt: skip
ROLE = {
    "resourceType": "PractitionerRole", "id": "r1", "language": "nl",
    "practitioner": {"reference": "https://his.example/fhir/Practitioner/p1"},
    "healthcareService": [{"reference": "HealthcareService/eyes"}], "location": [{"reference": "Location/quay"}],
    "period": {"start": "2026-01-01", "end": "2031-12-31T23:00:00+01:00"}, "specialty": [{"text": "Netvlies"}],
    "availableTime": [
        {"daysOfWeek": ["wed"], "availableStartTime": "13:00:00", "availableEndTime": "23:59:59"},
    ],
    "notAvailable": [{"description": "verlof", "during": {"start": "2030-07-01", "end": "2030-07-14"}}],
}  # fmt: skip
ALL = (ORGANIZATION, SITE, WING, ROOM, EYES, DOCTOR, ROLE)


def a_bundle(*resources: dict[str, Any]) -> bytes:
    entries = [
        {"fullUrl": f"https://his.example/fhir/{one['resourceType']}/{one['id']}", "resource": one} for one in resources
    ]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()


def read(*resources: dict[str, Any], before: Directory | None = None) -> Read:
    return read_file("hospital.json", a_bundle(*resources), before)


def told(result: Read) -> list[tuple[str, str, str]]:
    wrong = [one for one in result.problems if not one.warning]
    return [(one.section, one.entry.rpartition("/")[2], one.field) for one in wrong]


def test_what_another_system_exports_is_a_directory() -> None:
    result = read(*ALL)
    assert told(result) == []
    directory = result.directory
    assert directory is not None
    assert directory.hospital.names == {"nl": "Ziekenhuis Kaai", "fr": "Hôpital du Quai"}
    assert directory.hospital.phones == {"main": "09 0"}
    (campus,) = directory.campuses
    assert campus.address is not None
    assert (campus.id, campus.address.town, campus.entrances[0].weekly["monday"][0].opens) == ("quay", "Gent", "06:00")
    (eyes,) = directory.departments
    (place,) = eyes.locations
    assert (eyes.names, eyes.phone, eyes.campuses) == ({"nl": "Oogziekten"}, "09 1", ["quay"])
    assert (place.campus, place.building, place.room, place.phone) == ("quay", "Blok B", "B12", "09 12")
    (week,) = eyes.opening_hours
    assert (week.campus, sorted(week.weekly)) == ("quay", ["monday", "saturday", "tuesday"])
    assert week.weekly["saturday"][0].is_all_day
    (doctor,) = directory.doctors
    assert (doctor.id, doctor.full_name, doctor.languages) == ("1234567893", "Dr. Lien Meersman", ["nl", "fr"])
    assert (doctor.department, doctor.campuses, doctor.focus) == ("eyes", ["quay"], {"nl": "Netvlies"})
    assert (doctor.valid_from, doctor.valid_until) == (date(2026, 1, 1), date(2031, 12, 31))
    (held,) = doctor.consultations
    assert (held.weekday, held.opens, held.closes, held.campus) == ("wednesday", "13:00", "24:00", "quay")
    assert (doctor.absences[0].since, doctor.absences[0].until) == (date(2030, 7, 1), date(2030, 7, 14))


def test_every_wrong_resource_is_named_with_its_element_and_nothing_is_read() -> None:
    hours = {"daysOfWeek": ["mon"], "availableStartTime": "17:00:00", "availableEndTime": "09:00:00"}
    result = read(
        ORGANIZATION,
        {**SITE, "name": None},
        {**EYES, "availableTime": [{"daysOfWeek": ["mon", "someday"], "allDay": True}]},
        {**DOCTOR, "name": [{"given": ["Lien"]}]},
        {**ROLE, "availableTime": [hours], "location": [{"reference": "Location/nowhere"}]},
        {**ROLE, "id": "r2", "practitioner": {"reference": "Practitioner/nobody"}},
    )
    assert result.directory is None
    assert set(told(result)) >= {
        ("Location", "quay", "name"),
        ("HealthcareService", "eyes", "availableTime[0].daysOfWeek[1]"),
        ("HealthcareService", "eyes", "location[0]"),
        ("Practitioner", "p1", "name"),
        ("PractitionerRole", "r1", "availableTime[0].availableEndTime"),
        ("PractitionerRole", "r1", "location[0]"),
        ("PractitionerRole", "r2", "practitioner"),
    }
    assert len(told(result)) == len(set(told(result)))


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({**DOCTOR, "telecom": [{"system": "phone", "value": "ask the desk"}]}, ("Practitioner", "p1", "telecom")),
        ({**DOCTOR, "name": "Meersman"}, ("Practitioner", "p1", "name")),
        ({**EYES, "telecom": [{"system": "email", "value": "none"}]}, ("HealthcareService", "eyes", "telecom")),
        ({**SITE, "address": {"line": ["Kaai 3"], "city": "Gent"}}, ("Location", "quay", "address.postalCode")),
        ({**ROLE, "period": {"start": "last year"}}, ("PractitionerRole", "r1", "period.start")),
        ({**ROLE, "period": {"start": "2030-01-01", "end": "2029-01-01"}}, ("PractitionerRole", "r1", "period.end")),
        (
            {**ROLE, "availableTime": [{"availableStartTime": "9 am"}]},
            ("PractitionerRole", "r1", "availableTime[0].availableStartTime"),
        ),
        (
            {**ROLE, "availableTime": [{"daysOfWeek": ["mon"], "availableStartTime": "09:00:00"}]},
            ("PractitionerRole", "r1", "availableTime[0].availableEndTime"),
        ),
        ({**ROLE, "notAvailable": [{"description": "away"}]}, ("PractitionerRole", "r1", "notAvailable[0].during")),
        ({**ROLE, "healthcareService": [{"display": "Eyes"}]}, ("PractitionerRole", "r1", "healthcareService[0]")),
        ({**WING, "partOf": {"reference": "Location/gone"}}, ("Location", "wing", "partOf")),
    ],
)  # fmt: skip
def test_a_wrong_element_is_told_once(changed: dict[str, Any], wrong: tuple[str, str, str]) -> None:
    result = read(*(changed if one["id"] == changed["id"] else one for one in ALL))
    assert result.directory is None
    assert told(result) == [wrong]


def test_what_fhir_has_no_place_for_stays_as_it_was() -> None:
    bundle = json.loads(write_file(demo(), "fhir"))
    service = next(one["resource"] for one in bundle["entry"] if one["resource"]["id"] == "cardiology")
    service["telecom"][0]["value"] = "011 99 99 99"
    result = read_file("hospital.json", json.dumps(bundle).encode(), demo())
    assert result.directory is not None
    written, before = result.directory.to_json(), demo().to_json()
    at = next(n for n, one in enumerate(before["departments"]) if one["id"] == "cardiology")
    assert written["departments"][at].pop("phone") == "011 99 99 99"
    before["departments"][at].pop("phone")
    assert written == before


@pytest.mark.parametrize("language", [None, "fr", "it"])
def test_what_a_hospital_speaks_is_not_changed_by_the_language_of_resources(language: str | None) -> None:
    hospital = {"names": {"fr": "CH du Quai"}, "default_language": language}
    before = Directory.model_validate({"hospital": hospital})
    assert read_file("hospital.json", write_file(before, "fhir"), before).directory == before


def test_a_bundle_of_one_doctor_changes_that_doctor() -> None:
    first = demo().doctors[0]
    role = {
        "resourceType": "PractitionerRole", "id": "r", "practitioner": {"reference": "Practitioner/x"},
        "healthcareService": [{"reference": f"HealthcareService/{first.department}"}],
        "availableTime": [{"daysOfWeek": ["fri"], "availableStartTime": "09:00:00", "availableEndTime": "10:00:00"}],
    }  # fmt: skip
    person = {**DOCTOR, "id": "x", "identifier": [{"value": first.id}]}
    result = read(person, role, before=demo())
    assert result.directory is not None, result.problems
    assert result.directory.departments == demo().departments
    assert result.directory.doctors[1:] == demo().doctors[1:]
    changed = result.directory.doctors[0]
    assert (changed.last_name, changed.confirmed_on, changed.owner) == ("Meersman", first.confirmed_on, first.owner)
    assert [one.weekday for one in changed.consultations] == ["friday"]


def test_a_doctor_without_roles_in_the_bundle_keeps_those_of_before() -> None:
    first = demo().doctors[0]
    result = read({**DOCTOR, "identifier": [{"value": first.id}]}, before=demo())
    assert result.directory is not None
    assert result.directory.doctors[0].consultations == first.consultations
    assert result.directory.doctors[0].last_name == "Meersman"


def test_what_is_no_longer_active_is_gone() -> None:
    last = demo().doctors[-1]
    result = read({**DOCTOR, "identifier": [{"value": last.id}], "active": False}, before=demo())
    assert result.directory is not None
    assert result.directory.doctors == demo().doctors[:-1]


def test_departments_may_be_organizations() -> None:
    ward = {**ORGANIZATION, "id": "ward", "language": "fr", "name": "Pédiatrie", "_name": {}, "type": [coded("dept")]}
    role = {**ROLE, "healthcareService": [], "organization": {"reference": "Organization/ward"}}
    result = read(ORGANIZATION, SITE, ward, DOCTOR, role)
    assert result.directory is not None, result.problems
    assert [(one.id, one.names) for one in result.directory.departments] == [("ward", {"fr": "Pédiatrie"})]
    assert result.directory.doctors[0].department == "ward"


def test_other_resources_are_passed_over_with_a_warning() -> None:
    result = read(*ALL, {"resourceType": "Endpoint", "id": "e"})
    assert result.directory is not None
    assert [one.message for one in result.problems if one.section == "Bundle"] == ["are not read: Endpoint"]


def test_what_is_wrong_is_told_behind_any_number_of_warnings() -> None:
    vacant = [{"resourceType": "PractitionerRole", "id": f"v{number}"} for number in range(2_100)]
    result = read(*vacant, *ALL[:-3], {**EYES, "telecom": [{"system": "phone", "value": "at the desk"}]})
    assert result.directory is None
    assert told(result) == [("HealthcareService", "eyes", "telecom")]
    assert len(result.problems) == 2_000


def test_the_demo_hospital_is_the_same_after_its_bundle_was_read() -> None:
    assert read_file("hospital.json", write_file(demo(), "fhir"), demo()).directory == demo()


@pytest.mark.parametrize(
    ("campuses", "places", "in_order"),
    [
        ([], ["north", "quay: B1"], ["north", "quay"]),
        (["north", "quay"], ["quay: B1"], ["north", "quay"]),
        (["quay", "north"], ["quay: B1"], ["quay", "north"]),
        (["quay", "north"], ["north: A1", "quay: B1", "north: A2"], ["quay", "north"]),
        (["south"], ["quay: B1", "south", "north: A1"], ["south", "quay", "north"]),
        (["north"], ["north: A1", "north"], ["north"]),
        (["quay", "north"], [], ["quay", "north"]),
    ],
)
def test_campuses_and_places_of_a_department_keep_their_order_in_a_bundle(
    campuses: list[str], places: list[str], in_order: list[str]
) -> None:
    rooms = [(campus, room or None) for campus, _, room in (place.partition(": ") for place in places)]
    eyes = {
        "id": "eyes", "names": {"en": "Eyes"}, "campuses": campuses,
        "locations": [{"campus": campus, "room": room} for campus, room in rooms],
    }  # fmt: skip
    sites = [{"id": one, "names": {"en": one}} for one in ("north", "quay", "south")]
    directory = Directory.model_validate({"campuses": sites, "departments": [eyes]})
    for _ in range(2):
        read_again = read_file("hospital.json", write_file(directory, "fhir")).directory
        assert read_again is not None
        directory = read_again
        (department,) = directory.departments
        assert department.campuses == in_order
        assert [(one.campus, one.room) for one in department.locations] == [one for one in rooms if one[1]]


def test_the_demo_hospital_is_written_as_fhir_allows() -> None:
    bundle = Bundle.model_validate(json.loads(write_file(demo(), "fhir")))
    assert len(bundle.entry) > len(demo().doctors) + len(demo().departments)


@given(directories())
@settings(max_examples=20, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
def test_any_directory_is_written_as_fhir_allows(directory: Directory) -> None:
    Bundle.model_validate(json.loads(write_file(directory, "fhir")))
