"""Keeps the task protected while it holds calls: from before the first is accepted until the last has ended."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Protocol

from careline.log.event_log import EventLog
from careline_voice.fargate.task_protection import ProtectionRefused

EXPIRES_MINUTES = 15
"""A worker that hangs keeps its task for no longer than this."""
RENEW_SECONDS = 300.0
"""Two renewals may fail before protection ends."""
RETRY_SECONDS = 30.0
ARRIVES_SECONDS = 20.0
"""How long a call that was accepted may take to arrive; LiveKit gives a job away after 7.5 s."""
LOOK_SECONDS = 1.0
log = EventLog(__name__)


class Protection(Protocol):
    """What protects a task; see `TaskProtection`."""

    async def hold(self, minutes: int) -> None:
        """Protect the task for so long. Raises: ProtectionRefused."""

    async def release(self) -> None:
        """Protect it no longer. Raises: ProtectionRefused."""


class CallWatch:
    """`calls` says how many calls there are now. `failures` counts what ECS refused.

    Not to be protected is told and tried again; no call is refused or kept waiting for it.
    """

    def __init__(
        self, protection: Protection, calls: Callable[[], int], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.failures = 0
        self._protection, self._calls, self._clock = protection, calls, clock
        self._held_since: float | None = None
        self._refused_at = self._expected_until = float("-inf")
        self._one_at_a_time = asyncio.Lock()

    async def expect(self) -> None:
        """A call is about to be accepted."""
        self._expected_until = self._clock() + ARRIVES_SECONDS
        await self.settle()

    async def run(self) -> None:
        """Look again and again, for as long as the worker runs."""
        while True:
            await self.settle()
            await asyncio.sleep(LOOK_SECONDS)

    async def settle(self) -> None:
        """Ask ECS for what is wanted now, unless it is so already or was refused a moment ago."""
        async with self._one_at_a_time:
            wanted = self._calls() > 0 or self._clock() < self._expected_until
            if wanted == (self._held_since is not None) and not (wanted and self._ends_soon()):
                return
            if self._clock() - self._refused_at >= RETRY_SECONDS:
                await self._ask(wanted)

    def _ends_soon(self) -> bool:
        return self._held_since is not None and self._clock() - self._held_since >= RENEW_SECONDS

    async def _ask(self, wanted: bool) -> None:
        try:
            await (self._protection.hold(EXPIRES_MINUTES) if wanted else self._protection.release())
        except ProtectionRefused as error:
            self.failures += 1
            self._refused_at = self._clock()
            log.write("task_protection_refused", reason=error.reason, wanted=wanted, calls=self._calls())
            return
        if wanted != (self._held_since is not None):
            log.write("task_protected" if wanted else "task_released")
        self._held_since = self._clock() if wanted else None
