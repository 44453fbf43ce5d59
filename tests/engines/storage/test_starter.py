"""Jobs are started: by Step Functions once for each attempt, on a laptop in the process itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from careline.engines.aws.job_launcher import StateMachineLauncher, execution_name
from careline.engines.embedded.job_launcher import TaskLauncher
from careline.errors import EngineUnavailable

MACHINE = {"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}}


@pytest.fixture
def machine(aws: Any) -> tuple[Any, str]:
    stepfunctions = aws.client("stepfunctions", region_name="eu-west-1")
    role = "arn:aws:iam::123456789012:role/ingestion"
    made = stepfunctions.create_state_machine(name="ingestion", definition=json.dumps(MACHINE), roleArn=role)
    return stepfunctions, made["stateMachineArn"]


async def test_asking_twice_for_one_attempt_starts_one_execution_and_a_retry_starts_another(
    machine: tuple[Any, str],
) -> None:
    stepfunctions, arn = machine
    attempts = 0

    async def attempt(tenant: str, job_id: str) -> int:
        return attempts

    job_launcher = StateMachineLauncher(arn, attempt, stepfunctions)
    await job_launcher.start("sint-anna", "job-1")
    await job_launcher.start("sint-anna", "job-1")
    attempts = 1
    await job_launcher.start("sint-anna", "job-1")
    executions = stepfunctions.list_executions(stateMachineArn=arn)["executions"]
    assert sorted(execution["name"] for execution in executions) == ["sint-anna-job-1-0", "sint-anna-job-1-1"]
    shown = stepfunctions.describe_execution(executionArn=executions[0]["executionArn"])
    assert json.loads(shown["input"]) == {"tenant": "sint-anna", "job_id": "job-1"}


async def test_a_state_machine_that_is_not_there_is_unavailable(machine: tuple[Any, str]) -> None:
    async def attempt(tenant: str, job_id: str) -> int:
        return 0

    job_launcher = StateMachineLauncher(machine[1] + "-absent", attempt, machine[0])
    with pytest.raises(EngineUnavailable):
        await job_launcher.start("sint-anna", "job-1")


def test_an_execution_name_is_one_that_step_functions_takes_and_keeps_the_attempt() -> None:
    name = execution_name("tenant.with:signs", "j" * 100, 12)
    assert len(name) == 80
    assert name.endswith("-12")
    assert execution_name("a.b", "c:d", 0) == "a_b-c_d-0"


async def test_the_state_machine_needs_nobody_to_go_on_with_its_jobs_or_to_wait_for_them(
    machine: tuple[Any, str],
) -> None:
    async def attempt(tenant: str, job_id: str) -> int:
        return 0

    stepfunctions, arn = machine
    job_launcher = StateMachineLauncher(arn, attempt, stepfunctions)
    await job_launcher.resume("sint-anna", ["job-1"])
    await job_launcher.drain()
    assert stepfunctions.list_executions(stateMachineArn=arn)["executions"] == []


async def test_a_process_goes_on_with_its_unfinished_jobs_and_waits_for_them_a_few_at_a_time() -> None:
    running, most, ended = 0, 0, list[tuple[str, str]]()

    async def run(tenant: str, job_id: str) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        ended.append((tenant, job_id))

    job_launcher = TaskLauncher(run, at_once=2)
    await job_launcher.resume("sint-anna", ["job-1", "job-2", "job-3"])
    await job_launcher.start("sint-anna", "job-4")
    assert ended == []
    await job_launcher.drain()
    assert (sorted(ended), most) == ([("sint-anna", f"job-{n}") for n in (1, 2, 3, 4)], 2)
