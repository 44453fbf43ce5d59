"""Where an answer would be a guess it is asked back what is meant, once; where it is known, nobody is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from careline.conversation import pending
from careline.curation.editions import keep
from careline.directory.directory import Directory
from careline.installation import Installation
from careline.model import LANGUAGES
from careline.packs.clarifications import Meaning
from careline.schemas import wire
from careline.screened import ScreenedText
from careline.understanding.terms.index import medical_terms
from tests.fakes import SettableClock
from tests.turn.turns import TALK, TENANT, WatchedIndex, an_installation, answer, ask, packs

CLINIC = "clinical_assistant"
WARD = {"nl": "Hematologie", "en": "Haematology", "fr": "Hématologie", "it": "Ematologia"}
MONDAY = {"weekly": {"monday": [{"from": "08:00", "to": "12:00"}]}}
DIABETES = {
    "nl": ("aanpak van diabetes", "type 2", "diabetes type 2"),
    "en": ("diabetes management", "type 2", "type 2 diabetes"),
    "fr": ("prise en charge du diabète", "type 2", "diabète de type 2"),
    "it": ("gestione del diabete", "tipo 2", "diabete di tipo 2"),
}


def a_directory(**said: Any) -> Directory:
    ward = {"id": "haematology", "names": WARD, "phone": "011 23 45 67", "opening_hours": [MONDAY], **said}
    campus = {"id": "north", "names": {"nl": "Campus Noord", "en": "North campus"}, "phone": "011 23 45 00"}
    return Directory.model_validate({"departments": [ward], "campuses": [campus], "doctors": []})


async def a_hospital(directory: Directory | None = None, **chosen: Any) -> Installation:
    """A hospital without documents and without a model, with a directory where one is given."""
    made = an_installation(index=WatchedIndex(), **chosen)
    made = replace(made, engines=replace(made.engines, model=None))
    if directory is not None:
        await keep(directory, TENANT, made.engines, by="ann")
    return made


async def told(hospital: Installation, text: str, language: str = "en", **chosen: Any) -> wire.Answer:
    """The answer to the next message of a conversation."""
    chosen.setdefault("pack", CLINIC)
    return answer(await ask(hospital, text, conversation_id="talk", language=language, **chosen))


def texts(asked: wire.Answer) -> list[str]:
    return [choice.text for choice in asked.choices]


def searched(hospital: Installation) -> Sequence[str]:
    index = hospital.engines.index
    assert isinstance(index, WatchedIndex)
    return [query.text for query in index.asked]


@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_term_without_its_qualifier_is_asked_about_and_the_reply_is_searched_for(language: str) -> None:
    question, reply, whole = DIABETES[language]
    hospital = await a_hospital()
    asked = await told(hospital, question, language)
    assert (asked.disposition, asked.reason, len(asked.choices)) == ("clarified", "WHICH_MEANING", 3)
    assert all(text in asked.text for text in texts(asked))
    assert searched(hospital) == []
    gone_on = await told(hospital, reply, language)
    assert gone_on.disposition != "clarified"
    assert [text for text in searched(hospital) if whole in text]


@pytest.mark.parametrize("reply", ["3", "the third one", "the last", "gestational", "gestatonal please"])
async def test_a_reply_is_a_number_a_place_or_a_word_typed_wrong(reply: str) -> None:
    hospital = await a_hospital()
    await told(hospital, "diabetes management")
    await told(hospital, reply)
    assert searched(hospital)[-1] == "gestational diabetes management"


async def test_a_choice_is_taken_by_its_id_whatever_its_words() -> None:
    hospital = await a_hospital()
    asked = await told(hospital, "diabetes management")
    assert all(isinstance(choice.text, ScreenedText) for choice in asked.choices)
    await told(hospital, "that one", choice=asked.choices[2].id)
    assert searched(hospital)[-1] == "gestational diabetes management"


async def test_the_id_of_an_older_question_back_takes_no_choice_of_a_newer_one() -> None:
    hospital = await a_hospital()
    first = await told(hospital, "diabetes management")
    await told(hospital, "anaemia workup")
    await told(hospital, "type 1 diabetes", choice=first.choices[0].id)
    assert "iron deficiency" not in searched(hospital)[-1]


@pytest.mark.parametrize(
    ("language", "reply"),
    [("nl", "geen van beide"), ("en", "something else"), ("fr", "ni l'un ni l'autre"), ("it", "nessuno dei due"),
     ("nl", "allebei"), ("en", "all of them please")],
)  # fmt: skip
async def test_who_means_no_single_one_is_answered_as_asked_and_not_asked_again(language: str, reply: str) -> None:
    question, *_ = DIABETES[language]
    hospital = await a_hospital()
    await told(hospital, question, language)
    gone_on = await told(hospital, reply, language)
    assert gone_on.disposition != "clarified"
    assert searched(hospital)[-1] == question


async def test_who_passes_over_a_question_back_is_not_asked_twice() -> None:
    hospital = await a_hospital()
    await told(hospital, "diabetes management")
    await told(hospital, "where is the blood bank of this hospital")
    again = await told(hospital, "diabetes management")
    assert again.disposition != "clarified"
    other = await told(hospital, "treatment of heart failure")
    assert other.reason == "WHICH_MEANING", "something else is asked about all the same"


async def test_after_the_idle_time_it_is_asked_anew_and_no_choice_waits() -> None:
    clock = SettableClock()
    hospital = await a_hospital(clock=clock)
    await told(hospital, "diabetes management")
    clock.move(timedelta(minutes=31).total_seconds())
    assert (await told(hospital, "diabetes management")).disposition == "clarified"


@pytest.mark.parametrize(
    "question",
    [
        "type 2 diabetes management",
        "management of diabetes in pregnancy",
        "what is the target blood glucose of a ward patient with diabetes",
        "metformin in diabetes",
        "diabetes after kidney transplantation",
        "acute heart failure: first dose of furosemide",
        "stroke thrombolysis",
        "hepatitis B vaccination of staff",
        "chronic kidney disease stage 4: phosphate",
        "diabetes education nurse, telephone number?",
    ],
)
async def test_a_clear_question_is_not_asked_back(question: str) -> None:
    assert (await told(await a_hospital(), question)).disposition != "clarified"


async def test_what_was_said_before_may_say_which_is_meant() -> None:
    hospital = await a_hospital()
    await told(hospital, "glucose targets in type 1 diabetes")
    assert (await told(hospital, "and the treatment of diabetes?")).disposition != "clarified"


async def test_what_asks_on_is_not_asked_back() -> None:
    hospital = await a_hospital()
    await told(hospital, "which statin after a myocardial infarction")
    assert (await told(hospital, "and in renal failure?")).disposition != "clarified"


async def test_one_choice_leads_to_a_second_question() -> None:
    hospital = await a_hospital()
    asked = await told(hospital, "kidney disease treatment")
    assert asked.text == packs()[CLINIC].say("which_kidney_disease", "en")
    stages = await told(hospital, "chronic")
    assert (stages.reason, texts(stages)) == ("WHICH_NEXT", [f"stage {n}" for n in range(1, 6)])
    await told(hospital, "3")
    assert searched(hospital) == ["chronic kidney disease stage 3 treatment"]


async def test_what_is_known_of_the_patient_is_not_asked() -> None:
    hospital = await a_hospital()
    await told(hospital, "kidney disease treatment", clinical_context={"egfr": 22})
    assert (await told(hospital, "chronic")).disposition != "clarified"
    assert "chronic kidney disease stage 4 treatment" in searched(hospital)[-1]


@pytest.mark.parametrize(
    ("language", "question", "reply", "whole"),
    [
        ("en", "kidney disease treatment", "chronic, stage 4", "chronic kidney disease stage 4 treatment"),
        ("nl", "nierziekte behandeling", "chronisch, stadium 4", "chronische nierziekte stadium 4 behandeling"),
        ("fr", "traitement de la maladie rénale", "chronique, stade 4", "maladie rénale chronique stade 4"),
        ("it", "terapia della malattia renale", "cronica, stadio 4", "malattia renale cronica stadio 4"),
    ],
)
async def test_both_questions_may_be_answered_at_once(language: str, question: str, reply: str, whole: str) -> None:
    hospital = await a_hospital()
    assert (await told(hospital, question, language)).reason == "WHICH_MEANING"
    assert (await told(hospital, reply, language)).disposition != "clarified"
    assert whole in searched(hospital)[-1]


@pytest.mark.parametrize("channel", ["chat", "voice"])
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_department_alone_is_asked_about_by_what_the_directory_holds(language: str, channel: str) -> None:
    hospital = await a_hospital(a_directory())
    asked = await told(hospital, WARD[language], language, pack="hospital_line", channel=channel)
    assert (asked.disposition, asked.reason) == ("clarified", "WHICH_PART")
    known = packs()["hospital_line"].asks_back_about(language).parts["department"]
    held = [one.told for one in known if one.label in {"department_contact/phone", "department_contact/hours"}]
    assert texts(asked)[:2] == held, "no doctors and no place, which the directory does not hold"
    number = await told(hospital, held[0], language, pack="hospital_line", channel=channel)
    assert (number.reason, number.intent) == ("DIRECTORY", "department_contact")
    if channel == "chat":
        assert "011 23 45 67" in number.text


async def test_with_the_emergency_department_nobody_makes_an_appointment() -> None:
    names = {"nl": "Spoedgevallen", "en": "Emergency department"}
    asked = [
        await told(await a_hospital(one), text, "nl", pack="hospital_line")
        for one, text in (
            (a_directory(), "hematologie"),
            (a_directory(id="emergency", names=names, specialty="emergency"), "spoedgevallen"),
        )
    ]
    assert ["een afspraak" in texts(one) for one in asked] == [True, False]


async def test_of_a_department_of_which_one_thing_is_known_nothing_is_asked() -> None:
    hospital = await a_hospital(a_directory(opening_hours=[]))
    asked = await told(hospital, "Haematology", pack=CLINIC)
    assert asked.disposition != "clarified"


async def test_a_question_about_a_department_is_no_department_alone() -> None:
    hospital = await a_hospital(a_directory())
    asked = await told(hospital, "may children come along to haematology", pack="hospital_line")
    assert asked.disposition != "clarified"


@pytest.mark.parametrize(
    ("language", "word"), [("nl", "afspraak"), ("en", "appointment"), ("fr", "rdv"), ("it", "appuntamento")]
)
async def test_a_word_alone_that_nothing_answers_is_asked_about(language: str, word: str) -> None:
    hospital = await a_hospital()
    asked = await told(hospital, word, language, pack="hospital_line")
    assert (asked.reason, len(asked.choices)) == ("WHICH_WORD", 3)
    again = await told(hospital, word, language, pack="hospital_line")
    assert again.disposition != "clarified"


async def test_the_words_of_a_choice_that_only_talk_take_it() -> None:
    hospital = await a_hospital()
    await told(hospital, "invoice", pack="hospital_line")
    await told(hospital, "whom to ask", pack="hospital_line")
    assert searched(hospital)[-1] == "Whom do I contact with a question about my bill?"


async def test_an_emergency_is_asked_nothing() -> None:
    hospital = await a_hospital()
    await told(hospital, "afspraak", "nl", pack="hospital_line")
    ended = await told(hospital, "de eerste, mijn vader ademt niet meer", "nl", pack="hospital_line")
    assert ended.reason == "EMERGENCY"


async def test_what_is_asked_back_is_kept_encrypted_with_what_may_be_asked_next() -> None:
    hospital = await a_hospital()
    await told(hospital, "kidney disease treatment")
    kept = await pending.waited_for(TALK, TENANT, hospital.engines)
    assert kept is not None
    assert isinstance(kept.awaited, pending.Clarification)
    assert kept.awaited.question == "kidney disease treatment"
    assert [len(one.then) for one in kept.awaited.choices] == [0, 5]
    rows = [item async for item in hospital.engines.table.query(f"{TENANT}/pending")]
    assert "kidney" not in repr(rows)


@pytest.mark.parametrize("name", [CLINIC, "hospital_line"])
def test_every_language_asks_back_about_the_same_things(name: str) -> None:
    held = packs()[name].clarifications
    assert set(held) == set(LANGUAGES)
    shapes = {
        code: (
            [(one.name, one.terms, _shape(one.meanings)) for one in known.ambiguous],
            [(word.name, len(word.questions)) for word in known.words],
            {kind: [part.label for part in parts] for kind, parts in known.parts.items()},
        )
        for code, known in held.items()
    }
    assert all(shape == shapes["en"] for shape in shapes.values())


def _shape(meanings: Sequence[Meaning]) -> list[Any]:
    return [_shape(one.then) for one in meanings]


@pytest.mark.parametrize("name", [CLINIC, "hospital_line"])
def test_what_is_asked_back_about_is_known_to_the_vocabulary_and_the_pack(name: str) -> None:
    pack = packs()[name]
    known = {entry.key for entry in medical_terms().entries.values()}
    for held in pack.clarifications.values():
        assert {key for one in held.ambiguous for key in one.terms} <= known
        labels = {part.label for parts in held.parts.values() for part in parts}
        assert {label.partition("/")[0] for label in labels} <= {label.partition("/")[0] for label in pack.intents}
