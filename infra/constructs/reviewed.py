"""Records that a finding of cdk-nag was read, and why it stands. A finding that is not recorded stops the synthesis."""

from __future__ import annotations

import aws_cdk as cdk
from constructs import IConstruct


def reviewed(construct: IConstruct, **reasons: str) -> None:
    """Acknowledge AwsSolutions rules for a construct and what is inside it, by their short names: `SQS3="…"`."""
    for rule, reason in reasons.items():
        cdk.Validations.of(construct).acknowledge(
            cdk.Acknowledgment(id=f"AwsSolutions::AwsSolutions-{rule}", reason=reason)
        )


def reviewed_wildcard(construct: IConstruct, found: str, reason: str) -> None:
    """Acknowledge one wildcard of a policy by its exact text, such as `Resource::*`."""
    rule = f"AwsSolutions::AwsSolutions-IAM5[{found}]"
    cdk.Validations.of(construct).acknowledge(cdk.Acknowledgment(id=rule, reason=reason))


def reviewed_policy(construct: IConstruct, name: str, reason: str) -> None:
    """Acknowledge one policy that AWS manages, by its name with its path."""
    rule = f"AwsSolutions::AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/{name}]"
    cdk.Validations.of(construct).acknowledge(cdk.Acknowledgment(id=rule, reason=reason))
