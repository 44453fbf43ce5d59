"""What a conversation waits for is kept encrypted, ends with it and is answered once."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta

import pytest

from careline.conversation import store
from careline.conversation.pending import (
    Choice,
    Clarification,
    Confirmation,
    Pending,
    answered,
    keep,
    waited_for,
)
from careline.errors import RecordDamaged
from careline.ports import Engines
from careline.records.record_table import Item, Put
from careline.telemetry import subjects
from tests.builders import some_engines
from tests.fakes import NOW, SettableClock

TENANT, TALK = "default", "talk-1"
WHICH = Clarification("Which diabetes?", (Choice("type 1", "diet in type 1"), Choice("type 2", "diet in type 2")))
CALL = Confirmation("Shall I ring for Godelieve?", "call-1", "ring_back", {"name": "Godelieve", "minutes": 10})


def pending(awaited: Clarification | Confirmation = WHICH, seconds: float = 60) -> Pending:
    return Pending("turn-1", NOW, NOW + timedelta(seconds=seconds), awaited)


async def bytes_of(engines: Engines) -> str:
    item = await engines.table.get(f"{TENANT}/pending", TALK)
    return "" if item is None else json.dumps(item.body)


@pytest.mark.parametrize("awaited", [WHICH, CALL])
async def test_what_is_kept_is_read_as_it_was(awaited: Clarification | Confirmation) -> None:
    engines = some_engines()
    assert await keep(pending(awaited), TALK, TENANT, engines)
    assert await waited_for(TALK, TENANT, engines) == pending(awaited)


async def test_nothing_of_it_stands_in_clear() -> None:
    engines = some_engines()
    await keep(pending(CALL), TALK, TENANT, engines)
    assert "Godelieve" not in await bytes_of(engines)
    assert "ring_back" not in await bytes_of(engines)


async def test_the_record_of_another_conversation_is_none_of_this_one() -> None:
    engines = some_engines()
    await keep(pending(), TALK, TENANT, engines)
    item = await engines.table.get(f"{TENANT}/pending", TALK)
    assert item is not None
    await engines.table.write(Put(Item(item.partition, "talk-2", item.body)))
    with pytest.raises(RecordDamaged):
        await waited_for("talk-2", TENANT, engines)


async def test_it_is_answered_once_and_then_holds_nothing() -> None:
    engines = some_engines()
    await keep(pending(CALL), TALK, TENANT, engines)
    assert await answered(TALK, "turn-2", TENANT, engines) == pending(CALL)
    assert await answered(TALK, "turn-3", TENANT, engines) is None
    assert await waited_for(TALK, TENANT, engines) is None
    assert json.loads(await bytes_of(engines)) == {"answered_by": "turn-2"}


async def test_of_two_messages_at_once_one_answers_it() -> None:
    engines = some_engines()
    await keep(pending(CALL), TALK, TENANT, engines)
    got = await asyncio.gather(*(answered(TALK, f"turn-{n}", TENANT, engines) for n in range(2, 5)))
    assert [one for one in got if one is not None] == [pending(CALL)]


async def test_the_next_question_takes_the_place_of_the_last() -> None:
    engines = some_engines()
    await keep(pending(CALL), TALK, TENANT, engines)
    await answered(TALK, "turn-2", TENANT, engines)
    await keep(pending(WHICH), TALK, TENANT, engines)
    assert await waited_for(TALK, TENANT, engines) == pending(WHICH)


async def test_after_its_time_nothing_is_waited_for() -> None:
    clock = SettableClock()
    engines = some_engines(clock=clock)
    await keep(pending(seconds=60), TALK, TENANT, engines)
    clock.move(61)
    assert await waited_for(TALK, TENANT, engines) is None
    assert await answered(TALK, "turn-2", TENANT, engines) is None


async def test_it_ends_with_its_conversation() -> None:
    engines = some_engines()
    await keep(pending(), TALK, TENANT, engines)
    await store.remove(TALK, "forgotten", TENANT, engines)
    assert await bytes_of(engines) == ""


async def test_what_was_asked_in_a_conversation_that_was_erased_since_is_not_kept() -> None:
    clock = SettableClock()
    engines = some_engines(clock=clock)
    clock.move(1)
    await store.remove(TALK, "erased", TENANT, engines)
    assert not await keep(pending(), TALK, TENANT, engines)
    assert await bytes_of(engines) == ""


async def test_a_person_is_shown_what_a_conversation_of_theirs_waits_for() -> None:
    engines = some_engines()
    (name,) = subjects.names_of("0470 12 34 56", engines.key)[:1]
    head = store.head_body(
        {"language": "nl", "user": name, "names": [name]}, {"clinical_context": None}, TENANT, TALK, engines.key
    )
    await engines.table.write(
        Put(Item(f"{TENANT}/conversations", TALK, head)),
        Put(Item(f"{TENANT}/subjects/{name}", f"conversation/{TALK}", {})),
    )
    await keep(pending(CALL), TALK, TENANT, engines)
    (shown,) = (await subjects.export(engines, TENANT, "0470 12 34 56"))["conversations"]
    assert shown["pending"]["arguments"] == {"name": "Godelieve", "minutes": 10}
