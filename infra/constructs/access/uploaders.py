"""Who may put documents into the bucket, each below the prefix of its own hospital."""

from __future__ import annotations

from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.constructs.access.role import ManagedRole

TENANT_TAG = "careline-tenant"
"""Tag of an IAM role: the one hospital whose uploads it may touch."""
EVERY_TENANT_TAG = "careline-uploads"
"""Tag of the roles of our own functions that put uploads for whoever is logged in; its value does not matter."""
CHANGE = ("s3:PutObject", "s3:DeleteObject", "s3:DeleteObjectVersion", "s3:PutObjectTagging", "s3:AbortMultipartUpload")


def keep_to_own_prefix(bucket: s3.Bucket, uploads: str) -> None:
    """Deny in the bucket's own policy, which no policy of a role can lift, what is not of the role's own hospital.

    A role with the tag `careline-tenant` reaches `uploads/<its tenant>/` and nothing else of the bucket; one without it
    puts nothing below `uploads/`, unless it is a function of ours. Whoever may tag roles decides who uploads for whom.
    """
    own = f"{bucket.bucket_arn}/{uploads}${{aws:PrincipalTag/{TENANT_TAG}}}/*"
    has_tenant = {f"aws:PrincipalTag/{TENANT_TAG}": "false"}
    has_neither = {f"aws:PrincipalTag/{TENANT_TAG}": "true", f"aws:PrincipalTag/{EVERY_TENANT_TAG}": "true"}
    bucket.add_to_resource_policy(
        iam.PolicyStatement(
            sid="OwnPrefixOnly",
            effect=iam.Effect.DENY,
            principals=[iam.AnyPrincipal()],
            actions=[*CHANGE, "s3:GetObject", "s3:GetObjectVersion"],
            not_resources=[own],
            conditions={"Null": has_tenant},
        )
    )
    bucket.add_to_resource_policy(
        iam.PolicyStatement(
            sid="UploadersHaveATenant",
            effect=iam.Effect.DENY,
            principals=[iam.AnyPrincipal()],
            actions=["s3:PutObject"],
            resources=[f"{bucket.bucket_arn}/{uploads}*"],
            conditions={"Null": has_neither},
        )
    )


class Uploader(Construct):
    """A role that puts a hospital's documents into the bucket; `trusted` is the ARN of who may take it on."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        name: str,
        tenant: str,
        trusted: str,
        uploads_arn: str,
        key_arn: str,
    ) -> None:
        super().__init__(scope, construct_id)
        self.role = ManagedRole(self, "Role", iam.ArnPrincipal(trusted), role_name=f"{name}-uploader-{tenant}")
        self.role.add_to_policy(iam.PolicyStatement(actions=["s3:PutObject"], resources=[f"{uploads_arn}{tenant}/*"]))
        # S3 asks for both of whoever sends a file in parts.
        self.role.add_to_policy(
            iam.PolicyStatement(actions=["kms:GenerateDataKey", "kms:Decrypt"], resources=[key_arn])
        )
