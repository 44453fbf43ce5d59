"""Log records as lines: JSON for machines, one line of text for people. Neither shows an exception's message.

A record of a library is shown by its template, or by a message that stands in its source word by word, and by figures
alone of what was given beside it: anything else may be somebody's words.
"""

from __future__ import annotations

import json
import linecache
import logging
import traceback
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from careline.log import context
from careline.log.event_log import CODE, FIELDS

IDS, RAISED = "event_ids", "event_raised"
"""Attributes of a stamped record: the ids of the work that wrote it, and what was raised."""
SPOKEN_FREELY = ("uvicorn",)
"""Libraries whose messages hold addresses and names of signals, and are shown whole."""
MOST_FRAMES = 12
"""Innermost places that are shown of an exception."""
WITHHELD = "withheld, as it may be somebody's words; from"
STATEMENT = 8
"""Lines of source that a call of a logger takes at most."""
_ALWAYS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", CODE, FIELDS, IDS, RAISED}
"""What every record has."""


class Stamp(logging.Filter):
    """Puts ids on a record and takes from it what may be words, while the work that wrote it is at hand.

    As a filter of a handler it comes before whatever that does with the record, such as sending it to another process.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record stays."""
        stamped(record)
        return True


def stamped(record: logging.LogRecord) -> logging.LogRecord:
    """The record with its ids, a message without words and what was raised, once."""
    if IDS not in vars(record):
        setattr(record, IDS, dict(context.ids()))
        setattr(record, RAISED, raised(record.exc_info[1]) if record.exc_info and record.exc_info[1] else None)
        record.msg, record.args = _message(record), None
        record.exc_info, record.exc_text, record.stack_info = None, None, None
    return record


def raised(error: BaseException) -> dict[str, Any]:
    """Kind and places of an exception, and the kinds of those that it came from."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    places = [f"{frame.name} {'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno}" for frame in frames]
    told: dict[str, Any] = {"kind": type(error).__name__, "at": places}
    if chain := [type(cause).__name__ for cause in _causes(error)]:
        told["from"] = chain
    return told


def _causes(error: BaseException) -> Iterable[BaseException]:
    seen = {id(error)}
    while (cause := error.__cause__ or (None if error.__suppress_context__ else error.__context__)) is not None:
        if id(cause) in seen:
            return
        seen.add(id(cause))
        yield cause
        error = cause


def code_of(record: logging.LogRecord) -> str:
    """The event of a record; `library` for a line that is none of ours."""
    return str(getattr(record, CODE, "library"))


def _message(record: logging.LogRecord) -> str:
    """The message as far as it is known before anything happens; else the place in the library that wrote it."""
    try:
        first = record.getMessage().partition("\n")[0]
    except Exception:
        # Whoever wrote it gave other values than its template takes; whose work it was is not to break by that.
        first = ""
    if CODE in vars(record) or str(record.name).partition(".")[0] in SPOKEN_FREELY:
        return first
    if record.args and isinstance(record.msg, str):
        return record.msg.partition("\n")[0]
    source = linecache.getlines(record.pathname)[record.lineno - 1 : record.lineno - 1 + STATEMENT]
    return first if first and first in "".join(source) else f"{WITHHELD} {record.module}:{record.lineno}"


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """What was given beside the message: of our own events all of it, of others' figures alone."""
    if (ours := getattr(record, FIELDS, None)) is not None:
        return {name: getattr(record, name) for name in ours}
    return {
        name: value
        for name, value in vars(record).items()
        if name not in _ALWAYS and isinstance(value, bool | int | float)
    }


class JsonLines(logging.Formatter):
    """One JSON object a line. `function` names the process; the keys that Powertools' Logger appends come after it.

    The methods beside `format` are what Powertools asks of a formatter.
    """

    def __init__(self, function: str = "careline") -> None:
        super().__init__()
        self._function = function
        self._kept: dict[str, Any] = {}

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        stamped(record)
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {
            "timestamp": at,
            "level": record.levelname,
            "code": code_of(record),
            "message": record.getMessage(),
            "function": self._function,
            **getattr(record, IDS),
            **self._kept,
            "logger": record.name,
            **fields_of(record),
        }
        if found := getattr(record, RAISED):
            line["raised"] = found
        return json.dumps(line, ensure_ascii=False, default=str)

    def append_keys(self, **keys: Any) -> None:
        """Keys of every line from here on; of Powertools' those that tell one invocation from another."""
        self._kept.update({name: value for name, value in keys.items() if name in INVOCATION})

    def remove_keys(self, keys: Iterable[str]) -> None:
        """The opposite."""
        for name in keys:
            self._kept.pop(name, None)

    def clear_state(self) -> None:
        """No such keys."""
        self._kept.clear()

    def thread_safe_clear_keys(self) -> None:
        """There are none: what belongs to one piece of work is bound in `careline.log.context`."""


INVOCATION = ("cold_start", "function_request_id")
"""What Powertools knows of an invocation and a line should tell."""


class TextLines(logging.Formatter):
    """One line for a person: level, code, message, and what else there is as `name=value`."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        stamped(record)
        rest: Mapping[str, Any] = {**fields_of(record), **getattr(record, IDS)}
        who = code_of(record) if CODE in vars(record) else record.name
        told = (f"{name}={value}" for name, value in rest.items())
        line = [f"{record.levelname} {who}: {record.getMessage()}", *told]
        if found := getattr(record, RAISED):
            line.append(f"raised={found['kind']} at={' < '.join(reversed(found['at']))}")
        return " ".join(line)
