"""Public holidays are those of one country on every campus; which it is, and that one abroad has none of its own."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from careline.directory.capabilities.days import public_holidays
from careline.directory.directory import Directory, problems_of
from tests.directory.formats.workbooks import a_workbook, read

BASTILLE, BELGIUM = date(2027, 7, 14), date(2027, 7, 21)


def at(country: str | None) -> dict[str, Any]:
    return {"street": "Kaai 3", "postcode": "9000", "town": "Gent", "country": country}


def a_hospital(own: str | None, main: str | None, other: str | None) -> Directory:
    campuses = [
        {"id": "other", "names": {"en": "Other"}, "address": at(other)},
        {"id": "main", "names": {"en": "Main"}, "address": at(main), "role": "main"},
    ]
    return Directory.model_validate({"hospital": {"country": own}, "campuses": campuses})


@pytest.mark.parametrize(
    ("own", "main", "other", "holidays"),
    [
        ("BE", "FR", "FR", {BELGIUM}),
        (None, "BE", "FR", {BELGIUM}),
        (None, "FR", "BE", {BASTILLE}),
        (None, None, "FR", set()),
    ],
)
def test_the_country_of_the_hospital_sets_the_public_holidays_else_that_of_its_main_campus(
    own: str | None, main: str | None, other: str | None, holidays: set[date]
) -> None:
    kept = public_holidays(a_hospital(own, main, other).country, 2027, "fr")
    assert {BASTILLE, BELGIUM} & kept.keys() == holidays


@pytest.mark.parametrize(
    ("own", "main", "other", "abroad"),
    [
        ("BE", "BE", "FR", ["other"]),
        (None, "FR", "BE", ["other"]),
        ("BE", None, "BE", []),
        ("FR", "BE", None, ["main"]),
    ],
)
def test_a_campus_abroad_is_told(own: str | None, main: str | None, other: str | None, abroad: list[str]) -> None:
    found = [one for one in problems_of(a_hospital(own, main, other)) if one.field == "address.country"]
    assert [one.entry for one in found] == abroad
    assert all(one.warning and "closures" in one.message for one in found)


def test_a_campus_abroad_is_told_in_its_own_column() -> None:
    rows = [["Nom (fr)", "Rue", "Code postal", "Localité", "Pays", "Rôle"]]
    rows.append(["Nord", "Kaai 3", "9000", "Gent", "Belgique", "site principal"])
    rows.append(["Sud", "Quai 3", "59000", "Lille", "France", ""])
    result = read(a_workbook(Campus=rows))
    assert result.directory is not None, result.problems
    assert [(one.section, one.row, one.field) for one in result.problems] == [("Campus", 3, "Pays")]
