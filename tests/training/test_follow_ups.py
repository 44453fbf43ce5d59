"""Which examples of intents are learned behind another question, and behind which."""

from __future__ import annotations

import numpy as np

from training.follow_ups import Example, behind_others

ASKED = [
    Example("ward", "en", "parking", "Where do I leave the lorry?"),
    Example("ward", "en", "meals", "Which soup is served tonight?"),
    Example("ward", "en", "meals", "and the pudding"),
]


def behind(*told: float) -> list[tuple[str, str]]:
    """The examples behind others, with how sure a classifier was of the label of each."""
    return behind_others("ward", ASKED, np.array(told, np.float32))


def test_one_that_says_little_by_itself_goes_on_from_a_question_of_its_label() -> None:
    assert ("Which soup is served tonight? and the pudding?", "meals") in behind(0.9, 0.9, 0.1)


def test_nothing_goes_on_from_a_question_that_does_not_say_what_is_wanted() -> None:
    assert not any(text.startswith("Where do I leave the lorry? ") for text, _ in behind(0.2, 0.9, 0.1))


def test_every_one_keeps_its_own_label() -> None:
    wanted = {one.text.rstrip("?"): one.label for one in ASKED}
    assert all(label == wanted[text.rpartition("? ")[2].rstrip("?")] for text, label in behind(0.9, 0.9, 0.9))


def test_a_long_one_is_read_by_itself() -> None:
    long = Example("ward", "en", "meals", "and the one " + "very " * 12 + "sweet pudding")
    found = behind_others("ward", [*ASKED, long], np.ones(4, np.float32))
    assert not any(text.endswith("sweet pudding?") for text, _ in found)


def test_nothing_of_another_language_stands_before_one() -> None:
    foreign = Example("ward", "nl", "parking", "Waar laat ik de vrachtwagen?")
    told = np.array([0.9, 0.9, 0.9, 0.9], np.float32)
    assert not any("vrachtwagen? " in text for text, _ in behind_others("ward", [*ASKED, foreign], told))
