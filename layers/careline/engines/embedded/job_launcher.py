"""Runs ingestion jobs in this process, a few at a time."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)


class TaskLauncher:
    """The ingestion port over asyncio tasks. `attach` says what running a job means; `drain` waits for all of them."""

    def __init__(self, at_once: int = 2) -> None:
        self._run: Callable[[str, str], Awaitable[object]] | None = None
        self._room = asyncio.Semaphore(at_once)
        self._tasks: set[asyncio.Task[None]] = set()

    def attach(self, run: Callable[[str, str], Awaitable[object]]) -> None:
        """Use `run(tenant, job_id)` for every job."""
        self._run = run

    async def start(self, tenant: str, job_id: str) -> None:
        """See `ports.IngestionStarter.start`."""
        task = asyncio.create_task(self._one(tenant, job_id), name=f"ingest {job_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _one(self, tenant: str, job_id: str) -> None:
        async with self._room:
            if self._run is None:
                raise RuntimeError("nothing is attached that runs a job")
            await self._run(tenant, job_id)
            logger.info("job ended", extra={"job_id": job_id})

    async def drain(self) -> None:
        """Wait until every job that was started has ended."""
        while self._tasks:
            await asyncio.gather(*self._tasks)
