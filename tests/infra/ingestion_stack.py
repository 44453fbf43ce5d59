"""A hospital's ingestion in moto's AWS: the deployed state machine on the real handlers and the AWS engines.

DynamoDB, S3, Lambda and Step Functions are moto's, OpenSearch is the wire-level collection. What each function asked of
AWS is noted.
"""

from __future__ import annotations

import importlib
import json
import threading
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from careline.engines.aws.connect import opensearch
from careline.engines.aws.files import S3Files
from careline.engines.aws.passage_index.index import OpenSearchIndex
from careline.engines.aws.table import DynamoTable
from careline.engines.aws.uploads import S3Uploads
from careline.engines.embedded.clock import SystemClock
from careline.knowledge import catalogue
from careline.model import IndexingJob
from careline.ports import Engines, Matrix, PassageQuery, Vector
from careline_functions.ingestion import stage
from infra.state_machines.ingestion import ingestion_definition
from tests.emulators import services
from tests.emulators.opensearch import Collection, serving
from tests.infra.permissions import STAGES

ROOT = Path(__file__).resolve().parents[2]
EVENTS = ROOT / "events"
REGION, BUCKET, TENANT, OWN_TENANT = "eu-west-1", "careline-files", "sint-anna", "default"


class HashedWords:
    """An embedder: each word is a direction, made from its hash. `failures` are raised first, one a call."""

    name, dimensions = "hashed-words", 32

    def __init__(self) -> None:
        self.failures: list[Exception] = []

    async def embed_query(self, text: str) -> Vector:
        return (await self.embed_passages([text]))[0]

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        if self.failures:
            raise self.failures.pop(0)
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[sum(word.encode()) % self.dimensions] += 1
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Identifier:
    def identify(self, text: str, *, of_any: bool = False) -> tuple[str, float]:
        return "nl", 1.0


