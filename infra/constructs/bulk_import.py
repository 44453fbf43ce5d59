"""The state machine that takes in documents by the thousand, and what it may do: its own prefixes and functions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.constructs.access.role import ServiceRole
from infra.constructs.function import encrypted_log
from infra.constructs.reviewed import reviewed_wildcard
from infra.settings import StageSettings
from infra.state_machines.bulk_import import bulk_import_definition
from infra.state_machines.partition import in_partition

if TYPE_CHECKING:
    from infra.stacks.data import DataStack

CHILDREN = "A child execution's name is made when it starts; the machine's own name is the narrowest resource."


class BulkImport(Construct):
    """Nothing starts it but a person who may: `aws stepfunctions start-execution`."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        data: DataStack,
        functions: Mapping[str, lambda_.Function],
    ) -> None:
        super().__init__(scope, construct_id)
        name = f"{settings.prefix}-bulk-import"
        log = encrypted_log(self, "Log", settings, f"/aws/vendedlogs/states/{name}", data.log_key)
        self.role = ServiceRole(self, "Role", "states.amazonaws.com")
        arns = {stage: function.function_arn for stage, function in functions.items()}
        self._may(["lambda:InvokeFunction"], *arns.values())
        self._let_start_children(name)
        data.let_import(self.role)
        definition = in_partition(json.dumps(bulk_import_definition()), cdk.Stack.of(self))
        self.state_machine = sfn.StateMachine(
            self,
            "StateMachine",
            state_machine_name=name,
            definition_body=sfn.DefinitionBody.from_string(definition),
            definition_substitutions={
                **{f"{stage.title()}Function": arn for stage, arn in arns.items()},
                "Bucket": data.bucket.bucket_name,
                "Results": data.import_results,
            },
            role=self.role,
            tracing_enabled=True,
            logs=sfn.LogOptions(destination=log, level=sfn.LogLevel.ALL, include_execution_data=False),
        )
        reviewed_wildcard(
            self.role,
            "Resource::*",
            "X-Ray and the delivery of vended logs have no resources: their actions take a star.",
        )
        cdk.CfnOutput(cdk.Stack.of(self), "BulkImportMachine", value=self.state_machine.state_machine_arn)

    def _let_start_children(self, name: str) -> None:
        """What a Distributed Map asks of its role (Step Functions developer guide, IAM policies for Map states)."""
        stack = cdk.Stack.of(self)

        def arn(kind: str, ending: str) -> str:
            return stack.format_arn(
                service="states", resource=kind, resource_name=ending, arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME
            )

        self._may(["states:StartExecution"], arn("stateMachine", name))
        children = [arn("execution", f"{name}:*"), arn("execution", f"{name}/*")]
        self._may(["states:DescribeExecution", "states:StopExecution", "states:RedriveExecution"], *children)
        for child, ending in zip(children, (":*", "/*"), strict=True):
            resolved = stack.resolve(child)
            # Where the partition is known, cdk-nag sees the name as it is, else a mark in its place.
            beyond = f"arn:<AWS::Partition>:states:{stack.region}:{stack.account}:execution:{name}{ending}"
            seen = resolved if isinstance(resolved, str) else beyond
            reviewed_wildcard(self.role, f"Resource::{seen}", CHILDREN)

    def _may(self, actions: list[str], *resources: str) -> None:
        self.role.add_to_policy(iam.PolicyStatement(actions=actions, resources=list(resources)))
