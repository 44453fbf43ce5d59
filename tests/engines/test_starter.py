"""Step Functions is asked once for each attempt of a job."""

from __future__ import annotations

import json
from typing import Any

import pytest

from careline.engines.aws.job_launcher import StateMachineLauncher, execution_name
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
