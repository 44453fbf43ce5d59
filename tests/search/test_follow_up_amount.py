"""A follow-up that names another amount asks the same of it."""

from __future__ import annotations

import pytest

from careline.search.follow_up import Cues, carried_on

CUES = Cues(("en", "and", "et", "e"), ())


@pytest.mark.parametrize(
    ("earlier", "follow_up", "language", "asked"),
    [
        ("hoeveel maanden heb ik voor 420 euro", "en als het 2600 is?", "nl", "hoeveel maanden heb ik voor 2600 euro"),
        ("how many months do I get for €420", "and for 2600?", "en", "how many months do I get for €2600"),
        ("en combien de fois je paie 420 € ?", "et pour 2600 € ?", "fr", "en combien de fois je paie 2600 € ?"),
    ],
)  # fmt: skip
def test_another_amount_takes_the_place_of_the_earlier_one(
    earlier: str, follow_up: str, language: str, asked: str
) -> None:
    assert carried_on(earlier, follow_up, language, CUES) == asked


def test_a_number_that_counts_something_leaves_the_amount_as_it_is() -> None:
    assert "420" in carried_on("hoeveel maanden heb ik voor 420 euro", "en met 3 kinderen?", "nl", CUES)
