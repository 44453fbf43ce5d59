"""A definition of the states language as it stands in the partition of a stack's region, such as `aws-cn`."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk.region_info import RegionInfo


def in_partition(written: str, stack: cdk.Stack) -> str:
    """A definition whose service integrations are those of the stack's partition. It is written out, as who reads the
    states language takes no placeholder there."""
    return written.replace("arn:aws:", f"arn:{RegionInfo.get(stack.region).partition or 'aws'}:")
