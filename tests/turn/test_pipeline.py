"""What clients of a turn may rely on: the order of events, and that `done` means recorded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from careline.chat import ChatDelta, ChatMessage, TextDelta, ToolDefinition
from careline.errors import ModelStalled, ModelUnavailable, TableUnavailable
from careline.ports import Vector
from careline.records.outbox_message import OutboxEntry
from careline.schemas import wire
from careline.turn import pipeline
from tests.builders import as_sent
from tests.fakes import FakeEmbedder, FakeOutbox, FakeTable, SettableClock
from tests.turn.turns import TRACE, a_hospital, an_installation, answer, ask, kept_messages, quote_instead, shown

STAGES = ["admit", *(stage.__name__ for stage in pipeline.STAGES)]


def kinds(events: list[wire.Event]) -> list[str]:
    return [event.name for event in events]


async def test_meta_comes_first_then_the_stages_in_order_then_the_answer_then_done() -> None:
    events = await ask(await a_hospital(["Van 14 tot 20 uur [1]."]), "wanneer is er bezoek")
    assert kinds(events) == ["meta", *["stage"] * len(STAGES), "token", "citation", "done"]
    assert [event.stage for event in events if isinstance(event, wire.Stage)] == STAGES
    assert [timing.stage for timing in answer(events).timings] == [*STAGES, "speak", "screen_output"]


async def test_an_answer_that_is_decided_ends_the_stages_and_asks_no_model() -> None:
    installation = await a_hospital(["nooit"])
    events = await ask(installation, "hoeveel paracetamol mag ik nemen")
    passed = [event.stage for event in events if isinstance(event, wire.Stage)]
    assert passed == STAGES[: STAGES.index("screen_input") + 1]
    assert installation.engines.model.told == []
    assert (answer(events).disposition, answer(events).model, answer(events).sources_searched) == ("refused", None, [])


class Slow:
    """An embedder and a guardrail model that each take a time of their own, by the installation's clock."""

    name, is_external = "slow", False

    def __init__(self, clock: SettableClock) -> None:
        self.clock, self.inner = clock, FakeEmbedder()

    async def embed_query(self, text: str) -> Vector:
        self.clock.move(0.030)
        return self.inner.vector(text)

    async def ask(self, site: str, instructions: str, text: str, shape: type[Any], seconds: float) -> Any:
        self.clock.move(0.080)
        return shape.model_validate({"verdict": "NEITHER"})


async def test_the_embedding_and_the_guardrail_model_take_their_own_time_and_not_that_of_other_stages() -> None:
    clock = SettableClock()
    slow = Slow(clock)
    installation = await a_hospital(["Van 14 tot 20 uur [1]."], clock=clock, embedder=slow, guardrail=slow)
    events = await ask(installation, "tot hoe laat mag er bezoek komen")
    took = {timing.stage: timing.ms for timing in answer(events).timings if timing.ms}
    assert took == {"screen_with_model": 80, "embed_query": 30}


async def test_what_is_not_found_ends_after_ranking_and_asks_no_model() -> None:
    installation = an_installation(["nooit"])
    events = await ask(installation, "wanneer is er bezoek")
    assert (answer(events).disposition, answer(events).reason) == ("escalated", "NO_EVIDENCE")
    assert installation.engines.model.told == []


class OutboxThatRemembersTheEnd(FakeOutbox):
    """Notes whether `done` had been sent when the record was put."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.sent_before: list[str] | None = None

    async def put(self, entry: OutboxEntry) -> None:
        self.sent_before = list(self.sent)
        await super().put(entry)


async def test_the_record_is_durable_before_done_and_after_the_last_token() -> None:
    outbox = OutboxThatRemembersTheEnd()
    installation = await a_hospital(["Van 14 tot 20 uur [1]."], outbox=outbox)
    async for event in pipeline.run(wire.QueryRequest(text="wanneer is er bezoek"), installation, TRACE):
        outbox.sent.append(event.name)
    assert outbox.sent_before == outbox.sent[:-1]
    assert outbox.sent[-1] == "done"
    assert len(outbox.waiting) == 1


class FullOutbox(FakeOutbox):
    async def put(self, entry: OutboxEntry) -> None:
        raise TableUnavailable("the disk is full", retry_after=5)


async def test_a_turn_that_cannot_be_recorded_is_never_called_done() -> None:
    events = await ask(await a_hospital(["Van 14 tot 20 uur [1]."], outbox=FullOutbox()), "wanneer is er bezoek")
    assert "done" not in kinds(events)
    last = events[-1]
    assert isinstance(last, wire.Failed)
    assert (last.problem.status, last.problem.error_code, last.problem.retry_after) == (503, "TABLE_UNAVAILABLE", 5)
    assert last.problem.trace_id == TRACE


class TableThatIsDown(FakeTable):
    async def get(self, partition: str, sort: str) -> Any:
        raise TableUnavailable("records.sqlite: locked")


async def test_a_turn_that_cannot_begin_is_one_error_event() -> None:
    events = await ask(an_installation(table=TableThatIsDown()), "hallo")
    assert kinds(events) == ["error"]


async def test_an_unknown_pack_is_the_clients_mistake_and_changes_nothing() -> None:
    installation = an_installation()
    (event,) = await ask(installation, "hallo", pack="nowhere", conversation_id="talk")
    assert isinstance(event, wire.Failed)
    assert event.problem.status == 400
    assert "hospital_line" in event.problem.message
    assert installation.engines.outbox.waiting == []
    assert await installation.engines.table.get("default/conversations", "talk") is None


class Watched:
    """A model that never ends by itself and says when it was closed."""

    name = "watched"

    def __init__(self) -> None:
        self.closed = False

    async def chat(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition] = ()
    ) -> AsyncGenerator[ChatDelta, None]:
        try:
            while True:
                yield TextDelta("Van 14 tot 20 uur [1]. ")
        finally:
            self.closed = True


async def test_a_client_that_leaves_stops_the_model_at_once_and_what_was_shown_is_recorded() -> None:
    model = Watched()
    installation = await a_hospital()
    installation = replace(installation, engines=replace(installation.engines, model=model))
    events = pipeline.run(wire.QueryRequest(text="wanneer is er bezoek"), installation, TRACE)
    async for event in events:
        if isinstance(event, wire.Token):
            break
    assert not model.closed
    await events.aclose()
    assert model.closed
    (entry,) = installation.engines.outbox.waiting
    told = entry.body["turn"]
    assert (told["disposition"], told["reason"], told["model_called"]) == ("failed", "CLIENT_LEFT", True)
    assert len(told["egress"]) == 1


class SlowOutbox(FakeOutbox):
    """Takes an entry when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.go_on = asyncio.Event(), asyncio.Event()

    async def put(self, entry: OutboxEntry) -> None:
        self.asked.set()
        await self.go_on.wait()
        await super().put(entry)


