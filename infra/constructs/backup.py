"""Copies of the records that AWS Backup makes each night, apart from the table's own recovery to any second."""

from __future__ import annotations

import aws_cdk as cdk
from aws_cdk import aws_backup as backup
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_events as events
from aws_cdk import aws_iam as iam
from aws_cdk import aws_kms as kms
from constructs import Construct

from infra.constructs.kept import kept
from infra.constructs.reviewed import reviewed_policy
from infra.settings import StageSettings

BACKUP_POLICY = "AWSBackupServiceRolePolicyForBackup"
AT = events.Schedule.cron(hour="2", minute="17")
"""UTC; hours in which few people ask."""


class Backup(Construct):
    """A vault out of which nobody deletes. A table that was deleted, or encrypted by somebody, comes back from it."""

    def __init__(
        self, scope: Construct, construct_id: str, *, settings: StageSettings, table: dynamodb.ITable, key: kms.IKey
    ) -> None:
        super().__init__(scope, construct_id)
        keep = cdk.Duration.days(settings.backup_days)
        name = f"{settings.prefix}-records"
        vault = backup.BackupVault(
            self,
            "Vault",
            backup_vault_name=name,
            encryption_key=key,
            block_recovery_point_deletion=True,
            removal_policy=kept(settings),
            lock_configuration=_lock(keep) if settings.locks_vault else None,
        )
        plan = backup.BackupPlan(self, "Plan", backup_plan_name=name, backup_vault=vault)
        plan.add_rule(
            backup.BackupPlanRule(
                rule_name="daily",
                schedule_expression=AT,
                delete_after=keep,
                copy_actions=self._copies(settings.backup_region, name, keep),
            )
        )
        role = iam.Role(self, "Role", assumed_by=iam.ServicePrincipal("backup.amazonaws.com"))
        role.add_managed_policy(iam.ManagedPolicy.from_aws_managed_policy_name(f"service-role/{BACKUP_POLICY}"))
        reviewed_policy(role, f"service-role/{BACKUP_POLICY}", "AWS Backup asks for this very policy to copy a table.")
        chosen = [backup.BackupResource.from_dynamo_db_table(table)]
        plan.add_selection("Records", resources=chosen, role=role, backup_selection_name="records")

    def _copies(
        self, region: str | None, name: str, keep: cdk.Duration
    ) -> list[backup.BackupPlanCopyActionProps] | None:
        if region is None:
            return None
        arn = cdk.Stack.of(self).format_arn(
            service="backup",
            region=region,
            resource="backup-vault",
            resource_name=name,
            arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
        )
        there = backup.BackupVault.from_backup_vault_arn(self, "There", arn)
        return [backup.BackupPlanCopyActionProps(destination_backup_vault=there, delete_after=keep)]


def _lock(least: cdk.Duration) -> backup.LockConfiguration:
    return backup.LockConfiguration(min_retention=least, changeable_for=cdk.Duration.days(3))
