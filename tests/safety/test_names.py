"""A name that no source has is found out, whatever the other words of the sentence are."""

from __future__ import annotations

import pytest

from careline.safety.grounding.names import lacks_name, names_in

PAGE = "Ask Ms Peeters at the desk of building C, floor B12, on Sunday. The MRI is in the basement."


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("Ask Ms Jansen for a place.", ["Ms", "Jansen"]),
        ("Behind building D.", ["D"]),
        ("A room is free.", []),
        ("It is room B12, or E.", ["B12", "E"]),
        ("Parking costs money.", []),
        ("You say “Open the door” there.", ["Open"]),
    ],
)
def test_what_is_written_like_a_name_within_a_sentence_is_one(sentence: str, names: list[str]) -> None:
    assert list(names_in(sentence)) == names


@pytest.mark.parametrize(
    ("sentence", "lacks"),
    [
        ("Ask Ms Peeters at the desk.", False), ("Ask Ms Jansen at the desk.", True), ("Behind building C.", False),
        ("Behind building D.", True), ("Go to floor B12.", False), ("Go to floor B13.", True),
        ("Come on Sunday.", False), ("Come on Monday.", True), ("The scan is an MRI.", False),
        ("Go to the desk.", False),
    ],
)  # fmt: skip
def test_a_name_of_a_sentence_stands_in_the_page(sentence: str, lacks: bool) -> None:
    assert lacks_name(sentence, [PAGE], "en", is_foreign=False) is lacks


def test_of_a_page_in_another_language_designations_alone_are_compared() -> None:
    assert not lacks_name("Kom op Zondag naar Mevrouw X12.", ["Sunday, X12"], "nl", is_foreign=True)
    assert lacks_name("Kom naar gebouw D.", ["building C"], "nl", is_foreign=True)
