"""The catalogue of metrics: `metrics.yaml` read, and the tables that docs/metrics.md holds.

`python -m careline.telemetry.metric_catalogue` prints those tables; with how many hospitals and models there are behind
it, as `3 1`, how many metrics CloudWatch keeps and asks a price for.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

import yaml

FILE = Path(__file__).with_name("metrics.yaml")
NAMESPACE = "Careline"
Unit = Literal["Count", "Milliseconds", "Seconds", "None"]
Origin = Literal["turn", "log", "worker", "canary", "none"]
_LOG_FIELD = re.compile(r"(?P<code>[a-z_]+(?![\w=]))?(?:\s?(?P<name>\w+)=(?P<value>\w+))?(?:\s?\$(?P<counted>\w+))?")


@dataclass(frozen=True, slots=True)
class LoggedAs:
    """How a metric is read from the log: lines of event `code` (of any event where None) with a field of this value;
    what is counted is a field of the line, or the line itself."""

    code: str | None
    having: tuple[str, str] | None
    counted: str | None


@dataclass(frozen=True, slots=True)
class Metric:
    """One metric. `dimension_sets` are those it is kept under; without any it is kept by its name alone."""

    name: str
    unit: Unit
    dimension_sets: tuple[tuple[str, ...], ...]
    origin: Origin
    field: str
    meaning: str
    part: str

    @property
    def logged_as(self) -> LoggedAs:
        """How it is read from the log. Raises: ValueError where it is not."""
        found = _LOG_FIELD.fullmatch(self.field)
        if self.origin != "log" or found is None:
            raise ValueError(f"{self.name} is not read from the log")
        having = (found["name"], found["value"]) if found["name"] else None
        return LoggedAs(found["code"], having, found["counted"])


@cache
def metrics() -> Mapping[str, Metric]:
    """Every metric by its name, in the catalogue's order."""
    read = yaml.load(FILE.read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
    return {name: _metric(name, part, said) for part, listed in read.items() for name, said in listed.items()}


def _metric(name: str, part: str, said: Mapping[str, str]) -> Metric:
    sets = tuple(("stage",) if one == "stage" else ("stage", one) for one in said["by"].split())
    unit, origin = cast(Unit, said["unit"]), cast(Origin, said["from"])
    return Metric(name, unit, sets, origin, said["field"], said["meaning"], part)


def kept(hospitals: int, models: int) -> int:
    """How many metrics CloudWatch keeps of one stage, when everything has happened once; each hospital has a service of
    phone workers."""
    values = {"stage": 1, "channel": 2, "tenant": hospitals, "model": models, "service": hospitals}
    written = [one for one in metrics().values() if one.origin != "none"]
    return sum(math.prod(values[name] for name in each) for one in written for each in one.dimension_sets or ((),))


def as_markdown() -> str:
    """The catalogue as a table for each part."""
    lines: list[str] = []
    for part in dict.fromkeys(one.part for one in metrics().values()):
        lines += ["", f"## {part}", "", "| metric | unit | by | from | field | meaning |", "|---|---|---|---|---|---|"]
        lines += [_row(one) for one in metrics().values() if one.part == part]
    return "\n".join(lines[1:])


def _row(one: Metric) -> str:
    by = "; ".join(", ".join(each) for each in one.dimension_sets)
    origin = "**gap**" if one.origin == "none" else one.origin
    return f"| `{one.name}` | {one.unit} | {by} | {origin} | {one.field} | {one.meaning} |"


if __name__ == "__main__":
    told = str(kept(*map(int, sys.argv[1:]))) if sys.argv[1:] else as_markdown()
    sys.stdout.write(told + "\n")
