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


PLACES = {
    "nl": "Levering binnen Hazelmonde kost € 5,40. Daarbuiten betaalt u € 8,25. Zonder brief van de arts kost een rit "
    "€ 1,70. Met brief van de arts betaalt u € 1,10.",
    "en": "Delivery within Hazelmonde costs € 5.40. Elsewhere you pay € 8.25. A ride without a letter costs € 1.70. "
    "With a letter you pay € 1.10.",
    "fr": "La livraison dans Hazelmonde coûte 5,40 €. Ailleurs, vous payez 8,25 €. Un trajet sans lettre coûte 1,70 €. "
    "Avec lettre, vous payez 1,10 €.",
    "it": "La consegna dentro Hazelmonde costa 5,40 €. Altrove si paga 8,25 €. Una corsa senza lettera costa 1,70 €. "
    "Con lettera si paga 1,10 €.",
}


@pytest.mark.parametrize(
    ("language", "right", "wrong"),
    [
        ("nl", "Binnen Hazelmonde kost de levering € 5,40.", "Buiten Hazelmonde kost de levering € 5,40."),
        ("nl", "Een rit zonder brief kost € 1,70.", "Een rit met brief kost € 1,70."),
        ("en", "Within Hazelmonde delivery costs € 5.40.", "Outside Hazelmonde delivery costs € 5.40."),
        ("en", "A ride costs € 1.10 with a letter.", "A ride costs € 1.10 without a letter."),
        ("fr", "Dans Hazelmonde, la livraison coûte 5,40 €.", "Hors Hazelmonde, la livraison coûte 5,40 €."),
        ("fr", "Avec une lettre, un trajet coûte 1,10 €.", "Sans lettre, un trajet coûte 1,10 €."),
        ("it", "Dentro Hazelmonde la consegna costa 5,40 €.", "Fuori Hazelmonde la consegna costa 5,40 €."),
        ("it", "Una corsa con la lettera costa 1,10 €.", "Una corsa senza lettera costa 1,10 €."),
    ],
)
def test_a_figure_is_not_told_of_the_opposite_of_what_it_is_told_of(language: str, right: str, wrong: str) -> None:
    hit = a_hit(text=PLACES[language], facts={"language": language})
    read = ToldFigures([Source(1, "Maretak", language, hit)], language, "")
    assert not read.tells_another(right)
    assert read.tells_another(wrong)


def test_a_page_that_says_both_of_a_figure_holds_it_to_neither() -> None:
    hit = a_hit(text="A ride costs € 2 with a letter and without a letter.", facts={"language": "en"})
    read = ToldFigures([Source(1, "Rides", "en", hit)], "en", "")
    assert not read.tells_another("A ride without a letter costs € 2.")


@pytest.mark.parametrize(
    ("page", "sentence", "is_another"),
    [
        ("Visits are allowed before 20.00.", "Visits after 20.00 are not allowed.", False),
        ("Visits are allowed before 20.00.", "Visits are allowed after 20.00.", True),
        ("Delivery within Hazelmonde costs € 5.40, outside Hazelmonde € 8.25.",
         "Outside Hazelmonde delivery costs € 8.25.", False),
        ("Delivery within Hazelmonde costs € 5.40, outside Hazelmonde € 8.25.",
         "Outside Hazelmonde delivery costs € 5.40.", True),
        ("A ride with a letter costs € 1.10, a ride without a letter € 1.70.",
         "Without a letter a ride costs € 1.10, with a letter € 1.70.", True),
        ("With 2 companions you pay € 4.", "You pay € 4 without 2 companions.", True),
    ],
)  # fmt: skip
def test_opposites_are_those_of_the_figures_clause_and_of_what_is_not_denied(
    page: str, sentence: str, is_another: bool
) -> None:
    hit = a_hit(text=page, facts={"language": "en"})
    assert ToldFigures([Source(1, "Page", "en", hit)], "en", "").tells_another(sentence) is is_another
