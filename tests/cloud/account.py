"""A stage of the synthesized templates on one machine: moto's S3, SQS, Secrets Manager and Step Functions, DynamoDB
Local, OpenSearch, and every function as a process of its own in its built package."""

from __future__ import annotations

import json
import logging
import os
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from careline.engines.aws.passage_index.index_mapping import index_body
from tests.cloud.gateway import Gateway, WebFunction
from tests.cloud.intrinsics import ACCOUNT, REGION, Resolver
from tests.cloud.lambda_process import LambdaProcess
from tests.cloud.package import Packages
from tests.engines.servers.run import dynamodb, opensearch
from tests.source_roots import ROOT

Json = dict[str, Any]
EVENTS = ROOT / "events"
TENANT = "default"
PRIVACY_KEY = "ab" * 32
EXECUTION_SECONDS = 180.0
WEB = ("orchestrator", "admin")
VENDOR = {"AWS_ACCESS_KEY_ID": "testing", "AWS_SECRET_ACCESS_KEY": "testing", "AWS_SESSION_TOKEN": "testing"}


@dataclass
class Account:
    """The emulated account. Functions go by the end of their name: `orchestrator`, `ingestion-index`."""

    stage: str
    moto: str
    dynamodb: str
    opensearch: str
    work: Path
    stacks: dict[str, Json]
    resolver: Resolver
    packages: Packages
    clients: dict[str, Any]
    bucket: str = "careline-files"
    table: str = "careline-records"
    functions: dict[str, LambdaProcess] = field(default_factory=dict)
    web: dict[str, WebFunction] = field(default_factory=dict)
    queue: str = ""
    machine: str = ""
    sent: int = 0
    broken: list[str] = field(default_factory=list)
    """Why functions could not be run at all, which is a fault of these tests or of a package."""

    # -- what is deployed

    def resources(self, kind: str) -> Iterator[tuple[str, str, Json]]:
        """Stack, logical id and properties of every resource of a type."""
        for stack, template in self.stacks.items():
            for name, resource in template["Resources"].items():
                if resource["Type"] == kind:
                    yield stack, name, resource.get("Properties", {})

    def named(self, name: str) -> tuple[str, Json]:
        """Stack and properties of a function. Raises: KeyError."""
        for stack, _, properties in self.resources("AWS::Lambda::Function"):
            if properties.get("FunctionName") == f"careline-{self.stage}-{name}":
                return stack, properties
        raise KeyError(name)

    def environment(self, name: str) -> dict[str, str]:
        """What the template gives a function, with the addresses of the emulated services beside it."""
        stack, properties = self.named(name)
        given = self.resolver.value(properties["Environment"]["Variables"], stack)
        resolved = {variable: self._secret(str(value)) for variable, value in given.items()}
        return {
            **resolved, **VENDOR, "AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION,
            "AWS_ENDPOINT_URL": self.moto, "AWS_ENDPOINT_URL_DYNAMODB": self.dynamodb,
            "AWS_LAMBDA_FUNCTION_NAME": properties["FunctionName"], "AWS_LAMBDA_FUNCTION_VERSION": "1",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(properties["MemorySize"]), "LAMBDA_TASK_ROOT": "/var/task",
            "AWS_XRAY_SDK_ENABLED": "false", "AWS_LAMBDA_LOG_FORMAT": "JSON", "TZ": ":UTC",
        }  # fmt: skip

    def _secret(self, value: str) -> str:
        """`{{resolve:secretsmanager:ARN:SecretString:::}}` as CloudFormation resolves it when it deploys."""
        if not value.startswith("{{resolve:secretsmanager:"):
            return value
        arn = value.removeprefix("{{resolve:secretsmanager:").partition(":SecretString")[0]
        return str(self.clients["secretsmanager"].get_secret_value(SecretId=arn)["SecretString"])

    def function(self, name: str) -> LambdaProcess:
        """A function, its process not started before it is invoked."""
        if name not in self.functions:
            package = self._package(name)
            environment = {**package.environment, **self.environment(name)}
            self.functions[name] = LambdaProcess(name, package, environment, self.work / f"{name}.log")
        return self.functions[name]

    def web_function(self, name: str) -> WebFunction:
        """A function that is a web server."""
        if name not in self.web:
            package = self._package(name)
            environment = {**package.environment, **self.environment(name)}
            self.web[name] = WebFunction(name, package, environment, self.work / f"{name}.log")
        return self.web[name]

    def _package(self, name: str) -> Any:
        stack, properties = self.named(name)
        layers = {
            each: properties for of, each, properties in self.resources("AWS::Lambda::LayerVersion") if of == stack
        }
        return self.packages.of(properties, layers)

    @contextmanager
    def gateway(self) -> Iterator[tuple[Gateway, str, str]]:
        """The API and the function URL, with their addresses."""
        template = self.stacks[f"careline-{self.stage}-api"]
        gateway = Gateway(template, {name: self.web_function(name) for name in WEB})
        with gateway.serving("orchestrator") as (api, url):
            yield gateway, api, url

    # -- what happens

    def upload(self, name: str, content: bytes, tenant: str = TENANT, **metadata: str) -> Json:
        """Put an object where uploads go; the event that S3 sends of it through EventBridge."""
        key = f"uploads/{tenant}/{name}"
        said = {one.replace("_", "-"): value for one, value in metadata.items()}
        put = self.clients["s3"].put_object(Bucket=self.bucket, Key=key, Body=content, Metadata=said)
        self.sent += 1
        event: Json = json.loads((EVENTS / "s3_object_created.json").read_text())
        event["detail"]["bucket"]["name"] = self.bucket
        event["detail"]["object"] |= {
            "key": key, "size": len(content), "version-id": put["VersionId"], "sequencer": f"{self.sent:016X}"
        }  # fmt: skip
        return event

    def takes(self, event: Any) -> bool:
        """Whether the rule of the template starts an execution for an event."""
        from moto.events.models import EventPattern

        for stack, _, properties in self.resources("AWS::Events::Rule"):
            if "EventPattern" in properties:
                pattern = json.dumps(self.resolver.value(properties["EventPattern"], stack))
                if EventPattern.load(pattern).matches_event(event):
                    return True
        return False

    def start(self, order: Json) -> str:
        """Start the state machine; the ARN of the execution."""
        started = self.clients["stepfunctions"].start_execution(
            stateMachineArn=self.machine, name=uuid.uuid4().hex, input=json.dumps(order)
        )
        return str(started["executionArn"])

    def ended(self, execution: str) -> Json:
        """What became of an execution. Raises: TimeoutError."""
        until = time.monotonic() + EXECUTION_SECONDS
        while time.monotonic() < until:
            shown: Json = self.clients["stepfunctions"].describe_execution(executionArn=execution)
            if self.broken:
                raise RuntimeError("; ".join(self.broken))
            if shown["status"] != "RUNNING":
                return shown
            time.sleep(0.05)
        raise TimeoutError("the execution did not end")

    def run(self, order: Json) -> Json:
        """Start the state machine and wait for its end."""
        return self.ended(self.start(order))

    def settle(self) -> int:
        """Give what waits in the outbox to the telemetry function as Lambda does; how many turns it took."""
        sqs, taken = self.clients["sqs"], 0
        while messages := _received(sqs, self.queue):
            went_well, answer = self.function("telemetry").invoke(_batch(messages))
            failed = (
                {one["itemIdentifier"] for one in answer["batchItemFailures"]}
                if went_well
                else {one["MessageId"] for one in messages}
            )
            for one in messages:
                if one["MessageId"] in failed:
                    sqs.change_message_visibility(
                        QueueUrl=self.queue, ReceiptHandle=one["ReceiptHandle"], VisibilityTimeout=0
                    )
                else:
                    sqs.delete_message(QueueUrl=self.queue, ReceiptHandle=one["ReceiptHandle"])
                    taken += 1
        return taken

    def close(self) -> None:
        """End every process."""
        for function in self.functions.values():
            function.close()
        for web in self.web.values():
            web.stop()
        for client in self.clients.values():
            client.close()


