"""A normal week of a hospital in prod, as lines of the embedded metric format: turns through the code that measures
them, the services of AWS as they look when nothing is wrong.

Deterministic. `python -m tests.infra.simulated_week FILE` writes the lines, for `python -m infra.dashboard_preview`.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from careline.telemetry import metrics
from infra.operations.example import example
from infra.operations.objectives import FAST_MINUTES, SLOW_MINUTES
from infra.operations.watched import Watched

DAYS = 7
BEGIN = datetime(2026, 3, 2, tzinfo=UTC)
"""A Monday."""
TURNS_A_DAY = {"chat": 150, "voice": 120}
ENDINGS = (
    ("answered", None, 78), ("clarified", "WHICH_ROW", 6), ("refused", "SAFETY_REFUSAL", 4),
    ("refused", "INJECTION", 1), ("escalated", "NO_EVIDENCE", 7), ("escalated", "EMERGENCY", 1),
    ("farewelled", "FAREWELL", 3),
)  # fmt: skip
FAILS = 0.001
"""Share of turns that fail in a normal week."""
TOO_LATE = 0.01
HOSPITALS = {"sint-anna": 3, "sint-jan": 1}
Line = dict[str, Any]


def seconds_of_turns(chance: random.Random, a_day: int) -> Iterator[int]:
    """When turns begin: many by day, few by night and at weekends."""
    for day in range(DAYS):
        share = 0.5 if day >= 5 else 1.0
        for minute in range(24 * 60):
            hour = minute // 60
            weight = 2.0 if 8 <= hour < 18 else 0.8 if 18 <= hour < 22 else 0.1
            if chance.random() < a_day * share * weight / (24 * 60):
                yield day * 86_400 + minute * 60 + chance.randrange(60)


def a_record(chance: random.Random, channel: str, at: datetime) -> dict[str, Any]:
    """What is recorded of a turn."""
    ending = chance.choices(ENDINGS, [weight for _, _, weight in ENDINGS])[0]
    disposition, reason = ("failed", "MODEL_STALLED") if chance.random() < FAILS else ending[:2]
    answered = disposition == "answered"
    first = 3500.0 if chance.random() < TOO_LATE else chance.lognormvariate(6.6, 0.4)
    stages = {"admit": 8, "detect_phi": 25, "screen_input": 12, "retrieve": 180, "rerank": 140, "speak": 600}
    return {
        "turn_id": f"{chance.getrandbits(64):016x}", "trace_id": f"{chance.getrandbits(64):016x}",
        "began_at": at.isoformat(), "channel": channel, "pack": "hospital_line", "language": "nl",
        "disposition": disposition, "reason": reason, "disclaimed": answered and chance.random() < 0.2,
        "model": "gpt-4.1-mini" if answered else None, "tokens": {"input": 1800, "output": 90, "cached": 900},
        "cost": 0.0009 if answered else 0.0, "hits": 20, "sources": ["a", "b"], "cited": ["a"] if answered else [],
        "warnings": ["READER_UNAVAILABLE"] if chance.random() < 0.01 else [], "first_token_ms": min(first, 3500.0),
        "timings": [{"stage": name, "ms": ms * chance.uniform(0.7, 1.6)} for name, ms in stages.items()],
        "phi": {"state": "clear", "types": {}}, "screening": {"injection": None, "output": []}, "egress": [],
        "value": {"evaluated": 8, "mismatch_rate": chance.uniform(0, 0.5), "candidates": [{"multiplier": 1.1}]},
    }  # fmt: skip


def line(namespace: str, name: str, at: int, value: float | list[float], dimensions: Mapping[str, str]) -> Line:
    """One metric that somebody else wrote, in the same format."""
    told = {"Namespace": namespace, "Dimensions": [list(dimensions)], "Metrics": [{"Name": name, "Unit": "None"}]}
    stamp = int(BEGIN.timestamp() + at) * 1000
    return {"_aws": {"Timestamp": stamp, "CloudWatchMetrics": [told]}, **dimensions, name: value}


def turns(chance: random.Random, watched: Watched) -> Iterator[Line]:
    """Turns, through the code that writes their metrics. That stamps what is older than two weeks with today, as
    CloudWatch would not take it, so the time is put back."""
    for channel, a_day in TURNS_A_DAY.items():
        for second in seconds_of_turns(chance, a_day):
            at = BEGIN + timedelta(seconds=second)
            hospital = chance.choices(list(HOSPITALS), list(HOSPITALS.values()))[0]
            with contextlib.redirect_stdout(io.StringIO()) as told:
                metrics.emit(hospital, a_record(chance, channel, at), watched.stage)
            written = json.loads(told.getvalue())
            written["_aws"]["Timestamp"] = int(at.timestamp()) * 1000
            yield written


def calls(chance: random.Random, watched: Watched) -> Iterator[Line]:
    """The phone worker: calls, first audio, and each minute how many it has."""
    under = {"stage": watched.stage}
    for second in seconds_of_turns(chance, TURNS_A_DAY["voice"]):
        waited = 2700.0 if chance.random() < TOO_LATE else min(2400.0, chance.lognormvariate(6.7, 0.35))
        yield line("Careline", "first_audio_ms", second, waited, under)
        yield line("Careline", "first_audio_late", second, float(waited > 2500), under)
        if chance.random() < 0.35:
            yield line("Careline", "calls", second, 1, under)
            yield line("Careline", "transfers", second, float(chance.random() < 0.1), under)
    for second in range(0, DAYS * 86_400, 60):
        yield line("Careline", "CallsPerTask", second, chance.choice((0, 0, 1, 2)), under)


def functions(chance: random.Random, watched: Watched) -> Iterator[Line]:
    """Functions that run and do not break; stages of an ingestion raise for a document that is rejected."""
    for name, timeout in watched.functions.items():
        for second in range(0, DAYS * 86_400, 300):
            busy = 8 <= second % 86_400 // 3600 < 22
            if "ingestion" in name and not (busy and chance.random() < 0.05):
                continue
            ran = [timeout * 1000 * chance.uniform(0.001, 0.05) for _ in range(4 if busy else 1)]
            yield line("AWS/Lambda", "Duration", second, ran, {"FunctionName": name})
            yield line("AWS/Lambda", "Invocations", second, len(ran), {"FunctionName": name})
            broke = float(name.endswith("ingestion-extract") and chance.random() < 0.1)
            yield line("AWS/Lambda", "Errors", second, broke, {"FunctionName": name})
            yield line("AWS/Lambda", "Throttles", second, 0, {"FunctionName": name})
            yield line("AWS/Lambda", "ConcurrentExecutions", second, chance.choice((1, 2)), {"FunctionName": name})


def services(chance: random.Random, watched: Watched) -> Iterator[Line]:
    """API, queues, table, search, firewall and the canary."""
    api = {"ApiName": watched.api, "Stage": watched.stage}
    collection = {
        "ClientId": watched.account, "CollectionId": watched.collection_id, "CollectionName": watched.collection,
    }  # fmt: skip
    blocked = {"WebACL": watched.web_acl, "Region": watched.region, "Rule": "ALL"}
    for second in range(0, DAYS * 86_400, 300):
        asked = chance.randrange(1, 40)
        yield line("AWS/ApiGateway", "Count", second, asked, api)
        yield line("AWS/ApiGateway", "5XXError", second, float(chance.random() < 0.01), api)
        yield line("AWS/ApiGateway", "4XXError", second, chance.choice((0, 0, 1)), api)
        yield line("AWS/ApiGateway", "Latency", second, [chance.uniform(40, 3000) for _ in range(5)], api)
        for name in watched.web:
            yield line("AWS/Lambda", "UrlRequestCount", second, asked, {"FunctionName": name})
            yield line("AWS/Lambda", "Url5xxCount", second, float(chance.random() < 0.01), {"FunctionName": name})
        for queue in watched.queues.values():
            waited = chance.choice((0, 1, 4))
            yield line("AWS/SQS", "ApproximateAgeOfOldestMessage", second, waited, {"QueueName": queue})
        for queue in watched.dead_letters.values():
            yield line("AWS/SQS", "ApproximateNumberOfMessagesVisible", second, 0, {"QueueName": queue})
        yield line("AWS/DynamoDB", "ConsumedReadCapacityUnits", second, asked * 8, {"TableName": watched.table})
        yield line("AWS/DynamoDB", "ConsumedWriteCapacityUnits", second, asked * 5, {"TableName": watched.table})
        yield line("AWS/WAFV2", "BlockedRequests", second, chance.choice((0, 3, 20)), blocked)
        yield line("AWS/WAFV2", "AllowedRequests", second, asked, blocked)
        yield line("AWS/AOSS", "SearchRequestLatency", second, [chance.uniform(8, 90) for _ in range(5)], collection)
    for second in range(0, DAYS * 86_400, 60):
        yield line("AWS/AOSS", "SearchOCU", second, chance.choice((2, 2, 2, 4)), {"ClientId": watched.account})
        yield line("AWS/AOSS", "IndexingOCU", second, chance.choice((0, 0, 2)), {"ClientId": watched.account})
    for second in range(0, DAYS * 86_400, 900):
        yield from canary(chance, watched, second)


def canary(chance: random.Random, watched: Watched, second: int) -> Iterator[Line]:
    """A round of four questions, of which one in a hundred goes wrong."""
    under = {"stage": watched.stage}
    yield line("Careline", "canary_runs", second, [1, 1, 1, 1], under)
    yield line("Careline", "canary_failures", second, [0, 0, 0, float(chance.random() < 0.01)], under)
    yield line("Careline", "canary_first_token_ms", second, chance.uniform(300, 4000), under)


def documents(chance: random.Random, watched: Watched) -> Iterator[Line]:
    """Uploads by day, one in ten of which is rejected."""
    logged = f"Careline/{watched.stage}"
    for arn in watched.state_machines.values():
        for second in range(9 * 3600, DAYS * 86_400, 7200):
            rejected = chance.random() < 0.1
            machine = {"StateMachineArn": arn}
            yield line("AWS/States", "ExecutionsStarted", second, 1, machine)
            yield line("AWS/States", "ExecutionsFailed" if rejected else "ExecutionsSucceeded", second, 1, machine)
            yield line("AWS/States", "ExecutionTime", second, chance.uniform(8000, 60_000), machine)
            yield line(logged, "documents_rejected" if rejected else "documents_completed", second, 1, {})
            yield line(logged, "documents_failed", second, 0, {})
            yield line(logged, "error_lines", second, 0, {})


def counted(told: list[Line], watched: Watched) -> Iterator[Line]:
    """What the log says of the same turns, and how fast objectives burn by them."""
    began = int(BEGIN.timestamp())
    good: dict[str, list[tuple[int, int, int]]] = {"chat": [], "voice": []}
    for one in told:
        at = one["_aws"]["Timestamp"] // 1000 - began
        yield line(f"Careline/{watched.stage}", "turns_finished", at + 2, 1, {})
        good[one["channel"]].append((at, int(one["answers_unavailable"][0]), int(one["first_token_late"][0])))
    for objective in watched.objectives:
        channel = dict(objective.dimensions).get("channel", "voice")
        position = 1 if objective.bad == "answers_unavailable" else 2
        for minutes in (FAST_MINUTES, SLOW_MINUTES):
            under = {"SloName": watched.objective_name(objective), "BurnRateWindowMinutes": str(minutes)}
            for second in range(0, DAYS * 86_400, 300):
                window = [each for each in good[channel] if second - minutes * 60 < each[0] <= second]
                if window:
                    share = sum(each[position] for each in window) / len(window)
                    burn = share / (1 - objective.attained / 100)
                    yield line("AWS/ApplicationSignals", "BurnRate", second, burn, under)


def week(watched: Watched | None = None, seed: int = 7) -> list[Line]:
    """Every line of the week."""
    watched = watched or example("prod", "canary", "firewall", "voice")
    chance = random.Random(seed)
    asked = list(turns(chance, watched))
    parts = (calls, functions, services, documents)
    return [*asked, *(one for part in parts for one in part(chance, watched)), *counted(asked, watched)]


def main(path: str) -> None:
    """Write the lines."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("".join(json.dumps(one) + "\n" for one in week()), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
