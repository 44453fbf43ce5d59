"""The file becomes pages of text."""

from __future__ import annotations

from typing import Any

from careline.knowledge import pipeline
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage


@observed("ingestion-extract")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """`{ingestion_job}` in, the ingestion job out."""
    return stage.run("extract", event, pipeline.extract)
