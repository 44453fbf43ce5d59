"""What a stage leaves behind when it is destroyed, read from its templates, and how that is removed by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

RETAINED = frozenset({"Retain", "RetainExceptOnCreate"})
REMOVED_BY: Mapping[str, str] = MappingProxyType(
    {
        "AWS::S3::Bucket": "empty it with all its versions (console: Empty), then `aws s3 rb s3://NAME`",
        "AWS::DynamoDB::Table": "`aws dynamodb update-table --no-deletion-protection-enabled --table-name NAME`, "
        "then `aws dynamodb delete-table --table-name NAME`",
        "AWS::KMS::Key": "`aws kms schedule-key-deletion --key-id NAME`; whatever it encrypted is lost with it",
        "AWS::KMS::Alias": "`aws kms delete-alias --alias-name NAME`",
        "AWS::SecretsManager::Secret": "`aws secretsmanager delete-secret --secret-id NAME`",
        "AWS::Logs::LogGroup": "`aws logs delete-log-group --log-group-name NAME`",
        "AWS::Backup::BackupVault": "`aws backup delete-backup-vault --backup-vault-name NAME`, after what is in it",
        "AWS::Cognito::UserPool": "switch its deletion protection off (console), then "
        "`aws cognito-idp delete-user-pool --user-pool-id ID`",
        "AWS::IAM::Role": "`aws iam delete-role --role-name NAME`, after its policies are detached",
        "AWS::ApiGateway::Account": "nothing: it is a setting of the account and costs nothing",
    }
)
GOES_WITH_ANOTHER = frozenset({"AWS::Lambda::Version"})
"""Kept when a template changes, and gone with the function that it is a version of."""
ANYTHING_ELSE = "delete it in the console"
NAMES = ("BucketName", "TableName", "AliasName", "LogGroupName", "RoleName", "Name")
PROTECTED: Mapping[str, tuple[str, object]] = MappingProxyType(
    {
        "AWS::OpenSearchServerless::Collection": ("DeletionProtection", "ENABLED"),
        "AWS::Cognito::UserPool": ("DeletionProtection", "ACTIVE"),
    }
)
"""Properties that stop CloudFormation from deleting what it would not keep."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One resource that outlives its stack. `name` is its name where the template gives one, else its logical id."""

    stack: str
    kind: str
    name: str

    @property
    def removed_by(self) -> str:
        """What removes it."""
        return REMOVED_BY.get(self.kind, ANYTHING_ELSE).replace("NAME", self.name)


def kept(assembly: Path) -> list[Kept]:
    """Every resource of the templates in a folder that destroying their stacks leaves behind."""
    found = (Kept(stack, one["Type"], _name(logical, one)) for stack, logical, one in _resources(assembly, RETAINED))
    return sorted(found, key=lambda each: (each.kind, each.name))


def protected(assembly: Path) -> list[Kept]:
    """Resources that CloudFormation would delete and cannot before somebody takes their protection away."""
    held = []
    for stack, logical, one in _resources(assembly, frozenset({"Delete"})):
        name, value = PROTECTED.get(one["Type"], ("", None))
        if name and one.get("Properties", {}).get(name) == value:
            held.append(Kept(stack, one["Type"], _name(logical, one)))
    return held


def _resources(assembly: Path, policies: frozenset[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path in sorted(assembly.glob("*.template.json")):
        stack = path.name.removesuffix(".template.json")
        for logical, one in json.loads(path.read_text(encoding="utf-8"))["Resources"].items():
            if one.get("DeletionPolicy", "Delete") in policies and one["Type"] not in GOES_WITH_ANOTHER:
                yield stack, logical, one


def _name(logical: str, resource: Mapping[str, Any]) -> str:
    properties = resource.get("Properties", {})
    named = (properties.get(key) for key in NAMES)
    return next((name for name in named if isinstance(name, str)), logical)
