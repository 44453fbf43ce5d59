"""Gives each contract suite every engine behind its port."""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from careline.ports import FileStore, Outbox, PassageIndex, Table
from tests.emulators.opensearch import serving
from tests.fakes import DIMENSIONS, FakeFiles, FakeIndex, FakeOutbox, FakeTable, SettableClock

REGION = "eu-west-1"


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """boto3 whose services are moto's, in this process."""
    boto3 = pytest.importorskip("boto3")
    moto = pytest.importorskip("moto")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    with moto.mock_aws():
        yield boto3


def embedded(name: str) -> Any:
    """A module of the embedded engines; the suite is skipped only where it does not exist."""
    try:
        return importlib.import_module(f"careline.engines.embedded.{name}")
    except ModuleNotFoundError as missing:
        if missing.name != f"careline.engines.embedded.{name}":
            raise
        pytest.skip(f"careline.engines.embedded.{name} does not exist")


@pytest.fixture
def dynamo(aws: Any, clock: SettableClock) -> Any:
    """A table with the keys that the template gives it."""
    from careline.engines.aws.table import DynamoTable

    dynamodb = aws.client("dynamodb", region_name=REGION)
    keys = {"pk": "HASH", "sk": "RANGE"}
    dynamodb.create_table(
        TableName="careline",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
        KeySchema=[{"AttributeName": key, "KeyType": kind} for key, kind in keys.items()],
    )
    calling, turn = dynamodb._make_api_call, threading.Lock()

    def one_at_a_time(*request: Any) -> Any:
        """DynamoDB changes a record at once; moto in threads shows records half written."""
        with turn:
            return calling(*request)

    dynamodb._make_api_call = one_at_a_time
    return DynamoTable("careline", clock, dynamodb)


@pytest.fixture(params=["embedded", "aws", "fake"])
def table(request: pytest.FixtureRequest, tmp_path: Path, clock: SettableClock) -> Iterator[Table]:
    if request.param == "fake":
        yield FakeTable(clock)
        return
    if request.param == "aws":
        yield request.getfixturevalue("dynamo")
        return
    sqlite = embedded("table").SqliteTable(tmp_path / "table.sqlite", clock)
    yield sqlite
    sqlite.close()


@pytest.fixture(params=["embedded", "aws", "fake"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    if request.param == "fake":
        return FakeFiles()
    if request.param == "embedded":
        store: FileStore = embedded("files").FolderFiles(tmp_path / "files")
        return store
    from careline.engines.aws.files import S3Files

    s3 = request.getfixturevalue("aws").client("s3", region_name=REGION)
    s3.create_bucket(Bucket="careline-files", CreateBucketConfiguration={"LocationConstraint": REGION})
    return S3Files("careline-files", s3)


@pytest.fixture(params=["embedded", "aws", "fake"])
def outbox(request: pytest.FixtureRequest, tmp_path: Path, clock: SettableClock) -> Iterator[Outbox]:
    """Entries that are taken and not settled come back at once, so that no test waits."""
    if request.param == "fake":
        yield FakeOutbox()
        return
    if request.param == "embedded":
        box = embedded("outbox").SqliteOutbox(tmp_path / "outbox.sqlite", clock)
        yield box
        box.close()
        return
    from careline.engines.aws.outbox import SqsOutbox

    sqs = request.getfixturevalue("aws").client("sqs", region_name=REGION)
    made = sqs.create_queue(QueueName="turns.fifo", Attributes={"FifoQueue": "true", "VisibilityTimeout": "0"})
    yield SqsOutbox(made["QueueUrl"], sqs)


@pytest.fixture(params=["embedded", "aws", "fake"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PassageIndex]:
    """OpenSearch is the wire-level collection, in which a word is found where its letters are."""
    if request.param == "fake":
        yield FakeIndex()
        return
    if request.param == "aws":
        with opensearch(request.getfixturevalue("dynamo")) as opened:
            yield opened
        return
    local = embedded("index").LocalIndex(tmp_path / "index", DIMENSIONS)
    yield local
    local.close()


@contextmanager
def opensearch(table: Table) -> Iterator[PassageIndex]:
    """Our engine in front of an emulated collection; its pauses refresh the collection instead of waiting."""
    pytest.importorskip("opensearchpy")
    from careline.engines.aws.index import OpenSearchIndex

    with serving() as collection:
        index = OpenSearchIndex.connect(collection.endpoint, "passages", table, "aoss")

        async def pause(seconds: float) -> None:
            collection.refresh()

        index._pause = pause
        yield index
        index._client.close()
