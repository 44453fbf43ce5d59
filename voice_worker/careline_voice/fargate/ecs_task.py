"""The task that a worker runs in, where it is one of ECS; on a laptop there is none, and nothing of this happens."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import aiohttp
from livekit.agents import JobRequest

from careline.log.event_log import EventLog
from careline.schemas import phone_figures
from careline.settings import PhoneSettings
from careline_voice.fargate.call_watch import CallWatch
from careline_voice.fargate.deployment import METADATA, Deployment, Ecs, ecs_of
from careline_voice.fargate.figures import FigureLog
from careline_voice.fargate.task_protection import AGENT, TaskProtection

FIGURES_SECONDS = 30.0
METADATA_SECONDS = 5.0
BEGINS_ANEW_SECONDS = 30.0
log = EventLog(__name__)


class EcsTask:
    """Protects the task while it holds calls, tells how many, and sees when a newer version has taken over."""

    def __init__(
        self,
        settings: PhoneSettings,
        calls: Callable[[], int],
        environment: Mapping[str, str] = os.environ,
        ecs: Callable[[Mapping[str, Any]], Ecs] = ecs_of,
    ) -> None:
        """`calls` says how many calls there are now."""
        self._service, self._figures = settings.voice.service, FigureLog.of(settings)
        self._calls, self._metadata, self._ecs = calls, environment.get(METADATA), ecs
        agent = environment.get(AGENT)
        self._watch = CallWatch(TaskProtection(agent), calls) if agent else None
        self._deployment: Deployment | None = None

    @property
    def outdated(self) -> bool:
        """Whether a newer version has taken over, so that this worker takes no further call."""
        return self._deployment is not None and self._deployment.outdated

    async def accept(self, call: JobRequest) -> None:
        """Take a call that LiveKit offers; the task is protected before it is taken."""
        if self._watch is not None:
            await self._watch.expect()
        await call.accept()

    async def run(self) -> None:
        """Do all of it for as long as the worker runs."""
        parts = []
        if self._watch is not None:
            parts.append(_kept_up(self._watch.run))
        if (figures := self._figures) is not None:
            parts.append(_kept_up(lambda: self._tell(figures)))
        if (service := self._service) and (metadata := self._metadata):
            parts.append(_kept_up(lambda: self._follow_deployments(service, metadata)))
        await asyncio.gather(*parts)

    async def _tell(self, figures: FigureLog) -> None:
        told = 0
        while True:
            failures = self._watch.failures if self._watch is not None else 0
            figures.write(
                {
                    phone_figures.CALLS_PER_TASK: self._calls(),
                    phone_figures.PROTECTION_FAILURES: failures - told,
                    phone_figures.OUTDATED: int(self.outdated),
                }
            )
            told = failures
            await asyncio.sleep(FIGURES_SECONDS)

    async def _follow_deployments(self, service: str, metadata: str) -> None:
        task = await _described(metadata)
        self._deployment = Deployment(await asyncio.to_thread(self._ecs, task), service, task)
        await self._deployment.run()


async def _kept_up(work: Callable[[], Awaitable[None]]) -> None:
    """Begin anew what breaks: without it calls go on, but may be cut off or keep a deployment waiting."""
    while True:
        try:
            return await work()
        except Exception as error:
            log.write_raised("task_watch_broke", error, kind=type(error).__name__)
            await asyncio.sleep(BEGINS_ANEW_SECONDS)


async def _described(metadata: str) -> Mapping[str, Any]:
    """What ECS says of the task. Raises: ClientError, TimeoutError, ValueError."""
    timeout = aiohttp.ClientTimeout(total=METADATA_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as http, http.get(f"{metadata}/task") as response:
        described = json.loads(await response.read())
    if not isinstance(described, dict):
        raise ValueError("the metadata of the task are no JSON object")
    return described
