"""The figures of a turn for CloudWatch, as one line of its embedded metric format, from the record of the turn.

What a metric is called and which dimensions it is kept under stands in `metrics.yaml`. The ids of turn and trace, pack,
language and reason stand beside the figures, for whoever searches the log. The record's words are not read, and nobody
who asked is named.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from careline.telemetry.metric_catalogue import NAMESPACE, Metric, metrics

BESIDE = ("turn_id", "trace_id", "pack", "language", "reason", "model")
"""What of the record stands beside the figures."""
FIRST_TOKEN_TARGET_MS = 3000.0
"""The first words of 95 % of the answers come sooner (seed O: first token < 3 s p95)."""
DISPOSITIONS = ("answered", "clarified", "refused", "escalated", "farewelled", "failed")
CLIENT_LEFT = "CLIENT_LEFT"
DEGRADED = frozenset(
    "KEYWORDS_ONLY READER_UNAVAILABLE INDEX_UNAVAILABLE SOURCE_UNAVAILABLE MODEL_UNAVAILABLE MODEL_STALLED "
    "MODEL_OVERDUE DEGRADED QUESTION_NOT_REWRITTEN INTENT_MODEL_UNAVAILABLE SAFETY_UNAVAILABLE PHI_ASSUMED".split()
)
"""Warnings of an engine that was missing; the others tell of the question or of the answer's words."""
Figures = Mapping[str, float]


def emit(tenant: str, record: Mapping[str, Any], stage: str) -> None:
    """Write the line to standard output, where Lambda takes it from. A part that a record lacks has no figure."""
    values = {"stage": stage, "tenant": tenant, "channel": str(record["channel"]), "model": record.get("model")}
    beside = {name: record[name] for name in BESIDE if record.get(name)}
    write(dict(figures(record)), values, beside, datetime.fromisoformat(record["began_at"]))


def write(
    found: Figures, dimensions: Mapping[str, str | None], beside: Mapping[str, Any], at: datetime | None = None
) -> None:
    """Write figures of the catalogue as one line. A set of dimensions one of which has no value is left out.

    Raises: KeyError for a metric that the catalogue does not have.
    """
    by_sets: dict[tuple[tuple[str, ...], ...], list[Metric]] = {}
    for name in found:
        metric = metrics()[name]
        sets = tuple(one for one in metric.dimension_sets if all(dimensions.get(each) for each in one))
        if sets:
            by_sets.setdefault(sets, []).append(metric)
    line: dict[str, Any] = {}
    for sets, listed in by_sets.items():
        part = _part(sets, listed, found, dimensions, beside, at)
        told = line.get("_aws", {"CloudWatchMetrics": []})["CloudWatchMetrics"] + part["_aws"]["CloudWatchMetrics"]
        line = {**line, **part, "_aws": {**part["_aws"], "CloudWatchMetrics": told}}
    if line:
        sys.stdout.write(json.dumps(line, separators=(",", ":")) + "\n")
        sys.stdout.flush()


def _part(
    sets: Sequence[Sequence[str]],
    listed: Sequence[Metric],
    found: Figures,
    dimensions: Mapping[str, str | None],
    beside: Mapping[str, Any],
    at: datetime | None,
) -> dict[str, Any]:
    """Metrics that are kept under the same sets, as Powertools serialises them."""
    from aws_lambda_powertools.metrics.functions import validate_emf_timestamp
    from aws_lambda_powertools.metrics.provider.cloudwatch_emf.cloudwatch import AmazonCloudWatchEMFProvider

    part = AmazonCloudWatchEMFProvider(namespace=NAMESPACE)
    first, *others = ({name: str(dimensions[name]) for name in one} for one in sets)
    for name, value in first.items():
        part.add_dimension(name, value)
    for other in others:
        part.add_dimensions(**other)
    if at is not None and validate_emf_timestamp(at):
        part.set_timestamp(at)
    for metric in listed:
        part.add_metric(metric.name, metric.unit, found[metric.name])
    for name, value in beside.items():
        if not any(name in one for one in sets):
            part.add_metadata(name, value)
    return dict(part.serialize_metric_set())


def figures(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Name and value of every figure in a record."""
    yield "turns", 1
    yield from _ending(record)
    yield from _times(record)
    yield from _retrieval(record)
    yield from _models(record)
    yield from _verdicts(record)


def _ending(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    disposition, reason = record.get("disposition"), record.get("reason")
    if disposition is not None:
        # Zeros too: a rate of nothing is 0, and what is missing is not known.
        for one in DISPOSITIONS:
            yield f"turns_{one}", int(disposition == one)
        yield "answers_unavailable", int(disposition == "failed" and reason != CLIENT_LEFT)
        yield "advice_withheld", int(reason == "ADVICE_BLOCKED")
        yield "emergencies", int(reason == "EMERGENCY")
        if disposition == "answered" and "cited" in record:
            yield "answers_cited", int(bool(record["cited"]))
    if "disclaimed" in record:
        yield "disclaimers", int(record["disclaimed"])
    if "warnings" in record:
        yield "warnings", len(record["warnings"])
        yield "turns_degraded", int(not DEGRADED.isdisjoint(record["warnings"]))


def _times(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    if (first := record.get("first_token_ms")) is not None:
        yield "first_token_ms", first
        yield "first_token_late", int(first > FIRST_TOKEN_TARGET_MS)
    timings = record.get("timings", ())
    if timings:
        # The screens of an answer work while it is spoken.
        yield "turn_ms", sum(one["ms"] for one in timings if one["stage"] != "screen_output")
    for one in timings:
        # A record may be older than the catalogue, and have a stage that is no more.
        if (name := f"{one['stage']}_ms") in metrics():
            yield name, one["ms"]


def _retrieval(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    if "hits" in record:
        yield "hits", record["hits"]
    for name, kept in (("sources", "sources"), ("citations", "cited")):
        if kept in record:
            yield name, len(record[kept])
    for name in ("best_score", "best_similarity", "best_coverage"):
        if name in record:
            yield name, record[name]
    if (value := record.get("value")) and value["evaluated"]:
        yield "category_mismatch_rate", value["mismatch_rate"]
        yield "category_mismatches", int(value["candidates"][0]["multiplier"] < 1)
    if evidence := record.get("evidence"):
        # Each has a scale of its own, so that one figure of both says nothing.
        yield f"relevance_by_{evidence['by']}", evidence["relevance"]
        if evidence.get("confidence") is not None:
            yield "confidence", evidence["confidence"]


def _models(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    if record.get("model"):
        yield "model_turns", 1
    for kind in ("input", "output", "cached"):
        if kind in record.get("tokens", {}):
            yield f"tokens_{kind}", record["tokens"][kind]
    if "cost" in record:
        yield "cost_euro", record["cost"]


def _verdicts(record: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """What the screens and the detector found."""
    if screening := record.get("screening"):
        output = screening["output"]
        yield "injections", int(bool(screening["injection"] and screening["injection"]["found"]))
        yield "sentences_blocked", sum(one["action"] == "blocked" for one in output)
        yield "sentences_left_out", sum(one["action"] == "left out" for one in output)
    if phi := record.get("phi"):
        yield "personal_data", sum(phi["types"].values())
    if "reason" in record:
        assumed = (record.get("phi") or {}).get("state") == "assumed"
        yield "screens_failed", int(assumed or record["reason"] == "SAFETY_UNAVAILABLE")
    if "egress" in record:
        yield "sent_to_cloud", sum(one["where"] == "cloud" for one in record["egress"])
