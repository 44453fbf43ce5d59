"""The version becomes the live one."""

from __future__ import annotations

from typing import Any

from careline.knowledge.activate import activate
from careline_functions.ingestion import stage


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """`{ticket}` in, the ingestion job out."""
    return stage.run("activate", event, activate)