async def test_a_client_that_leaves_while_its_turn_is_recorded_leaves_a_whole_record() -> None:
    outbox = SlowOutbox()
    installation = await a_hospital(["Bezoek mag van 14 tot 20 uur [1]."], outbox=outbox)
    asking = asyncio.create_task(ask(installation, "wanneer is er bezoek", conversation_id="talk"))
    await outbox.asked.wait()
    asking.cancel()
    await asyncio.sleep(0)
    asking.cancel()
    outbox.go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert len(outbox.waiting) == 1
    assert [message.role for message in await kept_messages(installation)] == ["user", "assistant"]


async def test_a_model_that_is_down_gives_an_apology_a_warning_and_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    quote_instead(monkeypatch, ModelUnavailable("nothing can be quoted"))
    installation = await a_hospital([ModelUnavailable("the language model cannot be reached")])
    events = await ask(installation, "wanneer is er bezoek")
    assert kinds(events)[-3:] == ["warning", "token", "done"]
    assert (answer(events).disposition, answer(events).reason) == ("failed", "MODEL_UNAVAILABLE")
    assert shown(events) == answer(events).text
    assert len(installation.engines.outbox.waiting) == 1


@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_a_model_that_stops_half_way_keeps_what_was_said_and_says_so(channel: str) -> None:
    script = ["Bezoek mag van 14 tot 20 uur [1]. ", "En op ", ModelStalled("cut off")]
    events = await ask(await a_hospital(script), "wanneer is er bezoek", channel=channel)
    assert answer(events).text.startswith(as_sent("Bezoek mag van 14 tot 20 uur", channel))
    assert "En op" not in answer(events).text
    assert [warning.code for warning in answer(events).warnings] == ["MODEL_STALLED"]
    assert ("\n" in answer(events).text) is (channel == "chat")
    assert shown(events) == answer(events).text


@pytest.mark.parametrize("completion", [[], [""], ["  \n "], ["[9]"]])
@pytest.mark.parametrize("channel", ["chat", "voice"])
async def test_a_model_that_says_nothing_leads_to_a_person_instead_of_an_empty_answer(
    channel: str, completion: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    quote_instead(monkeypatch)
    events = await ask(await a_hospital(completion), "wanneer is er bezoek", channel=channel)
    assert (answer(events).disposition, answer(events).reason) == ("escalated", "NO_ANSWER")
    assert shown(events) == answer(events).text != ""


async def test_what_an_engine_says_about_its_fault_is_a_problem_but_a_defect_of_ours_is_raised() -> None:
    class Defective(FakeTable):
        async def get(self, partition: str, sort: str) -> Any:
            raise KeyError("a defect")

    with pytest.raises(KeyError):
        await ask(an_installation(table=Defective()), "hallo")


async def test_others_are_answered_between_the_stages_of_a_turn_that_waits_for_nothing() -> None:
    """Fakes never wait, as models that are busy computing do not: whatever else the loop has to do comes in between."""
    looked = 0

    async def look() -> None:
        nonlocal looked
        while True:
            looked += 1
            await asyncio.sleep(0)

    installation = await a_hospital(["Van 14 tot 20 uur [1]. ", "Parkeren kost 2,50 euro [2]."])
    looking = asyncio.create_task(look())
    at_stages = []
    async for event in pipeline.run(wire.QueryRequest(text="wanneer is er bezoek"), installation, TRACE):
        if isinstance(event, wire.Stage):
            at_stages.append(looked)
        if isinstance(event, wire.Token):
            assert looked > at_stages[-1], "a sentence was chosen and screened in one go"
    looking.cancel()
    assert len(at_stages) == len(STAGES)
    assert all(later > earlier for earlier, later in pairwise(at_stages))
