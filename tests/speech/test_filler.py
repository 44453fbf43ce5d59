"""Fillers come at 1.5, 4 and 10 seconds, each once, in the caller's language, and never after the answer began."""

from __future__ import annotations

import pytest

from careline.languages import told_apart
from careline.speech.filler import AFTER_SECONDS, TOPICS, FillerLadder, ladder, topic_of


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("topic", ["default", *TOPICS])
@pytest.mark.parametrize("language", ["nl", "en", "fr", "it"])
def test_every_language_has_three_fillers_for_every_topic(language: str, topic: str) -> None:
    steps = ladder(language, topic)  # type: ignore[arg-type]
    assert [step.after_seconds for step in steps] == list(AFTER_SECONDS) == [1.5, 4.0, 10.0]
    assert len({step.text for step in steps}) == 3
    assert all(told_apart(step.text) in {language, None} for step in steps)


def test_each_filler_is_said_once_when_its_time_has_come() -> None:
    clock = Clock()
    fillers = FillerLadder("nl", "parking", clock)
    first, second, third = (step.text for step in ladder("nl", "parking"))
    heard = []
    for seconds in (0.0, 1.4, 1.5, 1.6, 3.9, 4.0, 9.9, 10.0, 30.0):
        clock.now = 100.0 + seconds
        heard.append(fillers.due())
    assert heard == [None, None, first, None, None, second, None, third, None]


def test_a_late_question_gets_the_latest_filler_alone() -> None:
    fillers = FillerLadder("fr", "default", Clock())
    assert fillers.due(elapsed=4.2) == ladder("fr")[1].text
    assert fillers.due(elapsed=4.3) is None
    assert fillers.next_after() == 10.0


def test_the_first_sentence_cancels_what_was_still_to_come() -> None:
    fillers = FillerLadder("en", "default", Clock())
    assert fillers.next_after() == 1.5
    fillers.cancel()
    assert fillers.due(elapsed=60.0) is None
    assert fillers.next_after() is None


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