def _received(sqs: Any, queue: str) -> list[Json]:
    found = sqs.receive_message(
        QueueUrl=queue, MaxNumberOfMessages=10, AttributeNames=["All"], MessageAttributeNames=["All"]
    )
    return list(found.get("Messages", []))


def _batch(messages: list[Json]) -> Json:
    """An event of the queue as Lambda writes it."""
    return {
        "Records": [
            {
                "messageId": one["MessageId"], "receiptHandle": one["ReceiptHandle"], "body": one["Body"],
                "attributes": one["Attributes"], "messageAttributes": {}, "md5OfBody": one["MD5OfBody"],
                "eventSource": "aws:sqs", "eventSourceARN": f"arn:aws:sqs:{REGION}:{ACCOUNT}:outbox",
                "awsRegion": REGION,
            }
            for one in messages
        ]
    }  # fmt: skip


@contextmanager
def deployed(stage: str, synthesized: Path, work: Path) -> Iterator[Account]:
    """A stage deployed from what was synthesized, until the block ends."""
    pytest.importorskip("moto")
    with ExitStack() as stack:
        search, records = stack.enter_context(opensearch()), stack.enter_context(dynamodb())
        moto = stack.enter_context(_moto())
        stacks = {path.name.split(".")[0]: json.loads(path.read_text()) for path in synthesized.glob("*.template.json")}
        clients = _clients(moto, records)
        account = Account(
            stage, moto, records, search, work, stacks, Resolver(stacks), Packages(synthesized, work), clients
        )
        stack.callback(account.close)
        _deploy(account)
        with _invoked(account):
            yield account


