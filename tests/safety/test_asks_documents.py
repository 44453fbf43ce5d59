"""When, for how long and how much are asked of the documents, whatever a model makes of the words."""

from __future__ import annotations

import pytest

from careline.safety.asks_documents import HOW_LONG, HOW_MUCH, WHEN, asks_documents
from careline.safety.utterance import Utterance


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Wanneer is er een diëtist aanwezig?", WHEN),
        ("hoelang op voorhand moet ik er zijn", HOW_LONG),
        ("what does a second opinion cost", HOW_MUCH),
        ("à quelle heure puis-je parler à l'infirmière ?", WHEN),
        ("c'est combien une chambre seule", HOW_MUCH),
        ("in che giorno c'è l'assistente sociale?", WHEN),
    ],
)
def test_a_question_for_a_measure_is_asked_of_the_documents(question: str, kind: str) -> None:
    assert asks_documents(Utterance(question).plain)
    assert asks_documents(Utterance(question).plain, kind)


@pytest.mark.parametrize(
    "question", ["ik wil iemand spreken", "could you say that again", "how much luggage may I take"]
)
def test_what_asks_for_no_measure_asks_for_none_of_them(question: str) -> None:
    assert not asks_documents(Utterance(question).plain)
