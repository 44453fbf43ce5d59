"""Keeps the C library to few heaps, so that what one thread frees the others use again and a server stays its size, and
has it give back what none of them uses."""

from __future__ import annotations

import ctypes
import sys

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""`M_TRIM_THRESHOLD`, `M_MMAP_THRESHOLD` and `M_ARENA_MAX` of glibc's `malloc.h`."""
FEW = 2
MOST_FREE = 16 << 20
"""Bytes that a heap may keep at its end for the next text. Once a model was read glibc keeps 64 MB, and `give_back`
reaches the end of the first heap only."""
LARGEST = 32 << 20
"""Bytes of one piece from which it is taken from the system and given back by itself; the most that glibc takes."""


def keep_few() -> bool:
    """Have all threads share `FEW` heaps, from here on; glibc would open eight for each processor, and a heap that a
    long passage has filled once is never given back. False where the C library is another and nothing is changed."""
    return _set(_ARENA_MAX, FEW)


def keep_little_free() -> bool:
    """Have each heap give back what is free at its end beyond `MOST_FREE`. Call it when the models are loaded: what
    they were read from is larger than any piece that comes later. False where the C library is another."""
    return _set(_MMAP_THRESHOLD, LARGEST) and _set(_TRIM_THRESHOLD, MOST_FREE)


def _set(option: int, value: int) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and mallopt(option, value) == 1


def give_back() -> bool:
    """Return the pages to the system that nothing uses any more, as after a model was read or documents were taken in.
    Heaps are locked meanwhile, for some milliseconds. False where the C library has no such call or nothing to give."""
    if not sys.platform.startswith("linux"):
        return False
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return trim is not None and trim(0) == 1
