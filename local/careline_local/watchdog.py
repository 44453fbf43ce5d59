"""Notices when the event loop of the server stands still, and logs where it stands: nobody is answered meanwhile."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType

from careline.log.event_log import EventLog

BEAT_SECONDS = 0.1
"""How often the loop shows that it runs, and how often that is looked at."""
BLOCKED_SECONDS = 1.0
"""How long it may show nothing. A turn takes hundredths of a second."""
DEEPEST = 30
"""Innermost frames of a stack that are logged."""
log = EventLog(__name__)


class Watchdog:
    """A thread beside an event loop. Logs a block once with the loop's stack, and its end with its length.

    A stack is functions, files and lines, never values: these may be a caller's words.
    """

    def __init__(self, blocked_after: float = BLOCKED_SECONDS, beat: float = BEAT_SECONDS) -> None:
        self._blocked_after, self._beat = blocked_after, beat
        self._last = time.monotonic()
        self._stopped = threading.Event()
        self._loop_thread = 0

    @asynccontextmanager
    async def watching(self) -> AsyncIterator[None]:
        """Watches the running loop until the block is left."""
        self._loop_thread = threading.get_ident()
        self._last = time.monotonic()
        beating = asyncio.create_task(self._beat_always())
        thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)
        thread.start()
        try:
            yield
        finally:
            beating.cancel()
            self._stopped.set()
            thread.join()

    async def _beat_always(self) -> None:
        while True:
            self._last = time.monotonic()
            await asyncio.sleep(self._beat)

    def _watch(self) -> None:
        stood_since: float | None = None
        while not self._stopped.wait(self._beat):
            last = self._last
            if stood_since is None and time.monotonic() - last > self._blocked_after:
                stood_since = last
                log.write("event_loop_blocked", stack=stack_of(self._loop_thread))
            elif stood_since is not None and last != stood_since:
                log.write("event_loop_running", blocked_seconds=round(last - stood_since, 1))
                stood_since = None


def stack_of(thread: int) -> str:
    """Where a thread is: the innermost functions with file and line, outermost first; empty when it has ended."""
    frame: FrameType | None = sys._current_frames().get(thread)
    places: list[str] = []
    while frame is not None and len(places) < DEEPEST:
        code = frame.f_code
        file = Path(code.co_filename)
        places.append(f"{code.co_qualname} {file.parent.name}/{file.name}:{frame.f_lineno}")
        frame = frame.f_back
    return " > ".join(reversed(places))
