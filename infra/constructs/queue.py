"""Where events go that nobody could handle."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.constructs.alarms import Alarms
from infra.constructs.reviewed import reviewed


def dead_letter_queue(scope: Construct, construct_id: str, alarms: Alarms) -> sqs.Queue:
    """Encrypted with the queue service's own key, because EventBridge and Lambda write to it; what they write names
    objects, never content. Somebody is told when anything is in it."""
    queue = sqs.Queue(
        scope,
        construct_id,
        encryption=sqs.QueueEncryption.SQS_MANAGED,
        enforce_ssl=True,
        retention_period=cdk.Duration.days(14),
    )
    reviewed(queue, SQS3="This is the dead letter queue.")
    alarms.when_filled(queue)
    return queue
