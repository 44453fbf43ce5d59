"""Takes the orchestrator back to the version before: a canary under way is stopped, else the alias is moved.

Only the program goes back. Tables, index and queues are as the newer template made them; to take those back, deploy the
commit before.
"""

from __future__ import annotations

from typing import Any

from infra.deployment.old_versions import versions

UNDER_WAY = ["Created", "Queued", "InProgress", "Ready"]


class NothingBefore(Exception):
    """There is no version to go back to."""


def roll_back(session: Any, function: str, alias: str, application: str) -> str:
    """Roll a function back; what was done, as a sentence. Raises: NothingBefore, ClientError."""
    deploying = _under_way(session.client("codedeploy"), application)
    if deploying is not None:
        session.client("codedeploy").stop_deployment(deploymentId=deploying, autoRollbackEnabled=True)
        return f"stopped deployment {deploying}; CodeDeploy sends all requests to the version before"
    functions = session.client("lambda")
    live = functions.get_alias(FunctionName=function, Name=alias)["FunctionVersion"]
    before = [version for version in versions(functions, function) if version < int(live)]
    if not before:
        raise NothingBefore(f"{function} has no version before {live}")
    chosen = str(max(before))
    functions.update_alias(
        FunctionName=function, Name=alias, FunctionVersion=chosen, RoutingConfig={"AdditionalVersionWeights": {}}
    )
    return f"{function}:{alias} answers with version {chosen} instead of {live}"


def _under_way(client: Any, application: str) -> str | None:
    from botocore.exceptions import ClientError

    try:
        groups = client.list_deployment_groups(applicationName=application)["deploymentGroups"]
    except ClientError as error:
        if error.response["Error"]["Code"] == "ApplicationDoesNotExistException":
            return None
        raise
    for group in groups:
        found = client.list_deployments(
            applicationName=application, deploymentGroupName=group, includeOnlyStatuses=UNDER_WAY
        )["deployments"]
        if found:
            return str(found[0])
    return None
