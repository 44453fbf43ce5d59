"""The keys that everything at rest is encrypted with, apart from what they encrypt: nothing else makes them go."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from infra.constructs.kept import kept
from infra.settings import StageSettings


class KeyStack(cdk.Stack):
    """`records` are files, records, queues and passages; `secrets`, `logs` and `heads` (of audit chains) are keys of
    their own where the stage has such, so that who may use one of them reads nothing of the others."""

    def __init__(self, scope: Construct, construct_id: str, settings: StageSettings, **more: Any) -> None:
        super().__init__(scope, construct_id, **more)
        self._settings = settings
        self.records = self._key("Records", settings.prefix)
        self.secrets = self._own("Secrets")
        self.logs = self._own("Logs")
        self.heads = self._own("Heads")
        self._let_logs_use(self.logs)

    def _own(self, name: str) -> kms.Key:
        if not self._settings.separate_keys:
            return self.records
        return self._key(name, f"{self._settings.prefix}-{name.lower()}")

    def _key(self, name: str, alias: str) -> kms.Key:
        return kms.Key(
            self, name, alias=f"alias/{alias}", enable_key_rotation=True, removal_policy=kept(self._settings)
        )

    def _let_logs_use(self, key: kms.Key) -> None:
        """CloudWatch Logs encrypts by itself, for the log groups of this account alone."""
        groups = self.format_arn(
            service="logs", resource="log-group", resource_name="*", arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME
        )
        key.add_to_resource_policy(
            iam.PolicyStatement(
                principals=[iam.ServicePrincipal(f"logs.{self.region}.amazonaws.com")],
                actions=["kms:Encrypt", "kms:Decrypt", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:Describe*"],
                resources=["*"],
                conditions={"ArnLike": {"kms:EncryptionContext:aws:logs:arn": groups}},
            )
        )
