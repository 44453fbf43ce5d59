"""Passages go into the index, where nobody finds them yet."""

from __future__ import annotations

from typing import Any

from careline.knowledge.activation.index import index
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage


@observed("ingestion-index")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """`{ingestion_job}` in, the ingestion job out."""
    return stage.run("index", event, index)
