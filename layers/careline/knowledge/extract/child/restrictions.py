"""What the child asks the operating system to hold it to, should the parent not be able to."""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import sys
import threading
import time

from careline.knowledge.extract.child.memory import own_address_space
from careline.limits import Limits

_PR_SET_PDEATHSIG = 1
_SLACK_SECONDS = 2
"""The parent, which can say why, ends a slow document first."""


def die_with(parent: int) -> None:
    """End this process when its parent ends, however that does."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)
    else:
        threading.Thread(target=_wait_for_end_of, args=(parent,), daemon=True).start()


def _wait_for_end_of(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


def leave_no_core() -> None:
    """No memory image of a document stays behind after a crash."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def restrict(limits: Limits) -> None:
    """Hold this process to the limits of one document: processor time, and where it is counted, address space."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    seconds = math.ceil(used.ru_utime + used.ru_stime + limits.extract_seconds) + _SLACK_SECONDS
    _set(resource.RLIMIT_CPU, seconds)
    held = own_address_space()
    if held is not None:
        _set(resource.RLIMIT_AS, held + limits.extract_memory_bytes)


def _set(which: int, wanted: int) -> None:
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
