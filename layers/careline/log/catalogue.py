"""The catalogue of log events: `events.yaml` read, and the table that docs/operations.md holds.

`python -m careline.log.catalogue` prints that table.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

FILE = Path(__file__).with_name("events.yaml")
LEVELS = {"INFO": logging.INFO, "WARNING": logging.WARNING, "ERROR": logging.ERROR}


@dataclass(frozen=True, slots=True)
class LogEvent:
    """One kind of line. `message` never changes; what does stands in `fields`."""

    code: str
    level: int
    message: str
    fields: tuple[str, ...]
    part: str
    """The part of Careline that writes it, as a heading."""
    when: str
    """When it is written, where the message does not say it."""
    do: str
    """What whoever is on call does about it."""


@cache
def events() -> Mapping[str, LogEvent]:
    """Every event by its code, in the catalogue's order."""
    read = yaml.load(FILE.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return {code: _event(code, part, said) for part, listed in read.items() for code, said in listed.items()}


def _event(code: str, part: str, said: Mapping[str, str]) -> LogEvent:
    fields = tuple(said.get("fields", "").split())
    return LogEvent(code, LEVELS[said["level"]], said["message"], fields, part, said.get("when", ""), said["do"])


def event(code: str) -> LogEvent:
    """One event. A test forbids codes that are in no catalogue; one that slips through makes a line, no failure."""
    return events().get(code) or LogEvent(code, logging.ERROR, "an event without an entry", (), "", "", "")


def as_markdown() -> str:
    """The catalogue as a table for each part."""
    lines: list[str] = []
    for part in dict.fromkeys(one.part for one in events().values()):
        lines += ["", f"**{part}**", "", "| code | level | message; when | fields | do |", "|---|---|---|---|---|"]
        lines += [_row(one) for one in events().values() if one.part == part]
    return "\n".join(lines[1:])


def _row(one: LogEvent) -> str:
    said = f"{one.message}; {one.when}" if one.when else one.message
    fields = ", ".join(one.fields)
    return f"| `{one.code}` | {logging.getLevelName(one.level)} | {said} | {fields} | {one.do} |"


if __name__ == "__main__":
    sys.stdout.write(as_markdown() + "\n")
