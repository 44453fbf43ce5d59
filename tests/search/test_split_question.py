"""Double questions in four languages, and questions that only look double."""

from __future__ import annotations

import pytest

from careline.search.split_question import parts_of


@pytest.mark.parametrize(
    ("language", "question", "second"),
    [
        ("nl", "wat kost parkeren en tot hoe laat is de slagboom open", "tot hoe laat is de slagboom open"),
        ("en", "Is there a chapel? And where do I find it?", "And where do I find it?"),
        ("en", "how much is a single room and do I have to pay in advance", "do I have to pay in advance"),
        ("fr", "Combien coûte la télé et où est-ce que je peux payer ?", "où est-ce que je peux payer ?"),
        ("it", "quanto costa il pranzo al bar e fino a che ora è aperto", "fino a che ora è aperto"),
    ],
)
def test_a_double_question_is_taken_apart(language: str, question: str, second: str) -> None:
    parts = parts_of(question, language)
    assert len(parts) == 2
    assert parts[1] == second


@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("nl", "wat zijn de bezoekuren op zaterdag en zondag"),
        ("en", "can my wife and children visit me"),
        ("fr", "les tarifs pour les adultes et les enfants"),
        ("it", "orari di bar e ristorante"),
        ("nl", "en hoe laat?"),
        ("en", "parking?"),
    ],
)
def test_a_single_question_stays_whole(language: str, question: str) -> None:
    assert parts_of(question, language) == (question,)
