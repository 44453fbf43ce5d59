"""What a question is about is looked for on a page in any language, and what people mention by the way is not."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from careline.model import Hit
from careline.search.asked_subjects import asked_subjects, share_lacked
from careline.search.asked_words import table_of
from careline.search.label_words import vocabulary
from careline.search.read_windows import READ, read_windows
from careline.search.select_windows import select_windows
from tests.builders import a_passage
from tests.fakes import KeywordReader


def a_hit(text: str, title: str, language: str, number: int = 1, score: float = 0.5) -> Hit:
    return Hit(a_passage(text, doc_key=f"page-{number}", facts={"title": title, "language": language}), score)


def lacked(question: str, asked_in: str, title: str, text: str, written_in: str) -> float:
    return share_lacked(asked_subjects(question, asked_in), a_hit(text, title, written_in).passage)


@pytest.mark.parametrize(
    ("question", "asked_in", "title", "text", "written_in"),
    [
        ("la première navette part à quelle heure", "fr", "Bereikbaarheid", "De pendelbus vertrekt om 7 uur.", "nl"),
        ("il wifi funziona anche dal terzo piano", "it", "Comfort op uw kamer", "Internet is gratis.", "nl"),
        ("is er een tolk Arabisch", "nl", "Mediazione", "Arabo: gli interpreti vengono in due giorni.", "it"),
        ("quante ore prima non devo mangiare", "it", "Le matin de l'examen", "Restez à jeun six heures.", "fr"),
        ("opening hours of the lab", "en", "Prise de sang", "De 7 h à 11 h.", "fr"),
        ("how many weeks is the wait for a scan", "en", "CT", "The waiting time is four weeks.", "en"),
    ],
)
def test_a_page_that_says_it_in_its_own_words_or_language_lacks_nothing(
    question: str, asked_in: str, title: str, text: str, written_in: str
) -> None:
    assert asked_subjects(question, asked_in)
    assert lacked(question, asked_in, title, text, written_in) == 0.0


@pytest.mark.parametrize(
    ("question", "asked_in", "title", "text", "written_in"),
    [
        ("c'è una navetta dalla stazione", "it", "Maternità", "Chiami l'ostetrica, di giorno o di notte.", "it"),
        ("peut-on prendre son vélo", "fr", "Navette", "La navette part toutes les demi-heures.", "fr"),
        ("is there wifi on the bus", "en", "Shuttle", "The shuttle leaves every half hour.", "en"),
        ("hoe lang is de wachttijd", "nl", "Dermatologie", "Donderdag van 18 tot 20 uur.", "nl"),
        ("visiting times intensive care", "en", "Television", "Mobile phones are for every room.", "en"),
    ],
)
def test_a_page_that_says_nothing_of_it_lacks_all(
    question: str, asked_in: str, title: str, text: str, written_in: str
) -> None:
    assert lacked(question, asked_in, title, text, written_in) == 1.0


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("ik kom met de auto, hoe laat begint het", "nl"),
        ("l'ultimo parte alle otto", "it"),
        ("le bus de la gare part quand", "fr"),
        ("my mother has a bad heart, where do we sign in", "en"),
        ("en op zaterdag", "nl"),
    ],
)
def test_what_people_mention_by_the_way_is_no_subject(question: str, language: str) -> None:
    assert asked_subjects(question, language) == ()


def test_of_two_things_a_page_that_has_one_lacks_half() -> None:
    assert lacked("wifi and television", "en", "Your room", "The wifi is free.", "en") == 0.5


async def test_the_page_that_has_the_subject_comes_first_though_another_is_in_the_language_of_the_question() -> None:
    own = a_hit("Les heures sont de 10 à 12.", "Maternité", "fr", 1, 0.9)
    other = a_hit("De pendelbus rijdt van 10 tot 12.", "Bereikbaarheid", "nl", 2, 0.4)
    found = await read_windows(KeywordReader("10"), [own, other], "la navette, à quelle heure", "fr")
    assert found[0].hit is other


async def test_what_no_page_has_is_less_relevant_than_what_one_has() -> None:
    hit = a_hit("The shuttle leaves at 7.", "Shuttle", "en")
    asked, unheard = [
        (await read_windows(KeywordReader("leaves"), [hit], question, "en"))[0].relevance
        for question in ("when does the shuttle leave", "is there wifi when it leaves")
    ]
    assert unheard < asked


def test_windows_of_pages_that_have_the_subject_are_read_before_those_that_do_not() -> None:
    without = [a_hit(f"Zaal {n} is open.", f"Blad {n}", "nl", n, 0.6) for n in range(1, READ + 3)]
    having = a_hit("Les navettes partent ici.", "Venir", "fr", 99, 0.5)
    chosen = select_windows([*without, having], "waar is de pendelbus", "nl", READ)
    assert chosen[0].hit is having


def test_every_subject_is_a_concept_that_exists() -> None:
    known = {concept for words in vocabulary().concepts.values() for held in words.values() for concept in held}
    table = table_of("said_by")
    assert set(table) <= known
    assert {other for others in table.values() for other in others.split()} <= known


def test_no_table_of_the_vocabulary_stands_twice() -> None:
    from importlib.resources import files

    for name in ("asked.yaml", "concepts.yaml"):
        text = files("careline.search").joinpath(name).read_text("utf-8")
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), name


@given(question=st.text(max_size=200), text=st.text(max_size=300), language=st.sampled_from(["nl", "en", "fr", "it"]))
def test_the_share_lacked_lies_between_none_and_all(question: str, text: str, language: str) -> None:
    assert 0.0 <= lacked(question, language, "Title", text or ".", language) <= 1.0
