"""Sends the spans that have ended, where a process is stopped as soon as it has answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from threading import Lock


class Sending:
    """Sends in a thread of its own, and is waited for no longer than `seconds`.

    What is not sent by then goes on being sent: the thread cannot be stopped, and the process waits for it when it
    ends. However many ask, one sending goes on and one more is to follow.
    """

    def __init__(self, send: Callable[[], object], seconds: float) -> None:
        self._send, self._seconds = send, seconds
        self._thread = ThreadPoolExecutor(1, "careline-spans")
        self._last: Future[object] | None = None
        self._lock = Lock()

    def now(self) -> None:
        """Send what has ended."""
        wait([self._asked()], self._seconds)

    async def soon(self) -> None:
        """The same, beside the event loop."""
        # Not `wait_for`, which would cancel what others wait for as well.
        await asyncio.wait([asyncio.wrap_future(self._asked())], timeout=self._seconds)

    def _asked(self) -> Future[object]:
        """The next sending. One that has not begun sends what has ended by now, too."""
        with self._lock:
            if self._last is None or self._last.running() or self._last.done():
                self._last = self._thread.submit(self._send)
            return self._last


_sending: Sending | None = None


def send_with(send: Callable[[], object], seconds: float) -> None:
    """Let `send` be called at the end of each piece of work, which waits for it so long at most."""
    global _sending
    _sending = Sending(send, seconds)


def send_now() -> None:
    """Send what has ended; nothing where spans are sent in the background or not at all."""
    if _sending is not None:
        _sending.now()


async def send_soon() -> None:
    """The same, beside the event loop."""
    if _sending is not None:
        await _sending.soon()
