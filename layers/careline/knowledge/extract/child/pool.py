"""Lends child processes to whoever wants a document read: a warm one when there is one, a few at once at most."""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from careline.errors import ExtractionUnavailable
from careline.knowledge.extract.child.memory import resident_bytes
from careline.knowledge.extract.child.process import PROGRAM, Gone, ReaderProcess
from careline.limits import Limits
from careline.tables.extracted import Extracted

_MOST_AT_ONCE = 4
_MOST_DOCUMENTS = 200
_MOST_KEPT_BYTES = 400 * 1024 * 1024
"""A child that has read so many documents, or holds so much after one, makes way for a fresh one."""


async def read_in_child(file_name: str, content: bytes, limits: Limits) -> Extracted:
    """What the file says, as `extract.read` tells it, read in a child process that this one outlives.

    The event loop goes on meanwhile. Raises: DocumentRejected, ExtractionUnavailable.
    """
    return await _pool().read(file_name, content, limits)


class ReaderPool:
    """Child processes and the threads that wait for them, of which each has one child at a time."""

    def __init__(self, most_at_once: int, program: str = PROGRAM) -> None:
        self._program = program
        self._threads = ThreadPoolExecutor(most_at_once, thread_name_prefix="extract")
        self._lock = threading.Lock()
        self._idle: list[ReaderProcess] = []

    async def read(self, file_name: str, content: bytes, limits: Limits) -> Extracted:
        """As `read_in_child`. When the caller is cancelled, so is the child's work."""
        cancelled = threading.Event()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._read, file_name, content, limits, cancelled)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    def close(self) -> None:
        """End every child; nothing is read afterwards."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        for child in self._idle:
            child.end()
        self._idle.clear()

    def _read(self, file_name: str, content: bytes, limits: Limits, cancelled: threading.Event) -> Extracted:
        # Children that nobody asked for a while end by themselves, all of them perhaps: the second one asked is new.
        for borrow in (self._borrowed, self._started):
            child = borrow()
            try:
                return child.read(file_name, content, limits, cancelled)
            except Gone:
                continue
            finally:
                self._give_back(child)
        raise ExtractionUnavailable("the program that reads documents ends as soon as it is asked")

    def _borrowed(self) -> ReaderProcess:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._started()

    def _started(self) -> ReaderProcess:
        return ReaderProcess(self._program)

    def _give_back(self, child: ReaderProcess) -> None:
        if child.ended:
            return
        if child.documents >= _MOST_DOCUMENTS or resident_bytes(child.pid) > _MOST_KEPT_BYTES:
            child.end()
            return
        with self._lock:
            self._idle.append(child)


@cache
def _pool() -> ReaderPool:
    pool = ReaderPool(min(_MOST_AT_ONCE, max(2, (os.cpu_count() or 2) // 2)))
    atexit.register(pool.close)
    return pool
