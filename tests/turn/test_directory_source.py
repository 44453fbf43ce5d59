"""A language model is told what the directory holds of what a question names, as a source like any other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from careline.curation.editions import Edition, keep
from careline.directory.directory import Directory
from careline.installation import Installation
from careline.safety.completion_end import NO_ANSWER
from careline.telemetry.explain import explain
from careline.turn.speak.answer_accumulator import AnswerAccumulator
from careline.turn.speak.generate import messages, quoting_input
from careline.turn.speak.speak import speak
from careline.turn.stages.add_directory import add_directory
from careline.turn.turn import Evidence, Turn
from careline.understanding.question import Entity, Intent
from tests.fakes import NOW
from tests.turn.turns import TENANT, a_hospital, a_turn, an_installation, answer, ask, packs

DOCTORS = [
    {"id": f"d{n}", "title": "Dr.", "first_name": first, "last_name": last, "department": "heart"}
    for n, (first, last) in enumerate([("An", "Wuyts"), ("Bo", "Sels"), ("Cis", "Thys"), ("Dré", "Maes")])
]
DIRECTORY = Directory.model_validate(
    {
        "campuses": [{"id": "noord", "names": {"nl": "Campus Noord"}}],
        "departments": [
            {
                "id": "heart", "names": {"nl": "Cardiologie"}, "phone": "011 90 13 32", "confirmed_on": "2026-11-30",
                "locations": [{"campus": "noord", "floor": 2, "route": 32}],
            },
        ],
        "doctors": [
            *DOCTORS,
            {"id": "old", "last_name": "Oud", "department": "heart", "valid_until": "2020-01-01"},
        ],
    }
)  # fmt: skip
HEART = Intent("general", 0.9, entities=(Entity("department", "cardiologie", ("heart",)),))


def a_model(*sentences: str) -> Installation:
    return an_installation([*sentences])


async def told(installation: Installation | None = None, **chosen: Any) -> Turn:
    """A turn about cardiology that pages answer, with what is added."""
    turn = a_turn("is de dienst cardiologie rustig", sources=["Cardiologie is rustig."], intent=HEART)
    turn = replace(turn, edition=Edition(3, DIRECTORY, NOW), **chosen)
    return await add_directory(turn, installation or a_model("Ja."))


async def test_a_model_is_told_of_every_doctor_of_the_department_its_number_and_its_place() -> None:
    turn = await told()
    text = messages(turn)[0].text
    assert all(f"{one['first_name']} {one['last_name']}" in text for one in DOCTORS)
    assert "011 90 13 32" in text
    assert "route 32" in text
    assert "[2] Gids van het ziekenhuis, bevestigd op 30 november 2026 (nl)" in text
    assert "Wilt u" not in text.partition("<sources>")[2], "nothing that is offered is a fact"


async def test_on_the_phone_a_model_is_told_of_all_doctors_too() -> None:
    turn = await told()
    request = turn.request.model_copy(update={"channel": "voice"})
    aloud = await add_directory(replace(turn, request=request, sources=turn.sources[:1]), a_model("Ja."))
    assert "Dré Maes" in messages(aloud)[0].text


async def test_who_is_there_is_counted_and_who_is_there_no_more_is_not_told() -> None:
    turn = await told()
    assert turn.directory_facts is not None
    assert (turn.directory_facts.doctors_found, turn.directory_facts.doctors_applied) == (5, 4)
    assert "Oud" not in messages(turn)[0].text


async def test_who_quotes_does_not_read_it() -> None:
    turn = await told(replace_model(None))
    assert len(turn.sources) == 1
    assert all(not source.read for source in quoting_input(await told()).sources[1:])


def replace_model(model: None) -> Installation:
    made = a_model()
    return replace(made, engines=replace(made.engines, model=model))


async def test_what_a_person_wrote_for_the_question_stays_alone() -> None:
    turn = await told(evidence=Evidence(1.0, "person"))
    assert (len(turn.sources), turn.directory_facts) == (1, None)


async def test_of_a_question_that_names_nothing_nothing_is_added() -> None:
    assert len((await told(intent=Intent("general", 0.9))).sources) == 1


async def test_of_two_doctors_of_one_name_nothing_is_told() -> None:
    meant = Intent("general", 0.9, entities=(Entity("doctor", "Claes", ("d1", "d2")),))
    assert len((await told(intent=meant)).sources) == 1


async def kept(*sentences: str, **chosen: Any) -> Installation:
    installation = await a_hospital([*sentences], **chosen)
    await keep(DIRECTORY, TENANT, installation.engines, by="ann")
    return installation


QUESTION = "wat kost parkeren bij cardiologie"


async def test_its_facts_are_said_and_cited() -> None:
    doctors = "Op Cardiologie werken Dr. An Wuyts, Dr. Bo Sels, Dr. Cis Thys en Dr. Dré Maes [2]. "
    installation = await kept("Parkeren kost 2,50 euro per uur [1]. ", doctors, "U bereikt hen op 011 90 13 32 [2]. ")
    given = answer(await ask(installation, QUESTION, language="nl"))
    assert "Dr. Dré Maes" in given.text
    assert "011 90 13 32" in given.text
    cited = given.citations[1]
    assert cited.source_type == "directory"
    assert cited.title.startswith("Gids van het ziekenhuis, bevestigd op ")
    assert cited.section == "Cardiologie"


async def test_a_number_that_stands_nowhere_is_still_held_back() -> None:
    installation = await kept("Parkeren kost 2,50 euro per uur [1]. ", "U bereikt hen op 011 90 99 99 [2]. ")
    given = answer(await ask(installation, QUESTION, language="nl"))
    assert "011 90 99 99" not in given.text
    assert "2,50" in given.text


async def test_of_pages_that_come_closest_it_is_none() -> None:
    installation = a_model(NO_ANSWER)
    turn, said = await told(installation, evidence=Evidence(1.0, "reader", 0.0)), AnswerAccumulator()
    async for _ in speak(turn, installation, said):
        pass
    assert "Op bezoek" in said.text()
    assert "Gids van het ziekenhuis" not in said.text()


async def test_the_record_of_a_turn_says_what_was_found_and_told() -> None:
    installation = await kept("Parkeren kost 2,50 euro per uur [1]. ")
    await ask(installation, QUESTION, language="nl")
    (entry,) = installation.engines.outbox.waiting  # type: ignore[attr-defined]
    explained = explain(entry.body["turn"], packs())["sources"]
    assert explained["directory"]["doctors_found"] == 5
    assert explained["directory"]["doctors_applied"] == 4
    assert explained["given"][-1] == "directory/departments/heart"
