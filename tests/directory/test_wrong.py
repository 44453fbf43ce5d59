"""What is wrong with a directory is told in words that say how it is written, and never with the value itself."""

from __future__ import annotations

from typing import Any

import pytest

from careline.directory.directory import read_directory

SECRET = "Kwik Kwek en Kwak"


def department(**said: Any) -> dict[str, Any]:
    return {"departments": [{"id": "ent", "names": {"en": "Ear, nose and throat"}, **said}]}


@pytest.mark.parametrize(
    ("said", "field", "told"),
    [
        ({"phone": SECRET}, "phone", "digits"),
        ({"email": SECRET}, "email", "e-mail"),
        ({"id": SECRET}, "id", "small letters"),
        ({"kind": SECRET}, "kind", "'ward'"),
        ({"telephone": SECRET}, "telephone", "slip"),
        ({"valid_from": SECRET}, "valid_from", "2026-03-31"),
        ({"names": {"en": SECRET * 20}}, "names.en", "200"),
        ({"names": SECRET}, "names", "names with values"),
        ({"campuses": SECRET}, "campuses", "list"),
        ({"locations": [{}]}, "locations.0.campus", "missing"),
        ({"opening_hours": [{"weekly": {"monday": [{"from": SECRET, "to": "17:00"}]}}]}, "from", "08:30"),
        ({"opening_hours": [{"weekly": {"monday": [{"from": "18:00", "to": "17:00"}]}}]}, "monday.0", "not after"),
        ({"valid_from": "2026-03-02", "valid_until": "2026-03-01"}, "", "before"),
    ],
)
def test_a_wrong_value_is_told_by_how_it_is_written(said: dict[str, Any], field: str, told: str) -> None:
    directory, (problem, *_) = read_directory(department(**said))
    assert directory is None
    assert (field in problem.field, told in problem.message, SECRET in problem.message) == (True, True, False)
    assert "should" not in problem.message


def test_a_price_that_is_no_number_is_told() -> None:
    _, problems = read_directory({"tariffs": [{"id": "parking", "subject": {"en": "Parking"}, "amount": "free"}]})
    assert [(one.field, one.message) for one in problems] == [("amount", "is no number")]
