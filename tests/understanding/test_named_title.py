"""A yes to "is that what you mean?" asks for the page that was named."""

from __future__ import annotations

import pytest

from careline.model import Message
from careline.understanding.named_title import meant_title
from tests.fakes import NOW
from tests.turn.turns import packs

CLOSEST = {
    "nl": "Dit komt het dichtst in de buurt: “Bezoekuren per afdeling”, bedoelt u dat?",
    "en": "This page comes closest: “Visiting hours by ward”, is that what you mean?",
    "fr": "Cette page s'en approche le plus : « Heures de visite par service », c'est bien cela ?",
    "it": "Questa pagina si avvicina di più: «Orari di visita per reparto», intende questa?",
}
TITLES = {
    "nl": "Bezoekuren per afdeling",
    "en": "Visiting hours by ward",
    "fr": "Heures de visite par service",
    "it": "Orari di visita per reparto",
}
YES = {
    "nl": ["ja", "Ja graag", "klopt"],
    "en": ["yes", "Yes, please", "that one"],
    "fr": ["oui", "Oui, c'est ça"],
    "it": ["sì", "esatto"],
}
WORD = {"nl": "de bezoekuren", "en": "visiting hours", "fr": "les visites", "it": "gli orari"}
BOTH = "Twee pagina's komen in de buurt: “Parkeren” en “Fietsen stallen”, bedoelt u een van die twee?"


def meant(answer: str, message: str, language: str = "nl") -> str | None:
    said = [Message("user", "waar is het", NOW), Message("assistant", message, NOW)]
    return meant_title(answer, said, language)


@pytest.mark.parametrize("language", CLOSEST)
def test_a_yes_means_the_page_that_was_named(language: str) -> None:
    for answer in YES[language]:
        assert meant(answer, CLOSEST[language], language) == TITLES[language]


@pytest.mark.parametrize("name", ["hospital_line", "clinical_assistant"])
@pytest.mark.parametrize("language", CLOSEST)
def test_a_yes_to_what_the_packs_ask_means_the_page_that_they_name(language: str, name: str) -> None:
    pack, title = packs()[name], TITLES[language]
    note = " " + pack.say("foreign_title", language, language_name=pack.template("language_de", language))
    for notes in ({}, {"title_language": note, "other_language": note}):
        one = pack.say("closest", language, title=title, **notes)
        two = pack.say("closest_two", language, title=title, other="Kiosk", **notes)
        assert meant(YES[language][0], one, language) == meant(YES[language][0], two, language) == title
        assert meant("kiosk", two, language) == "Kiosk"


@pytest.mark.parametrize("language", CLOSEST)
def test_a_word_of_the_title_means_it_too(language: str) -> None:
    assert meant(WORD[language], CLOSEST[language], language) == TITLES[language]


def test_of_two_pages_the_second_is_meant_by_its_place_or_its_words() -> None:
    assert meant("de tweede", BOTH) == meant("fietsen", BOTH) == "Fietsen stallen"
    assert meant("ja", BOTH) == meant("de eerste", BOTH) == meant("ja parkeren", BOTH) == "Parkeren"


@pytest.mark.parametrize("answer", ["nee", "wat kost parkeren", "de apotheek", "ja maar ik wil iets anders weten"])
def test_another_answer_means_no_title(answer: str) -> None:
    assert meant(answer, BOTH) is None


@pytest.mark.parametrize(
    "message",
    [
        "Dit staat in ons document “Visiting hours”, dat in het Engels is: 14:00. Zal ik u doorverbinden?",
        "Het bezoek staat in “Bezoekuren”.",
        "Zal ik u doorverbinden?",
        "",
    ],
)
def test_a_yes_to_another_question_means_no_title(message: str) -> None:
    assert meant("ja", message) is None


def test_a_yes_means_no_title_that_was_named_before_the_last_message() -> None:
    said = [Message("assistant", CLOSEST["nl"], NOW), Message("user", "nee", NOW)]
    assert meant_title("ja", said, "nl") is None
    assert meant_title("ja", [], "nl") is None
