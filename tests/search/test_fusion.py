"""Two rankings become one score between 0 and 1."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.search.fusion import fuse

ids = st.sampled_from([f"{n}" for n in range(12)])
keyword_sides = st.dictionaries(ids, st.floats(0.001, 60), max_size=12).map(lambda side: list(side.items()))
dense_sides = st.dictionaries(ids, st.floats(-1, 1), max_size=12).map(lambda side: list(side.items()))


@given(keyword_sides, dense_sides, st.floats(-1, 1), st.floats(0, 1))
def test_every_id_is_ranked_once_best_first_with_a_score_between_0_and_1(
    keyword: list[tuple[str, float]], dense: list[tuple[str, float]], mean: float, trust: float
) -> None:
    fused = fuse(keyword, dense, mean, trust)
    assert sorted(found for found, _ in fused) == sorted({found for found, _ in (*keyword, *dense)})
    scores = [score for _, score in fused]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 + 1e-9 for score in scores)


@given(keyword_sides, dense_sides, st.floats(-1, 1))
def test_the_order_of_what_was_found_does_not_matter(
    keyword: list[tuple[str, float]], dense: list[tuple[str, float]], mean: float
) -> None:
    assert fuse(keyword, dense, mean) == fuse(keyword[::-1], dense[::-1], mean)


@given(keyword_sides)
def test_words_alone_decide_in_their_own_order(keyword: list[tuple[str, float]]) -> None:
    fused = [found for found, _ in fuse(keyword, [], 0.0, 0.2)]
    assert fused == [found for found, _ in sorted(keyword, key=lambda pair: (-pair[1], pair[0]))]


def test_the_best_of_both_sides_scores_one_and_half_each_where_they_disagree() -> None:
    assert fuse([("a", 9.0)], [("a", 0.9), ("b", 0.8)], 0.8) == [("a", 1.0), ("b", 0.0)]
    assert fuse([("a", 9.0)], [("b", 0.9)], 0.8) == [("b", 0.5), ("a", 0.5)]


def test_of_what_is_worth_the_same_the_nearest_is_first_whatever_it_is_called() -> None:
    far = [("c", 0.7), ("a", 0.6), ("b", 0.65)]
    assert fuse([], [("d", 0.9), *far], 0.8) == [("d", 1.0), ("c", 0.0), ("b", 0.0), ("a", 0.0)]


def test_words_that_hold_little_of_the_question_are_trusted_little() -> None:
    fused = dict(fuse([("french", 9.0)], [("dutch", 0.9)], 0.8, trust=0.25))
    assert fused["dutch"] == pytest.approx(0.875)
    assert fused["french"] == pytest.approx(0.125)


def test_cosines_at_or_below_the_mean_count_nothing() -> None:
    assert dict(fuse([], [("a", 0.9), ("b", 0.85), ("c", 0.7)], 0.8)) == pytest.approx({"a": 1.0, "b": 0.5, "c": 0.0})
