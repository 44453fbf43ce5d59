"""Who asks about more than fifty pages is not told what up to fifty cost."""

from __future__ import annotations

import pytest

from careline.search.asked_bound import is_beyond


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
