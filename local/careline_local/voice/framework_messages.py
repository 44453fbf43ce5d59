"""Leaves out what the framework logs about a call at the command line, where the line tells the same in its own words.

The framework writes a traceback each time that a vendor hangs up, and a line for each moment in which the machine is
too slow; beside a call that goes well they would look like a fault. What it says about anything else stays, an error
of the code in the same places too.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from aiohttp import ClientError
from livekit.agents import APIError

BROKEN = {
    "livekit.agents": (
        "failed to recognize speech: ",
        "failed to generate LLM completion: ",
        "failed to synthesize speech: ",
    ),
    "livekit.plugins.deepgram": ("Error in send_task", "Error in recv_task"),
    "livekit.plugins.elevenlabs": ("send loop error", "recv loop error"),
}
"""How messages about a connection that broke begin, by their logger."""
SLOW = {"livekit.agents": ("VAD inference is slower than realtime", "eot prediction timed out")}
"""How messages about a machine that is too slow begin, by their logger."""
RAISED = (APIError, ClientError, ConnectionError, type(None))
"""What comes with them where a vendor hangs up, refuses or is not reached."""


@dataclass(slots=True)
class Noticed:
    """What the messages that were left out said."""

    slow: int = 0


class LeftOut(logging.Filter):
    """Drops the messages of one logger that begin so, where nothing else was raised than that a connection broke."""

    def __init__(self, logger: str, noticed: Noticed) -> None:
        super().__init__()
        self._broken, self._slow, self._noticed = BROKEN[logger], SLOW.get(logger, ()), noticed

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the message stays."""
        raised, message = record.exc_info[1] if record.exc_info else None, record.getMessage()
        if message.startswith(self._slow):
            self._noticed.slow += 1
            return False
        return not (message.startswith(self._broken) and isinstance(raised, RAISED))


@contextmanager
def left_out() -> Iterator[Noticed]:
    """Leave them out while the block runs; nothing changes for other loggers and other messages."""
    noticed = Noticed()
    filters = [(logging.getLogger(name), LeftOut(name, noticed)) for name in BROKEN]
    for logger, one in filters:
        logger.addFilter(one)
    try:
        yield noticed
    finally:
        for logger, one in filters:
            logger.removeFilter(one)
