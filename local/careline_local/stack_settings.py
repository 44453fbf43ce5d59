"""The settings of a stage in AWS, read from the outputs of its data stack with the credentials of whoever asks."""

from __future__ import annotations

import os
from typing import Any

from careline.errors import SettingsInvalid
from careline.settings import Settings

OUTPUTS = ("RecordsTable", "FilesBucket", "SearchEndpoint", "PrivacyKeySecret")
"""Outputs of `infra/stacks/data.py` by which an installation is found."""


def settings_of(stack: str, region: str | None = None, session: Any = None) -> Settings:
    """The settings of `careline-prod` and the like; `session` is boto3's, one of its own when None.

    The privacy key is read from Secrets Manager, as entries of the audit chain are sealed with it. Raises:
    SettingsInvalid when the stage or the key cannot be read.
    """
    try:
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise SettingsInvalid("--stack: boto3 is not installed; `.venv/bin/pip install boto3`") from None

    try:
        aws = session or _session(region)
        said = aws.client("cloudformation").describe_stacks(StackName=f"{stack}-data")["Stacks"][0]
        outputs = {one["OutputKey"]: one["OutputValue"] for one in said.get("Outputs", [])}
        missing = [name for name in OUTPUTS if name not in outputs]
        if missing:
            raise SettingsInvalid(f"--stack: {stack}-data has no output {missing[0]}; deploy it anew")
        secret = aws.client("secretsmanager").get_secret_value(SecretId=outputs["PrivacyKeySecret"])["SecretString"]
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "")
        advice = "see its name, its region and your rights"
        raise SettingsInvalid(f"--stack: {stack}-data cannot be read ({code}); {advice}") from None
    except BotoCoreError as error:
        kind = type(error).__name__
        raise SettingsInvalid(f"--stack: AWS is not reached ({kind}); set up credentials and a region") from None
    return Settings().with_changes(
        storage="aws",
        aws={
            "table": outputs["RecordsTable"],
            "bucket": outputs["FilesBucket"],
            "search_endpoint": outputs["SearchEndpoint"],
            "aws_region": aws.region_name,
        },
        privacy={"privacy_key": secret},
    )


def _session(region: str | None) -> Any:
    import boto3

    if region:
        # The engines' own clients, too, ask the environment.
        os.environ["AWS_DEFAULT_REGION"] = region
    return boto3.session.Session(region_name=region)
