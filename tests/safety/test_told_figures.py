"""A figure is told of what its page tells it of, in prose as well."""

from __future__ import annotations

import pytest

from careline.ports import Source
from careline.safety.grounding.told_figures import ToldFigures
from tests.turn.turns import a_hit

PAGE = (
    "The canteen is open from 8:30 to 18:00. A hot lunch costs € 9.80. Soup costs € 2.60.\n\n"
    "Visitors are welcome until 20:00. On Sunday visitors are welcome until 18:30."
)


def told(question: str, language: str = "en") -> ToldFigures:
    hit = a_hit(text=PAGE, facts={"language": "en"})
    return ToldFigures([Source(1, "At the hospital", "en", hit)], language, question)


@pytest.mark.parametrize(
    ("sentence", "is_another"),
    [
        ("A hot lunch costs € 9.80.", False), ("A hot lunch costs € 2.60.", True), ("Soup costs € 9.80.", True),
        ("It costs € 9.80.", False), ("It costs € 2.60.", True), ("€ 2.60", True), ("€ 9.80", False),
        ("A hot lunch costs € 9.80 and soup € 2.60.", False), ("A hot lunch costs € 2.60 and soup € 9.80.", True),
        ("You may visit until 18:30 on Sunday.", False), ("Visitors may come until 20:00 on Sunday.", True),
        ("On Sunday until 18:30; on other days until 20:00.", False), ("It costs € 7.", False), ("Welcome.", False),
    ],
)  # fmt: skip
def test_a_statement_with_more_of_the_words_and_another_figure_gives_it_away(sentence: str, is_another: bool) -> None:
    assert told("what does a hot lunch cost").tells_another(sentence) is is_another


CAR_PARK = (
    "Parking costs € 2.40 per hour. A lost ticket costs € 18. After 10 hours you pay the day rate of € 24.\n\n"
    "A single room costs € 57 per day. A bed for a parent costs € 20 per night."
)


@pytest.mark.parametrize(
    ("sentence", "is_another"),
    [
        ("If you lose your ticket, you pay € 18.", False), ("You pay € 2.40 per hour, at most € 24 per day.", False),
        ("If your ticket is lost, the fee is € 18.", False), ("A single room is charged at € 57 a day.", False),
        ("For parking you pay € 18 per hour.", True), ("For a lost ticket you pay € 24.", True),
        ("The price of a bed for a parent is € 57 per day.", True), ("A single room costs € 20 per night.", True),
    ],
)  # fmt: skip
def test_a_word_that_says_only_that_something_is_paid_tells_of_nothing(sentence: str, is_another: bool) -> None:
    hit = a_hit(text=CAR_PARK, facts={"language": "en"})
    read = ToldFigures([Source(1, "Parking", "en", hit)], "en", "what does parking cost")
    assert read.tells_another(sentence) is is_another


def test_words_of_another_language_are_not_compared() -> None:
    assert not told("wat kost een warme lunch", "nl").tells_another("Een warme lunch kost € 2,60.")
