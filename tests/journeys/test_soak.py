"""The soak asks a real server what its documents say, and tells what was slow and what failed."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from careline_local.bench.speed import soak
from tests.journeys.process import Careline
from tests.source_roots import PYTHONPATH

TEXTS = ["Campus | Bus | Halte", "| --- | --- |", "De bus 534 rijdt om het halfuur."]


def test_questions_are_the_documents_own_words_and_the_same_each_time() -> None:
    asked = list(soak.made_from(TEXTS, 200, random.Random(soak.SEED)))
    assert asked == list(soak.made_from(TEXTS, 200, random.Random(soak.SEED)))
    assert any("---" in question for question in asked)
    known = set(" ".join((*TEXTS, *soak.OPENERS)).split())
    assert {word for question in asked for word in question.split()} <= known


@pytest.mark.parametrize(
    ("answers", "middle", "end", "failed", "held"),
    [
        ([0.1, 4.9], 500.0, 500.0, [], True),
        ([0.1, 5.1], 500.0, 500.0, [], False),
        ([0.1], 500.0, 500.0, ["question 3 (status 500)"], False),
        ([0.1], 510.0, 520.0, [], True),
        ([0.1], 510.0, 521.0, [], False),
        ([0.1], 560.0, 524.0, [], True),
        ([0.1], 560.0, 526.0, [], False),
    ],
)
def test_it_holds_when_every_request_was_answered_in_time_and_memory_stayed(
    answers: list[float], middle: float, end: float, failed: list[str], held: bool
) -> None:
    assert soak.Soak(answers, [0.01], [500.0, middle, end], failed).held is held


def test_a_server_is_asked_watched_and_given_documents(
    home_of_their_own: Callable[[], Careline], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", PYTHONPATH)
    monkeypatch.setattr(soak, "INGEST_EVERY", 10)
    ran = soak.run(home_of_their_own().home, 24, ingest=True)
    assert ran.failed == []
    assert (len(ran.answers), len(ran.memory)) == (24, 3)
    assert ran.health
    assert [row[0] for row in ran.rows()][-1] == "requests that failed"
