"""What an answer must hold, told from how it is asked."""

from __future__ import annotations

import pytest

from careline.text.answer_kind import answer_kinds, asks_for_price, is_open_question

ASKED = [
    ("Hoeveel kost parkeren?", "amount"),
    ("how much is a single room", "amount"),
    ("C'est combien, le prix du frigo ?", "amount"),
    ("quanto costa il parcheggio", "amount"),
    ("tot hoe laat mag ik op bezoek", "time"),
    ("What time does the ward open?", "time"),
    ("à quelle heure ouvre votre pharmacie", "time"),
    ("A che ora chiude il bar?", "time"),
    ("hoe lang duurt de operatie", "duration"),
    ("combien de temps faut-il attendre", "duration"),
]


@pytest.mark.parametrize(("question", "kind"), ASKED)
def test_the_words_of_a_question_tell_what_is_asked_for(question: str, kind: str) -> None:
    assert kind in answer_kinds(question)


def test_a_question_that_does_not_tell_asks_for_nothing_in_particular() -> None:
    assert answer_kinds("Mag mijn hond mee?") == frozenset()


def test_how_much_may_be_taken_is_no_price() -> None:
    assert asks_for_price("Hoeveel kost een spuit tegen tetanus?")
    assert not asks_for_price("How much paracetamol may I take?")
    assert not asks_for_price("Wat kost een scan en hoe lang moet ik nuchter zijn?")


@pytest.mark.parametrize(
    "question",
    ["Waar vind ik de kapel?", "and where is the chapel", "à quelle heure ferme le bar ?", "Dove trovo la cappella?"],
)
def test_a_question_that_yes_or_no_does_not_answer_is_known(question: str) -> None:
    assert is_open_question(question)


@pytest.mark.parametrize("question", ["Mag mijn hond mee?", "Is there a chapel", "Puis-je payer ici ?", "C'è un bar?"])
def test_a_question_that_yes_or_no_answers_is_known(question: str) -> None:
    assert not is_open_question(question)
