"""Counts the steps of Python, so that a test can tell work that grows with its input from work that grows faster.

A step is one line that begins: each pass of a loop, of a comprehension and of a generator is one, in every module and
on the thread that counts. The same work takes the same steps on a busy machine and on an idle one.

Work inside C is not seen. RE2 reads in linear time by construction, but a pattern of the `re` module, a slice, a `str`
method, `in` on a list, lxml and numpy may each read the whole text and count as one step or none. For those a test can
only let the largest input run once, uncounted, to see that it ends. Nor are other threads and processes seen.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

ROOM = 1.5
"""How many times as fast as the input the steps may grow; those of a square grow `times` as fast."""
START = 500
"""Steps that a large input may take beyond its share: to grow a table, to try one more way."""


def steps(work: Callable[[], object]) -> int:
    """How many steps Python takes until the work ends. The trace function that was there is back afterwards."""
    count = 0

    def step(frame: FrameType, event: str, arg: Any) -> Any:
        nonlocal count
        if event == "line":
            count += 1
        return step

    former, collected = sys.gettrace(), gc.isenabled()
    gc.disable()  # Whether it falls due, and so whether its callbacks are counted, hangs on what ran before.
    sys.settrace(step)
    try:
        work()
    finally:
        sys.settrace(former)
        if collected:
            gc.enable()
    return count


def grows_no_faster_than_its_length(work: Callable[[int], object], size: int, times: int = 8) -> None:
    """Asserts that `times` as much to do takes about `times` as many steps; a square would take `times` times that.

    A half-sized run comes first and is not counted: it compiles and remembers what is compiled and remembered once.
    """
    work(size // 2)
    small, large = steps(lambda: work(size)), steps(lambda: work(times * size))
    assert large <= ROOM * times * small + START, f"{small:,} steps at {size:,} and {large:,} at {times * size:,}"
