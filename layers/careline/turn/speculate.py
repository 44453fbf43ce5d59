"""Turns that were begun before it was certain what the user says: kept when they are wanted, forgotten when not.

The decision comes in a request of its own, which may reach another process than the one that answers; they meet in the
table. A turn that nobody decides on in time is dropped.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

from careline.conversation.ownership import check_holder, owner_of
from careline.errors import NotFound, TableUnavailable
from careline.installation import Installation
from careline.records import keys
from careline.records.record_table import Item, Put

DECISION_SECONDS = 15.0
"""How long an answer that is ready waits for its decision."""
LOOK_SECONDS = 0.05
"""How often a waiting turn looks for it."""
KEPT = timedelta(minutes=5)
"""How long a turn can be decided on."""


async def begin(turn_id: str, installation: Installation) -> None:
    """Let whoever asks decide on the turn from now on. Raises: TableUnavailable."""
    engines = installation.engines
    expires = (engines.clock.now() + KEPT).replace(microsecond=0)
    body = {"holder": owner_of(installation), "commit": None}
    await engines.table.write(Put(Item(*_key(turn_id, installation), body, expires_at=expires)))


async def open_turn(turn_id: str, installation: Installation) -> Item:
    """The speculative turn that may be decided on. Raises: NotFound, also for somebody else's; TableUnavailable."""
    item = await installation.engines.table.get(*_key(turn_id, installation))
    if item is None:
        raise NotFound("there is no such turn to decide on")
    check_holder(item, installation)
    return item


async def decide(turn_id: str, commit: bool, installation: Installation) -> None:
    """Commit or drop a turn; what was decided first holds.

    Raises: NotFound, Conflict when it is decided on twice at once, TableUnavailable.
    """
    item = await open_turn(turn_id, installation)
    if item.body["commit"] is None:
        made = replace(item, body={**item.body, "commit": commit})
        await installation.engines.table.write(Put(made, expects=item.revision))


async def decided(turn_id: str, installation: Installation) -> bool | None:
    """What was decided; None as long as nothing was. Raises: TableUnavailable."""
    item = await installation.engines.table.get(*_key(turn_id, installation))
    return None if item is None else item.body["commit"]


async def committed(turn_id: str, installation: Installation, patience: float | None = None) -> bool:
    """Whether the turn is wanted, as soon as that is decided; `patience` is how many seconds one look may take.

    Raises: TableUnavailable, also where a look took longer.
    """
    clock = installation.engines.clock
    until = clock.elapsed() + DECISION_SECONDS
    while (decision := await _looked(turn_id, installation, patience)) is None:
        if clock.elapsed() >= until:
            return False
        await asyncio.sleep(LOOK_SECONDS)
    return decision


async def _looked(turn_id: str, installation: Installation, patience: float | None) -> bool | None:
    try:
        async with asyncio.timeout(patience):
            return await decided(turn_id, installation)
    except TimeoutError:
        raise TableUnavailable("the decision on a turn cannot be read in time") from None


def _key(turn_id: str, installation: Installation) -> keys.Key:
    return keys.speculative_turn(installation.settings.tenant, turn_id)
