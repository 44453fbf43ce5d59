"""The version becomes the live one."""

from __future__ import annotations

from typing import Any

from careline.knowledge.activation.activate import activate
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage


@observed("ingestion-activate")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """`{ingestion_job}` in, the ingestion job out."""
    return stage.run("activate", event, activate)
