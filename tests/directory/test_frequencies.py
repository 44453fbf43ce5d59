"""How often a consultation is held, and what has no hours but appointments."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import ValidationError

from careline.directory.asked_time import ANY_TIME, asked_time
from careline.directory.capabilities.closures import closure_on
from careline.directory.capabilities.days import is_held
from careline.directory.capabilities.facts import Asked, DayAsked, WhichOne
from careline.directory.capabilities.registry import capability_of
from careline.directory.directory import Directory
from careline.directory.entries import Consultation, Frequency
from careline.directory.rendering.render import rendered
from careline.directory.week import WeeklyHours, day_name

NOW = datetime(2027, 3, 2, 10, 0, tzinfo=ZoneInfo("Europe/Brussels"))


@pytest.mark.parametrize(
    ("frequency", "held"),
    [
        ("first_of_month", [1]), ("second_of_month", [8]), ("third_of_month", [15]), ("fourth_of_month", [22]),
        ("last_of_month", [29]), ("weekly", [1, 8, 15, 22, 29]), ("odd_weeks", [1, 15, 29]), ("even_weeks", [8, 22]),
    ],
)  # fmt: skip
def test_a_consultation_is_held_on_its_own_mondays_of_march_2027(frequency: Frequency, held: list[int]) -> None:
    one = Consultation(weekday="monday", frequency=frequency)
    days = [date(2027, 3, 1) + timedelta(days=number) for number in range(31)]
    assert [day.day for day in days if is_held(one, DayAsked(day, False))] == held


def test_the_fourth_is_the_last_where_a_month_has_four() -> None:
    day = date(2027, 2, 22)
    for frequency in ("fourth_of_month", "last_of_month"):
        assert is_held(Consultation(weekday=day_name(day), frequency=frequency), DayAsked(day, False))


def test_hours_by_appointment_are_no_hours() -> None:
    with pytest.raises(ValidationError):
        WeeklyHours.model_validate({"by_appointment": True, "weekly": {"monday": [{"from": "09:00", "to": "12:00"}]}})


def asked_of(directory: Directory, language: str, at: str | None, intent: str, sub_intent: str, **named: Any) -> str:
    time = asked_time(at, "en", NOW) if at else ANY_TIME
    asked = Asked(directory, NOW, language, intent, sub_intent, time=time, holidays={}, **named)
    capability = capability_of(intent, sub_intent)
    found = capability(asked) if capability else None
    assert found is not None
    assert not isinstance(found, WhichOne)
    return " ".join(one.text for one in rendered(found, asked))


def answer(language: str, at: str | None = None) -> str:
    directory = Directory.model_validate(
        {
            "hospital": {"country": "BE"},
            "campuses": [{"id": "quay", "name": "Quay"}],
            "departments": [
                {"id": "eyes", "names": {"en": "Eyes"}, "phone": "09 1", "opening_hours": [{"by_appointment": True}]}
            ],
            "closures": [{"id": "move", "names": {"en": "the move"}, "from": "2027-03-10", "to": "2027-03-10"}],
        }
    )
    return asked_of(directory, language, at, "department_contact", "hours", departments=("eyes",))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("nl", "Eyes is alleen op afspraak open. Een afspraak maakt u op 09 1."),
        ("en", "Eyes is open by appointment only. Call 09 1 for an appointment."),
        ("fr", "Eyes, uniquement sur rendez-vous. Pour un rendez-vous, appelez le 09 1."),
        ("it", "Eyes: aperto solo su appuntamento. Per un appuntamento chiami il numero 09 1."),
    ],
)
def test_what_is_open_by_appointment_is_said_with_the_number_to_call(language: str, said: str) -> None:
    assert answer(language) == said
    assert answer(language, "now") == said
    assert answer(language, "on Monday") == said


def test_what_is_open_by_appointment_is_closed_where_a_closure_says_so() -> None:
    assert "closed" in answer("en", "on 10 March")
    assert "the move" in answer("en", "on 10 March")


def test_a_closure_of_a_campus_and_a_department_is_of_both_together() -> None:
    day = date(2027, 3, 10)
    directory = Directory.model_validate(
        {
            "campuses": [{"id": "quay", "name": "Quay"}, {"id": "hill", "name": "Hill"}],
            "departments": [{"id": "eyes", "names": {"en": "Eyes"}}, {"id": "ears", "names": {"en": "Ears"}}],
            "closures": [
                {"id": "move", "names": {"en": "Move"}, "from": day, "to": day, "campuses": ["quay"],
                 "departments": ["eyes"]},
            ],
        }
    )  # fmt: skip
    asked = Asked(directory, NOW, "en", "department_contact", "hours", time=ANY_TIME, holidays={})
    closed = [
        (campus, department)
        for campus in ("quay", "hill")
        for department in ("eyes", "ears")
        if closure_on(asked, day, campus, department) is not None
    ]
    assert closed == [("quay", "eyes")]


def test_a_door_of_every_day_with_another_sunday_says_both() -> None:
    door = {
        "names": {"en": "Gate"}, "hours": {"from": "06:00", "to": "21:00"},
        "weekly": {"sunday": [{"from": "08:00", "to": "20:00"}]},
    }  # fmt: skip
    directory = Directory.model_validate({"campuses": [{"id": "quay", "name": "Quay", "entrances": [door]}]})
    said = asked_of(directory, "en", None, "campus_information", "entrance")
    assert "Monday to Saturday from 06:00 to 21:00, Sunday from 08:00 to 20:00" in said
