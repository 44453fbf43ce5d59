"""A dose is told for the medicine, the patient, the route and the kidneys that were asked about, or not at all."""

from __future__ import annotations

import pytest

from careline.model import LANGUAGES
from careline.safety.grounding.dose_conditions import ToldDose, asked_dose, is_another_dose

ADULTS = "Antibiotics, intravenous, adults"


def is_another(question: str, text: str, *headings: str, labels: str = "", ages: tuple[str, ...] = ()) -> bool:
    asked = asked_dose(question, "en")
    return is_another_dose(asked, ToldDose(text, headings, labels, ages), "en")


@pytest.mark.parametrize(
    ("question", "text", "heading"),
    [
        ("dose of ceftriaxone", "Cefazolin 1 g every 8 hours", ADULTS),
        ("dose of zelfanimycine", "Cefazolin 1 g every 8 hours", ADULTS),
        ("dose of rivoxatrel in adults", "Paracetamol 1 g", "Analgesics"),
        ("dosis van co-trimolan", "Paracetamol 1 g", "Pijnstillers"),
    ],
)
def test_the_dose_of_another_medicine_is_not_told(question: str, text: str, heading: str) -> None:
    assert is_another(question, text, heading)


@pytest.mark.parametrize(
    ("question", "text", "heading"),
    [
        ("dose of ceftriaxone", "2 g every 24 hours", "Ceftriaxone"),
        ("dosage de la ceftriaxone", "Ceftriaxon 2 g per 24 uur", "Antibiotica"),
        ("dose of rivoxatrel", "Rivoxatrel 5 mg once daily", "New medicines"),
        ("dose of rivoxatril", "Rivoxatrel 5 mg once daily", "New medicines"),
        ("dose of ceftriaxone and of cefazolin", "Cefazolin 1 g", ADULTS),
        ("what is the loading dose in septic shock", "First dose 7 mg/kg", "Gentamicin"),
    ],
)
def test_a_dose_that_names_the_medicine_in_its_own_words_is_told(question: str, text: str, heading: str) -> None:
    assert not is_another(question, text, heading)


@pytest.mark.parametrize(
    ("question", "text", "heading", "other"),
    [
        ("phenytoin in adults", "Phenytoin 20 mg/kg", "Anticonvulsants, children", True),
        ("phenytoin for a child", "Phenytoin 20 mg/kg", "Anticonvulsants, children", False),
        ("phenytoin for an 80 year old", "Phenytoin 20 mg/kg", "Anticonvulsants, children", True),
        ("phenytoin in a neonate", "Phenytoin 20 mg/kg", "Anticonvulsants, children", True),
        ("amiodarone chez l'enfant", "Amiodarone 300 mg", "Perfusions de l'adulte", True),
        ("phenytoin", "Phenytoin 20 mg/kg", "Anticonvulsants, children", False),
        ("phenytoin in adults", "Adults: phenytoin 15 mg/kg", "Children and others", False),
        ("morphine oral", "Morphine subcutaneous 5 mg", "Analgesics", True),
        ("morphine IV", "Morphine IV 2 mg; oral 10 mg", "Analgesics", False),
        ("paracetamol for a child who drank the syrup", "Paracetamol IV 15 mg/kg", "Analgesics, children", False),
        ("ampicillin in preterm premature rupture", "Ampicillin 2 g", "Antibiotics, adults", False),
        ("tramadol with CrCl 20", "Tramadol 50 mg every 6 hours", "Analgesics, adults", True),
        ("tramadol with CrCl 20", "Tramadol 50 mg every 12 hours", "Renal function below 30", False),
        ("amikacine bij dialyse", "Amikacine 15 mg/kg om de 24 uur", "Antibiotica", True),
    ],
)
def test_patient_route_and_kidneys_are_those_of_the_innermost_text_that_names_any(
    question: str, text: str, heading: str, *, other: bool
) -> None:
    assert is_another(question, text, heading) is other


@pytest.mark.parametrize(
    ("question", "labels", "ages", "other"),
    [
        ("paracetamol for a child of 8 kg", "Paracetamol over 50 kg", (), True),
        ("paracetamol for a child of 8 kg", "Paracetamol 5 to 10 kg", (), False),
        ("paracetamol for a child of 8 kg", "Paracetamol 500 mg", (), False),
        ("gentamicin with CrCl 50", "CrCl 60 or more", (), True),
        ("gentamicin with CrCl 50", "CrCl 40 to 59", (), False),
        ("ibuprofen for a 2 month old baby", "Ibuprofen", ("from 3 months",), True),
        ("ibuprofen for a 2 year old", "Ibuprofen", ("from 3 months",), False),
        ("amoxicillin for 7 days in a child", "Amoxicillin", ("from 3 months",), False),
    ],
)
def test_a_row_is_not_told_for_a_value_that_its_ranges_leave_out(
    question: str, labels: str, ages: tuple[str, ...], *, other: bool
) -> None:
    assert is_another(question, f"{labels} {' '.join(ages)} 5 mg", "CrCl", labels=labels, ages=ages) is other


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_question_in_ordinary_words_names_nothing_unknown(language: str) -> None:
    questions = {
        "nl": "hoeveel krijgt een volwassene bij een longontsteking die thuis begon",
        "en": "how much does an adult get for a pneumonia that began at home",
        "fr": "combien donne-t-on à un adulte pour une pneumonie commencée à la maison",
        "it": "quanto si dà a un adulto per una polmonite cominciata a casa",
    }
    assert asked_dose(questions[language], language).names == frozenset()
