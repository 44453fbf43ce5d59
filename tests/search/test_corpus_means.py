"""What a question is near to without being about it: the means of a corpus, of its languages, and of everyday text."""

from __future__ import annotations

import numpy as np
import pytest

from careline.ports import Vector
from careline.search.corpus_means import CORRECTED, FEW, SMALL, QuestionMeans, VectorSum, corpus_means

NOTHING = np.zeros(2, np.float32)


def towards(first: float, second: float) -> Vector:
    return np.asarray([first, second], np.float32)


def test_a_large_corpus_has_its_own_mean_and_a_small_one_that_of_ordinary_text() -> None:
    ordinary = towards(0, 1)
    large = corpus_means({"nl": VectorSum(100_000, towards(100_000, 0))}, ordinary)
    small = corpus_means({"nl": VectorSum(1, towards(1, 0))}, ordinary)
    assert large.overall == pytest.approx(towards(1, 0), abs=0.001)
    assert small.overall == pytest.approx(towards(1 / (1 + SMALL), SMALL / (1 + SMALL)))


def test_the_mean_of_a_language_is_drawn_towards_the_whole_where_it_has_few_passages() -> None:
    sums = {"nl": VectorSum(1_000_000, towards(1_000_000, 0)), "fr": VectorSum(FEW, towards(0, FEW))}
    means = corpus_means(sums, NOTHING)
    assert means.languages["fr"] == pytest.approx(towards(0.5, 0.5), abs=0.001)
    assert means.languages["nl"] == pytest.approx(towards(1, 0), abs=0.001)


def test_what_is_taken_away_is_a_share_of_what_a_language_is_nearer_than_the_whole() -> None:
    asked = QuestionMeans(0.7, {"nl": 0.8, "fr": 0.6})
    assert asked.away("nl") == pytest.approx(CORRECTED * 0.1)
    assert asked.away("fr") == pytest.approx(-CORRECTED * 0.1)
    assert asked.relative(0.9, "nl") == pytest.approx(0.1)
    assert asked.relative(0.9, "fr") == pytest.approx(0.3)


def test_a_language_that_nothing_is_written_in_is_as_near_as_the_whole() -> None:
    asked = corpus_means({"nl": VectorSum(1, towards(1, 0))}, towards(1, 0)).asked(towards(1, 0))
    assert asked.away("de") == 0
    assert asked.relative(0.5, "de") == pytest.approx(0.5 - asked.overall)
