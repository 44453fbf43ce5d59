"""Pages lose what their layout put there."""

from __future__ import annotations

from typing import Any

from careline.knowledge import pipeline
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage


@observed("ingestion-clean")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """`{ingestion_job}` in, the ingestion job out."""
    return stage.run("clean", event, pipeline.clean)
