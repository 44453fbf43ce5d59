"""A Lambda function the way every one of ours is: arm64, traced, its own role, its own encrypted log that ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.access.role import ServiceRole
from infra.constructs.kept import kept
from infra.constructs.reviewed import reviewed, reviewed_wildcard
from infra.settings import StageSettings

if TYPE_CHECKING:
    from infra.stacks.network import NetworkStack

OF_ALL: Mapping[str, Any] = MappingProxyType(
    {
        "architecture": lambda_.Architecture.ARM_64,
        "logging_format": lambda_.LoggingFormat.JSON,
        "tracing": lambda_.Tracing.ACTIVE,
        # Where versions are published: the one before must be there to go back to.
        "current_version_options": lambda_.VersionOptions(removal_policy=cdk.RemovalPolicy.RETAIN),
    }
)
"""What every function has alike."""
JOIN_NETWORK = (
    "ec2:CreateNetworkInterface", "ec2:DescribeNetworkInterfaces", "ec2:DescribeSubnets",
    "ec2:DeleteNetworkInterface", "ec2:AssignPrivateIpAddresses", "ec2:UnassignPrivateIpAddresses",
)  # fmt: skip
"""What Lambda does with a function's role to put it into a network (Lambda developer guide, VPC execution role)."""


RUNTIME = (
    "3.13 is the newest Python that every pin of requirements/ is resolved and tested for; tests/infra hold that the "
    "runtime is the newest one that pyproject.toml allows."
)
STARRED = (
    "X-Ray's two actions and Lambda's six on network interfaces take nothing but a star; the latter are denied to the "
    "function's own code."
)


@dataclass(frozen=True, slots=True)
class Archive:
    """A function that is an archive: its handler, its own code and the layers below it."""

    handler: str
    code: lambda_.Code
    layers: Sequence[lambda_.ILayerVersion]


def _packaged(package: Archive | lambda_.Code) -> dict[str, Any]:
    """How CDK wants an archive, or else an image."""
    if isinstance(package, Archive):
        runtime = lambda_.Runtime.PYTHON_3_13
        return {
            "runtime": runtime, "handler": package.handler, "code": package.code, "layers": list(package.layers)
        }  # fmt: skip
    return {"runtime": lambda_.Runtime.FROM_IMAGE, "handler": lambda_.Handler.FROM_IMAGE, "code": package}


class CarelineFunction(Construct):
    """`package` is an archive or the code of an image. `function` has no permission but to write its log, its traces
    and its dead letters; callers add what it needs.

    Inside `network` where one is given; its log is encrypted with `log_key`, else with `key` as its environment is.
    Without `dead_letters` for one that nobody calls and leaves: a queue that calls it has dead letters of its own.
    """

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        name: str,
        package: Archive | lambda_.Code,
        key: kms.IKey,
        environment: Mapping[str, str],
        log_key: kms.IKey | None = None,
        network: NetworkStack | None = None,
        dead_letters: sqs.IQueue | None = None,
        memory: int = 512,
        timeout: int = 60,
        snap_start: bool = False,
    ) -> None:
        super().__init__(scope, construct_id)
        self.log = encrypted_log(self, "Log", settings, f"/aws/lambda/{settings.prefix}-{name}", log_key or key)
        self.role = self._make_role()
        self.function = lambda_.Function(
            self,
            "Function",
            function_name=f"{settings.prefix}-{name}",
            role=self.role,
            memory_size=memory,
            timeout=cdk.Duration.seconds(timeout),
            environment=dict(environment),
            environment_encryption=key,
            log_group=self.log,
            dead_letter_queue=dead_letters,
            reserved_concurrent_executions=settings.concurrency_of(name),
            **(self._inside(network, f"{settings.prefix}-{name}") if network is not None else {}),
            snap_start=lambda_.SnapStartConf.ON_PUBLISHED_VERSIONS if snap_start else None,
            **_packaged(package),
            **OF_ALL,
        )
        reviewed(self.function, L1=RUNTIME)

    def _make_role(self) -> ServiceRole:
        role = ServiceRole(self, "Role", "lambda.amazonaws.com")
        self.log.grant_write(role)
        reviewed_wildcard(role, "Resource::*", STARRED)
        return role

    def _inside(self, network: NetworkStack, name: str) -> dict[str, Any]:
        """Lambda joins the network with the function's role; the function's own code may not use what that takes."""
        own = cdk.Stack.of(self).format_arn(
            service="lambda", resource="function", resource_name=name, arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME
        )
        by_code = {"ArnEquals": {"lambda:SourceFunctionArn": own}}
        deny = iam.PolicyStatement(
            effect=iam.Effect.DENY, actions=list(JOIN_NETWORK), resources=["*"], conditions=by_code
        )
        self.role.add_to_policy(iam.PolicyStatement(actions=list(JOIN_NETWORK), resources=["*"]))
        self.role.add_to_policy(deny)
        return {
            "vpc": network.vpc,
            "vpc_subnets": network.function_subnets,
            "security_groups": [network.function_group],
        }

    def may(self, *actions: str, on: Sequence[str]) -> None:
        """Allow exactly these actions on exactly these resources."""
        self.role.add_to_policy(iam.PolicyStatement(actions=list(actions), resources=list(on)))


def encrypted_log(
    scope: Construct, construct_id: str, settings: StageSettings, name: str, key: kms.IKey | None
) -> logs.LogGroup:
    """A log group that keeps its lines as long as the stage says."""
    return logs.LogGroup(
        scope,
        construct_id,
        log_group_name=name,
        retention=_retention(settings.log_days),
        encryption_key=key,
        removal_policy=kept(settings),
    )


def _retention(days: int) -> logs.RetentionDays:
    return {30: logs.RetentionDays.ONE_MONTH, 365: logs.RetentionDays.ONE_YEAR}[days]
