"""Gives each contract suite every engine behind its port."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from careline.engines.embedded.files import FolderFiles
from careline.engines.embedded.outbox import SqliteOutbox
from careline.engines.embedded.passage_index.index import LocalIndex
from careline.engines.embedded.table import SqliteTable
from careline.ports import FileStore, Outbox, PassageIndex, Vector
from careline.records.record_table import RecordTable
from tests.emulators import services
from tests.emulators.opensearch import serving
from tests.engines.index.opensearch_profiles import cluster, serverless
from tests.engines.servers import install, run
from tests.fake_index import FakeIndex
from tests.fakes import DIMENSIONS, FakeFiles, FakeOutbox, FakeTable, SettableClock

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
    services.read_once(monkeypatch)
    with moto.mock_aws():
        yield boto3


def make_table(dynamodb: Any, name: str = "careline") -> None:
    """A table with the keys that the template gives it."""
    keys = {"pk": "HASH", "sk": "RANGE"}
    dynamodb.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
        KeySchema=[{"AttributeName": key, "KeyType": kind} for key, kind in keys.items()],
    )


@pytest.fixture
def dynamodb(aws: Any) -> Any:
    """A client of moto that holds the table."""
    dynamodb = aws.client("dynamodb", region_name=REGION)
    make_table(dynamodb)
    calling, turn = dynamodb._make_api_call, threading.Lock()

    def one_at_a_time(*request: Any) -> Any:
        """DynamoDB changes a record at once; moto in threads shows records half written."""
        with turn:
            return calling(*request)

    dynamodb._make_api_call = one_at_a_time
    return dynamodb


@pytest.fixture
def dynamo(dynamodb: Any, clock: SettableClock) -> Any:
    """The table in moto."""
    from careline.engines.aws.table import DynamoTable

    return DynamoTable("careline", clock, dynamodb)


@pytest.fixture(scope="session")
def dynamodb_address() -> Iterator[str]:
    _skip_unless_installed()
    with run.dynamodb() as address:
        yield address


@pytest.fixture(scope="session")
def opensearch_address() -> Iterator[str]:
    _skip_unless_installed()
    with run.opensearch() as address:
        yield address


def _skip_unless_installed() -> None:
    if not install.is_installed():
        pytest.skip("real OpenSearch and DynamoDB Local are not there: `make engines`, with a JDK 17 and Maven")


@pytest.fixture
def dynamo_local(dynamodb_address: str, clock: SettableClock) -> Iterator[Any]:
    """A table of its own in DynamoDB Local."""
    boto3 = pytest.importorskip("boto3")
    from careline.engines.aws.table import DynamoTable

    dynamodb = boto3.client(
        "dynamodb", endpoint_url=dynamodb_address, region_name=REGION,
        aws_access_key_id="testing", aws_secret_access_key="testing",
    )  # fmt: skip
    name = f"careline-{uuid.uuid4().hex}"
    make_table(dynamodb, name)
    yield DynamoTable(name, clock, dynamodb)
    dynamodb.delete_table(TableName=name)
    dynamodb.close()


@pytest.fixture(params=["embedded", "aws", "aws-local", "fake"])
def table(request: pytest.FixtureRequest, tmp_path: Path, clock: SettableClock) -> Iterator[RecordTable]:
    """DynamoDB is moto's, and DynamoDB Local where that is installed."""
    if request.param == "fake":
        yield FakeTable(clock)
        return
    if request.param in {"aws", "aws-local"}:
        yield request.getfixturevalue({"aws": "dynamo", "aws-local": "dynamo_local"}[request.param])
        return
    sqlite = SqliteTable(tmp_path / "table.sqlite", clock)
    yield sqlite
    sqlite.close()


@pytest.fixture(params=["embedded", "aws", "fake"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    if request.param == "fake":
        return FakeFiles()
    if request.param == "embedded":
        store: FileStore = FolderFiles(tmp_path / "files")
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
        box = SqliteOutbox(tmp_path / "outbox.sqlite", clock)
        yield box
        box.close()
        return
    from careline.engines.aws.outbox import SqsOutbox

    sqs = request.getfixturevalue("aws").client("sqs", region_name=REGION)
    made = sqs.create_queue(QueueName="turns.fifo", Attributes={"FifoQueue": "true", "VisibilityTimeout": "0"})
    yield SqsOutbox(made["QueueUrl"], sqs)


@pytest.fixture(params=["embedded", "aws", "aws-es", "aws-serverless", "fake"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PassageIndex]:
    """OpenSearch is the wire-level collection and a real node where
    one is installed: as it is, and behind what a Serverless collection takes."""
    if request.param == "fake":
        yield FakeIndex()
        return
    if request.param in {"aws-es", "aws-serverless"}:
        address, clock = request.getfixturevalue("opensearch_address"), request.getfixturevalue("clock")
        opening = cluster if request.param == "aws-es" else serverless
        with opening(address, FakeTable(clock), DIMENSIONS) as opened:
            yield opened
        return
    if request.param == "aws":
        with opensearch(request.getfixturevalue("dynamo")) as opened:
            yield opened
        return
    local = LocalIndex(tmp_path / "index", DIMENSIONS)
    yield local
    local.close()


@contextmanager
def opensearch(table: RecordTable, ordinary: Vector | None = None) -> Iterator[PassageIndex]:
    """Our engine in front of an emulated collection; its pauses refresh the collection instead of waiting."""
    pytest.importorskip("opensearchpy")
    from careline.engines.aws import connect
    from careline.engines.aws.passage_index.index import OpenSearchIndex

    with serving() as collection, closing(connect.opensearch(collection.endpoint, "aoss")) as client:

        async def pause(seconds: float) -> None:
            collection.refresh()

        yield OpenSearchIndex(lambda: client, "passages", table, "aoss", ordinary=ordinary, pause=pause)
