"""Each hour the heads of all chains are noted, by a function that may do nothing else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from careline.audit.notary import HeadNotary
from careline.engines.aws.noted_heads import S3NotedHeads
from careline.engines.aws.table import DynamoTable
from careline.errors import SettingsInvalid
from careline_functions.notary import app
from tests.builders import some_engines
from tests.engines.storage.test_noted_heads import BUCKET, make_locked_bucket
from tests.fakes import KEY
from tests.infra.permissions import NOTARY
from tests.telemetry.chains import a_chain

EVENT = json.loads((Path(__file__).resolve().parents[2] / "events" / "eventbridge_hour.json").read_text())


@pytest.fixture
def s3(aws: Any) -> Any:
    made = aws.client("s3", region_name="eu-west-1")
    make_locked_bucket(made)
    return made


def test_an_hour_notes_every_chain_and_the_next_hour_nothing_new(
    s3: Any, dynamo: DynamoTable, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(a_chain(2, some_engines(clock=clock, table=dynamo), "default"))
    notary = HeadNotary(dynamo, KEY, S3NotedHeads(BUCKET, s3))
    monkeypatch.setattr(app, "notary", lambda: (notary, "default"))
    assert [app.handler(EVENT, None) for _ in range(2)] == [{"noted": 1}, {"noted": 1}]
    (version,) = s3.list_object_versions(Bucket=BUCKET)["Versions"]
    assert version["Key"].startswith("heads/default/000000000002-")


def test_the_function_makes_its_notary_from_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    app.notary.cache_clear()
    for name, value in {
        "STORAGE": "aws", "TABLE": "careline", "PRIVACY_KEY": "ab" * 32, "HEADS_BUCKET": BUCKET,
    }.items():  # fmt: skip
        monkeypatch.setenv(f"CARELINE_{name}", value)
    made, tenant = app.notary()
    assert isinstance(made.heads, S3NotedHeads)
    assert tenant == "default"
    app.notary.cache_clear()


def test_without_a_bucket_it_says_which_setting_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    app.notary.cache_clear()
    for name, value in {"STORAGE": "aws", "TABLE": "careline", "PRIVACY_KEY": "ab" * 32}.items():
        monkeypatch.setenv(f"CARELINE_{name}", value)
    with pytest.raises(SettingsInvalid, match="CARELINE_HEADS_BUCKET"):
        app.notary()


def test_the_function_does_exactly_what_its_role_allows(
    s3: Any, dynamodb: Any, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = DynamoTable("careline", clock, dynamodb)
    asyncio.run(a_chain(1, some_engines(clock=clock, table=table), "default"))
    notary = HeadNotary(table, KEY, S3NotedHeads(BUCKET, s3))
    monkeypatch.setattr(app, "notary", lambda: (notary, "default"))
    did: set[str] = set()
    for client in (s3, dynamodb):
        client.meta.events.register("before-call.*.*", lambda model, **_: did.add(model.name))
    app.handler(EVENT, None)
    allowed = {action.partition(":")[2] for action in NOTARY["notary"] if action != "sqs:SendMessage"}
    assert did == allowed
