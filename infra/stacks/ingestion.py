"""Documents on their way in: an upload starts the state machine, and each of its stages is one function."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.constructs.access.model import Use
from infra.constructs.access.role import ServiceRole
from infra.constructs.bulk_import import BulkImport
from infra.constructs.collection import WRITE
from infra.constructs.function import Archive, CarelineFunction, encrypted_log
from infra.constructs.packages import ImageTarget, Layers, handlers, image
from infra.constructs.queue import dead_letter_queue
from infra.constructs.reviewed import reviewed_wildcard
from infra.settings import StageSettings
from infra.stacks.data import DOCUMENTS, IMPORTS, UPLOADS, DataStack
from infra.state_machines.ingestion import ingestion_definition
from infra.state_machines.partition import in_partition

READ_RECORDS = ("GetItem",)
CHANGE_RECORDS = ("GetItem", "UpdateItem")
REPLACE_RECORDS = ("GetItem", "Query", "UpdateItem", "DeleteItem")


@dataclass(frozen=True, slots=True)
class StageNeeds:
    """What one stage of `careline.knowledge.pipeline` uses. `tests/infra` runs the stages and compares."""

    records: tuple[str, ...]
    files: tuple[str, ...] = ()
    index: tuple[str, ...] = ()
    model: tuple[Use, ...] = ()
    """What it asks a model for."""
    memory: int = 512
    timeout: int = 60
    image: ImageTarget | None = None
    """None for a function that is an archive."""


STAGES: dict[str, StageNeeds] = {
    "register": StageNeeds(CHANGE_RECORDS, ("PutObject",), memory=1024),
    "extract": StageNeeds(CHANGE_RECORDS, ("GetObject", "PutObject"), memory=3008, timeout=600, image="reading"),
    "clean": StageNeeds(READ_RECORDS, ("GetObject", "PutObject"), memory=1769, timeout=300, image="reading"),
    "chunk": StageNeeds(CHANGE_RECORDS, ("GetObject", "PutObject"), memory=1769, timeout=300, image="stages"),
    "embed": StageNeeds(
        CHANGE_RECORDS, ("GetObject", "PutObject"), model=("vectors",), memory=1769, timeout=300, image="stages"
    ),
    "index": StageNeeds(
        REPLACE_RECORDS, ("GetObject",), WRITE, model=("documents",), memory=1769, timeout=300, image="stages"
    ),
    "activate": StageNeeds(REPLACE_RECORDS, ("GetObject",), WRITE, timeout=600),
    "fail": StageNeeds(CHANGE_RECORDS),
}
"""Memory also buys processor time: extraction, analysis and the models are bound by it. `activate` waits for the
index's refresh, and for a collection that sleeps."""


class IngestionStack(cdk.Stack):
    """The state machine is exported, so that the API can start retries."""

    def __init__(
        self, scope: Construct, construct_id: str, settings: StageSettings, data: DataStack, **more: Any
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings, self._data = settings, data
        self._dead_letters = dead_letter_queue(self, "DeadLetters", data.alarms)
        self._layers = Layers(self, "Layers")
        self._code = handlers("ingestion")
        self.functions = {name: self._stage(name, needs) for name, needs in STAGES.items()}
        self.state_machine = self._make_state_machine()
        self._start_on_upload()
        functions = {name: made.function for name, made in self.functions.items()}
        self.bulk_import = BulkImport(self, "BulkImport", settings=settings, data=data, functions=functions)

    def _stage(self, name: str, needs: StageNeeds) -> CarelineFunction:
        function = CarelineFunction(
            self,
            name.title(),
            settings=self._settings,
            name=f"ingestion-{name}",
            package=self._package(f"careline_functions.ingestion.{name}.handler", needs.image),
            key=self._data.key,
            log_key=self._data.log_key,
            network=self._data.network,
            dead_letters=self._dead_letters,
            environment={
                **self._data.record_settings(),
                **self._data.model.endpoint(*needs.model),
            },
            memory=needs.memory,
            timeout=needs.timeout,
        )
        self._data.let_use_table(function, *needs.records)
        if needs.files:
            self._data.let_use_files(function, DOCUMENTS, *needs.files)
        if "GetObject" in needs.files:
            self._data.let_list_files(function, DOCUMENTS)
        if name == "register":
            for prefix in (UPLOADS, IMPORTS):
                self._data.let_use_files(function, prefix, "GetObject", "GetObjectVersion")
                # A name that is not there is looked for decoded: without this S3 says 403 of it.
                self._data.let_list_files(function, prefix)
        self._data.model.let_call(function, *needs.model)
        if needs.index:
            self._data.collection.let_in(self, name.title(), function.role, needs.index)
        return function

    def _package(self, handler: str, target: ImageTarget | None) -> Archive | lambda_.Code:
        return image(target, handler) if target else Archive(handler, self._code, self._layers.all)

    def _make_state_machine(self) -> sfn.StateMachine:
        log = encrypted_log(
            self, "Log", self._settings, f"/aws/vendedlogs/states/{self._settings.prefix}-ingestion", self._data.log_key
        )
        role = ServiceRole(self, "StatesRole", "states.amazonaws.com")
        arns = {name: made.function.function_arn for name, made in self.functions.items()}
        role.add_to_policy(iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=list(arns.values())))
        machine = sfn.StateMachine(
            self,
            "StateMachine",
            state_machine_name=f"{self._settings.prefix}-ingestion",
            definition_body=sfn.DefinitionBody.from_string(in_partition(json.dumps(ingestion_definition()), self)),
            definition_substitutions={f"{name.title()}Function": arn for name, arn in arns.items()},
            role=role,
            tracing_enabled=True,
            logs=sfn.LogOptions(destination=log, level=sfn.LogLevel.ALL, include_execution_data=False),
        )
        reviewed_wildcard(
            role, "Resource::*", "X-Ray and the delivery of vended logs have no resources: their actions take a star."
        )
        return machine

    def _start_on_upload(self) -> None:
        role = ServiceRole(self, "UploadRole", "events.amazonaws.com")
        rule = events.Rule(
            self,
            "Upload",
            event_pattern=events.EventPattern(
                source=["aws.s3"],
                detail_type=["Object Created"],
                detail={
                    "bucket": {"name": [self._data.bucket.bucket_name]},
                    "object": {"key": [{"prefix": UPLOADS}]},
                },
            ),
        )
        rule.add_target(
            targets.SfnStateMachine(
                self.state_machine,
                role=role,
                dead_letter_queue=self._dead_letters,
                retry_attempts=8,
                max_event_age=cdk.Duration.hours(2),
            )
        )
