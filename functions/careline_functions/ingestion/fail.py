"""Writes down why a job failed, from what the state machine caught."""

from __future__ import annotations

import json
import re
from typing import Any

from careline import errors
from careline.knowledge import pipeline
from careline.knowledge.ingestion_job import IngestionJob
from careline_functions.ingestion import stage

REASON = re.compile(r"\[(\w+)\] (.*)", re.DOTALL)
"""How `stage.finish` writes a rejection."""


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """`{ticket, error: {Error, Cause}}` in. Before there is an ingestion job there is no job; the log is then all there
    is."""
    error_type, message = read_error(event["error"])
    if "ingestion_job" not in event:
        stage.log.error("an upload could not be registered", extra={"error_type": error_type})
        return {"error_type": error_type}
    ingestion_job = IngestionJob.from_json(event["ingestion_job"])
    return stage.finish("fail", pipeline.fail(ingestion_job, error_type, message, stage.engines()))


def read_error(caught: dict[str, str]) -> tuple[str, str]:
    """Type and message for the job. Only messages that Careline wrote are kept; others may quote a document."""
    kind = getattr(errors, caught["Error"], None)
    if not (isinstance(kind, type) and issubclass(kind, errors.CarelineError)):
        return caught["Error"].rpartition(".")[2].lower(), "a stage of the ingestion did not finish; try again"
    message = _message(caught.get("Cause", ""))
    rejected = REASON.fullmatch(message)
    return (rejected[1], rejected[2]) if rejected else (kind.code.lower(), message)


def _message(cause: str) -> str:
    """Lambda's own words for an exception: `{"errorMessage": …, "errorType": …, "stackTrace": […]}`."""
    try:
        return str(json.loads(cause)["errorMessage"])
    except (ValueError, KeyError, TypeError):
        return "the ingestion failed"
