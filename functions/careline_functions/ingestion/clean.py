"""Pages lose what their layout put there."""

from __future__ import annotations

from typing import Any

from careline.knowledge import pipeline
from careline_functions.ingestion import stage


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """`{ticket}` in, the ingestion job out."""
    return stage.run("clean", event, pipeline.clean)
