"""The settings of a stage in AWS: what its functions are told, read with the credentials of whoever asks."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from careline.errors import SettingsInvalid
from careline.settings import PREFIX, Settings

FUNCTIONS = ("orchestrator", "admin")
"""Those whose environments say what the stage is; together they know all that a command may ask."""
OF_THE_FUNCTION = frozenset({"CARELINE_HOME", "CARELINE_PRIVACY_KEY_SECRET"})
"""What is a function's own: its folder, and the name of the key, which is read here."""
NO_BOTO3 = "--stack: boto3 is not installed; `.venv/bin/pip install --require-hashes -r requirements/cloud.txt`"


def settings_of(stack: str, region: str | None = None, session: Any = None) -> Settings:
    """The settings of `careline-prod` and the like; `session` is boto3's, one of its own when None.

    The privacy key is read from Secrets Manager, as what people say is encrypted and entries of the audit chain are
    sealed with it. Raises: SettingsInvalid when the stage or the key cannot be read.
    """
    try:
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError:
        raise SettingsInvalid(NO_BOTO3) from None

    asked = stack
    try:
        aws = session or _session(region)
        told: dict[str, str] = {}
        for function in FUNCTIONS:
            asked = f"{stack}-{function}"
            told |= _environment(aws, asked)
        asked = "its privacy key"
        key = aws.client("secretsmanager").get_secret_value(SecretId=told["CARELINE_PRIVACY_KEY_SECRET"])
    except ClientError as error:
        code = error.response.get("Error", {}).get("Code", "")
        advice = "see its name, your rights and --region"
        raise SettingsInvalid(f"--stack: {asked} cannot be read ({code}); {advice}") from None
    except BotoCoreError as error:
        kind = type(error).__name__
        raise SettingsInvalid(f"--stack: AWS is not reached ({kind}); see your credentials, and --region") from None
    ours = {name: value for name, value in told.items() if name.startswith(PREFIX) and name not in OF_THE_FUNCTION}
    region_told = {"CARELINE_AWS_REGION": str(aws.region_name)}
    return Settings.of_variables({**ours, **region_told, "CARELINE_PRIVACY_KEY": key["SecretString"]})


def _environment(aws: Any, function: str) -> Mapping[str, str]:
    """What a function is told. Raises: SettingsInvalid where it is told no key, or may not be read."""
    found = aws.client("lambda").get_function_configuration(FunctionName=function).get("Environment", {})
    told: Mapping[str, str] = found.get("Variables", {})
    if "CARELINE_PRIVACY_KEY_SECRET" not in told:
        why = found.get("Error", {}).get("ErrorCode", "it has none of ours; deploy it anew")
        raise SettingsInvalid(f"--stack: the settings of {function} cannot be read ({why})")
    return told


def _session(region: str | None) -> Any:
    import boto3

    if region:
        # The engines' own clients, too, ask the environment.
        os.environ["AWS_DEFAULT_REGION"] = region
    return boto3.session.Session(region_name=region)
