"""A process whose log is JSON, kept line by line."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from careline.log.configure import configure


class Log:
    """What a process writes."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def lines(self) -> list[dict[str, Any]]:
        """The lines until now."""
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    def of(self, code: str) -> list[dict[str, Any]]:
        """Those of one event."""
        return [line for line in self.lines() if line["code"] == code]


@pytest.fixture
def written() -> Iterator[Log]:
    """The log of this process, until the test is over."""
    root, made = logging.getLogger(), Log()
    before, level = list(root.handlers), root.level
    configure("orchestrator", "json", stream=made.stream)
    yield made
    root.handlers[:] = before
    root.setLevel(level)
