"""The figures of phone workers as CloudWatch gets them: for whoever writes them, scales by them or draws them.

A line of the embedded metric format is an ordinary line of the log that CloudWatch reads figures from, so that a worker
needs no permission for it (CloudWatch user guide, embedded metric format specification).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, TypeAlias

NAMESPACE = "Careline"
"""That of the figures of turns too."""
STAGE, SERVICE = "stage", "service"
"""Dimensions: the deployment, and in it the service of one hospital."""
Unit: TypeAlias = Literal["Count", "Milliseconds", "Seconds"]
Value: TypeAlias = float | Sequence[float]
CALLS_PER_TASK = "CallsPerTask"
"""Calls that a worker holds now; its average over a minute is what a service is scaled by."""
PROTECTION_FAILURES = "protection_failures"
OUTDATED = "outdated_workers"
FIRST_AUDIO, FIRST_AUDIO_LATE = "first_audio_ms", "first_audio_late"
FIRST_AUDIO_TARGET_MS = 2500.0
"""Of 100 answers by telephone 95 begin so soon after the caller has spoken."""
CALL_SECONDS = "call_seconds"
COUNTED: Mapping[str, str] = MappingProxyType(
    {
        "started": "calls",
        "turn": "questions",
        "transferred": "transfers",
        "transfer_refused": "refused_transfers",
        "not_heard": "not_heard",
        "outage": "outages",
    }
)
"""What is counted in a call, by the moment that counts."""
DROPPED = "calls_dropped"
OF_A_WORKER: Mapping[str, Unit] = MappingProxyType(
    {CALLS_PER_TASK: "Count", PROTECTION_FAILURES: "Count", OUTDATED: "Count"}
)
"""Written twice a minute, also without a call."""
OF_A_CALL: Mapping[str, Unit] = MappingProxyType(
    {
        **dict.fromkeys(COUNTED.values(), "Count"),
        DROPPED: "Count",
        FIRST_AUDIO: "Milliseconds",
        FIRST_AUDIO_LATE: "Count",
        CALL_SECONDS: "Seconds",
    }
)
"""Written when a call is over."""
BY_SERVICE = frozenset(OF_A_WORKER)
"""What is kept by service besides: CloudWatch asks a price for each, and scaling needs no more."""
MOST_VALUES = 100
"""Values that one figure of a line may have (the same specification)."""


def line(dimensions: Mapping[str, str], milliseconds: int, figures: Mapping[str, Value]) -> str:
    """One line of the log with figures at a time, in milliseconds of the epoch. `dimensions` are STAGE and SERVICE.

    Raises: KeyError for a figure that is in neither list.
    """
    told = {name: _told(value) for name, value in figures.items() if not isinstance(value, Sequence) or value}
    by_service = [name for name in told if name in BY_SERVICE]
    declared = [_declared([STAGE], list(told))]
    if by_service:
        declared.append(_declared([STAGE, SERVICE], by_service))
    about = {"_aws": {"Timestamp": milliseconds, "CloudWatchMetrics": declared}, "code": "phone_figures"}
    return json.dumps({**about, **dimensions, **told})


def _declared(dimensions: list[str], names: list[str]) -> dict[str, object]:
    units = {**OF_A_WORKER, **OF_A_CALL}
    metrics = [{"Name": name, "Unit": units[name]} for name in names]
    return {"Namespace": NAMESPACE, "Dimensions": [dimensions], "Metrics": metrics}


def _told(value: Value) -> float | list[float]:
    return list(value[:MOST_VALUES]) if isinstance(value, Sequence) else value
