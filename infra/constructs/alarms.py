"""Where somebody is told that something needs a person: one topic, and the queues that have alarms.

The alarms themselves are made in `infra/stacks/operations.py`, when all that they watch is there."""

from __future__ import annotations

import re

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sqs as sqs
from constructs import Construct


class Alarms(Construct):
    """A topic that people subscribe to, encrypted with our key, which CloudWatch may use for it."""

    def __init__(self, scope: Construct, construct_id: str, *, key: kms.Key) -> None:
        super().__init__(scope, construct_id)
        self.dead_letters: dict[str, sqs.Queue] = {}
        self.waiting: dict[str, sqs.Queue] = {}
        self.topic = sns.Topic(self, "Topic", master_key=key, enforce_ssl=True)
        # A policy of its own takes the place of the one that lets the account's alarms publish.
        self.topic.add_to_resource_policy(self._by_alarms(["sns:Publish"], self.topic.topic_arn))
        key.add_to_resource_policy(self._by_alarms(["kms:Decrypt", "kms:GenerateDataKey*"], "*"))

    def _by_alarms(self, actions: list[str], resource: str) -> iam.PolicyStatement:
        return iam.PolicyStatement(
            principals=[iam.ServicePrincipal("cloudwatch.amazonaws.com")],
            actions=actions,
            resources=[resource],
            conditions={"StringEquals": {"aws:SourceAccount": cdk.Stack.of(self).account}},
        )

    def when_filled(self, queue: sqs.Queue) -> None:
        """Have people told when anything is in a queue of dead letters."""
        self.dead_letters[_called(queue)] = queue

    def when_waiting(self, queue: sqs.Queue) -> None:
        """Have people told when the oldest message of a queue has waited longer than it should."""
        self.waiting[_called(queue)] = queue

    def tell(self, alarm: cloudwatch.Alarm) -> None:
        """Have people told of an alarm that belongs to a stack of its own, as that of a deployment."""
        alarm.add_alarm_action(actions.SnsAction(self.topic))


def _called(queue: sqs.Queue) -> str:
    """`api-dead-letters`: the end of its stack's name and its own."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", queue.node.id).lower()
    return f"{cdk.Stack.of(queue).stack_name.rpartition('-')[2]}-{words}"
