"""Passages go into the index, where nobody finds them yet."""

from __future__ import annotations

from typing import Any

from careline.knowledge.index import index
from careline_functions.ingestion import stage


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """`{ticket}` in, the ingestion job out."""
    return stage.run("index", event, index)
