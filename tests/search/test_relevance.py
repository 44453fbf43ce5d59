"""What the reader and the search make of a window together."""

from __future__ import annotations

from careline.search.relevance import FARTHEST_AHEAD, shipped_fit

NOTHING = {
    "reader": 0.0,
    "meaning": 0.0,
    "words": 0.0,
    "passage": 0.0,
    "document": 0.0,
    "own_language": False,
}
BEST = {"meaning": 1.0, "words": 1.0, "passage": 1.0, "document": 2.0, "own_language": True}


def test_each_view_that_is_better_makes_a_window_more_relevant() -> None:
    weigh = shipped_fit().order
    least = weigh.relevance(**NOTHING)  # type: ignore[arg-type]
    for name, value in BEST.items():
        assert weigh.relevance(**{**NOTHING, name: value}) > least  # type: ignore[arg-type]


def test_what_the_search_finds_best_is_told_unless_the_reader_is_sure_that_it_does_not_answer() -> None:
    weigh = shipped_fit().order
    assert weigh.relevance(**{**NOTHING, **BEST, "reader": -3.0}) > 0  # type: ignore[arg-type]
    assert weigh.relevance(**{**NOTHING, **BEST, "reader": -8.0}) < 0  # type: ignore[arg-type]
    assert weigh.relevance(**{**NOTHING, "reader": 5.0}) < 0  # type: ignore[arg-type]


def test_a_window_answers_more_surely_the_nearer_it_is_and_the_further_ahead_of_the_others() -> None:
    weigh = shipped_fit().confidence
    plain = {"meaning": 0.5, "passage": 0.5, "ahead": 1.0, "part": 1.0, "best": 1.0}
    for name, better in {"meaning": 0.9, "passage": 0.9, "ahead": 4.0, "part": 5.0, "best": 5.0}.items():
        assert weigh.confidence(**{**plain, name: better}) > weigh.confidence(**plain)
    assert weigh.confidence(**{**plain, "ahead": 50.0}) == weigh.confidence(**{**plain, "ahead": FARTHEST_AHEAD})
