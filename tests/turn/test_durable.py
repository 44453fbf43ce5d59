"""A turn is kept whole or not at all, and once, wherever the process dies between two writes."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from careline.audit import chain as audit
from careline.errors import EngineUnavailable
from careline.installation import Installation
from careline.model import Usage
from careline.telemetry import turns
from tests.turn.turns import TENANT, a_hospital, answer, ask, kept_messages

QUESTION = "wanneer is er bezoek"


class Killed(BaseException):
    """The process ends here; nothing after it runs."""


class Writes:
    """Counts what is written by table and outbox, and ends the process before one of them."""

    def __init__(self, installation: Installation, last: int | None = None) -> None:
        self.count, self.last = 0, last
        for port, names in ((installation.engines.table, ("write",)), (installation.engines.outbox, ("put", "settle"))):
            for name in names:
                setattr(port, name, self._counted(getattr(port, name)))

    def _counted(self, write: Any) -> Any:
        async def counted(*arguments: Any) -> Any:
            if self.last is not None and self.count >= self.last:
                raise Killed
            self.count += 1
            return await write(*arguments)

        return counted


async def priced() -> Installation:
    usage = Usage(10, 10, 0, 0.25)
    return await a_hospital(["Bezoek mag van 14 tot 20 uur [1].", usage])


async def state(installation: Installation) -> dict[str, Any]:
    """What is kept of the one turn, in every place."""
    engines = installation.engines
    billing = [item.body async for item in engines.table.query(f"{TENANT}/billing")]
    chain = [entry.entry_id for entry in await audit.newest(engines, TENANT, 10)]
    return {
        "messages": len(await kept_messages(installation)),
        "turns": len(await turns.newest(TENANT, 10, engines)),
        "billing": len(billing),
        "audit": len(chain),
        "spent": [item.body["euro"] async for item in engines.table.query(f"{TENANT}/spending")],
    }


WHOLE = {"messages": 2, "turns": 1, "billing": 1, "audit": 1, "spent": [0.25]}
NOTHING = {"messages": 0, "turns": 0, "billing": 0, "audit": 0, "spent": []}


async def test_a_turn_is_kept_once_in_every_place() -> None:
    installation = await priced()
    writes = Writes(installation)
    answer(await ask(installation, QUESTION, conversation_id="talk"))
    assert (await state(installation))["messages"] == 2, "the next message reads it at once"
    await turns.relay(installation.engines)
    assert await state(installation) == WHOLE
    assert writes.count >= 5


@pytest.mark.parametrize("last", range(12))
async def test_killed_between_any_two_writes_a_turn_is_whole_or_absent_after_the_restart(last: int) -> None:
    installation = await priced()
    writes = Writes(installation, last)
    done = False
    with suppress(Killed):
        done = bool(answer(await ask(installation, QUESTION, conversation_id="talk")))
        await turns.relay(installation.engines)
    between = await state(installation)
    assert between["audit"] == 0 or between["messages"] == 2, "no audit entry of a turn that the conversation lacks"
    writes.last = None
    await turns.relay(installation.engines)
    after = await state(installation)
    assert after == WHOLE or (last == 0 and after == NOTHING and not done)
    await turns.relay(installation.engines)
    assert await state(installation) == after


async def test_a_turn_that_is_delivered_after_newer_ones_changes_nothing_of_theirs() -> None:
    installation = await a_hospital(["Bezoek mag [1]."], ["Ook op zondag [1]."])
    await ask(installation, QUESTION, conversation_id="talk")
    (first,) = installation.engines.outbox.waiting
    await ask(installation, "en op zondag", conversation_id="talk", preferences={"citation_style": "footnote"})
    (head,) = [item.body async for item in installation.engines.table.query(f"{TENANT}/conversations")]
    await turns.keep(first, installation.engines)
    await turns.keep(first, installation.engines)
    assert len(await kept_messages(installation)) == 4
    (again,) = [item.body async for item in installation.engines.table.query(f"{TENANT}/conversations")]
    assert again == head


async def test_a_turn_that_cannot_be_recorded_is_not_done() -> None:
    installation = await priced()

    async def down(*arguments: Any) -> None:
        raise EngineUnavailable("away")

    installation.engines.outbox.put = down  # type: ignore[method-assign]
    events = await ask(installation, QUESTION, conversation_id="talk")
    assert events[-1].name == "error"
    assert await state(installation) == NOTHING
