"""What notes the heads of audit chains where nobody can take them away: one function, called each hour."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from constructs import Construct

from infra.constructs.function import Archive, CarelineFunction
from infra.constructs.packages import Layers, handlers
from infra.constructs.queue import dead_letter_queue
from infra.settings import StageSettings
from infra.stacks.data import DataStack

READ_RECORDS = ("GetItem", "Query")


class AuditStack(cdk.Stack):
    """The function reads records and adds heads; it can neither write a record nor read or change a head."""

    def __init__(
        self, scope: Construct, construct_id: str, settings: StageSettings, data: DataStack, **more: Any
    ) -> None:
        super().__init__(scope, construct_id, **more)
        dead_letters = dead_letter_queue(self, "DeadLetters", data.alarms)
        self.notary = CarelineFunction(
            self,
            "Notary",
            settings=settings,
            name="notary",
            package=Archive("careline_functions.notary.app.handler", handlers("notary"), Layers(self, "Layers").all),
            key=data.key,
            log_key=data.log_key,
            network=data.network,
            dead_letters=dead_letters,
            environment={**data.record_settings(), **data.key_settings(), **data.heads.settings()},
        )
        data.let_read_table(self.notary, *READ_RECORDS)
        data.heads.let_note(self.notary)
        data.let_read_key(self.notary)
        rule = events.Rule(self, "EachHour", schedule=events.Schedule.rate(cdk.Duration.hours(1)))
        rule.add_target(targets.LambdaFunction(self.notary.function, dead_letter_queue=dead_letters, retry_attempts=3))
