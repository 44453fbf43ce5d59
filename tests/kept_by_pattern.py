"""How much memory one pattern keeps of many texts that each begin in another way."""

from __future__ import annotations

import subprocess
import sys

_GROWING = """
import ctypes, random
{imports}

class Account(ctypes.Structure):
    _fields_ = [(str(n), ctypes.c_size_t) for n in range(10)]

def used():
    account = libc.mallinfo2()
    return getattr(account, "7") + getattr(account, "4")

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Account
chance = random.Random(7)
pattern = {compiled}
texts = ["".join(chance.choice("ab") for _ in range(4000)).encode() for _ in range(50)]
before = used()
for text in texts:
    assert not pattern.search(text)
print(used() - before)
"""
"""A state for each way that a text can begin would be kept, 32,000 of them for `a[ab]{14}c`."""


def bytes_kept(imports: str, compiled: str) -> int:
    """What a process of its own has more in use after the texts, by glibc's account; `compiled` makes the pattern."""
    program = _GROWING.replace("{imports}", imports).replace("{compiled}", compiled)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return int(ran.stdout)
