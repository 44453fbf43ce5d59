"""Bundles as other systems write them: R5, resources within others, references of every kind, dates in part, pages."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from careline.directory.directory import Directory
from careline.directory.formats.files import read_file
from careline.directory.formats.read import Read
from tests.directory.formats.test_fhir import ALL, DOCTOR, EYES, ORGANIZATION, ROLE, SITE, a_bundle, coded, read, told

MORNING = {"daysOfWeek": ["mon"], "availableStartTime": "08:00:00", "availableEndTime": "12:00:00"}
AWAY = {"description": "verlof", "during": {"start": "2030-07-01", "end": "2030-07-14"}}


def changed(old: dict[str, Any], **said: Any) -> Read:
    """What is read where one resource is another; a value of None takes an element away."""
    new = {key: value for key, value in {**old, **said}.items() if value is not None}
    return read(*(new if one["id"] == old["id"] else one for one in ALL))


def directory_of(result: Read) -> Directory:
    assert told(result) == []
    assert result.directory is not None
    return result.directory


def read_as(resources: dict[str, dict[str, Any]], **of_bundle: Any) -> Read:
    """A bundle of resources by their full URL."""
    entries = [{"fullUrl": url, "resource": one} for url, one in resources.items()]
    return read_file("b.json", json.dumps({"resourceType": "Bundle", "entry": entries, **of_bundle}).encode())


def test_hours_of_a_service_of_r5_are_read() -> None:
    held = directory_of(changed(EYES, availableTime=None, availability=[{"availableTime": [MORNING]}]))
    assert [sorted(one.weekly) for one in held.departments[0].opening_hours] == [["monday"]]


def test_consultations_and_absences_of_a_role_of_r5_are_read() -> None:
    times = [{"availableTime": [MORNING], "notAvailableTime": [AWAY]}]
    (doctor,) = directory_of(changed(ROLE, availableTime=None, notAvailable=None, availability=times)).doctors
    assert [(one.weekday, one.opens, one.closes) for one in doctor.consultations] == [("monday", "08:00", "12:00")]
    assert [one.since for one in doctor.absences] == [date(2030, 7, 1)]


def test_a_place_of_r5_has_its_form_hours_and_numbers() -> None:
    said = {
        "form": coded("si"), "physicalType": None, "hoursOfOperation": [{"availableTime": [MORNING]}],
        "contact": [{"telecom": [{"system": "phone", "value": "09 7"}]}],
    }  # fmt: skip
    (campus,) = directory_of(changed(SITE, **said)).campuses
    assert (campus.phone, list(campus.entrances[0].weekly)) == ("09 7", ["monday"])


def test_languages_that_a_practitioner_of_r5_speaks_are_read() -> None:
    spoken = [{"language": coded("fr-BE"), "preferred": True}, {"language": coded("nl")}]
    assert directory_of(changed(DOCTOR, communication=spoken)).doctors[0].languages == ["fr", "nl"]


def test_without_hours_nothing_is_known_of_them() -> None:
    held = directory_of(changed(EYES, availableTime=None))
    assert held.departments[0].opening_hours == []
    held = directory_of(changed(ROLE, availableTime=None))
    assert held.doctors[0].consultations == []


def test_resources_within_others_are_read_each_once() -> None:
    quay = {"resourceType": "Location", "id": "l", "name": "Campus Kaai", "physicalType": coded("si")}
    clinic = {"contained": [quay], "location": [{"reference": "#l"}]}
    skin = {**EYES, "id": "skin", "name": "Huidziekten", **clinic}
    held = directory_of(read(ORGANIZATION, {**EYES, **clinic}, skin))
    assert [one.id for one in held.campuses] == ["campus-kaai"]
    assert [one.campuses for one in held.departments] == [["campus-kaai"]] * 2


def test_resources_within_others_of_one_id_are_not_mistaken_for_each_other() -> None:
    def within(name: str) -> dict[str, Any]:
        place = {"resourceType": "Location", "id": "1", "name": name, "physicalType": coded("si")}
        return {"contained": [place], "location": [{"reference": "#1"}]}

    held = directory_of(read(ORGANIZATION, {**EYES, **within("Kaai")}, {**EYES, "id": "skin", **within("Molen")}))
    assert [one.campuses for one in held.departments] == [["kaai"], ["molen"]]


def test_what_a_resource_refers_to_within_itself_and_is_not_there_is_told() -> None:
    assert told(changed(EYES, location=[{"reference": "#nowhere"}])) == [("HealthcareService", "eyes", "location[0]")]


def test_references_may_be_to_unique_ids() -> None:
    role = {key: value for key, value in ROLE.items() if key not in ("id", "location")}
    urls = {name: f"urn:uuid:c757873d-ec9a-4326-a141-55{n:02d}43520c43" for n, name in enumerate(("h", "q", "e", "d"))}
    of_role = {"practitioner": {"reference": urls["d"]}, "healthcareService": [{"reference": urls["e"]}]}
    entries: dict[str, dict[str, Any]] = {
        urls["h"]: ORGANIZATION, urls["q"]: {**SITE, "id": None},
        urls["e"]: {**EYES, "location": [{"reference": urls["q"]}], "identifier": [{"value": "eyes"}]},
        urls["d"]: {**DOCTOR, "id": None}, "urn:uuid:0": {**role, **of_role},
    }  # fmt: skip
    held = directory_of(read_as(entries))
    assert held.departments[0].campuses == [held.campuses[0].id]
    assert held.doctors[0].department == "eyes"


@pytest.mark.parametrize(
    "reference",
    ["Practitioner/p1", "https://his.example/fhir/Practitioner/p1", "Practitioner/p1/_history/3",
     "https://other.example/r4/Practitioner/p1/_history/12", "Practitioner?identifier=1234567893",
     "Practitioner?identifier=http://hl7.org/fhir/sid/us-npi|1234567893",
     "Practitioner?identifier=http%3A%2F%2Fhl7.org%2Ffhir%2Fsid%2Fus-npi%7C1234567893"],
)  # fmt: skip
def test_a_role_is_of_whom_it_refers_to_in_any_way(reference: str) -> None:
    held = directory_of(changed(ROLE, practitioner={"reference": reference}))
    assert held.doctors[0].department == "eyes"


def test_a_search_for_another_kind_finds_nothing() -> None:
    wrong = changed(ROLE, practitioner={"reference": "Location?identifier=1234567893"})
    assert told(wrong)[0] == ("PractitionerRole", "r1", "practitioner")


def test_a_role_of_nobody_is_passed_over_with_a_warning() -> None:
    vacant = {key: value for key, value in ROLE.items() if key != "practitioner"}
    result = read(*ALL, {**vacant, "id": "vacant"})
    assert [one.full_name for one in directory_of(result).doctors] == ["Dr. Lien Meersman"]
    assert [one.entry.rpartition("/")[2] for one in result.problems if one.field == "practitioner"] == ["vacant"]


@pytest.mark.parametrize(
    ("start", "end", "meant"),
    [
        ("2026", "2027", (date(2026, 1, 1), date(2027, 12, 31))),
        ("2026-02", "2028-02", (date(2026, 2, 1), date(2028, 2, 29))),
        ("2026-02-03", None, (date(2026, 2, 3), None)),
        # Midnight of Brussels, as servers write it that keep UTC: in winter and in summer.
        ("2026-01-14T23:00:00Z", "2026-07-14T21:59:59Z", (date(2026, 1, 15), date(2026, 7, 14))),
        ("2026-03-28T23:00:00.000+00:00", "2026-10-25T22:59:59Z", (date(2026, 3, 29), date(2026, 10, 25))),
        ("2026-07-14T22:00:00Z", "2031-12-31T23:00:00+01:00", (date(2026, 7, 15), date(2031, 12, 31))),
    ],
)
def test_a_period_is_of_days_of_the_hospital(start: str, end: str | None, meant: tuple[date, date | None]) -> None:
    (doctor,) = directory_of(changed(ROLE, period={"start": start, **({"end": end} if end else {})})).doctors
    assert (doctor.valid_from, doctor.valid_until) == meant


def test_an_absence_of_a_month_is_all_of_it() -> None:
    (doctor,) = directory_of(changed(ROLE, notAvailable=[{"during": {"start": "2030-07"}}])).doctors
    assert [(one.since, one.until) for one in doctor.absences] == [(date(2030, 7, 1), date(2030, 7, 31))]


@pytest.mark.parametrize(
    "wrong", ["2026-13", "2026-02-30", "26", "2026-2-3", "2026-02-03T99:00:00Z", "9999-12-31T23:59:59-14:00"]
)
def test_what_is_no_day_is_told(wrong: str) -> None:
    assert told(changed(ROLE, period={"start": wrong})) == [("PractitionerRole", "r1", "period.start")]


def test_a_number_at_home_or_of_before_is_told_to_nobody() -> None:
    numbers = [{"system": "phone", "value": f"09 {n}", "use": use} for n, use in enumerate(("home", "old", "work"))]
    assert directory_of(changed(DOCTOR, telecom=numbers)).doctors[0].phone == "09 2"
    assert directory_of(changed(DOCTOR, telecom=numbers[:2])).doctors[0].phone is None


def test_nulls_beside_which_something_is_said_are_no_names() -> None:
    name: list[dict[str, Any]] = [{"family": "Meersman", "given": [None, "Lien"], "_given": [{"extension": []}, None]}]
    assert directory_of(changed(DOCTOR, name=name)).doctors[0].first_name == "Lien"


def test_one_page_of_several_is_refused_and_says_so() -> None:
    page = json.loads(a_bundle(*ALL))
    page["link"] = [{"relation": "self", "url": "https://h.example"}, {"relation": "next", "url": "https://h.example/2"}]
    result = read_file("b.json", json.dumps(page).encode())
    assert result.directory is None
    assert "next" in result.problems[0].message
    last = {**page, "link": page["link"][:1]}
    assert read_file("b.json", json.dumps(last).encode()).directory is not None


def test_what_a_server_says_of_the_search_is_passed_over() -> None:
    outcome = {"resourceType": "OperationOutcome", "id": "o", "issue": []}
    result = read(*ALL, outcome)
    assert result.directory is not None
    assert [one.message for one in result.problems if one.section == "Bundle"] == ["are not read: OperationOutcome"]


def test_an_empty_bundle_changes_nothing_and_says_so() -> None:
    result = read_as({}, type="searchset", total=0)
    assert result.directory is None
    assert "without entries" in result.problems[0].message
