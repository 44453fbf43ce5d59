"""The keys of the vendors that a phone line works with, in a stack before the one whose tasks need them to start."""

from __future__ import annotations

from typing import Any

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from aws_cdk import aws_secretsmanager as secretsmanager
from constructs import Construct

from infra.constructs.reviewed import reviewed
from infra.settings import StageSettings

FIELDS: dict[str, dict[str, str]] = {
    "livekit": {"url": "LIVEKIT_URL", "api_key": "LIVEKIT_API_KEY", "api_secret": "LIVEKIT_API_SECRET"},
    "deepgram": {"api_key": "CARELINE_DEEPGRAM_API_KEY"},
    "elevenlabs": {"api_key": "CARELINE_ELEVENLABS_API_KEY", "voices": "CARELINE_ELEVENLABS_VOICES"},
}
"""One secret a vendor, a JSON object: its fields, and the variable of the worker that each becomes. Voices are no
secret, but belong to the account of the vendor as its key does."""


class PhoneKeysStack(cdk.Stack):
    """Made with a random value each, which somebody replaces before tasks are started (docs/phone.md)."""

    def __init__(
        self, scope: Construct, construct_id: str, settings: StageSettings, *, key: kms.IKey, **more: Any
    ) -> None:
        super().__init__(scope, construct_id, **more)
        # By its ARN: the CDK would name who reads a secret in the key, which knows no later stack.
        self._key = kms.Key.from_key_arn(self, "Key", key.key_arn)
        self.secrets = {vendor: self._secret(settings, vendor, self._key) for vendor in FIELDS}

    def let_read(self, role: iam.IRole) -> None:
        """Reading the secrets, through Secrets Manager alone."""
        for secret in self.secrets.values():
            secret.grant_read(role)
        through = {"StringEquals": {"kms:ViaService": f"secretsmanager.{self.region}.amazonaws.com"}}
        role.add_to_principal_policy(
            iam.PolicyStatement(actions=["kms:Decrypt"], resources=[self._key.key_arn], conditions=through)
        )

    def _secret(self, settings: StageSettings, vendor: str, key: kms.IKey) -> secretsmanager.Secret:
        secret = secretsmanager.Secret(
            self, vendor.title(), secret_name=f"{settings.prefix}/{vendor}", encryption_key=key
        )
        reviewed(secret, SMG4="The vendor issues this key in its own console; there is no call that renews it.")
        return secret
