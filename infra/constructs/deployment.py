"""A new version of a function meets a tenth of the requests first, and goes back by itself when an alarm rings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_codedeploy as codedeploy
from aws_cdk import aws_lambda as lambda_
from constructs import Construct

from infra.settings import StageSettings

PERIOD = cdk.Duration.minutes(1)
FAILED = 3
"""Failed requests within a minute that take a new version back."""
LIMITED = "Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited"


class CanaryDeployment(Construct):
    """`group` shifts an alias to the version that a template brings. CloudFormation waits for it, so a deployment that
    goes back fails as a whole, and the version before answers."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        settings: StageSettings,
        alias: lambda_.Alias,
        alarms: Sequence[cloudwatch.IAlarm],
    ) -> None:
        """Raises: ValueError without alarms, as nothing would then take a bad version back."""
        super().__init__(scope, construct_id)
        if not alarms:
            raise ValueError("a canary needs alarms: without them a bad version stays")
        application = codedeploy.LambdaApplication(self, "Application", application_name=settings.application)
        self.group = codedeploy.LambdaDeploymentGroup(
            self,
            "Group",
            application=application,
            alias=alias,
            deployment_config=_pace(settings),
            alarms=list(alarms),
            auto_rollback=codedeploy.AutoRollbackConfig(
                failed_deployment=True, stopped_deployment=True, deployment_in_alarm=True
            ),
        )
        cdk.Validations.of(self.group).acknowledge(
            cdk.Acknowledgment(
                id=f"AwsSolutions::AwsSolutions-IAM4[{LIMITED}]",
                reason="CDK attaches this policy to whatever role a Lambda deployment group has; AWS names it the "
                "narrow one: aliases, alarms, and functions called CodeDeployHook_ alone.",
            )
        )


def _pace(settings: StageSettings) -> codedeploy.ILambdaDeploymentConfig:
    """Nobody but developers waits for dev, so it takes a version at once."""
    paces = codedeploy.LambdaDeploymentConfig
    return paces.CANARY_10_PERCENT_5_MINUTES if settings.keep_data else paces.ALL_AT_ONCE


def canary_alarms(scope: Construct, alias: lambda_.Alias, api: apigateway.RestApi) -> list[cloudwatch.Alarm]:
    """What tells that a version fails. A web server that answers 500 is no error to Lambda, so what the gateway and the
    function's URL gave their callers is counted besides."""
    counted = {
        "Errors": alias.metric_errors(period=PERIOD, statistic="Sum"),
        "ApiFailures": api.metric_server_error(period=PERIOD, statistic="Sum"),
        "UrlFailures": cloudwatch.Metric(
            namespace="AWS/Lambda",
            metric_name="Url5xxCount",
            dimensions_map={"FunctionName": alias.lambda_.function_name},
            period=PERIOD,
            statistic="Sum",
        ),
    }
    return [_alarm(scope, name, metric) for name, metric in counted.items()]


def _alarm(scope: Construct, name: str, metric: Any) -> cloudwatch.Alarm:
    return cloudwatch.Alarm(
        scope,
        f"Live{name}",
        metric=metric,
        threshold=FAILED,
        evaluation_periods=1,
        comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
        alarm_description="Requests to the orchestrator fail; a deployment under way goes back.",
    )
