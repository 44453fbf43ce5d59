"""The ingestion's state machine: the states as they are written down, and on every task the product's retry policy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from careline.knowledge.ingestion.retry_policy import INGESTION, RetryPolicy

STATES = Path(__file__).with_suffix(".asl.json")
LAMBDA_ERRORS = (
    "Lambda.ServiceException",
    "Lambda.AWSLambdaException",
    "Lambda.SdkClientException",
    "Lambda.ClientExecutionTimeoutException",
    "Lambda.Unknown",
    "Runtime.ExitError",
    "Sandbox.Timedout",
)
"""What Lambda itself says when a function could not be run, or ended without an answer: killed, out of memory or out of
time. The first four are those that AWS asks to retry."""
WHILE_FULL: dict[str, Any] = {
    "ErrorEquals": ["Lambda.TooManyRequestsException"],
    "IntervalSeconds": 5,
    "BackoffRate": 2.0,
    "MaxDelaySeconds": 60,
    "MaxAttempts": 60,
    "JitterStrategy": "FULL",
}
"""A function that runs as often at once as it may is no fault: the document waits, for half an hour in the mean."""


def ingestion_definition() -> dict[str, Any]:
    """The definition, with `${NameFunction}` where a function's ARN belongs."""
    definition: dict[str, Any] = json.loads(STATES.read_text(encoding="utf-8"))
    for task in tasks(definition):
        task["Retry"] = [WHILE_FULL, retrier(INGESTION)]
    return definition


def tasks(definition: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every task of a definition, those inside its maps too."""
    for state in definition["States"].values():
        if state["Type"] == "Task":
            yield state
        elif state["Type"] == "Map":
            yield from tasks(state["ItemProcessor"])


def retrier(policy: RetryPolicy) -> dict[str, Any]:
    """A policy as Step Functions reads it."""
    return {
        "ErrorEquals": [*policy.error_names(), *LAMBDA_ERRORS],
        "IntervalSeconds": policy.interval_seconds,
        "MaxAttempts": policy.retries,
        "BackoffRate": policy.backoff,
        "JitterStrategy": "FULL",
    }
