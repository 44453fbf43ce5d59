"""Where a stage goes: the account and region of the credentials, and what an account may have otherwise than usual."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from infra.settings import STAGES, StageSettings

ASK = "give REGION=eu-central-1 to make, or set AWS_REGION, or `aws configure set region eu-central-1`"


class TargetUnknown(Exception):
    """It cannot be told where to deploy; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Target:
    """One stage in one account and region."""

    settings: StageSettings
    account: str
    region: str
    qualifier: str | None = None
    """Of a bootstrap that was made with one of its own."""
    only: str | None = None
    """Stacks to take in place of all of the stage; those that they need come with them."""

    @property
    def context(self) -> dict[str, str]:
        """What `infra.app` is told."""
        qualifier = {} if self.qualifier is None else {"@aws-cdk/core:bootstrapQualifier": self.qualifier}
        return {"stage": self.settings.name, "account": self.account, "region": self.region, **qualifier}

    def holds(self, stack: str) -> bool:
        """Whether a stack is among those that are taken."""
        return any(fnmatchcase(stack, pattern) for pattern in self.stacks.split())

    @property
    def stacks(self) -> str:
        """What all stacks of the stage are called by."""
        return self.only or f"{self.settings.prefix}-*"


def target(stage: str, region: str | None, environment: Mapping[str, str] | None = None) -> Target:
    """The target of a stage. Raises: TargetUnknown without a region, without credentials or for no stage."""
    if stage not in STAGES:
        raise TargetUnknown(f"there is no stage {stage}; there are {', '.join(STAGES)}")
    import boto3
    from botocore.exceptions import BotoCoreError, ClientError

    given = os.environ if environment is None else environment
    try:
        session = boto3.Session(region_name=region or given.get("AWS_REGION") or None)
        if session.region_name is None:
            raise TargetUnknown(f"no region is set: {ASK}")
        account = session.client("sts").get_caller_identity()["Account"]
    except (BotoCoreError, ClientError) as error:
        raise TargetUnknown(f"AWS does not say who we are ({error}): log in, such as by `aws sso login`") from None
    settings = STAGES[stage]
    return Target(settings, account, session.region_name, given.get("CDK_QUALIFIER") or None)
