"""The committed events are what the ingestion functions read; what is no event is told by the names of its fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from careline.errors import BadRequest
from careline_functions.ingestion.events import (
    BatchInput,
    Cause,
    Event,
    FailInput,
    Imported,
    ObjectCreated,
    RetryRequest,
    StageInput,
    read,
)

EVENTS = Path(__file__).resolve().parents[2] / "events"
SAMPLES: dict[str, type[Event]] = {
    "s3_object_created.json": ObjectCreated,
    "ingestion_retry.json": RetryRequest,
    "ingestion_import.json": Imported,
    "ingestion_stage.json": StageInput,
    "ingestion_embed.json": BatchInput,
    "ingestion_fail.json": FailInput,
}


def sample(name: str) -> dict[str, Any]:
    event: dict[str, Any] = json.loads((EVENTS / name).read_text())
    return event


@pytest.mark.parametrize(("name", "shape"), SAMPLES.items(), ids=SAMPLES)
def test_a_sample_is_read_and_every_part_that_is_used_is_wanted(name: str, shape: type[Event]) -> None:
    event = sample(name)
    read(shape, event)
    for key in [key for key in event if key in {"detail", "job_id", "tenant", "batch", "error", "item"}]:
        with pytest.raises(BadRequest, match=key):
            read(shape, {other: value for other, value in event.items() if other != key})


def test_an_upload_is_named_by_key_and_version() -> None:
    stored = read(ObjectCreated, sample("s3_object_created.json")).detail.stored
    assert (stored.key, stored.version_id) == ("uploads/sint-anna/bezoekuren.md", "IYV3p45BT0ac8hjHg1houSdS1a.Mro8e")


def test_what_a_catch_passes_on_is_an_ingestion_job_and_an_error() -> None:
    told = read(FailInput, sample("ingestion_fail.json"))
    assert told.ingestion_job is not None
    assert (told.ingestion_job.job_id, told.ingestion_job.batches) == ("019599c3a1b0000a1b2c3d4e5", ())
    assert Cause.model_validate_json(told.error.cause).message == "the embedding model does not answer (RateLimitError)"


def test_what_stands_in_a_wrong_event_is_not_repeated() -> None:
    event = sample("ingestion_embed.json") | {"batch": "mevrouw Peeters"}
    with pytest.raises(BadRequest) as told:
        read(BatchInput, event)
    assert told.value.message == "the event is no BatchInput: batch"
