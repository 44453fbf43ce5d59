"""Every sample event is used by a test, and every function has one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from careline.schemas import wire
from tests.infra.permissions import FUNCTIONS

ROOT = Path(__file__).resolve().parents[2]
EVENTS = sorted((ROOT / "events").glob("*.json"))
SAMPLES = {
    "register": ("s3_object_created.json", "ingestion_retry.json", "ingestion_import.json"),
    "embed": ("ingestion_embed.json",),
    "fail": ("ingestion_fail.json",),
    "orchestrator": ("function_url_query.json", "api_gateway_query.json"),
    "admin": ("api_gateway_jobs.json",),
    "telemetry": ("sqs_outbox_batch.json",),
    "canary": ("schedule_canary.json",),
    "notary": ("eventbridge_hour.json",),
}


@pytest.mark.parametrize("event", EVENTS, ids=lambda path: path.name)
def test_a_sample_event_is_used(event: Path) -> None:
    tests = (path.read_text() for path in (ROOT / "tests").rglob("*.py"))
    assert any(event.name in text for text in tests)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_a_sample_event_for_each_trigger(name: str) -> None:
    samples = SAMPLES.get(name, ("ingestion_stage.json",))
    assert all((ROOT / "events" / sample).is_file() for sample in samples)


@pytest.mark.parametrize("sample", ["function_url_query.json", "api_gateway_query.json"])
def test_the_body_of_a_question_is_one_that_the_orchestrator_reads(sample: str) -> None:
    event = json.loads((ROOT / "events" / sample).read_text())
    asked = wire.read_body(wire.QueryRequest, event["body"].encode())
    assert asked.text
    assert event.get("rawPath", event.get("path")) == "/v1/query"


def test_a_listing_asks_for_jobs_the_way_the_admin_function_reads_it() -> None:
    event = json.loads((ROOT / "events" / "api_gateway_jobs.json").read_text())
    source = (ROOT / "functions" / "careline_functions" / "admin" / "app.py").read_text()
    assert all(f'"{name}"' in source for name in event["queryStringParameters"])
