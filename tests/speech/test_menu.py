"""With the assistant gone a caller still reaches hours, departments, the emergency number and a person by key."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from careline.directory.hospital import PhoneDirectory, read_directory
from careline.speech.menu import Menu

DEMO = Path(__file__).parents[2] / "local/careline_local/demo/directory.yaml"
LANGUAGES = ("nl", "en", "fr", "it")
KEYS = "0123456789*#"


@pytest.fixture(scope="module")
def hospital() -> PhoneDirectory:
    return read_directory(DEMO.read_text("utf-8"), "directory.yaml")


def test_the_way_to_a_department_and_back(hospital: PhoneDirectory) -> None:
    menu = Menu(hospital, "nl")
    assert menu.text().startswith("Onze assistent is even niet bereikbaar.")
    assert "Druk één voor Spoedgevallen." in menu.press("2").text
    shown = menu.press("2")
    assert shown.text.startswith("Opname en inschrijving. U bereikt de dienst op nul één één, negentig, dertien, tien.")
    assert "maandag tot en met vrijdag van zes uur dertig tot twintig uur" in shown.text
    step = menu.press("1")
    assert (step.action, step.number) == ("transfer", "011 90 13 10")
    assert "Druk één voor Spoedgevallen." in menu.press("*").text
    assert menu.press("*").text == Menu(hospital, "nl").text()


def test_the_pages_turn_and_come_round(hospital: PhoneDirectory) -> None:
    menu = Menu(hospital, "fr")
    first = menu.press("2").text
    pages = [first]
    while (page := menu.press("8").text) != first:
        pages.append(page)
    assert len(set(pages)) == len(pages) == -(-len(hospital.departments) // 7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_opening_hours_are_said_for_each_campus(hospital: PhoneDirectory, language: str) -> None:
    said = Menu(hospital, language).press("1").text
    assert all(campus.names[language] in said for campus in hospital.campuses)
    assert not any(c.isdigit() for c in said)
    assert ".." not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_zero_and_nine_work_wherever_the_caller_is(hospital: PhoneDirectory, language: str) -> None:
    emergency = {"nl": "één één twee", "en": "one one two", "fr": "cent douze", "it": "uno uno due"}[language]
    for way in ("", "1", "2", "28", "21"):
        menu = Menu(hospital, language)
        for key in way:
            menu.press(key)
        assert (menu.press("0").action, menu.press("0").number) == ("transfer", "011 90 10 20")
        assert emergency in menu.press("9").text
        assert menu.press("9").action == "transfer"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_pressed_is_answered_with_sentences_that_were_recorded(
    hospital: PhoneDirectory, language: str
) -> None:
    recorded = set(Menu(hospital, language).prompts())
    for keys in product(KEYS + "a", repeat=3):
        menu = Menu(hospital, language)
        for key in keys:
            step = menu.press(key)
            assert step.parts
            assert set(step.parts) <= recorded


def test_an_unknown_key_says_so_and_repeats_where_the_caller_is(hospital: PhoneDirectory) -> None:
    menu = Menu(hospital, "en")
    step = menu.press("5")
    assert step.parts == ("That key does nothing here.", menu.text())
    assert step.action == "stay"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_directory_with_nothing_in_it_still_gives_the_emergency_number(language: str) -> None:
    menu = Menu(PhoneDirectory(), language)
    person = menu.press("0")
    assert (person.action, person.number) == ("stay", None)
    assert menu.press("9").text == person.text
    assert menu.press("1").text
    assert menu.press("*").text
    assert menu.press("2").text
