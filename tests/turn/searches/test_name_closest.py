"""Pages that come closest are named with their language where it is not the caller's."""

from __future__ import annotations

import pytest

from careline.model import Hit
from careline.turn.searches.name_closest import closest_reply
from careline.turn.speak.screen_output import reviewed
from tests.turn.turns import a_hit, a_turn, packs

LINE = packs()["hospital_line"]
IN_GERMAN = {"nl": "(in het Duits)", "en": "(in German)", "fr": "(en allemand)", "it": "(in tedesco)"}
IN_ANOTHER = {
    "nl": "(in een andere taal)",
    "en": "(in another language)",
    "fr": "(dans une autre langue)",
    "it": "(in un'altra lingua)",
}


def a_page(title: str, language: str) -> Hit:
    return a_hit(facts={"title": title, "language": language})


def told(language: str, *pages: Hit) -> str:
    key, values = closest_reply(pages, LINE, language)
    return str(reviewed(LINE, key, language, a_turn(language=language), **values))


@pytest.mark.parametrize("language", IN_GERMAN)
def test_the_language_of_a_page_that_is_not_the_callers_is_said(language: str) -> None:
    said = told(language, a_page("Kiosk", language), a_page("Fahrradkeller", "de"))
    assert IN_GERMAN[language] in said.split("Fahrradkeller")[1]
    assert "(" not in said.split("Fahrradkeller")[0]
    assert IN_GERMAN[language] in told(language, a_page("Fahrradkeller", "de"))
    assert IN_ANOTHER[language] in told(language, a_page("Przechowalnia", "pl"))


@pytest.mark.parametrize("language", IN_GERMAN)
def test_nothing_is_said_of_a_page_in_the_callers_own(language: str) -> None:
    for pages in ([a_page("Kiosk", language)], [a_page("Kiosk", language), a_page("Bloemen", language)]):
        assert "Kiosk" in told(language, *pages)
        assert "(" not in told(language, *pages)


def test_of_a_title_that_two_languages_share_the_callers_own_counts() -> None:
    pages = (a_page("Cafeteria", "it"), a_page("Cafeteria", "en"), a_page("Cafeteria", "nl"))
    assert told("en", *pages).count("Cafeteria") == 1
    assert "(" not in told("en", *pages)


def test_a_page_that_names_no_language_has_none() -> None:
    assert "(" not in told("en", a_page("Kiosk", ""))
