"""Changes records that others may be changing: read, decide, write on condition, and begin again when somebody was
first. The one place where that is repeated; what is decided stands with whoever decides it.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from careline.errors import Conflict, Contended
from careline.records.record_table import Delete, Put, RecordTable

Result = TypeVar("Result")
Pause = Callable[[int], Awaitable[None]]
"""Waits after the given try, counted from 1."""
TRIES = 8
STEP_SECONDS, LONGEST_SECONDS = 0.02, 0.1
"""A write takes about 10 ms; each further try may wait for one more of them."""
RETRY_AFTER_SECONDS = 5


@dataclass(frozen=True, slots=True)
class Update(Generic[Result]):
    """What was decided on the records as they were read: the changes, each on condition of the revision that was read,
    and what the caller gets when they are written. Without changes nothing is written."""

    result: Result
    changes: Sequence[Put | Delete] = ()


async def pause_at_random(attempt: int) -> None:
    """Wait between nothing and a time that grows with the tries, so that writers who met do not meet again.

    Full jitter (M. Brooker, "Exponential Backoff And Jitter", AWS Architecture Blog, 2015).
    """
    longest = min(STEP_SECONDS * attempt, LONGEST_SECONDS)
    await asyncio.sleep(random.uniform(0, longest))  # noqa: S311 - spreads writers, guards nothing


async def optimistic_update(
    table: RecordTable,
    decide: Callable[[], Awaitable[Update[Result]]],
    *,
    busy: str,
    tries: int = TRIES,
    pause: Pause = pause_at_random,
) -> Result:
    """Write what `decide` reads and decides, again from its reading whenever somebody else wrote in between.

    `busy` says to people what was too much in demand. What `decide` raises is raised at once, a Conflict too: it is
    about a state that does not allow the change, not about a write that came first.
    Raises: Contended with `busy` after so many tries, TableUnavailable.
    """
    for attempt in range(1, tries + 1):
        update = await decide()
        if not update.changes:
            return update.result
        try:
            await table.write(*update.changes)
        except Conflict:
            if attempt < tries:
                await pause(attempt)
            continue
        return update.result
    raise Contended(busy, retry_after=RETRY_AFTER_SECONDS)