class IngestionStack:
    """Everything in AWS that ingestion touches, and the state machine."""

    def __init__(self, boto3: Any, collection: Collection) -> None:
        self.collection, self.embedder = collection, HashedWords()
        self.s3 = boto3.client("s3", region_name=REGION)
        self.stepfunctions = boto3.client("stepfunctions", region_name=REGION)
        self.called: list[str] = []
        self.did: dict[str, set[str]] = defaultdict(set)
        self.running, self.runs, self.uploads = "", 0, 0
        self.twice: set[str] = set()
        """Functions whose first answer is lost, so that they run once more."""
        self._busy = threading.Lock()
        self._make_storage(boto3.client("dynamodb", region_name=REGION))
        arns = self._make_functions(boto3)
        definition = json.dumps(ingestion_definition())
        for name, arn in arns.items():
            definition = definition.replace("${" + name.title() + "Function}", arn)
        role = "arn:aws:iam::123456789012:role/states"
        made = self.stepfunctions.create_state_machine(name="ingestion", definition=definition, roleArn=role)
        self.machine = made["stateMachineArn"]

    def _make_storage(self, dynamodb: Any) -> None:
        keys = {"pk": "HASH", "sk": "RANGE"}
        dynamodb.create_table(
            TableName="careline",
            BillingMode="PAY_PER_REQUEST",
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in keys],
            KeySchema=[{"AttributeName": key, "KeyType": kind} for key, kind in keys.items()],
        )
        self.s3.create_bucket(Bucket=BUCKET, CreateBucketConfiguration={"LocationConstraint": REGION})
        self.s3.put_bucket_versioning(Bucket=BUCKET, VersioningConfiguration={"Status": "Enabled"})
        table = DynamoTable("careline", SystemClock(), dynamodb)
        numbers = iter(range(1000))
        unused: Any = None
        self.engines = Engines(
            clock=SystemClock(), new_id=lambda: f"job-{next(numbers):03d}", embedder=self.embedder,
            count_tokens=lambda text: len(text.split()) * 4 // 3, table=table, files=S3Files(BUCKET, self.s3),
            index=self._index(table),
            identify=Identifier(), outbox=unused, job_launcher=unused, model=unused, read_key=bytes, detector=unused,
            uploads=S3Uploads(BUCKET, self.s3),
        )  # fmt: skip

    def _index(self, table: DynamoTable) -> OpenSearchIndex:
        async def pause(seconds: float) -> None:
            self.collection.refresh()

        client = partial(opensearch, self.collection.endpoint, "aoss")
        return OpenSearchIndex(client, "passages", table, "aoss", pause=pause)

    def _make_functions(self, boto3: Any) -> dict[str, str]:
        iam, functions = boto3.client("iam"), boto3.client("lambda", region_name=REGION)
        role = iam.create_role(RoleName="stage", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
        made = {}
        for name in STAGES:
            answer = functions.create_function(
                FunctionName=name, Role=role, Code={"ZipFile": b""}, Runtime="python3.13", Handler=f"{name}.handler"
            )
            made[name] = answer["FunctionArn"]
        return made

    def invoke(self, name: str, event: dict[str, Any]) -> tuple[str, bool, str]:
        """What Lambda does: JSON in, JSON out, an exception as its class, message and stack."""
        handler = importlib.import_module(f"careline_functions.ingestion.{name}").handler
        with self._busy:
            self.called.append(name)
            self.running = name
            try:
                if name in self.twice:
                    handler(json.loads(json.dumps(event)), None)
                return json.dumps(handler(json.loads(json.dumps(event)), None)), False, ""
            except Exception as error:
                said = {"errorMessage": str(error), "errorType": type(error).__name__, "requestId": "r"}
                return json.dumps({**said, "stackTrace": traceback.format_tb(error.__traceback__)}), True, ""
            finally:
                self.running = ""

    def did_now(self, action: str) -> None:
        if self.running and not action.startswith("stepfunctions:"):
            self.did[self.running].add(action)

    def upload(
        self, content: str | bytes, name: str = "bezoekuren.md", folder: str = f"uploads/{TENANT}", **metadata: str
    ) -> dict[str, Any]:
        """Put a file where uploads go and return the event that S3 then sends."""
        event: dict[str, Any] = json.loads((EVENTS / "s3_object_created.json").read_text())
        body = content.encode() if isinstance(content, str) else content
        key, self.uploads = f"{folder}/{name}", self.uploads + 1
        put = self.s3.put_object(
            Bucket=BUCKET, Key=key, Body=body, Metadata={k.replace("_", "-"): v for k, v in metadata.items()}
        )
        order = f"00617F0829{self.uploads:08X}"
        event["detail"]["object"] |= {
            "key": key, "size": len(body), "version-id": put["VersionId"], "sequencer": order,
        }  # fmt: skip
        return event

    def run(self, order: dict[str, Any]) -> dict[str, Any]:
        """Start an execution and wait for its end."""
        self.runs += 1
        started = self.stepfunctions.start_execution(
            stateMachineArn=self.machine, name=f"run-{self.runs}", input=json.dumps(order)
        )
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            shown: dict[str, Any] = self.stepfunctions.describe_execution(executionArn=started["executionArn"])
            if shown["status"] != "RUNNING":
                return shown
            time.sleep(0.02)
        raise AssertionError("the execution did not end")

    async def jobs(self, tenant: str = TENANT) -> list[IndexingJob]:
        return [job async for job in catalogue.jobs(self.engines.table, tenant)]

    async def find(self, text: str) -> list[str]:
        vector = await self.embedder.embed_query(text)
        hits = await self.engines.index.find(PassageQuery(TENANT, text, vector))
        return [hit.passage.chunk.text for hit in hits]


@contextmanager
def open_stack(monkeypatch: pytest.MonkeyPatch) -> Iterator[IngestionStack]:
    """A house with every function of the state machine in place, until the block ends."""
    boto3, moto = pytest.importorskip("boto3"), pytest.importorskip("moto")
    import botocore.client
    from moto.awslambda.models import LambdaFunction

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", REGION)
    monkeypatch.setenv("CARELINE_HOME", "/nowhere")
    services.read_once(monkeypatch)
    with serving() as collection, moto.mock_aws(config={"stepfunctions": {"execute_state_machine": True}}):
        stack = IngestionStack(boto3, collection)
        monkeypatch.setattr(
            LambdaFunction, "_invoke_lambda", lambda self, event=None: stack.invoke(self.function_name, event)
        )
        monkeypatch.setattr(stage, "engines", lambda: stack.engines)
        monkeypatch.setattr(stage, "own_tenant", lambda: OWN_TENANT)
        calling = botocore.client.BaseClient._make_api_call

        def noted(client: Any, operation: str, request: dict[str, Any]) -> Any:
            for action in used(client.meta.service_model.service_name, operation, request):
                stack.did_now(action)
            return calling(client, operation, request)

        monkeypatch.setattr(botocore.client.BaseClient, "_make_api_call", noted)
        _note_searches(stack, collection)
        yield stack


def _note_searches(stack: IngestionStack, collection: Collection) -> None:
    answering: Callable[[str, str, bytes], Any] = collection.answer

    def noted(method: str, path: str, body: bytes) -> Any:
        writing = path.partition("?")[0].endswith("_bulk")
        stack.did_now("aoss:APIAccessAll")
        stack.did_now("aoss:WriteDocument" if writing else "aoss:ReadDocument")
        return answering(method, path, body)

    collection.answer = noted  # type: ignore[method-assign]


def used(service: str, operation: str, request: dict[str, Any]) -> set[str]:
    """The IAM actions that a call of boto3 needs."""
    if operation == "TransactWriteItems":
        return {f"dynamodb:{kind}Item" for member in request["TransactItems"] for kind in member}
    versioned = {"s3:GetObjectVersion"} if "VersionId" in request else set()
    return {f"{service}:{operation}"} | versioned
