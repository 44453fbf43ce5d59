"""Stages of chronic kidney disease are read as values, and a creatinine as the eGFR that it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.understanding.kidney_function import RANGES, category_of, egfr_of, stages_as_egfr


@pytest.mark.parametrize(
    ("egfr", "category"),
    [(120, "G1"), (90, "G1"), (89.9, "G2"), (60, "G2"), (59, "G3a"), (45, "G3a"), (44, "G3b"), (30, "G3b"),
     (29, "G4"), (15, "G4"), (14, "G5"), (0, "G5")],
)  # fmt: skip
def test_the_categories_are_those_of_kdigo(egfr: float, category: str) -> None:
    assert category_of(egfr) == category


@pytest.mark.parametrize(
    ("creatinine", "age", "sex", "egfr"),
    # Worked out from the published coefficients.
    [(88.4, 50, "male", 92), (88.4, 50, "female", 69), (150, 70, "female", 32), (62, 30, "female", 118)],
)
def test_an_egfr_is_computed_by_ckd_epi_2021(creatinine: float, age: int, sex: str, egfr: int) -> None:
    found = egfr_of(creatinine, age, sex)
    assert found is not None
    assert abs(found - egfr) <= 1


@pytest.mark.parametrize(("age", "sex"), [(17, "male"), (40, "other")])
def test_of_whom_the_equation_does_not_hold_there_is_none(age: int, sex: str) -> None:
    assert egfr_of(88.4, age, sex) is None


@given(st.floats(5, 5000), st.floats(5, 5000), st.integers(18, 110), st.sampled_from(["female", "male"]))
def test_more_creatinine_is_never_a_better_egfr(one: float, other: float, age: int, sex: str) -> None:
    less, more = egfr_of(min(one, other), age, sex), egfr_of(max(one, other), age, sex)
    assert less is not None
    assert more is not None
    assert more <= less


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("enoxaparin dose in CKD stage 3", "enoxaparin dose in CKD eGFR 30-59"),
        ("CKD 3b and allopurinol", "CKD eGFR 30-44 and allopurinol"),
        ("renal disease G4, which dose", "renal disease eGFR 15-29, which dose"),
        ("dosis bij chronische nierziekte stadium 3a", "dosis bij chronische nierziekte eGFR 45-59"),
        ("posologie, insuffisance rénale stade V", "posologie, insuffisance rénale eGFR < 15"),
        ("dose nella malattia renale cronica stadio 2", "dose nella malattia renale cronica eGFR 60-89"),
        ("stage 3 of the trial", "stage 3 of the trial"),
        ("kidney biopsy on day 3", "kidney biopsy on day 3"),
        ("CKD stage 7", "CKD stage 7"),
    ],
)
def test_a_stage_is_the_egfr_that_it_is(text: str, read: str) -> None:
    assert stages_as_egfr(text) == read


def test_of_a_patient_in_that_stage_it_is_the_egfr_of_the_patient() -> None:
    assert stages_as_egfr("CKD stage 3", 41.6) == "CKD eGFR 42"
    assert stages_as_egfr("CKD stage 3b", 50) == "CKD eGFR 30-44", "the question goes before the case"


@given(st.sampled_from(sorted(RANGES)), st.sampled_from(["", " and 5 mg", " in a man of 80"]))
def test_what_stands_behind_a_stage_stays(stage: str, behind: str) -> None:
    assert stages_as_egfr(f"CKD stage {stage}{behind}") == f"CKD eGFR {RANGES[stage]}{behind}"
