"""What reads the outbox: one function, which the queue calls with batches of turns."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.constructs.function import Archive, CarelineFunction
from infra.constructs.packages import Layers, handlers
from infra.settings import StageSettings
from infra.stacks.data import DataStack

PER_BATCH = 10
"""The most a FIFO queue gives at once; it takes no waiting for more."""
SECONDS = 30
"""For one batch; a message that was not deleted comes back six times as long after it was taken."""
CHANGE_RECORDS = ("GetItem", "UpdateItem")


class TelemetryStack(cdk.Stack):
    """The queue hands out a tenant's turns one batch at a time, so the function needs no lock of its own."""

    def __init__(
        self, scope: Construct, construct_id: str, settings: StageSettings, data: DataStack, **more: Any
    ) -> None:
        super().__init__(scope, construct_id, **more)
        self.reader = CarelineFunction(
            self,
            "Reader",
            settings=settings,
            name="telemetry",
            package=Archive(
                "careline_functions.telemetry.app.handler", handlers("telemetry"), Layers(self, "Layers").all
            ),
            key=data.key,
            log_key=data.log_key,
            network=data.network,
            environment={**data.record_settings(), **data.key_settings()},
            timeout=SECONDS,
        )
        data.let_use_table(self.reader, *CHANGE_RECORDS)
        data.let_read_outbox(self.reader)
        data.let_read_key(self.reader)
        lambda_.EventSourceMapping(
            self,
            "Turns",
            target=self.reader.function,
            event_source_arn=data.outbox.queue_arn,
            batch_size=PER_BATCH,
            report_batch_item_failures=True,
        )
