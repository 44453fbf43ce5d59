"""What the directory says is fit for the ear in four languages: whole, without a figure, in two sentences at most."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
import yaml

from careline.directory.asked_time import asked_time
from careline.directory.capabilities.days import public_holidays
from careline.directory.capabilities.facts import Asked, HoursOf
from careline.directory.capabilities.places import hours_of
from careline.directory.capabilities.registry import CAPABILITIES
from careline.directory.rendering.render import rendered
from careline.model import LANGUAGES
from careline.text.sentences import split
from tests.directory.said_aloud import HOSPITAL, NOW, QUESTIONS, said_aloud, told

EXPECTED = yaml.safe_load(Path(__file__).with_name("said_aloud.yaml").read_text("utf-8"))


def test_every_capability_is_read_in_every_language() -> None:
    assert {one["of"] for one in QUESTIONS.values()} == set(CAPABILITIES)
    assert set(EXPECTED) == set(QUESTIONS)
    assert all(tuple(said) == LANGUAGES for said in EXPECTED.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_said_is_what_people_read(name: str, language: str) -> None:
    said = said_aloud(name, language)
    assert said == EXPECTED[name][language]
    assert not any(sign.isdigit() for sign in said)
    assert len(split(said, language)) <= 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_of_what_is_told_on_the_phone_nothing_is_left_out_silently(name: str, language: str) -> None:
    assert len(told(name, language, voice=True)) <= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_third_campus_is_said_too(language: str) -> None:
    prices = told("tariff", language, voice=True)
    assert [set(one.cites) for one in prices] == [{("tariffs", one.id) for one in HOSPITAL.tariffs}]


def test_a_woman_has_her_own_title_where_the_language_has_one() -> None:
    assert said_aloud("profile", "it").startswith("Professoressa Ada Vermeulen")
    assert told("profile", "it", voice=False)[0].text.startswith("Prof. dr. Ada Vermeulen")


def test_a_holiday_has_its_name_in_the_language_of_the_caller_or_none() -> None:
    told_of = public_holidays("BE", 2026, "it")
    assert (told_of[date(2026, 12, 25)], told_of[date(2026, 11, 1)]) == ("Natale", "Ognissanti")
    assert told_of[date(2026, 7, 21)] == "", "no Italian keeps it"
    assert set(told_of) == set(public_holidays("BE", 2026, "nl"))


def test_a_holiday_without_a_name_is_told_without_one() -> None:
    asked = Asked(HOSPITAL, NOW, "it", "department_contact", "hours", departments=("heart",))
    at = asked_time("il 21 luglio", "it", NOW)
    asked = replace(asked, time=at, holidays={date(2027, 7, 21): ""})
    found = hours_of(asked)
    assert isinstance(found, HoursOf)
    assert "è un giorno festivo; la nostra guida" in rendered(found, asked)[0].text
