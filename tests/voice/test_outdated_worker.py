"""A worker of a former version takes no further call once the newer one runs, and goes on where that is taken back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any, cast

import pytest
import pytest_asyncio

pytest.importorskip("livekit.agents", reason="requirements/voice.txt is not installed: `make voice`")

from botocore.session import Session
from livekit.agents import AgentServer

from careline.settings import PhoneSettings, VoiceSettings
from careline_voice.fargate.deployment import Deployment, Ecs, ecs_of
from careline_voice.fargate.ecs_task import EcsTask
from careline_voice.main import FULL, load
from tests.emulators.ecs import CLUSTER, SERVICE, TASK, EmulatedEcs, deployment, emulated_ecs
from tests.telephone.processes import until

SETTINGS = PhoneSettings(voice=VoiceSettings(service=SERVICE))
DESCRIBED = {"Cluster": CLUSTER, "TaskARN": TASK, "Family": SERVICE, "Revision": "7"}


@pytest_asyncio.fixture
async def ecs() -> AsyncIterator[EmulatedEcs]:
    async with emulated_ecs() as served:
        yield served


def client(url: str, _: Mapping[str, Any] | None = None) -> Ecs:
    """botocore's own client, which signs and sends what it sends to ECS."""
    session = Session()
    session.set_credentials("AKIDEXAMPLE", "secret")
    made: Ecs = session.create_client("ecs", region_name="eu-west-1", endpoint_url=url)
    return made


@pytest.fixture
def own(ecs: EmulatedEcs) -> Deployment:
    return Deployment(client(ecs.url), SERVICE, DESCRIBED)


async def looked(own: Deployment, times: int = 2) -> bool:
    for _ in range(times):
        await own.look()
    return own.outdated


async def test_a_worker_of_the_version_that_is_wanted_goes_on(ecs: EmulatedEcs, own: Deployment) -> None:
    assert not await looked(own)
    assert ecs.asked[0] == {"cluster": CLUSTER, "services": [SERVICE]}


async def test_a_newer_version_takes_over_when_all_its_tasks_were_seen_twice(
    ecs: EmulatedEcs, own: Deployment
) -> None:
    ecs.deployments = [deployment(8, 1, 2), deployment(7, 2, 2, "ACTIVE")]
    assert not await looked(own)
    ecs.deployments = [deployment(8, 2, 2), deployment(7, 2, 2, "ACTIVE")]
    assert not await looked(own, 1)
    assert await looked(own, 1)


async def test_version_17_is_not_version_7(ecs: EmulatedEcs, own: Deployment) -> None:
    ecs.deployments = [deployment(17, 2, 2)]
    assert await looked(own)


async def test_a_worker_takes_calls_again_when_the_newer_version_is_taken_back(
    ecs: EmulatedEcs, own: Deployment
) -> None:
    ecs.deployments = [deployment(8, 2, 2)]
    assert await looked(own)
    ecs.deployments = [deployment(7, 2, 2)]
    assert not await looked(own, 1)


async def test_a_service_that_is_switched_off_makes_nobody_outdated(ecs: EmulatedEcs, own: Deployment) -> None:
    ecs.deployments = [deployment(8, 0, 0)]
    assert not await looked(own)


async def test_what_ecs_does_not_answer_leaves_things_as_they_are(
    ecs: EmulatedEcs, own: Deployment, caplog: pytest.LogCaptureFixture
) -> None:
    ecs.deployments = [deployment(8, 2, 2)]
    assert await looked(own)
    gone = Deployment(client("http://127.0.0.1:9"), SERVICE, DESCRIBED)
    await gone.look()
    assert not gone.outdated
    (told,) = [vars(record) for record in caplog.records if vars(record).get("event_code") == "deployment_not_read"]
    assert told["kind"] == "EndpointConnectionError"


async def test_an_outdated_worker_counts_as_full(
    ecs: EmulatedEcs, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("careline_voice.fargate.deployment.LOOK_SECONDS", 0.01)
    ecs.deployments = [deployment(8, 2, 2)]
    task = EcsTask(SETTINGS, lambda: 0, ecs.environment, partial(client, ecs.url))
    running = asyncio.create_task(task.run())
    assert await until(lambda: task.outdated, 20)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    idle = type("Idle", (), {"active_jobs": ()})()
    assert load(10, task, cast(AgentServer, idle)) >= FULL
    assert load(10, EcsTask(PhoneSettings(), lambda: 0, {}), cast(AgentServer, idle)) < FULL


def test_the_client_is_of_the_tasks_region(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    assert cast(Any, ecs_of(DESCRIBED)).meta.region_name == "eu-west-1"
