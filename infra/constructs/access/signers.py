"""IAM roles whose signature on a request is a role of ours: of phone workers, of the canary, and what a stage names."""

from __future__ import annotations

import aws_cdk as cdk

from careline.identity import Role
from infra.settings import StageSettings


def signers(stack: cdk.Stack, settings: StageSettings) -> str:
    """`CARELINE_IAM_ROLES`: full ARNs, so that a role of that name in another account is nobody. The names of the phone
    workers' roles are known before the workers are deployed."""
    own = f"arn:{stack.partition}:iam::{stack.account}:role"
    phone = {f"{own}/{settings.phone_service(tenant)}": f"{Role.CALLER}@{tenant}" for tenant in settings.tenants}
    canary = {f"{own}/{settings.canary_role}": f"{Role.CALLER}@{settings.tenants[0]}"} if settings.canary else {}
    granted = {**phone, **canary, **dict(settings.signers)}
    return ",".join(f"{arn}={role}" for arn, role in granted.items())
