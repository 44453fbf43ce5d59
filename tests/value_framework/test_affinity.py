"""The matrix of intents and categories: its values, what has none, and what a hospital may change."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.value_framework.affinity import LEAST, MOST, affinity, fault_of
from careline.value_framework.category import CATEGORIES

SPECIFIED = {
    "navigation_or_practical_info": (1.30, 0.65, 0.55, 1.05, 0.85, 1.00),
    "appointment_scheduling": (1.05, 0.80, 0.75, 1.30, 0.95, 1.00),
    "medical_information": (0.75, 1.25, 1.05, 0.95, 0.85, 1.00),
    "doctor_information": (0.90, 1.10, 0.85, 1.20, 0.85, 1.00),
    "department_or_service": (1.10, 1.10, 0.85, 1.20, 0.90, 1.00),
    "administrative_or_legal": (0.90, 0.80, 1.20, 0.95, 1.30, 1.00),
    "billing_or_insurance": (0.85, 0.85, 1.30, 0.95, 1.10, 1.00),
}
"""The 42 values of the specification, which hospitals start from."""


def test_the_shipped_values_are_those_of_the_specification() -> None:
    held = {row: tuple(values[name] for name in CATEGORIES) for row, values in affinity().rows.items()}
    assert held == SPECIFIED


@given(st.text(max_size=40), st.sampled_from(CATEGORIES))
def test_an_intent_without_a_row_weighs_nothing(intent: str, category: str) -> None:
    if intent not in affinity().row_of:
        assert affinity().multiplier(intent, category) == 1.0  # type: ignore[arg-type]


@pytest.mark.parametrize("intent", ["general", "tariff", "drug_info", ""])
def test_what_is_asked_in_general_and_prices_weigh_nothing(intent: str) -> None:
    assert {affinity().multiplier(intent, each) for each in CATEGORIES} == {1.0}


@pytest.mark.parametrize(
    ("intent", "row"),
    [
        ("visiting_hours", "navigation_or_practical_info"), ("doctor_schedule_query", "doctor_information"),
        ("complaint_contact", "administrative_or_legal"), ("billing_contact", "billing_or_insurance"),
    ],
)  # fmt: skip
def test_a_narrower_intent_has_the_row_of_what_it_is_about(intent: str, row: str) -> None:
    assert [affinity().multiplier(intent, each) for each in CATEGORIES] == list(SPECIFIED[row])


def test_a_hospital_replaces_a_value_and_keeps_the_others() -> None:
    own = {"billing_or_insurance/practical": 1.1}
    assert affinity().multiplier("billing_contact", "practical", own) == 1.1
    assert affinity().multiplier("billing_contact", "regulatory", own) == 1.3
    assert affinity().multiplier("general", "practical", own) == 1.0


@pytest.mark.parametrize("value", [LEAST, 1.0, MOST])
def test_a_multiplier_within_the_bounds_may_be_chosen(value: float) -> None:
    assert fault_of({"medical_information/general": value}) == ""


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("medical_information/general", 0.54, "between"), ("medical_information/general", 1.31, "between"),
        ("medical_information/general", math.nan, "between"), ("medical_information/general", math.inf, "between"),
        ("gardening/general", 1.0, "ROW/CATEGORY"), ("medical_information/weather", 1.0, "ROW/CATEGORY"),
        ("medical_information", 1.0, "ROW/CATEGORY"),
    ],
)  # fmt: skip
def test_another_one_is_refused_with_what_may_be_written(name: str, value: float, said: str) -> None:
    assert said in fault_of({name: value})
