"""The way there is not the way back."""

from __future__ import annotations

import pytest

from careline.search.travel_direction import runs_the_other_way


@pytest.mark.parametrize(
    ("question", "there", "back"),
    [
        ("laatste bus vanuit Oosthof naar beneden", "Pendelbus naar Oosthof", "Pendelbus van Oosthof naar het station"),
        ("when is the first shuttle from oosthof", "Shuttle to Oosthof", "Shuttle from Oosthof to the station"),
        ("la dernière navette depuis Oosthof", "Navette vers Oosthof", "Navette d'Oosthof vers la gare"),
        ("l'ultima navetta da Oosthof", "Navetta per Oosthof", "Navetta da Oosthof alla stazione"),
    ],
)
def test_a_timetable_to_a_place_tells_nothing_of_the_way_from_it(question: str, there: str, back: str) -> None:
    assert runs_the_other_way(question, [there])
    assert not runs_the_other_way(question, [back])


def test_who_goes_to_a_place_is_told_no_timetable_from_it() -> None:
    assert runs_the_other_way("welke bus rijdt naar Oosthof", ["Bus vanuit Oosthof"])
    assert not runs_the_other_way("welke bus rijdt naar Oosthof", ["Bus naar Oosthof"])


def test_a_sentence_of_one_way_tells_nothing_of_the_other() -> None:
    question = "when does the shuttle from Oosthof to Westhof leave"
    assert runs_the_other_way(question, ["It leaves Westhof at 8:00."])
    assert not runs_the_other_way(question, ["It leaves Oosthof at 8:00."])
    assert not runs_the_other_way(question, ["It runs from Westhof to Oosthof and from Oosthof to Westhof."])


def test_a_question_without_a_way_is_told_of_both() -> None:
    assert not runs_the_other_way("wanneer rijdt de pendelbus", ["Pendelbus naar Oosthof"])


def test_a_heading_about_something_else_has_no_way() -> None:
    assert not runs_the_other_way("à quelle heure on éteint pour un enfant", ["La journée d'un enfant"])
