"""What grows with the square of its input is told by its steps; what grows with its length passes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from types import FrameType
from typing import Any

import pytest

from tests.growth import grows_no_faster_than_its_length, steps


def loop_over_each(count: int) -> int:
    total = 0
    for number in range(count):
        total += number
    return total


def loop_over_all_for_each(count: int) -> int:
    total = 0
    for _ in range(count):
        for number in range(count):
            total += number
    return total


def look_back_at_every_word(count: int) -> list[str]:
    words = "van " * count
    return [word for at, word in enumerate(words.split()) if all(word == each for each in words.split()[:at])]


@pytest.mark.parametrize(
    "work",
    [
        loop_over_each,
        lambda count: [number for number in range(count) if number % 2],
        lambda count: sum(number for number in range(count)),
        lambda count: sorted(range(count), key=lambda number: -number),
        lambda count: "a" * count,
    ],
)
def test_work_that_grows_with_its_length_passes_and_takes_the_same_steps_each_time(
    work: Callable[[int], object],
) -> None:
    grows_no_faster_than_its_length(work, 100)
    assert steps(lambda: work(100)) == steps(lambda: work(100))


@pytest.mark.parametrize(
    "work",
    [
        loop_over_all_for_each,
        look_back_at_every_word,
        lambda count: [one for one in range(count) for other in range(count) if one == other],
        lambda count: sum(one * other for one in range(count) for other in range(count)),
        lambda count: [max(range(count), key=lambda number: -number) for _ in range(count)],
    ],
)
def test_work_that_grows_with_the_square_fails_and_both_counts_are_told(work: Callable[[int], object]) -> None:
    with pytest.raises(AssertionError, match=r"^\d[\d,]* steps at 100 and \d[\d,]* at 800"):
        grows_no_faster_than_its_length(work, 100)


@pytest.mark.parametrize(
    ("work", "ending"), [(lambda: None, nullcontext()), (lambda: [][0], pytest.raises(IndexError))]
)
def test_the_former_trace_function_is_back_afterwards(
    work: Callable[[], object], ending: AbstractContextManager[object]
) -> None:
    def former(frame: FrameType, event: str, arg: Any) -> None:
        return None

    before = sys.gettrace()
    sys.settrace(former)
    try:
        with ending:
            steps(work)
    finally:
        after = sys.gettrace()
        sys.settrace(before)
    assert after is former
