"""Pages become chunks, and the ingestion job says how many batches of them."""

from __future__ import annotations

from typing import Any

from careline.knowledge import pipeline
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage


@observed("ingestion-chunk")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """`{ingestion_job}` in, the ingestion job out."""
    return stage.run("chunk", event, pipeline.chunk)
