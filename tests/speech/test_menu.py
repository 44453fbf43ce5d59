"""With the assistant gone a caller still reaches hours, departments, the emergency number and a person by key."""

from __future__ import annotations

from itertools import product

import pytest

from careline.directory.directory import Directory
from careline.speech.line import of_menu
from careline.speech.menu import Menu
from careline_local.demo.load import read_directory

LANGUAGES = ("nl", "en", "fr", "it")
KEYS = "0123456789*#"


@pytest.fixture(scope="module")
def hospital() -> Directory:
    return read_directory()


def test_the_way_to_a_department_and_back(hospital: Directory) -> None:
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


def test_the_pages_turn_and_come_round(hospital: Directory) -> None:
    menu = Menu(hospital, "fr")
    first = menu.press("2").text
    pages = [first]
    while (page := menu.press("8").text) != first:
        pages.append(page)
    assert len(set(pages)) == len(pages) == -(-len(hospital.departments) // 7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_opening_hours_are_said_for_each_campus(hospital: Directory, language: str) -> None:
    said = Menu(hospital, language).press("1").text
    assert all(campus.names[language] in said for campus in hospital.campuses)
    assert not any(c.isdigit() for c in said)
    assert ".." not in said


@pytest.mark.parametrize("language", LANGUAGES)
def test_zero_and_nine_work_wherever_the_caller_is(hospital: Directory, language: str) -> None:
    emergency = {"nl": "één één twee", "en": "one one two", "fr": "cent douze", "it": "uno uno due"}[language]
    for way in ("", "1", "2", "28", "21"):
        menu = Menu(hospital, language)
        for key in way:
            menu.press(key)
        assert (menu.press("0").action, menu.press("0").number) == ("transfer", "011 90 10 00")
        assert emergency in menu.press("9").text
        assert menu.press("9").action == "transfer"


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_pressed_is_answered_with_sentences_that_were_recorded(
    hospital: Directory, language: str
) -> None:
    recorded = set(Menu(hospital, language).prompts())
    for keys in product(KEYS + "a", repeat=3):
        menu = Menu(hospital, language)
        for key in keys:
            step = menu.press(key)
            assert step.parts
            assert set(step.parts) <= recorded


def test_an_unknown_key_says_so_and_repeats_where_the_caller_is(hospital: Directory) -> None:
    menu = Menu(hospital, "en")
    step = menu.press("5")
    assert step.parts == ("That key does nothing here.", menu.text())
    assert step.action == "stay"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_directory_with_nothing_in_it_still_gives_the_emergency_number(language: str) -> None:
    menu = Menu(Directory(), language)
    person = menu.press("0")
    assert (person.action, person.number) == ("stay", None)
    assert menu.press("9").text == person.text
    assert menu.press("1").text
    assert menu.press("*").text
    assert menu.press("2").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_part_of_the_directory_that_a_line_is_told_says_the_same_menu(hospital: Directory, language: str) -> None:
    told = of_menu(hospital, "112", hospital.person_phone)
    assert Menu(told, language).prompts() == Menu(hospital, language).prompts()
    assert told.doctors == told.tariffs == told.contacts == []


def test_a_person_is_at_the_switchboard_else_at_a_desk_else_on_the_main_campus() -> None:
    campus = {"id": "north", "names": {"en": "North"}, "phone": "011 3"}
    phones = [{"main": "011 1", "helpdesk": "011 2"}, {"helpdesk": "011 2"}, {}]
    found = [Directory.model_validate({"hospital": {"phones": one}, "campuses": [campus]}) for one in phones]
    assert [one.person_phone for one in found] == ["011 1", "011 2", "011 3"]
    assert Directory().person_phone is None


def test_a_person_is_where_the_line_puts_callers_through_to() -> None:
    directory = Directory.model_validate({"hospital": {"phones": {"main": "011 1"}}})
    assert Menu(directory, "en", "sip:desk@anna.example").press("0").number == "sip:desk@anna.example"
    assert Menu(Directory(), "en", "tel:+3211").press("9").number == "tel:+3211"


def test_an_entrance_whose_hours_differ_by_day_is_said_with_its_week() -> None:
    monday = {"monday": [{"from": "08:00", "to": "12:00"}]}
    door = {"names": {"en": "Main door"}, "weekly": monday}
    hospital = Directory.model_validate({"campuses": [{"id": "north", "names": {"en": "North"}, "entrances": [door]}]})
    assert "North" in (said := Menu(hospital, "en").press("1").text)
    assert "Monday from eight a.m. to twelve noon" in said


def test_a_department_with_a_number_on_a_campus_alone_is_put_through_there() -> None:
    place = {"campus": "north", "phone": "011 4"}
    department = {"id": "eyes", "names": {"en": "Eyes"}, "locations": [place]}
    menu = Menu(Directory.model_validate({"departments": [department]}), "en")
    menu.press("2")
    menu.press("1")
    assert menu.press("1").number == "011 4"
