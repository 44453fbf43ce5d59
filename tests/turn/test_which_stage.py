"""The dose of a medicine in kidney disease is another one at each stage: which one it is, is known or asked."""

from __future__ import annotations

from typing import Any

import pytest

from careline.understanding.kidney_function import said_stage, stages_of
from tests.turn.test_clarify import a_hospital, searched, texts, told

QUESTION = {
    "nl": ("dosis allopurinol bij chronische nierziekte", "dosis allopurinol bij chronische nierziekte"),
    "en": ("allopurinol dose in chronic kidney disease", "allopurinol dose in chronic kidney disease"),
    "fr": ("dose d'allopurinol, insuffisance rénale chronique", "dose d'allopurinol, maladie rénale chronique"),
    "it": ("dose di allopurinolo, insufficienza renale cronica", "dose di allopurinolo, malattia renale cronica"),
}


@pytest.mark.parametrize("language", QUESTION)
async def test_the_stage_is_asked_where_nobody_said_it(language: str) -> None:
    question, whole = QUESTION[language]
    hospital = await a_hospital()
    asked = await told(hospital, question, language)
    assert (asked.reason, [stages_of(one) for one in texts(asked)]) == ("WHICH_NEXT", [[f"{n}"] for n in range(1, 6)])
    await told(hospital, "3b", language)
    assert searched(hospital)[-1] == f"{whole} eGFR 30-44"


@pytest.mark.parametrize(
    ("reply", "egfr"),
    [
        ("2", "60-89"), ("the second one", "60-89"), ("stage two", "60-89"), ("second", "60-89"),
        ("3", "30-59"), ("3a", "45-59"), ("stage 3 b", "30-44"), ("three b", "30-44"), ("IIIb", "30-44"),
        ("G4", "15-29"), ("the last one", "< 15"), ("eGFR of 38", "30-44"), ("I think 3a", "45-59"),
    ],
)  # fmt: skip
async def test_a_stage_is_told_by_number_place_word_letter_or_egfr(reply: str, egfr: str) -> None:
    hospital = await a_hospital()
    await told(hospital, "allopurinol dose in CKD")
    await told(hospital, reply)
    assert searched(hospital)[-1] == f"allopurinol dose in chronic kidney disease eGFR {egfr}"


@pytest.mark.parametrize(
    "replies", [("chronic", "3b"), ("the second", "three b"), ("chronic, 3b",), ("chronic stage 3b",), ("3b",)]
)
async def test_of_kidney_disease_it_is_asked_which_and_then_which_stage(replies: tuple[str, ...]) -> None:
    hospital = await a_hospital()
    assert (await told(hospital, "allopurinol dose in kidney disease")).reason == "WHICH_MEANING"
    for reply in replies:
        last = await told(hospital, reply)
    assert last.disposition != "clarified"
    assert searched(hospital)[-1] == "allopurinol dose in chronic kidney disease eGFR 30-44"


@pytest.mark.parametrize(
    ("question", "case"),
    [
        ("allopurinol dose in CKD stage 3", {}),
        ("allopurinol dose in acute kidney injury", {}),
        ("allopurinol dose in kidney failure on dialysis", {}),
        ("allopurinol dose in CKD with an eGFR of 25", {}),
        ("usual dose of allopurinol", {}),
        ("interactions of allopurinol and azathioprine in CKD", {}),
        ("allopurinol dose in CKD", {"egfr": 25}),
        ("allopurinol dose in CKD", {"creatinine_umol_l": 180, "age": 70, "sex": "female"}),
    ],
)
async def test_who_says_it_or_does_not_need_it_is_not_asked(question: str, case: dict[str, Any]) -> None:
    asked = await told(await a_hospital(), question, clinical_context=case)
    assert asked.disposition != "clarified"


async def test_the_stage_of_a_patient_is_the_eGFR_of_the_case() -> None:
    hospital = await a_hospital()
    await told(hospital, "allopurinol dose in CKD", clinical_context={"egfr": 25})
    assert searched(hospital)[-1] == "allopurinol dose in chronic kidney disease eGFR 25"


async def test_a_stage_said_before_is_not_asked_for_again() -> None:
    hospital = await a_hospital()
    await told(hospital, "phosphate targets in CKD stage 4")
    assert (await told(hospital, "allopurinol dose in CKD")).disposition != "clarified"


async def test_who_passes_over_the_question_is_not_asked_again() -> None:
    hospital = await a_hospital()
    assert (await told(hospital, "allopurinol dose in CKD")).reason == "WHICH_NEXT"
    await told(hospital, "which antibiotics cover legionella")
    assert (await told(hospital, "allopurinol dose in CKD")).disposition != "clarified"


@pytest.mark.parametrize(
    ("reply", "language"),
    [("3", "en"), ("a", "en"), ("three", "en"), ("3a or 3b", "en"), ("een a", "nl"), ("eGFR", "en"), ("", "en"),
     ("eGFR 900", "en"), ("route 3", "en")],
)  # fmt: skip
def test_what_is_a_number_several_or_none_is_no_stage_by_itself(reply: str, language: str) -> None:
    assert said_stage(reply, language) is None
