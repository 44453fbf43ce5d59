"""A turn that was begun too early leaves nothing behind; one that was wanted is a turn like any other."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from careline.errors import NotFound
from careline.identity import Identity, Role
from careline.installation import Installation
from careline.schemas import wire
from careline.turn import pipeline, speculate
from tests.fakes import FakeOutbox, SettableClock
from tests.turn.turns import TENANT, TRACE, a_hospital, answer, ask, kept_messages, shown

ASKED = {"text": "wanneer is er bezoek", "conversation_id": "talk", "speculative": True}


def outbox(installation: Installation) -> FakeOutbox:
    assert isinstance(installation.engines.outbox, FakeOutbox)
    return installation.engines.outbox


class ClockThatRuns(SettableClock):
    """A second passes whenever somebody looks."""

    def elapsed(self) -> float:
        self.move(1)
        return super().elapsed()


async def a_turn_that_is(commit: bool, installation: Installation) -> list[wire.Event]:
    """Every event of a speculative turn that is decided on as soon as it has an id."""
    events = []
    async for event in pipeline.run(wire.QueryRequest(**ASKED), installation, TRACE):
        events.append(event)
        if isinstance(event, wire.Meta):
            await speculate.decide(event.turn_id, commit, installation)
    return events


async def test_a_committed_turn_is_recorded_and_ends_in_done_like_any_other() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."])
    events = await a_turn_that_is(True, installation)
    assert answer(events).text == shown(events) != ""
    assert len(outbox(installation).waiting) == 1
    assert [message.role for message in await kept_messages(installation)] == ["user", "assistant"]


async def test_a_dropped_turn_leaves_no_record_no_message_and_no_bill() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."])
    events = await a_turn_that_is(False, installation)
    assert isinstance(events[-1], wire.Dropped)
    assert outbox(installation).waiting == []
    assert await kept_messages(installation) == ()


async def test_an_answer_is_sent_before_anybody_has_decided_and_done_only_afterwards() -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."])
    async with aclosing(pipeline.run(wire.QueryRequest(**ASKED), installation, TRACE)) as events:
        turn_id = ""
        async for event in events:
            if isinstance(event, wire.Meta):
                turn_id = event.turn_id
            if isinstance(event, wire.Cited):
                break
        last = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        assert not last.done()
        assert outbox(installation).waiting == []
        await speculate.decide(turn_id, True, installation)
        assert isinstance(await last, wire.Done)


async def test_a_turn_that_nobody_decides_on_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speculate, "LOOK_SECONDS", 0.0)
    installation = await a_hospital(["Van 14 tot 20 uur [1]."], clock=ClockThatRuns())
    assert isinstance((await ask(installation, **ASKED))[-1], wire.Dropped)
    assert outbox(installation).waiting == []


@pytest.mark.parametrize(("decision", "kept"), [(None, 0), (False, 0), (True, 1)])
async def test_a_caller_who_interrupts_leaves_a_record_only_of_a_committed_turn(
    decision: bool | None, kept: int
) -> None:
    installation = await a_hospital(["Van 14 tot 20 uur [1]."])
    async with aclosing(pipeline.run(wire.QueryRequest(**ASKED), installation, TRACE)) as events:
        async for event in events:
            if isinstance(event, wire.Meta) and decision is not None:
                await speculate.decide(event.turn_id, decision, installation)
            if isinstance(event, wire.Token):
                break
    assert len(outbox(installation).waiting) == kept


async def test_what_was_decided_first_holds() -> None:
    installation = await a_hospital()
    await speculate.begin("turn-1", installation)
    await speculate.decide("turn-1", False, installation)
    await speculate.decide("turn-1", True, installation)
    assert await speculate.decided("turn-1", installation) is False


async def test_a_turn_that_is_not_there_or_is_somebody_elses_cannot_be_decided_on() -> None:
    installation = await a_hospital()
    with pytest.raises(NotFound):
        await speculate.decide("turn-1", True, installation)
    await speculate.begin("turn-1", installation.seen_by(Identity("ann", Role.CALLER, TENANT, ("public",))))
    with pytest.raises(NotFound):
        await speculate.decide("turn-1", True, installation.seen_by(Identity("bob", Role.CALLER, TENANT, ("public",))))
    assert await speculate.decided("turn-1", installation) is None
