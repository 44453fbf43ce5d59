"""What the reader and the search make of a window together."""

from __future__ import annotations

from careline.search.relevance import relevance_weights

NOTHING = {
    "reader": 0.0,
    "meaning": 0.0,
    "words": 0.0,
    "passage": 0.0,
    "document": 0.0,
    "own_language": False,
    "lacked": 0.0,
}
BEST = {"meaning": 1.0, "words": 1.0, "passage": 1.0, "document": 2.0, "own_language": True}


def test_each_view_that_is_better_makes_a_window_more_relevant() -> None:
    weigh = relevance_weights()
    least = weigh.relevance(**NOTHING)  # type: ignore[arg-type]
    for name, value in BEST.items():
        assert weigh.relevance(**{**NOTHING, name: value}) > least  # type: ignore[arg-type]


def test_what_the_search_finds_best_is_told_unless_the_reader_is_sure_that_it_does_not_answer() -> None:
    weigh = relevance_weights()
    assert weigh.relevance(**{**NOTHING, **BEST, "reader": -3.0}) > 0  # type: ignore[arg-type]
    assert weigh.relevance(**{**NOTHING, **BEST, "reader": -8.0}) < 0  # type: ignore[arg-type]
    assert weigh.relevance(**{**NOTHING, "reader": 5.0}) < 0  # type: ignore[arg-type]


def test_a_window_is_less_relevant_the_more_of_what_is_asked_about_its_page_lacks() -> None:
    weigh = relevance_weights()
    by_lack = [weigh.relevance(**{**NOTHING, **BEST, "reader": 0.0, "lacked": share}) for share in (0.0, 0.5, 1.0)]  # type: ignore[arg-type]
    assert by_lack[0] > by_lack[1] > by_lack[2]
