"""How a stage of the ingestion is tried again: the laptop runs this policy, the state machine is generated from it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from careline import errors
from careline.errors import CarelineError, Contended, EmbedderRefused, EngineUnavailable

Result = TypeVar("Result")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Which errors may pass, and how long to wait before each further try.

    Pauses are drawn between nothing and a time that begins at `interval_seconds` and is multiplied by `backoff` each
    time (full jitter: M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
    """

    errors: tuple[type[CarelineError], ...]
    interval_seconds: int
    backoff: float
    retries: int
    """Tries after the first one."""
    never: tuple[type[CarelineError], ...] = ()
    """Errors of these that come back however often one tries."""

    def error_names(self) -> tuple[str, ...]:
        """The errors and every error below them by class name, as Lambda tells them; sorted."""
        known = ((name, kind) for name, kind in vars(errors).items() if isinstance(kind, type))
        passing = (name for name, kind in known if issubclass(kind, self.errors) and not issubclass(kind, self.never))
        return tuple(sorted(passing))

    def longest_pause(self, retry: int) -> float:
        """Seconds before a further try, counted from 1, at most."""
        return self.interval_seconds * self.backoff ** (retry - 1)

    async def run(self, work: Callable[[], Awaitable[Result]], sleep: Sleep = asyncio.sleep) -> Result:
        """What `work` gives, tried again after an error that may pass. Raises: the last error, any other at once."""
        for retry in range(1, self.retries + 1):
            try:
                return await work()
            except self.errors as error:
                if isinstance(error, self.never):
                    raise
                await sleep(random.uniform(0, self.longest_pause(retry)))  # noqa: S311 - spreads, guards nothing
        return await work()


INGESTION = RetryPolicy(
    errors=(EngineUnavailable, Contended), interval_seconds=2, backoff=2.0, retries=4, never=(EmbedderRefused,)
)
"""Half a minute at most: a collection that sleeps answers its first request after 10 to 30 seconds."""
