"""Fillers come at 1.5, 4 and 10 seconds, in the caller's language."""

from __future__ import annotations

import pytest

from careline.speech.filler import AFTER_SECONDS, TOPICS, ladder, topic_of
from careline.text.languages import told_apart


@pytest.mark.parametrize("topic", ["default", *TOPICS])
@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_every_language_has_three_fillers_for_every_topic(language: str, topic: str) -> None:
    steps = ladder(language, topic)  # type: ignore[arg-type]
    assert [step.after_seconds for step in steps] == list(AFTER_SECONDS) == [1.5, 4.0, 10.0]
    assert len({step.text for step in steps}) == 3
    assert all(told_apart(step.text) in {language, None} for step in steps)


@pytest.mark.parametrize(
    ("language", "question", "topic"),
    [
        ("nl", "Wat kost de parking?", "parking"),
        ("nl", "Ik wil mijn afspraak verzetten.", "appointment"),
        ("en", "Is there a leaflet about admission?", "documents"),
        ("fr", "Je voudrais prendre rendez-vous", "appointment"),
        ("it", "Dove posso parcheggiare?", "parking"),
        ("it", "Chi è il direttore?", "default"),
    ],
)
def test_the_question_tells_what_the_filler_is_about(language: str, question: str, topic: str) -> None:
    assert topic_of(question, language) == topic
