"""A stage as CloudWatch would know it, for pictures and tests that have none: names that the template gives are those
of the template, and those that CloudFormation would make up are made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from infra.operations.watched import Watched

WEB_AND_MORE: Mapping[str, int] = {"admin": 29, "canary": 300, "orchestrator": 120, "telemetry": 30}
INGESTION: Mapping[str, int] = {
    "activate": 600, "chunk": 300, "clean": 300, "embed": 300, "extract": 600, "fail": 60, "index": 300,
    "register": 60,
}  # fmt: skip
ACCOUNT, REGION = "111111111111", "eu-west-1"


def example(stage: Literal["dev", "prod"] = "prod", *parts: str) -> Watched:
    """A stage with these parts; the functions and their seconds are held to the template by a test."""
    prefix = f"careline-{stage}"
    functions = {**WEB_AND_MORE, **{f"ingestion-{name}": seconds for name, seconds in INGESTION.items()}}
    machine = f"arn:aws:states:{REGION}:{ACCOUNT}:stateMachine:{prefix}-ingestion"
    return Watched(
        stage=stage, account=ACCOUNT, region=REGION,
        functions={f"{prefix}-{name}": seconds for name, seconds in sorted(functions.items())
                   if name != "canary" or "canary" in parts},
        web=(f"{prefix}-orchestrator",), api=prefix, web_acl=f"{prefix}-api",
        state_machines={"ingestion": machine}, rules={"ingestion-upload": f"{prefix}-Upload"},
        queues={"data-outbox": "outbox.fifo"},
        dead_letters={
            "data-outbox-dead": "outbox-dead.fifo", "ingestion-dead-letters": "ingestion-dead",
            "api-dead-letters": "api-dead",
        },
        table="records", collection=f"{prefix}-passages", collection_id="abc123",
        search_units=16 if stage == "prod" else 4, indexing_units=8 if stage == "prod" else 4,
        model_euro_a_month=200 if stage == "prod" else 20, parts=frozenset(parts),
    )  # fmt: skip
