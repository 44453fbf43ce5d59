"""A person's list of conversations: the ones taken up last, whatever they are called and whatever is damaged."""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta

import pytest

from careline.conversation import conversations, names
from careline.conversation.ownership import owner_of
from careline.installation import Installation
from careline.records import keys
from careline.records.record_table import Item, Put
from tests.fakes import KEY, FakeTable
from tests.turn.turns import TENANT, a_hospital, answer, ask

TALKS = ("a-first", "b-second", "c-third")


async def a_hospital_with_talks() -> Installation:
    """Three conversations, of which the first one is taken up again when an hour has gone."""
    hospital = await a_hospital()
    for talk in (*TALKS, TALKS[0]):
        answer(await ask(hospital, "wanneer is er bezoek", conversation_id=talk))
        hospital.engines.clock.move(timedelta(minutes=20).total_seconds())  # type: ignore[attr-defined]
    return hospital


async def listed(hospital: Installation, limit: int) -> list[str]:
    return [one["conversation_id"] for one in (await conversations.listing(hospital, limit))["conversations"]]


def ours(*talks: str) -> list[str]:
    return [names.ours(talk, TENANT, KEY) for talk in talks]


async def test_the_list_holds_those_that_were_taken_up_last_however_they_are_called() -> None:
    hospital = await a_hospital_with_talks()
    assert await listed(hospital, 10) == ours("a-first", "c-third", "b-second")
    assert await listed(hospital, 2) == ours("a-first", "c-third")
    assert await listed(hospital, 1) == ours("a-first")


async def test_records_are_read_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    hospital = await a_hospital()
    for number in range(25):
        answer(await ask(hospital, "wanneer is er bezoek", conversation_id=f"talk-{number}"))
    reading, most, read = 0, 0, FakeTable.get

    async def slowly(self: FakeTable, partition: str, sort: str) -> Item | None:
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        await asyncio.sleep(0.001)
        reading -= 1
        return await read(self, partition, sort)

    monkeypatch.setattr(FakeTable, "get", slowly)
    assert len(await listed(hospital, 25)) == 25
    assert most == conversations.AT_ONCE


@pytest.mark.parametrize("part", ["head", "question"])
async def test_one_that_is_damaged_takes_no_list_away_and_is_told_of(
    part: str, caplog: pytest.LogCaptureFixture
) -> None:
    hospital = await a_hospital_with_talks()
    (broken,) = ours("c-third")
    table = hospital.engines.table
    key = keys.conversation(TENANT, broken)
    if part == "question":
        (key, *_) = [keys.Key(one.partition, one.sort) async for one in table.query(keys.messages(TENANT, broken))]
        held = await table.get(*key)
        assert held is not None
        await table.write(Put(Item(*key, {**held.body, "encrypted": "bytes that nobody wrote"})))
    else:
        assert isinstance(table, FakeTable)
        table.damage(*key)
    with caplog.at_level(logging.WARNING):
        assert await listed(hospital, 2) == ours("a-first", "b-second")
    lines = [one.getMessage() for one in caplog.records if one.name == conversations.__name__]
    assert lines.count("a conversation cannot be read and was left out of the list") == 1


async def test_somebody_elses_are_not_in_it() -> None:
    hospital = await a_hospital_with_talks()
    (other,) = ours("b-second")
    held = await hospital.engines.table.get(*keys.conversation(TENANT, other))
    assert held is not None
    assert held.body["holder"] == owner_of(hospital)
    await hospital.engines.table.write(Put(Item(held.partition, held.sort, {**held.body, "holder": "another"})))
    assert other not in await listed(hospital, 10)


async def test_an_answer_that_was_kept_says_what_kind_it_is() -> None:
    hospital = await a_hospital()
    await ask(hospital, "mijn vader ademt niet meer", conversation_id="alarm", language="nl")
    asked, told = (await conversations.show(names.ours("alarm", TENANT, KEY), hospital))["messages"]
    assert (asked["disposition"], asked["reason"]) == (None, None)
    assert (told["disposition"], told["reason"]) == ("escalated", "EMERGENCY")
