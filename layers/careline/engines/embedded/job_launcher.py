"""Runs ingestion jobs in this process, a few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from careline.log.context import bound


class TaskLauncher:
    """The ingestion starter port over asyncio tasks. `run(tenant, job_id)` runs a job to its end."""

    def __init__(self, run: Callable[[str, str], Awaitable[None]], at_once: int = 2) -> None:
        self._run = run
        self._room = asyncio.Semaphore(at_once)
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, tenant: str, job_id: str) -> None:
        """See `ports.JobLauncher.start`."""
        task = asyncio.create_task(self._one(tenant, job_id), name=f"ingest {job_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _one(self, tenant: str, job_id: str) -> None:
        async with self._room:
            with bound(job=job_id, tenant=tenant):
                await self._run(tenant, job_id)

    async def resume(self, tenant: str, unfinished: Sequence[str]) -> None:
        """See `ports.JobLauncher.resume`."""
        for job_id in unfinished:
            await self.start(tenant, job_id)

    async def drain(self) -> None:
        """See `ports.JobLauncher.drain`."""
        while self._tasks:
            await asyncio.gather(*self._tasks)