@contextmanager
def _moto() -> Iterator[str]:
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        address = f"http://127.0.0.1:{server.get_host_and_port()[1]}"
        body = json.dumps({"stepfunctions": {"execute_state_machine": True}}).encode()
        urllib.request.urlopen(urllib.request.Request(f"{address}/moto-api/config", body, method="POST")).close()
        yield address
    finally:
        server.stop()


def _clients(moto: str, records: str) -> dict[str, Any]:
    import boto3

    os.environ.setdefault("AWS_EC2_METADATA_DISABLED", "true")
    session = boto3.Session("testing", "testing", region_name=REGION)
    names = ("s3", "sqs", "stepfunctions", "iam", "lambda", "secretsmanager")
    found: dict[str, Any] = {name: session.client(name, endpoint_url=moto) for name in names}
    return {**found, "dynamodb": session.client("dynamodb", endpoint_url=records)}


def _deploy(account: Account) -> None:
    """Make of the templates what the functions use."""
    for kind, deploy in DEPLOYED.items():
        for stack, name, properties in account.resources(kind):
            deploy(account, f"{stack}/{name}", properties)
    _deploy_machine(account)


def _name(account: Account, resource: str, **known: str) -> None:
    """`ref` is what `Ref` gives, the others what `Fn::GetAtt` does."""
    for attribute, value in known.items():
        account.resolver.names[resource if attribute == "ref" else f"{resource}.{attribute}"] = value


