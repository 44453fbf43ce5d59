"""The hospital's directory over HTTP: read with its tag, changed on condition, taken in whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import yaml

from careline.identity import Role
from tests.access.doors import Door, code, door

PLACE = "/v1/admin/directory"
WRITTEN: dict[str, Any] = {
    "campuses": [{"id": "north", "names": {"en": "North campus"}}],
    "departments": [
        {"id": "cardiology", "names": {"en": "Cardiology"}, "phone": "011 90 11 00"},
        {"id": "ent", "names": {"en": "Ear, nose and throat"}, "phone": "011 90 12 00"},
    ],
    "doctors": [{"id": "ada", "first_name": "Ada", "last_name": "Byron", "department": "cardiology"}],
}
MERGE = {"content-type": "application/merge-patch+json"}


@pytest.fixture(name="at")
def the_door() -> Iterator[Door]:
    with door() as made:
        response = sent(made, "PUT", PLACE, json=WRITTEN, headers={"if-match": '"0"'})
        assert response.status_code == 200, response.text
        yield made


def sent(at: Door, method: str, path: str, role: Role = Role.ADMIN, **said: Any) -> httpx2.Response:
    return at.as_(at.tokens[role], method, path, **said)


def entry(at: Door, section: str = "departments", name: str = "cardiology") -> httpx2.Response:
    return sent(at, "GET", f"{PLACE}/{section}/{name}")


def test_the_directory_is_read_as_it_was_sent_and_its_tag_names_the_edition(at: Door) -> None:
    response = sent(at, "GET", PLACE, Role.MANAGER)
    assert (response.status_code, response.headers["etag"]) == (200, '"1"')
    assert response.json()["departments"][0]["phone"] == "011 90 11 00"


@pytest.mark.parametrize("tag", ['"1"', 'W/"1"', '"0", "1"', "*"])
def test_what_is_known_is_not_sent_again(at: Door, tag: str) -> None:
    response = sent(at, "GET", PLACE, headers={"if-none-match": tag})
    assert (response.status_code, response.content) == (304, b"")


def test_a_tag_of_an_older_edition_brings_the_directory(at: Door) -> None:
    assert sent(at, "GET", PLACE, headers={"if-none-match": '"0"'}).status_code == 200


def test_what_was_read_can_be_sent_back_and_changes_nothing(at: Door) -> None:
    read = sent(at, "GET", PLACE)
    again = sent(at, "PUT", PLACE, json=read.json(), headers={"if-match": read.headers["etag"]})
    assert (again.status_code, again.json()["changes"], again.headers["etag"]) == (200, [], '"1"')


def test_without_a_condition_nothing_is_overwritten(at: Door) -> None:
    assert code(sent(at, "PUT", PLACE, json=WRITTEN)) == (428, "CONDITION_MISSING")
    assert code(sent(at, "PUT", f"{PLACE}/doctors/ada", json=WRITTEN["doctors"][0])) == (428, "CONDITION_MISSING")


def test_what_somebody_else_changed_since_is_not_overwritten(at: Door) -> None:
    assert code(sent(at, "PUT", PLACE, json=WRITTEN, headers={"if-match": '"0"'})) == (412, "CHANGED_SINCE")
    tag = entry(at).headers["etag"]
    sent(at, "PATCH", f"{PLACE}/departments/cardiology", json={"phone": "09 1"})
    late = {"json": {"names": {"en": "Heart"}}, "headers": {"if-match": tag}}
    assert code(sent(at, "PUT", f"{PLACE}/departments/cardiology", **late)) == (412, "CHANGED_SINCE")


def test_a_change_of_another_entry_keeps_nobody_from_changing_this_one(at: Door) -> None:
    tag = entry(at).headers["etag"]
    sent(at, "PATCH", f"{PLACE}/departments/ent", json={"phone": "09 1"})
    mine = {"json": {"phone": "09 2"}, "headers": {"if-match": tag}}
    assert sent(at, "PATCH", f"{PLACE}/departments/cardiology", **mine).status_code == 200


def test_fields_are_changed_by_a_merge_patch_and_what_was_changed_is_told(at: Door) -> None:
    content = json.dumps({"phone": None, "names": {"fr": "Cardio"}})
    response = sent(at, "PATCH", f"{PLACE}/departments/cardiology?note=moved", content=content, headers=MERGE)
    assert response.json()["changes"] == [
        {"section": "departments", "entry": "cardiology", "what": "changed", "fields": ["names", "phone"]}
    ]
    assert [one["field"] for one in response.json()["problems"]] == ["phone"]
    held = entry(at)
    assert held.headers["etag"] == response.headers["etag"]
    assert ("phone" in held.json(), held.json()["names"]) == (False, {"en": "Cardiology", "fr": "Cardio"})


def test_an_entry_is_added_where_there_is_none_and_removed(at: Door) -> None:
    new = {"json": {"last_name": "Noether", "department": "ent"}, "headers": {"if-none-match": "*"}}
    assert sent(at, "PUT", f"{PLACE}/doctors/eva", **new).status_code == 200
    assert code(sent(at, "PUT", f"{PLACE}/doctors/eva", **new)) == (412, "CHANGED_SINCE")
    assert sent(at, "DELETE", f"{PLACE}/doctors/eva").status_code == 200
    assert entry(at, "doctors", "eva").status_code == 404


def test_everything_that_is_wrong_is_told_with_its_place_and_nothing_is_kept(at: Door) -> None:
    wrong = {**WRITTEN, "doctors": [{"id": "ada", "last_name": "B", "department": "surgery"}, {"id": "eva"}]}
    response = sent(at, "PUT", PLACE, json=wrong, headers={"if-match": '"1"'})
    assert code(response) == (422, "DIRECTORY_REJECTED")
    assert response.headers["content-type"].startswith("application/problem+json")
    places = {(one["section"], one["entry"], one["field"]) for one in response.json()["problems"]}
    assert {("doctors", "eva", "last_name"), ("doctors", "eva", "department")} <= places
    assert sent(at, "GET", PLACE).headers["etag"] == '"1"'


def test_a_wrong_value_is_not_repeated(at: Door) -> None:
    response = sent(at, "PATCH", f"{PLACE}/departments/ent", json={"phone": "mrs. Peeters"})
    assert (response.status_code, "Peeters" in response.text) == (422, False)
    assert [one["field"] for one in response.json()["problems"]] == ["phone"]


def test_an_entry_that_another_one_names_is_not_removed(at: Door) -> None:
    response = sent(at, "DELETE", f"{PLACE}/departments/cardiology")
    assert response.status_code == 422
    assert ("doctors", "ada") in {(one["section"], one["entry"]) for one in response.json()["problems"]}


def test_a_dry_run_says_what_would_change_and_keeps_nothing(at: Door) -> None:
    response = sent(at, "PUT", f"{PLACE}?dry_run=true", json={**WRITTEN, "doctors": []})
    assert [(one["entry"], one["what"]) for one in response.json()["changes"]] == [("ada", "removed")]
    assert (response.json()["dry_run"], sent(at, "GET", PLACE).headers["etag"]) == (True, '"1"')


@pytest.mark.parametrize("asked", [{"path": "?form=yaml"}, {"headers": {"accept": "application/yaml, */*;q=0.1"}}])
def test_it_is_sent_and_taken_as_a_yaml_file(at: Door, asked: dict[str, Any]) -> None:
    response = sent(at, "GET", PLACE + asked.get("path", ""), headers=asked.get("headers", {}))
    assert response.headers["content-type"].startswith("application/yaml")
    assert "directory-1.yaml" in response.headers["content-disposition"]
    written = yaml.safe_load(response.content)
    written["departments"][0]["phone"] = "09 7"
    headers = {"if-match": response.headers["etag"], "content-type": "application/yaml"}
    taken = sent(at, "PUT", PLACE, content=yaml.safe_dump(written).encode(), headers=headers)
    assert [one["entry"] for one in taken.json()["changes"]] == ["cardiology"]


@pytest.mark.parametrize("form", ["xlsx", "fhir"])
def test_what_was_exported_is_taken_in_again_and_changes_nothing(at: Door, form: str) -> None:
    response = sent(at, "GET", f"{PLACE}?form={form}")
    headers = {"if-match": response.headers["etag"], "content-type": response.headers["content-type"]}
    taken = sent(at, "PUT", PLACE, content=response.content, headers=headers)
    assert (taken.status_code, taken.json()["changes"]) == (200, [])


def test_a_bundle_of_fhir_may_be_sent_as_any_json(at: Door) -> None:
    bundle = sent(at, "GET", f"{PLACE}?form=fhir").json()
    taken = sent(at, "PUT", f"{PLACE}?dry_run=1", json=bundle)
    assert (taken.status_code, taken.json()["changes"]) == (200, [])


def test_a_file_that_is_none_is_refused(at: Door) -> None:
    headers = {"if-match": '"1"', "content-type": "application/octet-stream"}
    for content in (b"PK\x03\x04 no workbook", b"\xff\xfe", b"- a\n- b\n", b""):
        refused = sent(at, "PUT", PLACE, content=content, headers=headers)
        assert refused.status_code in {415, 422}, refused.text
    assert sent(at, "GET", PLACE).headers["etag"] == '"1"'


def test_the_template_is_a_workbook(at: Door) -> None:
    response = sent(at, "GET", f"{PLACE}/template?language=fr", Role.MANAGER)
    assert response.content.startswith(b"PK")
    assert "directory-fr.xlsx" in response.headers["content-disposition"]


def test_who_changed_what_is_listed_and_taken_back(at: Door) -> None:
    sent(at, "PATCH", f"{PLACE}/departments/cardiology?note=moved", json={"phone": "09 1"})
    newest, first = sent(at, "GET", f"{PLACE}/changes", Role.MANAGER).json()["changes"]
    assert (newest["number"], newest["note"], newest["can_undo"]) == (2, "moved", True)
    assert newest["by"].startswith("admin ")
    assert first["can_undo"] is True
    assert sent(at, "POST", f"{PLACE}/changes/2/undo").json()["edition"] == 3
    assert entry(at).json()["phone"] == "011 90 11 00"


@pytest.mark.parametrize("number", ["0", "9", "x", "1e3", "٣", "9" * 30])
def test_a_change_that_was_never_made_is_not_taken_back(at: Door, number: str) -> None:
    assert sent(at, "POST", f"{PLACE}/changes/{number}/undo").status_code == 404


def test_what_to_look_at_is_told(at: Door) -> None:
    found = sent(at, "GET", f"{PLACE}/check", Role.MANAGER).json()["problems"]
    assert ("doctors", "ada", "consultations", True) in {
        (one["section"], one["entry"], one["field"], one["warning"]) for one in found
    }


@pytest.mark.parametrize(
    ("method", "path", "said", "status"),
    [
        ("GET", "/nurses/ada", {}, 404),
        ("GET", "?form=pdf", {}, 400),
        ("GET", "/template?language=xx", {}, 400),
        ("PUT", "?dry_run=maybe", {"json": WRITTEN}, 400),
        ("PUT", "/doctors/ada", {"content": b"last_name: B", "headers": {"content-type": "application/yaml"}}, 415),
        ("PATCH", "/doctors/ada", {"content": b"[" * 100_000, "headers": MERGE}, 400),
        ("PATCH", "/doctors/ada", {"json": ["phone"]}, 400),
        ("PATCH", "/doctors/ada", {"json": {"id": "eva"}}, 400),
        ("PATCH", f"/doctors/ada?note={'x' * 301}", {"json": {"phone": "09 1"}}, 400),
        ("PATCH", "/doctors/eva", {"json": {"phone": "09 1"}}, 404),
        ("DELETE", "/hospital/hospital", {}, 400),
    ],
)
def test_what_is_not_understood_is_refused(at: Door, method: str, path: str, said: Any, status: int) -> None:
    assert sent(at, method, PLACE + path, **said).status_code == status


def test_a_manager_reads_and_an_admin_changes(at: Door) -> None:
    assert sent(at, "GET", PLACE, Role.USER).status_code == 403
    assert sent(at, "PATCH", f"{PLACE}/doctors/ada", Role.MANAGER, json={"phone": "09 1"}).status_code == 403


def test_another_hospital_sees_nothing_of_it(at: Door) -> None:
    response = at.as_(at.others[Role.OWNER], "GET", PLACE)
    assert (response.headers["etag"], response.json()) == ('"0"', {})
