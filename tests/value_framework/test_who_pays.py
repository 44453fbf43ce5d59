"""Whether something is paid back is another question than what it costs, and another than what lends it."""

from __future__ import annotations

import pytest

from careline.value_framework.who_pays import INSURER, PAID_BACK, asks_to_be_paid_back, paying_topics, tells_of_paying
from tests.builders import a_passage


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Wordt een steunzool terugbetaald?", "nl"),
        ("Is a hearing aid reimbursed?", "en"),
        ("Les semelles sont-elles remboursées ?", "fr"),
        ("Il plantare viene rimborsato?", "it"),
    ],
)
def test_a_question_whether_something_is_paid_back_is_known(question: str, language: str) -> None:
    assert asks_to_be_paid_back(question, language)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Hoeveel kost een steunzool?", "nl"),
        ("How much is the part that is not reimbursed?", "en"),
        ("Où puis-je louer des béquilles ?", "fr"),
        ("Dove si prende in prestito un deambulatore?", "it"),
    ],
)
def test_a_price_and_a_loan_are_asked_for_otherwise(question: str, language: str) -> None:
    assert not asks_to_be_paid_back(question, language)


def test_an_insurer_and_a_refund_are_two_topics() -> None:
    assert paying_topics("What does my insurer pay?", "en") == {INSURER}
    assert paying_topics("Is it refunded?", "en") == {PAID_BACK}


def test_a_language_without_rules_has_no_topics() -> None:
    assert paying_topics("Wird das erstattet?", "de") == frozenset()


def test_a_passage_tells_of_paying_by_its_heading_too() -> None:
    assert tells_of_paying(a_passage("Uw arts schrijft een brief.", heading_path=("Terugbetaling",)))
    assert not tells_of_paying(a_passage("U geeft een waarborg en krijgt die terug.", heading_path=("Krukken lenen",)))
