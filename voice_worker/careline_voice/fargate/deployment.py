"""Sees whether a newer version of the service has taken over, so that a busy worker does not hold it up for ever.

ECS waits for protected tasks, and a worker that goes on to take calls may never be without one: after three hours
CloudFormation takes the deployment back (ECS developer guide, task scale-in protection considerations).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, Protocol

from careline.log.event_log import EventLog

METADATA = "ECS_CONTAINER_METADATA_URI_V4"
"""Variable that ECS sets: where a task reads about itself (ECS developer guide, task metadata endpoint version 4)."""
LOOK_SECONDS = 60.0
LOOKS = 2
"""So many looks in succession must see the newer version run: meanwhile its workers reach LiveKit."""
log = EventLog(__name__)


class Ecs(Protocol):
    """The part of botocore's client for ECS that is used."""

    def describe_services(self, *, cluster: str, services: list[str]) -> Mapping[str, Any]:
        """See the ECS API reference, DescribeServices."""


class Deployment:
    """`outdated` is whether all tasks of a newer version run. It can become untrue again, when that is taken back."""

    def __init__(self, ecs: Ecs, service: str, task: Mapping[str, Any]) -> None:
        """`task` is what the metadata endpoint says of the task. Raises: KeyError when it says too little."""
        self._ecs, self._service, self._cluster = ecs, service, str(task["Cluster"])
        self._version = f"/{task['Family']}:{task['Revision']}"
        self._seen = 0

    @property
    def outdated(self) -> bool:
        """Whether this worker should take no further call."""
        return self._seen >= LOOKS

    async def run(self) -> None:
        """Look again and again, for as long as the worker runs."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self) -> None:
        """Ask ECS once; where it does not answer, things are left as they are. Raises: KeyError, IndexError,
        ValueError for an answer without a deployment."""
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            told = await asyncio.to_thread(
                self._ecs.describe_services, cluster=self._cluster, services=[self._service]
            )
        except (BotoCoreError, ClientError) as error:
            log.write("deployment_not_read", kind=type(error).__name__)
            return
        newer = self._replaced_by(told["services"][0]["deployments"])
        was, self._seen = self.outdated, self._seen + 1 if newer else 0
        if self.outdated != was:
            log.write("worker_outdated" if self.outdated else "worker_current")

    def _replaced_by(self, deployments: list[Mapping[str, Any]]) -> bool:
        """Whether the version that ECS wants is another one, and all of its tasks run."""
        (primary,) = [one for one in deployments if one["status"] == "PRIMARY"]
        complete = primary["runningCount"] >= primary["desiredCount"] > 0
        return complete and not primary["taskDefinition"].endswith(self._version)


def ecs_of(task: Mapping[str, Any]) -> Ecs:
    """A client for the region of a task, with the credentials of its role."""
    from botocore.config import Config
    from botocore.session import Session

    config = Config(connect_timeout=3, read_timeout=5, retries={"total_max_attempts": 2})
    made: Ecs = Session().create_client("ecs", region_name=str(task["TaskARN"]).split(":")[3], config=config)
    return made
