"""Where somebody is told that something waits for a person: one topic, and the alarms about queues."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct

PERIOD = cdk.Duration.minutes(5)


class Alarms(Construct):
    """A topic that people subscribe to, encrypted with our key, which CloudWatch may use for it."""

    def __init__(self, scope: Construct, construct_id: str, *, key: kms.Key) -> None:
        super().__init__(scope, construct_id)
        self.topic = sns.Topic(self, "Topic", master_key=key, enforce_ssl=True)
        key.add_to_resource_policy(
            iam.PolicyStatement(
                principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
                actions=["kms:Decrypt", "kms:GenerateDataKey*"],
                resources=["*"],
                conditions={"StringEquals": {"aws:SourceAccount": cdk.Stack.of(self).account}},
            )
        )

    def when_filled(self, queue: sqs.Queue) -> None:
        """Tell when anything is in a queue of dead letters."""
        metric = queue.metric_approximate_number_of_messages_visible(period=PERIOD, statistic="Maximum")
        self._tell(queue, "Filled", metric, 1, "Messages that nobody could handle wait to be looked at.")

    def when_waiting(self, queue: sqs.Queue, longest: cdk.Duration) -> None:
        """Tell when the oldest message of a queue has waited longer than it should."""
        metric = queue.metric_approximate_age_of_oldest_message(period=PERIOD, statistic="Maximum")
        self._tell(queue, "Waiting", metric, longest.to_seconds(), "Messages wait and nobody takes them.")

    def _tell(self, queue: sqs.Queue, name: str, metric: cloudwatch.Metric, threshold: float, says: str) -> None:
        alarm = cloudwatch.Alarm(
            queue,
            name,
            metric=metric,
            threshold=threshold,
            evaluation_periods=1,
            comparison_operator=cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
            alarm_description=says,
        )
        alarm.add_alarm_action(actions.SnsAction(self.topic))
