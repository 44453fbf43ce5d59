"""Holds one document to its time and its memory while a child reads it."""

from __future__ import annotations

import threading
import time

from careline.errors import DocumentRejected
from careline.knowledge.extract.child import frames, memory
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits

TICK = 0.05
"""Seconds between two looks at a child that says nothing."""
_COSTLY_TICK = 1.0
_OCR_SLACK = 10.0
_MEBIBYTE = 1024 * 1024


class Cancelled(Exception):
    """Whoever asked does not want the answer any more."""


class Watch:
    """What one document has taken so far, and what it may take. Recognition of pictures has time of its own."""

    def __init__(self, pid: int, limits: Limits, cancelled: threading.Event) -> None:
        self.limits, self.peak = limits, 0
        self._pid, self._cancelled = pid, cancelled
        self._deadline = self._looked = 0.0
        self._pauses = 0
        self._paused: float | None = None

    def begin(self, seconds: float | None = None) -> None:
        """From now on the time counts."""
        self._deadline = time.monotonic() + (self.limits.extract_seconds if seconds is None else seconds)

    def check(self) -> None:
        """Raises: DocumentRejected `too_slow` or `too_much_memory`, Cancelled."""
        now = time.monotonic()
        if self._cancelled.is_set():
            raise Cancelled
        if now > self._deadline:
            raise self.too_slow()
        if now - self._looked >= (_COSTLY_TICK if memory.COSTLY else TICK):
            self._looked, self.peak = now, max(self.peak, memory.resident_bytes(self._pid))
            if self.peak > self.limits.extract_memory_bytes:
                raise self.too_much_memory()

    def note(self, kind: int) -> None:
        """What the child said on its way. Its clock stands still while a page is recognised, at most once a page."""
        now, most = time.monotonic(), self.limits.ocr_seconds_per_page + _OCR_SLACK
        if kind == frames.PAUSED and self._paused is None and self._pauses < self.limits.max_pages:
            self._paused, self._pauses, self._deadline = now, self._pauses + 1, self._deadline + most
        elif kind == frames.RESUMED and self._paused is not None:
            self._deadline -= most - min(most, now - self._paused)
            self._paused = None

    def too_slow(self) -> DocumentRejected:
        """The rejection for time."""
        return rejected("too_slow", limit=self.limits.extract_seconds)

    def too_much_memory(self) -> DocumentRejected:
        """The rejection for memory."""
        return rejected("too_much_memory", limit=self.limits.extract_memory_bytes // _MEBIBYTE)
