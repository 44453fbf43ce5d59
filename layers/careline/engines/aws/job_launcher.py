"""Starts the ingestion state machine for a job.

An execution is named after the job and its retry, and Step Functions runs one name once in 90 days: asking again for
the same attempt does nothing, and a retry of the job runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from careline.engines.aws.connect import client, code_of, in_thread, translated
from careline.errors import EngineUnavailable

Attempt = Callable[[str, str], Awaitable[int]]
"""(tenant, job id) → how often the job was tried before."""
NAME_LENGTH = 80


class StateMachineLauncher:
    """The ingestion starter port over Step Functions."""

    def __init__(self, state_machine_arn: str, attempt: Attempt, stepfunctions: Any = None) -> None:
        self._arn = state_machine_arn
        self._attempt = attempt
        self._given = stepfunctions

    @property
    def _stepfunctions(self) -> Any:
        return self._given or client("stepfunctions")

    async def start(self, tenant: str, job_id: str) -> None:
        """See `ports.JobLauncher.start`."""
        name = execution_name(tenant, job_id, await self._attempt(tenant, job_id))
        with translated(EngineUnavailable, "the ingestion cannot be started"):
            await in_thread(lambda: self._start(name, {"tenant": tenant, "job_id": job_id}))

    async def resume(self, tenant: str, unfinished: Sequence[str]) -> None:
        """See `ports.JobLauncher.resume`. Step Functions goes on with its executions by itself."""

    async def drain(self) -> None:
        """See `ports.JobLauncher.drain`. This process runs none."""

    def _start(self, name: str, order: dict[str, str]) -> None:
        from botocore.exceptions import ClientError

        try:
            self._stepfunctions.start_execution(stateMachineArn=self._arn, name=name, input=json.dumps(order))
        except ClientError as error:
            if code_of(error) != "ExecutionAlreadyExists":
                raise


def execution_name(tenant: str, job_id: str, attempt: int) -> str:
    """At most 80 letters, digits, `-` and `_`, as Step Functions asks; the attempt always fits."""
    ending = f"-{attempt}"
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", f"{tenant}-{job_id}")
    return plain[-(NAME_LENGTH - len(ending)) :] + ending
