"""Writes events of the catalogue: code, level and message come from there, a call site gives the fields."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from types import TracebackType
from typing import TypeAlias

from careline.log.catalogue import event

Value: TypeAlias = str | int | float | bool | None
"""What a field holds: codes, counts, sizes, ids of ours; never words of a caller or a document."""
Raised: TypeAlias = tuple[type[BaseException], BaseException, TracebackType | None] | None
CODE = "event_code"
"""Attribute of a log record that names its event."""
FIELDS = "event_fields"
"""Attribute of a log record that names its fields, each an attribute itself."""


class EventLog:
    """The log of one module."""

    def __init__(self, name: str) -> None:
        self._logger = logging.getLogger(name)

    def write(self, code: str, /, **fields: Value) -> None:
        """Write one event."""
        self._write(code, None, fields)

    def write_raised(self, code: str, error: BaseException, /, **fields: Value) -> None:
        """Write one event of a defect: with the places that `error` came through, and never its message."""
        self._write(code, (type(error), error, error.__traceback__), fields)

    def _write(self, code: str, raised: Raised, fields: Mapping[str, Value]) -> None:
        found = event(code)
        if self._logger.isEnabledFor(found.level):
            extra = {**fields, CODE: code, FIELDS: tuple(fields)}
            self._logger.log(found.level, found.message, extra=extra, exc_info=raised, stacklevel=3)
