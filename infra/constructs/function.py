"""A Lambda function the way every one of ours is: arm64, traced, its own role, its own encrypted log that ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.reviewed import reviewed, reviewed_wildcard
from infra.settings import StageSettings


class CarelineFunction(Construct):
    """`function` has no permission but to write its log, its traces and its dead letters; callers add what it needs.

    Without `dead_letters` for one that nobody calls and leaves: a queue that calls it has dead letters of its own.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        name: str,
        handler: str,
        code: lambda_.Code,
        layers: Sequence[lambda_.ILayerVersion],
        key: kms.IKey,
        environment: Mapping[str, str],
        dead_letters: sqs.IQueue | None = None,
        memory: int = 512,
        timeout: int = 60,
    ) -> None:
        super().__init__(scope, construct_id)
        self.log = encrypted_log(self, "Log", settings, f"/aws/lambda/{settings.prefix}-{name}", key)
        self.role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        self.log.grant_write(self.role)
        self.function = lambda_.Function(
            self,
            "Function",
            function_name=f"{settings.prefix}-{name}",
            runtime=lambda_.Runtime.PYTHON_3_13,
            architecture=lambda_.Architecture.ARM_64,
            handler=handler,
            code=code,
            layers=list(layers),
            role=self.role,
            memory_size=memory,
            timeout=cdk.Duration.seconds(timeout),
            environment=dict(environment),
            environment_encryption=key,
            log_group=self.log,
            logging_format=lambda_.LoggingFormat.JSON,
            tracing=lambda_.Tracing.ACTIVE,
            dead_letter_queue=dead_letters,
        )
        reviewed(self.function, L1="Careline is tested on Python 3.11 to 3.13; the runtime follows the tests.")
        reviewed_wildcard(self.role, "Resource::*", "X-Ray has no resources: its two actions take nothing but a star.")

    def may(self, *actions: str, on: Sequence[str]) -> None:
        """Allow exactly these actions on exactly these resources."""
        self.role.add_to_policy(iam.PolicyStatement(actions=list(actions), resources=list(on)))


def encrypted_log(
    scope: Construct, construct_id: str, settings: StageSettings, name: str, key: kms.IKey
) -> logs.LogGroup:
    """A log group that keeps its lines as long as the stage says."""
    return logs.LogGroup(
        scope,
        construct_id,
        log_group_name=name,
        retention=_retention(settings.log_days),
        encryption_key=key,
        removal_policy=cdk.RemovalPolicy.RETAIN if settings.keep_data else cdk.RemovalPolicy.DESTROY,
    )


def _retention(days: int) -> logs.RetentionDays:
    return {14: logs.RetentionDays.TWO_WEEKS, 365: logs.RetentionDays.ONE_YEAR}[days]
