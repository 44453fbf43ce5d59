"""`careline directory`: what a hospital's people say of it is taken, shown, changed and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from careline_local.cli.main import main
from tests.directory.formats.test_fhir import DOCTOR, EYES, ORGANIZATION, ROLE, SITE, a_bundle
from tests.directory.formats.workbooks import a_workbook

WRITTEN: dict[str, Any] = {
    "hospital": {"names": {"en": "North Hospital"}, "phones": {"main": "011 90 10 00"}},
    "campuses": [{"id": "north", "names": {"en": "North campus"}}],
    "departments": [
        {"id": "cardiology", "names": {"en": "Cardiology", "nl": "Cardiologie"}, "phone": "011 90 11 00"},
        {"id": "ent", "names": {"en": "Ear, nose and throat"}, "phone": "011 90 12 00"},
    ],
    "doctors": [{"id": "ada", "first_name": "Ada", "last_name": "Byron", "department": "cardiology"}],
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path, WRITTEN)


def written(folder: Path, directory: dict[str, Any]) -> Path:
    path = folder / "hospital.yaml"
    path.write_text(yaml.safe_dump(directory), encoding="utf-8")
    return path


def command(home: Path, *words: object, given: str = "") -> Result:
    return CliRunner().invoke(main, ["--home", str(home), "directory", *map(str, words)], input=given)


def told(home: Path, *words: object) -> dict[str, Any]:
    done = command(home, *words, "--json")
    assert done.exit_code == 0, (done.output, done.exception)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def entry(home: Path, section: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = told(home, "show", section, name)["entry"]
    return found


def test_a_home_without_a_directory_says_how_one_comes_into_it(home: Path) -> None:
    for words in (["show"], ["history"]):
        done = command(home, *words)
        assert (done.exit_code, "careline directory import" in done.stdout) == (0, True)
    refused = command(home, "export", "out.yaml")
    assert (refused.exit_code, "template" in refused.stderr) == (1, True)


def test_a_file_is_taken_in_and_shown(home: Path, file: Path) -> None:
    assert command(home, "import", file, "--by", "ann", "--note", "first").exit_code == 0
    found = told(home, "show")
    assert (found["edition"], found["by"], found["note"], found["entries"]["departments"]) == (1, "ann", "first", 2)
    assert entry(home, "departments", "cardiology")["phone"] == "011 90 11 00"
    assert "Ada Byron" in command(home, "show", "doctors").stdout


def test_a_dry_run_says_what_would_change_and_keeps_nothing(home: Path, file: Path) -> None:
    planned = told(home, "import", file, "--dry-run")
    assert planned["dry_run"] is True
    assert {("doctors", "ada", "added"), ("campuses", "north", "added")} <= {
        (one["section"], one["entry"], one["what"]) for one in planned["changes"]
    }
    assert told(home, "show")["edition"] == 0


def test_of_a_file_with_something_wrong_nothing_is_kept_and_all_of_it_is_told(home: Path, tmp_path: Path) -> None:
    wrong = {**WRITTEN, "doctors": [{"id": "ada", "last_name": "Byron", "department": "surgery"}, {"id": "eva"}]}
    done = command(home, "import", written(tmp_path, wrong))
    assert done.exit_code == 1
    assert all(word in done.stdout for word in ("doctors", "eva", "last_name"))
    refused = command(home, "import", written(tmp_path, wrong), "--json")
    assert refused.exit_code == 1
    assert json.loads(refused.stdout)["kept"] is False
    assert told(home, "show")["edition"] == 0


def test_five_wrong_rows_of_a_workbook_are_each_told_by_sheet_row_and_field_and_nothing_is_kept(
    home: Path, file: Path, tmp_path: Path
) -> None:
    command(home, "import", file)
    book = tmp_path / "hospital.xlsx"
    book.write_bytes(
        a_workbook(
            Campuses=[["Id", "Name (en)"], ["north", "North campus"]],
            Departments=[["Id", "Name (en)", "Phone"], ["ent", "Ear, nose and throat", "ask the desk"]],
            Opening_hours=[["Of", "Days", "Hours"], ["ent", "Mon-Fri", "8:00-17:00"], ["ent", "Sat", "until noon"]],
            Doctors=[["Last name", "Department"], ["Byron", "ent"], ["Hopper", "surgery"]],
            Tariffs=[["Subject (en)", "Amount"], ["Television", "three euro"]],
            Closures=[["Name (en)", "From", "To"], ["Move", "31/12/2030", "30/12/2030"]],
        )
    )
    refused = command(home, "import", book, "--json")
    assert refused.exit_code == 1
    problems = json.loads(refused.stdout)["problems"]
    assert [(one["section"], one["row"], one["field"]) for one in problems if not one["warning"]] == [
        ("Departments", 2, "Phone"),
        ("Opening hours", 3, "Hours"),
        ("Doctors", 3, "Department"),
        ("Tariffs", 2, "Amount"),
        ("Closures", 2, "To"),
    ]
    assert told(home, "show")["edition"] == 1
    assert entry(home, "departments", "ent")["phone"] == "011 90 12 00"


def test_five_wrong_resources_of_a_bundle_are_each_told_with_their_element_and_nothing_is_kept(
    home: Path, file: Path, tmp_path: Path
) -> None:
    command(home, "import", file)
    bundle = tmp_path / "hospital.fhir.json"
    bundle.write_bytes(
        a_bundle(
            ORGANIZATION,
            {**SITE, "address": {"line": ["Kaai 3"], "city": "Gent"}},
            {**EYES, "telecom": [{"system": "phone", "value": "ask the desk"}], "location": []},
            {**DOCTOR, "name": [{"given": ["Lien"]}]},
            {**ROLE, "period": {"start": "last year"}, "location": []},
            {**ROLE, "id": "r2", "practitioner": {"reference": "Practitioner/nobody"}, "location": []},
        )
    )
    refused = command(home, "import", bundle, "--json")
    assert refused.exit_code == 1
    problems = [one for one in json.loads(refused.stdout)["problems"] if not one["warning"]]
    assert sorted((one["section"], one["entry"].rpartition("/")[2], one["field"]) for one in problems) == [
        ("HealthcareService", "eyes", "telecom"),
        ("Location", "quay", "address.postalCode"),
        ("Practitioner", "p1", "name"),
        ("PractitionerRole", "r1", "period.start"),
        ("PractitionerRole", "r2", "practitioner"),
    ]
    assert told(home, "show")["edition"] == 1
    assert entry(home, "doctors", "ada")["last_name"] == "Byron"


def test_a_field_is_changed_and_the_change_taken_back(home: Path, file: Path) -> None:
    command(home, "import", file)
    saved = told(home, "set", "departments", "cardiology", "phone=112 233", "names.fr=Cardio", "--by", "ben")
    assert [(one["entry"], one["fields"]) for one in saved["changes"]] == [("cardiology", ["names", "phone"])]
    held = entry(home, "departments", "cardiology")
    assert (held["phone"], held["names"]["fr"], held["names"]["nl"]) == ("112 233", "Cardio", "Cardiologie")
    told(home, "undo", saved["edition"])
    assert entry(home, "departments", "cardiology")["phone"] == "011 90 11 00"
    assert [one["by"] for one in told(home, "history")["changes"]][1] == "ben"


def test_values_are_text_or_json_and_an_empty_one_takes_the_field_away(home: Path, file: Path) -> None:
    command(home, "import", file)
    told(home, "set", "departments", "ent", "phone=", 'campuses=["north"]', "email=ent@north.example")
    held = entry(home, "departments", "ent")
    assert ("phone" in held, held["campuses"], held["email"]) == (False, ["north"], "ent@north.example")
    told(home, "set", "hospital", "phones.main=011 1")
    assert entry(home, "hospital", "hospital")["phones"] == {"main": "011 1"}


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["set", "departments", "cardiology", "phone=call us"], "phone"),
        (["set", "departments", "cardiology", "telephone=011 1"], "telephone"),
        (["set", "departments", "cardiology", 'campuses=["west"]'], "west"),
        (["remove", "departments", "cardiology"], "ada"),
    ],
)
def test_a_change_that_does_not_fit_is_refused_with_its_place(
    home: Path, file: Path, words: list[str], named: str
) -> None:
    command(home, "import", file)
    done = command(home, *words)
    assert (done.exit_code, named in done.stdout) == (1, True)
    assert told(home, "show")["edition"] == 1


@pytest.mark.parametrize(
    "words",
    [
        ["set", "nurses", "eva", "phone=1"], ["set", "doctors", "eva", "phone=011 1"], ["set", "doctors", "ada"],
        ["set", "doctors", "ada", "campuses=[north"], ["remove", "doctors", "eva"], ["undo", "9"],
    ],
)  # fmt: skip
def test_what_is_not_there_or_not_understood_is_one_line_that_says_so(
    home: Path, file: Path, words: list[str]
) -> None:
    command(home, "import", file)
    done = command(home, *words)
    assert (done.exit_code, len(done.stderr.splitlines())) == (1, 1)


def test_an_entry_is_added_from_yaml_or_json_and_removed(home: Path, file: Path) -> None:
    command(home, "import", file)
    new = "id: eva\nlast_name: Noether\ndepartment: ent\n"
    assert command(home, "add", "doctors", "-", given=new).exit_code == 0
    assert entry(home, "doctors", "eva")["last_name"] == "Noether"
    again = command(home, "add", "doctors", "-", given=json.dumps({"id": "eva", "last_name": "N", "department": "ent"}))
    assert (again.exit_code, "there already" in again.stderr) == (1, True)
    assert command(home, "remove", "doctors", "eva").exit_code == 0
    assert command(home, "show", "doctors", "eva").exit_code == 1


def test_what_was_exported_changes_nothing_when_it_is_taken_in_again(home: Path, file: Path, tmp_path: Path) -> None:
    command(home, "import", file)
    out = tmp_path / "out.yaml"
    assert command(home, "export", out).exit_code == 0
    assert told(home, "import", out)["changes"] == []
    assert yaml.safe_load(command(home, "export", "-", "--form", "yaml").stdout) == yaml.safe_load(out.read_text())


def test_the_form_of_a_file_that_its_ending_does_not_tell_is_asked_for(home: Path, file: Path) -> None:
    command(home, "import", file)
    done = command(home, "export", "hospital.txt")
    assert (done.exit_code, "--form" in done.stderr) == (1, True)


def test_what_to_look_at_is_listed_and_an_entry_is_confirmed(home: Path, tmp_path: Path) -> None:
    old = [{**one, "confirmed_on": "2020-01-31"} for one in WRITTEN["departments"]]
    command(home, "import", written(tmp_path, {**WRITTEN, "departments": old}))
    told(home, "set", "departments", "ent", "valid_until=2020-02-28")

    def found() -> set[tuple[str, str]]:
        return {(one["entry"], one["field"]) for one in told(home, "check")["problems"]}

    assert {("ent", "valid_until"), ("cardiology", "confirmed_on"), ("ada", "consultations")} <= found()
    saved = told(home, "set", "departments", "cardiology", "confirmed_on=today", "--by", "ben")
    assert [(one["entry"], one["what"]) for one in saved["changes"]] == [("cardiology", "confirmed")]
    assert ("cardiology", "confirmed_on") not in found()
