"""Who asks about more than fifty pages is not told what up to fifty cost."""

from __future__ import annotations

import pytest

from careline.search.asked_bound import is_beyond, is_outside


@pytest.mark.parametrize(
    ("question", "under", "over"),
    [
        ("wat kost een kopie van meer dan 50 bladzijden", "tot 50 bladzijden", "meer dan 50 bladzijden"),
        ("what is a copy if it exceeds 50 pages", "up to 50 pages", "over 50 pages"),
        ("combien pour plus de 50 pages", "jusqu'à 50 pages", "plus de 50 pages"),
        ("quanto costa la cartella se supera le 50 pagine", "Cartella fino a 50 pagine", "Cartella oltre 50 pagine"),
    ],
)
def test_a_label_that_ends_where_the_question_begins_is_of_something_else(question: str, under: str, over: str) -> None:
    assert is_beyond(question, under)
    assert not is_beyond(question, over)


def test_who_asks_about_less_is_not_told_of_more() -> None:
    assert is_beyond("wat betaal ik voor minder dan 50 bladzijden", "vanaf 50 bladzijden")
    assert not is_beyond("wat betaal ik voor minder dan 50 bladzijden", "tot 50 bladzijden")


def test_a_label_without_a_range_and_a_question_without_a_bound_are_left_alone() -> None:
    assert not is_beyond("meer dan 50 bladzijden", "Kopie")
    assert not is_beyond("meer dan 50 bladzijden", "Zaal 12")
    assert not is_beyond("50 bladzijden", "tot 50 bladzijden")


@pytest.mark.parametrize(
    ("question", "label", "is_out"),
    [
        ("a bill of 650 euros", "€2,000 and over", True),
        ("a bill of 650 euros", "€500 to €1,999", False),
        ("een rekening van € 420", "van 150 € tot 600 €", False),
        ("une facture de 2500 euros", "jusqu'à 600 €", True),
        ("una fattura di 650 euro", "2 rate", False),
        ("a bill", "€2,000 and over", False),
    ],
)
def test_an_amount_outside_the_range_of_a_row_is_of_another_one(question: str, label: str, is_out: bool) -> None:
    assert is_outside(question, label) is is_out
