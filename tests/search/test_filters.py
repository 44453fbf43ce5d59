"""Which filters are taken, and what is said of the others."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from careline.errors import BadRequest
from careline.model import DocumentFacts
from careline.search.filters import FIELDS, MOST_VALUES, checked

WRONG: dict[str, list[Any]] = {
    "text": [5, True, "geheim\ud800"],
    "number": ["geheim", "20.5", "-1", "²", -1, True, 2**31, 2**70, "9" * 5000, ""],
    "day": ["geheim", "2026-02-30", 20260302, "2026-03-02T10:00", "0000-00-00", ""],
}
RIGHT: dict[str, list[tuple[str | int, str | int]]] = {
    "text": [("nl", "nl"), ("", "")],
    "number": [(2026, 2026), ("2026", 2026), (0, 0), (2**31 - 1, 2**31 - 1)],
    "day": [("2026-03-02", "2026-03-02"), ("20260302", "2026-03-02"), ("0001-01-01", "0001-01-01")],
}


def test_every_fact_of_a_document_can_be_filtered_on() -> None:
    assert {field.name for field in fields(DocumentFacts)} < set(FIELDS)
    assert {name: FIELDS[name] for name in ("year", "valid_from", "authors", "audience", "doi", "version")} == {
        "year": "number", "valid_from": "day", "authors": "text", "audience": "text", "doi": "text", "version": "number"
    }  # fmt: skip


@pytest.mark.parametrize("name", FIELDS)
def test_a_value_of_another_type_is_refused_by_the_fields_name_and_not_repeated(name: str) -> None:
    for value in WRONG[FIELDS[name]]:
        with pytest.raises(BadRequest, match=rf"^filters: {name} takes ") as raised:
            checked({"language": ("nl",), name: (value,)})
        assert "geheim" not in raised.value.message


@pytest.mark.parametrize("name", FIELDS)
def test_a_value_of_the_fields_type_is_taken_as_the_engines_hold_it(name: str) -> None:
    given, wanted = zip(*RIGHT[FIELDS[name]], strict=True)
    assert checked({name: given}) == {name: wanted}


def test_an_unknown_field_is_named_with_those_that_there_are() -> None:
    with pytest.raises(BadRequest, match=r"^filters: colour is not .* valid_until"):
        checked({"colour": ("red",)})


def test_more_values_than_an_engine_takes_are_refused() -> None:
    assert len(checked({"doc_key": ("a",) * MOST_VALUES})["doc_key"]) == MOST_VALUES
    with pytest.raises(BadRequest, match="doc_key takes at most"):
        checked({"doc_key": ("a",) * (MOST_VALUES + 1)})
