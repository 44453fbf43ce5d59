"""What the C library is asked for, in a process of its own as it holds for all of one."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

HEAPS = """
import ctypes, os, threading
from careline_local import malloc_arenas
asked = malloc_arenas.keep_few()
libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = [ctypes.c_size_t]
together = threading.Barrier(8)
def take():
    for _ in range(50):
        libc.malloc(1000)
    together.wait()
threads = [threading.Thread(target=take) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
libc.fflush(None)
libc.malloc_info.argtypes = [ctypes.c_int, ctypes.c_void_p]
libc.fopen.restype = ctypes.c_void_p
libc.fclose.argtypes = [ctypes.c_void_p]
stream = libc.fopen(b"/dev/stdout", b"w")
libc.malloc_info(0, stream)
libc.fclose(stream)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc opens heaps for its threads")
def test_all_threads_share_few_heaps() -> None:
    ran = subprocess.run([sys.executable, "-c", HEAPS], capture_output=True, text=True, check=True, timeout=60)
    assert 1 <= ran.stdout.count("<heap nr=") <= 2, ran.stdout
