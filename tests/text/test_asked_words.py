"""The words of what somebody asks, and those around them."""

from __future__ import annotations

import pytest

from careline.text.asked_words import without_greeting


@pytest.mark.parametrize(
    ("language", "said", "behind"),
    [
        ("nl", "euh goeienavond, waar leen ik een rolstoel", "waar leen ik een rolstoel"),
        ("en", "hello, where do I borrow a wheelchair", "where do I borrow a wheelchair"),
        ("fr", "bonjour, où emprunter un fauteuil roulant", "où emprunter un fauteuil roulant"),
        ("it", "buongiorno, dove trovo una sedia a rotelle", "dove trovo una sedia a rotelle"),
        ("nl", "goeienavond", "goeienavond"),
    ],
)
def test_a_question_stands_behind_its_greeting(language: str, said: str, behind: str) -> None:
    assert without_greeting(said, language) == behind
