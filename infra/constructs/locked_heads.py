"""Where the heads of audit chains are noted so that nobody can take them away: a bucket under Object Lock."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_kms as kms
from aws_cdk import aws_s3 as s3
from constructs import Construct

from careline.engines.aws.noted_heads import FOLDER
from infra.constructs.function import CarelineFunction
from infra.constructs.reviewed import reviewed_wildcard
from infra.settings import StageSettings


class LockedHeads(Construct):
    """Each object is locked when it is put, for as long as the stage says. A later one of the same name would be a new
    version beside it. No role of ours may delete, or shorten a lock."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, key: kms.IKey, access_log: s3.IBucket
    ) -> None:
        super().__init__(scope, construct_id)
        days = cdk.Duration.days(settings.heads_days)
        lock = {"governance": s3.ObjectLockRetention.governance, "compliance": s3.ObjectLockRetention.compliance}
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            versioned=True,
            object_lock_enabled=True,
            object_lock_default_retention=lock[settings.heads_lock](days),
            encryption=s3.BucketEncryption.KMS,
            encryption_key=key,
            bucket_key_enabled=True,
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            enforce_ssl=True,
            minimum_tls_version=1.2,
            object_ownership=s3.ObjectOwnership.BUCKET_OWNER_ENFORCED,
            server_access_logs_bucket=access_log,
            server_access_logs_prefix=FOLDER,
            removal_policy=cdk.RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
            lifecycle_rules=[
                s3.LifecycleRule(
                    id="past",
                    expiration=cdk.Duration.days(settings.heads_days + 1),
                    noncurrent_version_expiration=cdk.Duration.days(1),
                )
            ],
        )
        self._key = key

    def settings(self) -> dict[str, str]:
        """The setting of whoever notes or compares heads; its name is a field of `careline.settings.Settings`."""
        return {"CARELINE_HEADS_BUCKET": self.bucket.bucket_name}

    def let_note(self, function: CarelineFunction) -> None:
        """Adding heads; what is there can be neither read nor changed by it."""
        objects = f"{self.bucket.bucket_arn}/{FOLDER}*"
        function.may("s3:PutObject", on=[objects])
        function.may("kms:GenerateDataKey", on=[self._key.key_arn])
        stack = cdk.Stack.of(self)
        named = stack.resolve(stack.export_value(self.bucket.bucket_arn))["Fn::ImportValue"]
        reviewed_wildcard(function.role, f"Resource::{named}/{FOLDER}*", WHY)

    def let_compare(self, function: CarelineFunction) -> None:
        """Listing them and what was put over them, which is all that reading takes."""
        function.may("s3:ListBucketVersions", on=[self.bucket.bucket_arn])


WHY = "A head's name holds its number and hash, which are not known beforehand."
