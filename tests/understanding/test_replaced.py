"""What a follow-up takes of the questions before it: what its intent can be about, and nothing of another topic."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from careline.directory.directory import Directory
from careline.understanding.entities.recognise import HospitalNames
from careline.understanding.intents.read_intent import ReadQuestion, goes_on, is_bare, leaves_thing
from careline.understanding.intents.slots import Named, filled, is_answered, pronouns_in, with_meant
from careline.understanding.question import Entity
from careline.understanding.replaced import replaced

HOSPITAL = Directory.model_validate(
    {
        "campuses": [
            {"id": "oever", "names": {"nl": "Campus Oever"}}, {"id": "bosrand", "names": {"nl": "Campus Bosrand"}},
        ],
        "departments": [
            {"id": "heart", "names": {"nl": "Cardiologie", "en": "Cardiology", "fr": "Cardiologie"}},
            {"id": "skin", "names": {"nl": "Dermatologie", "en": "Dermatology", "fr": "Dermatologie"}},
            {"id": "bills", "names": {"nl": "Facturatie"}, "contact_for": ["billing"]},
        ],
        "doctors": [{"id": "aline", "last_name": "Quivron", "sex": "female", "department": "heart"}],
    }
)  # fmt: skip
NAMES = HospitalNames(HOSPITAL, date(2026, 3, 4))
NOW = datetime(2026, 3, 4, 10)


def a_question(text: str, language: str = "nl") -> ReadQuestion:
    return ReadQuestion(text, NAMES.recognised(text, language, NOW))


def taken(label: str, question: str, *before: str, language: str = "nl") -> set[str]:
    """The ids of what a question with a label is about, behind others, oldest first."""
    said = a_question(question, language)
    spoken = tuple(a_question(one, language).recognised.entities for one in reversed(before))
    of = Named(said.recognised.entities, said.recognised.beneath, spoken, spoken, NAMES.sexes, NAMES.purposes)
    on = goes_on(said, language)
    found = filled(
        label, of, pronouns_in(question, language), goes_on=on, leans=on and leaves_thing(said, language)
    )
    return {each for one in found for each in one.ids}


@pytest.mark.parametrize(
    ("before", "now", "language", "whole"),
    [
        ("is cardiologie open op zaterdag", "en op zondag?", "nl", "is cardiologie open op zondag?"),
        ("où se trouve la cardiologie", "et la dermatologie ?", "fr", "où se trouve la dermatologie?"),
        ("is dermatology at Oever busy", "no, I meant Bosrand", "en", "is dermatology at Bosrand busy?"),
        ("wanneer werkt Quivron", "en op Bosrand?", "nl", "wanneer werkt Quivron Bosrand?"),
        ("warfarin and fluconazole together", "and amiodarone?", "en", "warfarin and amiodarone together?"),
    ],
)
def test_what_a_short_question_names_takes_the_place_of_its_kind(
    before: str, now: str, language: str, whole: str
) -> None:
    said = a_question(now, language)
    assert is_bare(said, language)
    assert replaced(a_question(before, language), said) == whole


def test_a_new_topic_begun_with_and_carries_no_place_over() -> None:
    assert taken("department_or_service", "en hebben jullie ook een bloedbank", "is cardiologie op Oever open") == set()
    assert taken("general", "en wat is de hoofdstad van Peru", "is cardiologie op Oever open") == set()


def test_what_is_asked_of_a_medicine_is_of_the_last_medicine_however_many_questions_back() -> None:
    found = taken("drug_info/dosing", "loading dose?", "methotrexate in psoriasis", "obese patient", language="en")
    assert "methotrexate" in found


def test_a_second_medicine_is_set_beside_the_first_and_not_beside_the_one_it_replaces() -> None:
    found = taken("drug_info/interaction", "and with ibuprofen?", "lithium and furosemide together", language="en")
    assert found == {"lithium", "ibuprofen"}


def test_of_a_patient_a_condition_adds_to_those_before() -> None:
    found = taken("treatment", "and if pregnant with gout?", "hypertension, first step", language="en")
    assert {"hypertension", "gout"} <= found


def test_visiting_hours_that_lean_are_those_of_the_ward_before_and_others_are_the_hospitals() -> None:
    found = taken("visiting_hours", "en wanneer kan ik daar op bezoek", "ligt cardiologie op Oever")
    assert found == {"heart", "oever"}
    assert "heart" not in taken("visiting_hours", "wat zijn de bezoekuren bij jullie", "hoeveel kost cardiologie")


def test_a_bill_is_a_matter_of_who_is_there_for_bills() -> None:
    assert taken("billing_contact", "ik wil in schijven betalen, wie bel ik") == {"bills"}


def test_a_doctor_stands_in_the_place_of_a_pronoun_and_a_department_does_not() -> None:
    doctor, ward = Entity("doctor", "Quivron", ("aline",)), Entity("department", "cardiologie", ("heart",))
    called = {"doctor": "dokter Quivron", "department": "cardiologie"}
    read = [
        with_meant("wanneer werkt ze", "nl", Named(before=((one,),)), lambda meant: called[meant.kind])
        for one in (doctor, ward)
    ]
    assert read == ["wanneer werkt dokter Quivron", "wanneer werkt ze"]


def test_who_names_a_doctor_means_no_other_by_a_pronoun() -> None:
    doctor = Entity("doctor", "Quivron", ("aline",))
    named = Named(question=(Entity("doctor", "dokter Roels", ()),), before=((doctor,),))
    asked = "werkt zij samen met dokter Roels"
    assert with_meant(asked, "nl", named, lambda one: one.text) == asked


def test_what_documents_answer_is_no_matter_of_the_directory() -> None:
    assert not is_answered("medical_information")
    assert is_answered("tariff")
