"""What is loaded is not looked through for garbage; what comes after it is."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from careline.runtime.set_aside import set_aside

LOADED, OLD = 300_000, 60
"""Objects that are loaded, and how often a thousand dead ones grow old: fewer in all than a quarter of the loaded."""


class Circle:
    """Refers to itself, so that only the collection of garbage finds it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture(autouse=True)
def collected_as_outside_of_tests() -> Iterator[None]:
    """As often as Python does by itself; what is set aside here is looked through again in the tests that follow."""
    former = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*former)
    gc.unfreeze()


def test_garbage_that_has_grown_old_is_found_however_much_is_loaded() -> None:
    loaded: list[list[int]] = [[] for _ in range(LOADED)]
    set_aside()
    for _ in range(OLD):
        circles = [Circle() for _ in range(1000)]
        gc.collect(1)
        del circles
    left = sum(type(each) is Circle for each in gc.get_objects())
    assert left < OLD * 1000 / 2
    assert len(loaded) == LOADED
