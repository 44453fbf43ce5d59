"""The alarms of a stage: `alarms.yaml` read, and made out for each function, queue and objective that there is.

`python -m infra.operations.alarm_rules` prints the table of docs/runbooks.md.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml

from infra.operations import metric_query
from infra.operations.metric_query import MetricQuery
from infra.operations.watched import Watched

FILE = Path(__file__).with_name("alarms.yaml")
_WHEN = re.compile(r"(?P<expression>.+?) (?P<comparison>>=|<=|>|<) (?P<threshold>\S+)")
_FOR = re.compile(r"(?P<bad>\d+) of (?P<periods>\d+)")


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of the list, as it is written there."""

    name: str
    metrics: Mapping[str, Mapping[str, str]]
    when: str
    period: int
    lasting: str
    missing: Literal["ok", "bad"]
    means: str
    why: str
    each: str | None
    unless: str | None
    needs: str | None


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm of a stage. `expression` is metric math over the ids of `metrics`; where it is one id there is none.

    It tells when `bad_periods` of the last `periods` compare so with `threshold`.
    """

    rule: Rule
    of: str
    metrics: Mapping[str, MetricQuery]
    expression: str
    comparison: str
    threshold: float
    period: int
    bad_periods: int
    periods: int

    @property
    def name(self) -> str:
        """Its name within the stage."""
        return f"{self.rule.name}-{self.of}" if self.of else self.rule.name


@cache
def rules() -> Mapping[str, Rule]:
    """Every entry by its name, in the list's order."""
    read = yaml.safe_load(FILE.read_bytes())
    return {name: _rule(name, said) for name, said in read.items()}


def _rule(name: str, said: Mapping[str, Any]) -> Rule:
    return Rule(
        name, said["metrics"], said["when"], said["period"], said["for"], said["missing"], said["means"], said["why"],
        said.get("each"), said.get("unless"), said.get("needs"),
    )  # fmt: skip


def alarms(watched: Watched) -> Iterator[Alarm]:
    """Every alarm of a stage. Raises: ValueError for an entry that names no metric or kind that there is."""
    for rule in rules().values():
        if rule.needs is not None and rule.needs not in watched.parts:
            continue
        for of, more in watched.each(rule.each):
            if rule.unless is None or re.search(rule.unless, of) is None:
                yield _alarm(rule, of, {**watched.values(), **more})


def _alarm(rule: Rule, of: str, values: Mapping[str, object]) -> Alarm:
    when, lasting = _WHEN.fullmatch(rule.when), _FOR.fullmatch(rule.lasting)
    if when is None or lasting is None:
        raise ValueError(f"alarms.yaml: {rule.name}: `when` is a comparison, `for` is `2 of 3`")
    queries = {name: metric_query.read(said, values) for name, said in rule.metrics.items()}
    threshold = float(when["threshold"].format(**values))
    return Alarm(
        rule, of, queries, when["expression"].format(**values), when["comparison"], threshold, rule.period,
        int(lasting["bad"]), int(lasting["periods"]),
    )  # fmt: skip


def as_markdown() -> str:
    """The list as a table."""
    lines = ["| alarm | tells when | within | what it means | why at that number |", "|---|---|---|---|---|"]
    return "\n".join([*lines, *(_row(one) for one in rules().values())])


def _row(rule: Rule) -> str:
    each = f", for each {rule.each.replace('_', ' ')}" if rule.each else ""
    needs = f" Only with {rule.needs}." if rule.needs else ""
    asked = ", ".join(f"`{said.get('metric') or said['aws']}` {said['stat']}" for said in rule.metrics.values())
    within = f"{rule.lasting} × {_told(rule.period)}"
    told = f"| [{rule.name}](#{rule.name}) | `{rule.when}`{each}: {asked} | {within}"
    return f"{told} | {rule.means}.{needs} | {rule.why} |"


def _told(seconds: int) -> str:
    return f"{seconds // 60} min" if seconds < 3600 else f"{seconds // 3600} h"


if __name__ == "__main__":
    sys.stdout.write(as_markdown() + "\n")
