"""The canary of a stage: a function with a role that may ask the orchestrator and nothing else, and its schedule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_scheduler as scheduler
from constructs import Construct

from infra.constructs.access.role import ServiceRole
from infra.constructs.function import Archive, CarelineFunction
from infra.constructs.packages import ROOT, Layers, handlers
from infra.settings import StageSettings

QUESTIONS = ROOT / "events" / "schedule_canary.json"
EVERY_MINUTES = 15
SECONDS = 300
"""Four questions one after another, each of which may wait a minute for the next byte of its answer."""


class Canary(Construct):
    """Asks the known questions every quarter of an hour, over the URL that the phone worker uses."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        key: kms.IKey,
        log_key: kms.IKey,
        url: lambda_.FunctionUrl,
        questions: Path = QUESTIONS,
    ) -> None:
        super().__init__(scope, construct_id)
        self.asks = CarelineFunction(
            self,
            "Asks",
            settings=settings,
            name="canary",
            package=Archive("careline_functions.canary.app.handler", handlers("canary"), Layers(self, "Layers").all),
            key=key,
            log_key=log_key,
            environment={"CARELINE_STAGE": settings.name, "CARELINE_ORCHESTRATOR_URL": url.url},
            timeout=SECONDS,
        )
        # The schedule does not wait for the end of a round, so that Lambda would try it again twice.
        self.asks.function.configure_async_invoke(retry_attempts=0)
        # The orchestrator knows who signs by the role (`infra.constructs.access.signers`).
        role: Any = self.asks.role.node.default_child
        role.role_name = settings.canary_role
        url.grant_invoke_url(self.asks.role)
        self._schedule(questions)

    def _schedule(self, questions: Path) -> None:
        function = self.asks.function.function_arn
        role = ServiceRole(self, "ScheduleRole", "scheduler.amazonaws.com")
        role.add_to_policy(iam.PolicyStatement(actions=["lambda:InvokeFunction"], resources=[function]))
        scheduler.CfnSchedule(
            self,
            "Schedule",
            flexible_time_window=scheduler.CfnSchedule.FlexibleTimeWindowProperty(mode="OFF"),
            schedule_expression=f"rate({EVERY_MINUTES} minutes)",
            target=scheduler.CfnSchedule.TargetProperty(
                arn=function,
                role_arn=role.role_arn,
                input=json.dumps(json.loads(questions.read_text(encoding="utf-8")), ensure_ascii=False),
                # A round that fails is told by its metrics, and the next one comes.
                retry_policy=scheduler.CfnSchedule.RetryPolicyProperty(maximum_retry_attempts=0),
            ),
        )
