"""Keeps the C library to few heaps, so that what one thread frees the others use again and a server stays its size."""

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
