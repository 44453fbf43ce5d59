"""Roles whose permissions are managed policies: they can be read, versioned and compared by themselves."""

from __future__ import annotations

from typing import Any

from aws_cdk import aws_iam as iam
from constructs import Construct


class ManagedRole(iam.Role):
    """What is granted to this role stands in one managed policy inside it, which takes 6,144 characters; an inline
    policy would have no version and could not be found by who looks for policies."""

    def __init__(self, scope: Construct, construct_id: str, assumed_by: iam.IPrincipal, **more: Any) -> None:
        super().__init__(scope, construct_id, assumed_by=assumed_by, **more)
        self._policy: iam.ManagedPolicy | None = None

    def add_to_principal_policy(self, statement: iam.PolicyStatement) -> iam.AddToPrincipalPolicyResult:
        """What every grant of the CDK ends in."""
        if self._policy is None:
            self._policy = iam.ManagedPolicy(self, "Policy", roles=[self])
        self._policy.add_statements(statement)
        return iam.AddToPrincipalPolicyResult(statement_added=True, policy_dependable=self._policy)


class ServiceRole(ManagedRole):
    """A role that one AWS service takes on."""

    def __init__(self, scope: Construct, construct_id: str, service: str, **more: Any) -> None:
        super().__init__(scope, construct_id, iam.ServicePrincipal(service), **more)
