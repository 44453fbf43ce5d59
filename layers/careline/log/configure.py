"""Sets the log of a process up: where its lines go, what they look like, and from which level on."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import IO, Literal

from careline.log.formatters import JsonLines, Stamp, TextLines

Style = Literal["json", "text"]
OWN_HANDLERS = ("uvicorn", "uvicorn.error", "uvicorn.access")
"""Loggers to which their library gives handlers; they go through the root's instead."""
TALKATIVE = ("httpx", "httpx2", "openai", "botocore", "boto3", "urllib3", "opensearch", "opensearchpy", "asyncio")
"""Libraries that tell each request; only what goes wrong is worth a line."""


class Lines(logging.StreamHandler[IO[str]]):
    """Writes lines. One that cannot be written is told by its place; `logging` itself would print its values."""

    def handleError(self, record: logging.LogRecord) -> None:
        """See `logging.Handler.handleError`."""
        with suppress(OSError, ValueError):
            sys.stderr.write(f"a line of the log could not be written: {record.module}:{record.lineno}\n")


def configure(function: str, style: Style, level: int | None = None, stream: IO[str] | None = None) -> logging.Handler:
    """Make one handler the only one of this process and return it.

    `function` names the process in JSON. Without a level JSON begins at INFO and text at WARNING, as somebody may be
    reading who asked for something else. Text goes to standard error, JSON to standard output, where containers and
    Lambda read it.
    """
    handler = Lines(stream or (sys.stdout if style == "json" else sys.stderr))
    handler.setFormatter(JsonLines(function) if style == "json" else TextLines())
    handler.addFilter(Stamp())
    root = logging.getLogger()
    for other in list(root.handlers):
        root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(level or (logging.INFO if style == "json" else logging.WARNING))
    for name in OWN_HANDLERS:
        logger = logging.getLogger(name)
        logger.handlers.clear()
        logger.propagate = True
    for name in TALKATIVE:
        logging.getLogger(name).setLevel(logging.WARNING)
    return handler


def begin(function: str) -> None:
    """Text for whoever started the process, unless it has a log already, as where a program runs a command itself."""
    if not logging.getLogger().handlers:
        configure(function, "text")
