"""What is read out of the log: metrics that filters count, and the questions that people on call ask it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from careline.telemetry.metric_catalogue import LoggedAs, Metric, metrics

WRITERS: Mapping[str, str] = {
    "documents_completed": "-ingestion-", "documents_rejected": "-ingestion-", "documents_failed": "-ingestion-fail$",
    "uploads_not_registered": "-ingestion-fail$", "passages_held_back": "-ingestion-index$",
    "ingestion_stage_ms": "-ingestion-", "turns_finished": "-orchestrator$", "turns_not_measured": "-telemetry$",
    "budgets_crossed": "-telemetry$", "circuits_opened": "-(orchestrator|admin|ingestion-embed|ingestion-index)$",
    "audit_chain_broken": "-(admin|notary)$", "error_lines": "",
}  # fmt: skip
"""Which functions write the line that a metric counts, by a pattern of their names."""


def filters(functions: Sequence[str]) -> Iterator[tuple[Metric, str]]:
    """Each metric that is counted from the log, with each function whose log it is counted in."""
    for metric in metrics().values():
        if metric.origin == "log":
            yield from ((metric, name) for name in functions if re.search(WRITERS[metric.name], name))


def pattern(logged: LoggedAs) -> str:
    """As CloudWatch Logs reads it."""
    told = [f'$.code = "{logged.code}"'] if logged.code else []
    if logged.having:
        name, value = logged.having
        told.append(f"$.{name} IS {value.upper()}" if value in ("true", "false") else f'$.{name} = "{value}"')
    return "{ " + " && ".join(told) + " }"


@dataclass(frozen=True, slots=True)
class LogQuery:
    """A question to the log that is kept by its name. `only` is a pattern of the functions whose log is asked."""

    name: str
    query: str
    only: str = ""


QUERIES = (
    LogQuery(
        "one turn, by its trace",
        "fields @timestamp, function, level, code, message, ms, error, kind, reason\n"
        '| filter trace = "PUT-THE-TRACE-ID-HERE"\n| sort @timestamp asc\n| limit 1000',
    ),
    LogQuery(
        "errors, by code",
        'filter level = "ERROR"\n| stats count(*) as lines, latest(@timestamp) as last, latest(trace) as trace '
        "by function, code, kind\n| sort lines desc",
    ),
    LogQuery(
        "slow turns",
        'filter code = "turn_finished"\n| stats count(*) as turns, pct(ms, 50) as half, pct(ms, 95) as p95, '
        "max(ms) as slowest by channel, model, bin(1h)\n| sort p95 desc",
        "-orchestrator$",
    ),
    LogQuery(
        "slow stages of ingestion",
        'filter code = "stage_finished"\n| stats count(*) as documents, pct(ms, 50) as half, pct(ms, 95) as p95, '
        "max(ms) as slowest by stage\n| sort p95 desc",
        "-ingestion-",
    ),
    LogQuery(
        "one document, by its job",
        "fields @timestamp, function, level, code, message, stage, reason, error, ms\n"
        '| filter job = "PUT-THE-JOB-ID-HERE"\n| sort @timestamp asc\n| limit 1000',
        "-ingestion-",
    ),
)  # fmt: skip
