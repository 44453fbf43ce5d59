"""What ECS puts beside a container, and its API, on loopback: the agent that protects a task, the metadata of the task,
and DescribeServices.

Shapes are those of the ECS developer guide (task scale-in protection endpoint, task metadata endpoint version 4).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

TASK = "arn:aws:ecs:eu-west-1:111111111111:task/careline-prod-voice/0f1e2d3c"
SERVICE = CLUSTER = "careline-prod-voice"
Json = dict[str, Any]


def deployment(revision: int, running: int, desired: int, status: str = "PRIMARY") -> Json:
    """One deployment as DescribeServices tells it."""
    version = f"arn:aws:ecs:eu-west-1:111111111111:task-definition/careline-prod-voice:{revision}"
    return {"status": status, "taskDefinition": version, "runningCount": running, "desiredCount": desired}


@dataclass
class EmulatedEcs:
    """`puts` are the bodies that the agent got, in order. `refusal` is a reason that it gives instead of protecting,
    `error` a code, `hangs` that it does not answer at all."""

    url: str = ""
    puts: list[Json] = field(default_factory=list)
    protected: bool = False
    refusal: str | None = None
    error: str | None = None
    hangs: bool = False
    deployments: list[Json] = field(default_factory=lambda: [deployment(7, 2, 2)])
    asked: list[Json] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """What ECS sets in a container."""
        return {"ECS_AGENT_URI": f"{self.url}/api/0f1e2d3c", "ECS_CONTAINER_METADATA_URI_V4": f"{self.url}/v4/0f1e2d3c"}

    async def _protect(self, request: web.Request) -> web.Response:
        assert request.content_type == "application/json"
        body = json.loads(await request.read())
        self.puts.append(body)
        if self.hangs:
            await asyncio.sleep(60)
        if self.refusal:
            return web.json_response({"failure": {"Arn": TASK, "Detail": None, "Reason": self.refusal}})
        if self.error:
            told = {"Arn": TASK, "Code": self.error, "Message": "User is not authorized"}
            return web.json_response({"requestID": "1", "error": told}, status=400)
        self.protected = body["ProtectionEnabled"]
        return web.json_response(
            {"protection": {"ExpirationDate": None, "ProtectionEnabled": self.protected, "TaskArn": TASK}}
        )

    async def _described(self, _: web.Request) -> web.Response:
        return web.json_response(
            {"Cluster": CLUSTER, "TaskARN": TASK, "Family": SERVICE, "Revision": "7", "DesiredStatus": "RUNNING"}
        )

    async def _api(self, request: web.Request) -> web.Response:
        assert request.headers["X-Amz-Target"] == "AmazonEC2ContainerServiceV20141113.DescribeServices"
        self.asked.append(json.loads(await request.read()))
        answer = {"services": [{"serviceName": SERVICE, "deployments": self.deployments}], "failures": []}
        return web.Response(body=json.dumps(answer).encode(), content_type="application/x-amz-json-1.1")

    def app(self) -> web.Application:
        """The three of them."""
        app = web.Application()
        app.router.add_put("/api/0f1e2d3c/task-protection/v1/state", self._protect)
        app.router.add_get("/v4/0f1e2d3c/task", self._described)
        app.router.add_post("/", self._api)
        return app


@asynccontextmanager
async def emulated_ecs() -> AsyncIterator[EmulatedEcs]:
    """Serve them on a free port."""
    ecs = EmulatedEcs()
    runner = web.AppRunner(ecs.app(), shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        ecs.url = site.name if not site.name.endswith(":0") else f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield ecs
    finally:
        await runner.cleanup()
