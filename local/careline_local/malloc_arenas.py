"""Keeps the C library to few heaps, so that what one thread frees the others use again and a server stays its size, and
has it give back what none of them uses."""

from __future__ import annotations

import ctypes
import sys

_ARENA_MAX = -8
"""`M_ARENA_MAX` of glibc's `malloc.h`."""
FEW = 2


def keep_few() -> bool:
    """Have all threads share `FEW` heaps, from here on; glibc would open eight for each processor, and a heap that a
    long passage has filled once is never given back. False where the C library is another and nothing is changed."""
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(_ARENA_MAX, FEW) == 1


def give_back() -> bool:
    """Return the pages to the system that nothing uses any more, as after a model was read or documents were taken in.
    Heaps are locked meanwhile, for some milliseconds. False where the C library has no such call or nothing to give."""
    if not sys.platform.startswith("linux"):
        return False
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim is not None and trim(0) == 1