def _deploy_table(account: Account, resource: str, properties: Json) -> None:
    shape = {each: properties[each] for each in ("BillingMode", "AttributeDefinitions", "KeySchema")}
    account.clients["dynamodb"].create_table(TableName=account.table, **shape)
    _name(account, resource, ref=account.table, Arn=f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{account.table}")


def _deploy_bucket(account: Account, resource: str, properties: Json) -> None:
    own = account.bucket if "/Files" in resource else resource.rpartition("/")[2].lower()
    s3, where = account.clients["s3"], {"LocationConstraint": REGION}
    s3.create_bucket(
        Bucket=own,
        CreateBucketConfiguration=where,
        ObjectLockEnabledForBucket=bool(properties.get("ObjectLockEnabled")),
    )
    s3.put_bucket_versioning(Bucket=own, VersioningConfiguration={"Status": "Enabled"})
    _name(account, resource, ref=own, Arn=f"arn:aws:s3:::{own}")


def _deploy_queue(account: Account, resource: str, properties: Json) -> None:
    name = resource.rpartition("/")[2]
    is_fifo = bool(properties.get("FifoQueue"))
    wanted: dict[str, str] = {}
    if is_fifo:
        wanted = {"FifoQueue": "true", "VisibilityTimeout": str(properties.get("VisibilityTimeout", 30))}
        given = ("DeduplicationScope", "FifoThroughputLimit")
        wanted |= {each: properties[each] for each in given if each in properties}
    made = account.clients["sqs"].create_queue(QueueName=f"{name}.fifo" if is_fifo else name, Attributes=wanted)
    _name(account, resource, ref=made["QueueUrl"], Arn=f"arn:aws:sqs:{REGION}:{ACCOUNT}:{name}")
    if name.startswith("Outbox") and not name.startswith("OutboxDead"):
        account.queue = made["QueueUrl"]


def _deploy_secret(account: Account, resource: str, properties: Json) -> None:
    text = PRIVACY_KEY if "PrivacyKey" in resource else properties.get("SecretString", "not set")
    made = account.clients["secretsmanager"].create_secret(
        Name=properties.get("Name", resource.rpartition("/")[2]), SecretString=text
    )
    _name(account, resource, ref=made["ARN"], Id=made["ARN"])


def _deploy_collection(account: Account, resource: str, properties: Json) -> None:
    _name(account, resource, CollectionEndpoint=account.opensearch, Arn=f"arn:aws:aoss:{REGION}:{ACCOUNT}:collection/c")


def _deploy_index(account: Account, resource: str, properties: Json) -> None:
    """The index as CloudFormation makes it, but for the engine of its vectors, which a node alone does not have."""
    fields = properties["Mappings"]["Properties"].values()
    dimension = next(field["Dimension"] for field in fields if "Dimension" in field)
    body = json.dumps(index_body(int(dimension), "es")).encode()
    address = f"{account.opensearch}/{properties['IndexName']}"
    asked = urllib.request.Request(address, body, {"content-type": "application/json"}, method="PUT")
    urllib.request.urlopen(asked).close()


def _deploy_key(account: Account, resource: str, properties: Json) -> None:
    _name(account, resource, ref="key", Arn=f"arn:aws:kms:{REGION}:{ACCOUNT}:key/{resource.rpartition('/')[2]}")


DEPLOYED: Mapping[str, Callable[[Account, str, Json], None]] = {
    "AWS::KMS::Key": _deploy_key,
    "AWS::DynamoDB::Table": _deploy_table,
    "AWS::S3::Bucket": _deploy_bucket,
    "AWS::SQS::Queue": _deploy_queue,
    "AWS::SecretsManager::Secret": _deploy_secret,
    "AWS::OpenSearchServerless::Collection": _deploy_collection,
    "AWS::OpenSearchServerless::Index": _deploy_index,
}
"""What is made of a resource, by its type, in this order; all others are not needed by a function that runs."""


def _deploy_machine(account: Account) -> None:
    clients = account.clients
    role = clients["iam"].create_role(RoleName="states", AssumeRolePolicyDocument="{}")["Role"]["Arn"]
    for stack, name, properties in account.resources("AWS::Lambda::Function"):
        if "FunctionName" in properties:
            made = clients["lambda"].create_function(
                FunctionName=properties["FunctionName"], Role=role, Code={"ZipFile": b"x"}, Runtime="python3.13",
                Handler="h.h",
            )  # fmt: skip
            _name(account, f"{stack}/{name}", ref=properties["FunctionName"], Arn=made["FunctionArn"])
    for stack, name, properties in account.resources("AWS::StepFunctions::StateMachine"):
        if not properties["StateMachineName"].endswith("-ingestion"):
            # That of a bulk import reads manifests in a way that moto does not know (`tests/infra`).
            continue
        text = properties["DefinitionString"]
        text = account.resolver.value(text, stack) if isinstance(text, dict) else text
        for variable, value in properties.get("DefinitionSubstitutions", {}).items():
            text = text.replace("${" + variable + "}", str(account.resolver.value(value, stack)))
        made = clients["stepfunctions"].create_state_machine(
            name=properties["StateMachineName"], definition=text, roleArn=role
        )
        _name(account, f"{stack}/{name}", ref=made["stateMachineArn"], Arn=made["stateMachineArn"])
        account.machine = made["stateMachineArn"]


@contextmanager
def _invoked(account: Account) -> Iterator[None]:
    """What moto's Lambda invokes goes to the processes of the account."""
    from moto.awslambda.models import LambdaFunction

    def invoke(function: Any, event: Any = None) -> tuple[str, bool, str]:
        name = function.function_name.removeprefix(f"careline-{account.stage}-")
        try:
            went_well, answer = account.function(name).invoke(event)
        except Exception as error:
            # moto would say no more than that a state had a runtime error.
            account.broken.append(f"{name}: {error}")
            raise
        return json.dumps(answer), not went_well, ""

    with pytest.MonkeyPatch.context() as patched:
        # Where moto's state machine looks for Lambda.
        patched.setenv("MOTO_PORT", account.moto.rpartition(":")[2])
        patched.setattr(LambdaFunction, "_invoke_lambda", invoke)
        yield
