"""What is known of a patient as far as a question is about one: what is added to what is searched for, and what a
language model is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

import yaml

from careline.safety.grounding.dose_conditions import asked_dose
from careline.schemas.wire import ClinicalContext
from careline.text.asked_words import named
from careline.understanding.kidney_function import UNIT, category_of, egfr_of
from careline.understanding.terms.entries import Kind
from careline.understanding.terms.lookup import find_terms

NOTHING = ClinicalContext()
CHILD_UNTIL, OLD_FROM = 18, 75
"""Years of age below and from which a dose is often another one."""
OLDEST = 89
"""Years above which an age may tell who somebody is (45 CFR 164.514(b)(2)(i)(C)); who leaves is "90 or over"."""
SAFETY = "drug_info/safety"
OPEN = 2
"""Words that a question has at most which says nothing of what it is about: "what tests should I order?"."""


def egfr_in(case: ClinicalContext) -> float | None:
    """The eGFR of a patient, as it was given or by creatinine, age and sex; None where it is not known."""
    if case.egfr is not None:
        return case.egfr
    if case.creatinine_umol_l is None or case.age is None or case.sex is None:
        return None
    return egfr_of(case.creatinine_umol_l, case.age, case.sex)


def with_case(text: str, case: ClinicalContext, label: str, language: str) -> tuple[str, tuple[str, ...]]:
    """A question with what it leaves unsaid of the patient, and the names of the fields that this is.

    Of a medicine: how the kidneys work, the age of a child or of somebody old, the weight of a child, and a pregnancy
    where it is asked whether it is safe. A question that says nothing of what it is about is of the complaint.
    """
    added = dict(_of_medicine(text, case, label, language)) or dict(_of_complaint(text, case, language))
    if not added:
        return text, ()
    return f"{text.rstrip(' ?.!')}, {', '.join(added.values())}", tuple(added)


def _of_medicine(text: str, case: ClinicalContext, label: str, language: str) -> Iterator[tuple[str, str]]:
    asked = asked_dose(text, language)
    if not asked.is_dose and not any(term.kind is Kind.DRUG for term in find_terms(text, language)):
        return
    egfr = egfr_in(case)
    if egfr is not None and not asked.kidneys:
        yield "egfr" if case.egfr is not None else "creatinine_umol_l", f"eGFR {egfr:.0f}"
    if case.age is not None and not asked.age and not asked.patients:
        if case.age < CHILD_UNTIL or case.age >= OLD_FROM:
            yield "age", _say("years_old", language).format(n=case.age)
        if case.age < CHILD_UNTIL and case.weight_kg is not None:
            yield "weight_kg", f"{case.weight_kg:g} kg"
    if case.pregnant and label == SAFETY:
        yield "pregnant", _say("pregnant", language)


def _of_complaint(text: str, case: ClinicalContext, language: str) -> Iterator[tuple[str, str]]:
    if case.chief_complaint and not find_terms(text, language) and len(named(text, language)) <= OPEN:
        yield "chief_complaint", case.chief_complaint


def told_to_model(case: ClinicalContext, *, leaves: bool) -> str:
    """The case in a line for a language model; empty where nothing is known. Of one that `leaves` no age above 89."""
    said = [*_figures(case, leaves=leaves), *_texts(case)]
    return f"Patient: {'; '.join(said)}." if said else ""


def _figures(case: ClinicalContext, *, leaves: bool) -> Iterator[str]:
    if case.sex is not None:
        yield case.sex
    if case.age is not None:
        yield "90 years or over" if leaves and case.age > OLDEST else f"{case.age} years"
    if case.weight_kg is not None:
        yield f"{case.weight_kg:g} kg"
    if case.creatinine_umol_l is not None:
        yield f"creatinine {case.creatinine_umol_l:g} µmol/L"
    if (egfr := egfr_in(case)) is not None:
        source = "" if case.egfr is not None else ", CKD-EPI 2021 of that creatinine"
        yield f"eGFR {egfr:.0f} {UNIT} (GFR category {category_of(egfr)}{source})"
    if case.pregnant is not None:
        yield "pregnant" if case.pregnant else "not pregnant"


def _texts(case: ClinicalContext) -> Iterator[str]:
    if case.chief_complaint:
        yield f"complaint: {case.chief_complaint}"
    for name, listed in (("history", case.history), ("takes", case.medications), ("allergies", case.allergies)):
        if listed:
            yield f"{name}: {', '.join(listed)}"


def _say(key: str, language: str) -> str:
    return _sentences()[key][language]


@cache
def _sentences() -> Mapping[str, Mapping[str, str]]:
    text = files("careline.understanding").joinpath("patient_case.yaml").read_text("utf-8")
    content: Mapping[str, Mapping[str, str]] = yaml.load(text, Loader=yaml.CSafeLoader)
    return content
