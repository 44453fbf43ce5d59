"""What the stacks of a stage say of themselves: addresses, the topic of alarms, where people log in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from careline_local.cloud.findings import CloudUnknown

STACKS = ("data", "ingestion", "api", "telemetry", "identity", "console")
"""Stacks whose outputs are read, as far as they are there."""


@dataclass(frozen=True, slots=True)
class Deployed:
    """A stage that is there, or a server that is named in place of one."""

    api: str
    """Address of the HTTP API, without a slash at its end."""
    topic: str | None = None
    """ARN of the topic that alarms ring on."""
    pool: str | None = None
    """Id of the user pool that people log in to."""
    client: str | None = None
    """Id of the console in that pool."""
    prefix: str | None = None
    """How names of the stage begin; None where there is no account to look into."""


def deployed(session: Any, prefix: str) -> Deployed:
    """The stage whose stacks begin with `prefix`, such as `careline-dev`. Raises: CloudUnknown when it is not there."""
    said = _outputs(session, prefix)
    if not said:
        raise CloudUnknown(
            f"--stack: there is no {prefix}-api in {session.region_name} of this account; see --region and AWS_PROFILE"
        )
    if "ApiUrl" not in said:
        raise CloudUnknown(f"--stack: {prefix}-api has no output ApiUrl; deploy it anew, or give --api")
    return Deployed(
        api=said["ApiUrl"].rstrip("/"),
        topic=said.get("AlarmTopic"),
        pool=said.get("UserPoolId"),
        client=said.get("LoginClientId"),
        prefix=prefix,
    )


def _outputs(session: Any, prefix: str) -> Mapping[str, str]:
    from botocore.exceptions import BotoCoreError, ClientError

    found: dict[str, str] = {}
    for name in STACKS:
        try:
            # Half of a pair of credentials is refused here already, by botocore itself.
            client = session.client("cloudformation")
            stacks = client.describe_stacks(StackName=f"{prefix}-{name}")["Stacks"]
        except ClientError as error:
            if error.response["Error"]["Code"] == "ValidationError":
                continue
            code = error.response["Error"]["Code"]
            raise CloudUnknown(f"--stack: {prefix}-{name} cannot be read ({code}); see your rights") from None
        except BotoCoreError as error:
            raise CloudUnknown(f"--stack: AWS does not answer ({type(error).__name__}); log in, see --region") from None
        found |= {one["OutputKey"]: one["OutputValue"] for one in stacks[0].get("Outputs", [])}
    return found
