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


FREED = """
import ctypes
from careline_local import malloc_arenas

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = libc.free.argtypes = [ctypes.c_size_t]
taken = [libc.malloc(20_000) for _ in range(4000)]
for one in taken: ctypes.memset(one, 1, 20_000)
for one in taken[:-1]: libc.free(one)
before = resident()
assert malloc_arenas.give_back()
print(before - resident())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps what is freed below something in use")
def test_what_nothing_uses_is_given_back() -> None:
    ran = subprocess.run([sys.executable, "-c", FREED], capture_output=True, text=True, check=True, timeout=60)
    assert int(ran.stdout) > 60_000_000, ran.stdout


FREE_AT_THE_END = """
import ctypes
from careline_local import malloc_arenas

def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096

libc = ctypes.CDLL(None)
libc.malloc.restype = ctypes.c_void_p
libc.malloc.argtypes = libc.free.argtypes = [ctypes.c_size_t]
libc.free(libc.malloc(30 << 20))
assert malloc_arenas.keep_little_free()
before, taken = resident(), [0] * 50
for n in range(50): taken[n] = libc.malloc(1 << 20)
for one in taken: ctypes.memset(one, 1, 1 << 20)
for one in taken: libc.free(one)
print(resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc keeps the free end of a heap")
def test_a_heap_keeps_little_of_what_is_free_at_its_end() -> None:
    """Of fifty megabytes, all of which it would keep after a piece as large as a model was freed."""
    program = [sys.executable, "-c", FREE_AT_THE_END]
    ran = subprocess.run(program, capture_output=True, text=True, check=True, timeout=60)
    assert int(ran.stdout) < 20_000_000, ran.stdout
