"""What stands behind a circuit is not asked while it is open, and callers get the next best at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from pydantic import BaseModel

from careline.chat import ChatMessage, TextDelta
from careline.circuit.circuit import FAILURES, LEASE, SUCCESSES
from careline.circuit.circuits import EMBEDDER, MODEL, Circuits, Paused
from careline.circuit.guarded import GuardedCaller, GuardedEmbedder, GuardedIndex, GuardedModel
from careline.engines.openai.client import connect
from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices
from careline.errors import (
    AnswerMisshapen,
    EmbedderPaused,
    EmbedderRefused,
    EmbedderUnavailable,
    IndexPaused,
    IndexUnavailable,
    ModelKeyMissing,
    ModelPaused,
    ModelStalled,
    ModelUnavailable,
)
from careline.installation import Installation
from careline.ports import PassageQuery
from tests.builders import some_ids
from tests.emulators.aws_signature import Refusal
from tests.emulators.openai import Endpoint, serving
from tests.fake_index import FakeIndex
from tests.fakes import FakeEmbedder, FakeTable, ScriptedCaller, ScriptedModel, SettableClock
from tests.turn.turns import a_hospital, answer, ask

QUESTION = "wanneer is er bezoek"
DOWN = ModelUnavailable("the language model answered with status 503", kind="status", answered=503)
TOLD = (ChatMessage("user", "hallo"),)


class Shape(BaseModel):
    word: str


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def circuits(clock: SettableClock) -> Circuits:
    return Circuits(FakeTable(clock), clock, some_ids())


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as opened:
        yield opened


async def said(model: Any) -> str:
    return "".join([delta.text async for delta in model.chat(TOLD) if isinstance(delta, TextDelta)])


async def failing(model: Any, times: int, error: type[Exception] = ModelUnavailable) -> None:
    for _ in range(times):
        with pytest.raises(error):
            await said(model)


async def test_a_model_that_failed_five_times_is_not_asked_for_a_minute_and_then_once(
    circuits: Circuits, clock: SettableClock
) -> None:
    scripted = ScriptedModel(*[[DOWN]] * 5, ["Goed."], ["Goed."], ["Goed."])
    model = GuardedModel(scripted, circuits, MODEL)
    await failing(model, 5)
    with pytest.raises(ModelPaused) as raised:
        await said(model)
    assert (raised.value.was_asked, raised.value.retry_after, len(scripted.told)) == (False, 60, 5)
    clock.move(60)
    assert [await said(model), await said(model)] == ["Goed.", "Goed."]
    assert circuits.paused() == frozenset()


async def test_no_request_reaches_the_vendor_while_the_circuit_is_open(circuits: Circuits, endpoint: Endpoint) -> None:
    async with connect(endpoint.url, "k") as opened:
        model = GuardedModel(OpenAIModel(opened, "m", Prices(), ModelTimeouts(5, 5)), circuits, MODEL)
        endpoint.faults += [Refusal(401)] * 5
        await failing(model, 8)
    assert len(endpoint.requests) == 5


@pytest.mark.parametrize("status", [400, 413, 422])
async def test_nobody_switches_a_model_off_for_all_by_what_they_ask(circuits: Circuits, status: int) -> None:
    refused = ModelUnavailable("status", kind="status", answered=status, passing=False)
    model = GuardedModel(ScriptedModel(*[[refused]] * 9, ["Goed."]), circuits, MODEL)
    await failing(model, 9)
    assert await said(model) == "Goed."


async def test_a_key_that_nobody_put_in_opens_nothing(circuits: Circuits) -> None:
    missing = ModelKeyMissing("no key", kind="no_key", passing=False)
    model = GuardedModel(ScriptedModel(*[[missing]] * 9, ["Goed."]), circuits, MODEL)
    await failing(model, 9, ModelKeyMissing)
    assert await said(model) == "Goed."


class Refusing(FakeEmbedder):
    """An endpoint that does not know the key."""

    asked = 0

    async def embed_passages(self, texts: Sequence[str]) -> Any:
        self.asked += 1
        raise EmbedderRefused("its key is wrong", answered=401)


async def test_documents_do_not_wait_for_an_embedder_that_refuses_and_each_says_why(circuits: Circuits) -> None:
    refusing = Refusing()
    embedder = GuardedEmbedder(refusing, circuits, sleep=never)
    for _ in range(9):
        with pytest.raises(EmbedderRefused, match="key"):
            await embedder.embed_passages(["een"])
    assert (refusing.asked, circuits.paused()) == (9, set())


async def never(seconds: float) -> None:
    """A wait that nobody should need."""
    raise AssertionError(f"waited for {seconds} s")


async def test_answers_that_break_off_count_as_failures(circuits: Circuits) -> None:
    broken_off: list[Any] = [["Go", ModelStalled("cut off")]] * 5
    model = GuardedModel(ScriptedModel(*broken_off), circuits, MODEL)
    await failing(model, 5, ModelStalled)
    assert circuits.paused() == {MODEL}


async def test_whoever_stops_listening_says_nothing_against_a_model(circuits: Circuits) -> None:
    model = GuardedModel(ScriptedModel(*[["Van ", "14"]] * 9), circuits, MODEL)
    for _ in range(9):
        async with aclosing(model.chat(TOLD)) as deltas:
            await anext(deltas)
    assert circuits.paused() == frozenset()


class Endless:
    """A model that never begins to answer."""

    name = "endless"

    async def chat(self, messages: Sequence[ChatMessage], tools: Sequence[Any] = ()) -> AsyncGenerator[Any, None]:
        await asyncio.Event().wait()
        yield


async def test_a_probe_that_is_given_up_does_not_keep_others_from_probing(
    circuits: Circuits, clock: SettableClock
) -> None:
    await failing(GuardedModel(ScriptedModel(*[[DOWN]] * 5), circuits, MODEL), 5)
    clock.move(60)
    waiting = asyncio.create_task(anext(GuardedModel(Endless(), circuits, MODEL).chat(TOLD)))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await asyncio.sleep(0.01)
    assert await said(GuardedModel(ScriptedModel(["Goed."]), circuits, MODEL)) == "Goed."


async def test_a_caller_has_a_circuit_for_each_site_and_a_wrong_shape_is_an_answer(circuits: Circuits) -> None:
    slow: list[Any] = [ModelUnavailable("did not answer in time")] * 5
    caller = GuardedCaller(ScriptedCaller(*slow, {"word": "ja"}, *[AnswerMisshapen("no shape")] * 6), circuits)
    for _ in range(5):
        with pytest.raises(ModelUnavailable):
            await caller.ask("screen", "", "", Shape, 0.1)
    with pytest.raises(ModelPaused):
        await caller.ask("screen", "", "", Shape, 0.1)
    assert (await caller.ask("rewrite", "", "", Shape, 2)).word == "ja"
    for _ in range(6):
        with pytest.raises(AnswerMisshapen):
            await caller.ask("rewrite", "", "", Shape, 2)


class Broken(FakeEmbedder):
    """Somebody else's embedding model, out of order."""

    is_external = True
    asked = 0
    down = True

    async def embed_query(self, text: str) -> Any:
        self.asked += 1
        if self.down:
            raise EmbedderUnavailable("the embedding model does not answer")
        return await super().embed_query(text)

    async def embed_passages(self, texts: Sequence[str]) -> Any:
        await self.embed_query("")
        return await super().embed_passages(texts)


async def test_questions_do_without_an_embedder_and_documents_wait_for_it(
    circuits: Circuits, clock: SettableClock
) -> None:
    broken = Broken()

    async def sleep(seconds: float) -> None:
        clock.move(seconds)
        broken.down = False

    embedder = GuardedEmbedder(broken, circuits, sleep)
    for _ in range(5):
        with pytest.raises(EmbedderUnavailable):
            await embedder.embed_query("bezoek")
    with pytest.raises(EmbedderPaused):
        await embedder.embed_query("bezoek")
    assert broken.asked == 5
    assert (await embedder.embed_passages(["bezoek", "parkeren"])).shape == (2, embedder.dimensions)


async def passed(clock: SettableClock, seconds: float) -> None:
    """Let others go on until they have moved the clock so far."""
    until = clock.now() + timedelta(seconds=seconds)
    for _ in range(10_000):
        if clock.now() >= until:
            return
        await asyncio.sleep(0)
    raise AssertionError("nobody moves the clock")


class Lengthy(FakeEmbedder):
    """Somebody else's embedding model that takes as long as one call may: three attempts of 20 s and the pauses."""

    is_external = True
    seconds = 61.5

    def __init__(self, clock: SettableClock) -> None:
        super().__init__()
        self._clock = clock

    async def embed_passages(self, texts: Sequence[str]) -> Any:
        await passed(self._clock, self.seconds)
        return await super().embed_passages(texts)


async def test_a_probe_that_takes_longer_than_its_lease_is_not_displaced_and_counts(clock: SettableClock) -> None:
    assert Lengthy.seconds > LEASE.total_seconds()
    table = FakeTable(clock)

    async def sleep(seconds: float) -> None:
        for _ in range(10):
            clock.move(seconds / 10)
            await asyncio.sleep(0)

    mine, other = (Circuits(table, clock, some_ids(), sleep) for _ in range(2))
    broken, lengthy = GuardedEmbedder(Broken(), mine), GuardedEmbedder(Lengthy(clock), mine)
    for _ in range(FAILURES):
        with pytest.raises(EmbedderUnavailable):
            await broken.embed_query("bezoek")
    clock.move(60)
    for _ in range(SUCCESSES):
        probing = asyncio.create_task(lengthy.embed_passages(["bezoek"]))
        await passed(clock, LEASE.total_seconds() + 15)
        with pytest.raises(Paused):
            await other.begin(EMBEDDER)
        await probing
    assert mine.paused() == frozenset()


async def test_documents_do_not_wait_for_ever(circuits: Circuits, clock: SettableClock) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.move(seconds)

    embedder = GuardedEmbedder(Broken(), circuits, sleep)
    for _ in range(5):
        with pytest.raises(EmbedderUnavailable):
            await embedder.embed_passages(["bezoek"])
    with pytest.raises(EmbedderUnavailable):
        await embedder.embed_passages(["bezoek"])
    assert sum(slept) <= 150


class DownIndex(FakeIndex):
    """An index that answers no search."""

    asked = 0

    async def find(self, query: PassageQuery) -> Any:
        self.asked += 1
        raise IndexUnavailable("the index does not answer")


async def test_an_index_that_is_down_is_not_searched_and_the_turn_does_not_wait_for_a_second_try(
    circuits: Circuits,
) -> None:
    down = DownIndex()
    index = GuardedIndex(down, circuits)
    query = PassageQuery("default", "bezoek", None)
    for _ in range(5):
        with pytest.raises(IndexUnavailable):
            await index.find(query)
    with pytest.raises(IndexPaused):
        await index.find(query)
    assert down.asked == 5
    installation = await a_hospital(index=index, paused=circuits.paused)
    assert answer(await ask(installation, QUESTION)).disposition == "failed"
    assert down.asked == 5


async def a_guarded_hospital(circuits: Circuits, *answers: Any, **more: Any) -> tuple[Installation, ScriptedModel]:
    cloud = ScriptedModel(*answers)
    installation = await a_hospital(
        cloud=GuardedModel(cloud, circuits, MODEL), paused=circuits.paused, **more
    )
    return Installation(replace(installation.engines, model=None), installation.packs, installation.settings), cloud


async def test_a_turn_through_an_open_circuit_is_quoted_says_so_and_sends_nothing(circuits: Circuits) -> None:
    installation, cloud = await a_guarded_hospital(circuits, *[[DOWN]] * 5)
    for _ in range(5):
        await ask(installation, QUESTION)
    asked = len(cloud.told)
    events = await ask(installation, QUESTION)
    assert (answer(events).disposition, answer(events).model) == ("answered", "extractive")
    assert "14" in answer(events).text
    assert [warning.code for warning in answer(events).warnings] == ["MODEL_UNAVAILABLE"]
    assert len(cloud.told) == asked == 5
    last = installation.engines.outbox.waiting[-1].body["turn"]  # type: ignore[attr-defined]
    assert [sent["to"] for sent in last["egress"] if sent["where"] == "cloud"] == []


async def test_with_two_components_open_every_answer_begins_with_a_warning_until_they_work(
    circuits: Circuits, clock: SettableClock
) -> None:
    broken = Broken()
    broken.down = False
    installation, _ = await a_guarded_hospital(
        circuits, *[[DOWN]] * 5, *[["Van 14 tot 20 uur [1]."]] * 9, embedder=GuardedEmbedder(broken, circuits)
    )
    for down in (False, True):
        broken.down = down
        for _ in range(5):
            await ask(installation, QUESTION)
    events = await ask(installation, QUESTION)
    assert answer(events).warnings[0].code == "DEGRADED"
    emergency = await ask(installation, "mijn vader ademt niet meer")
    assert (answer(emergency).disposition, answer(emergency).warnings) == ("escalated", [])
    broken.down = False
    clock.move(60)
    for _ in range(3):
        events = await ask(installation, QUESTION)
    assert answer(events).warnings == []
    assert answer(events).text.startswith("Van 14 tot 20 uur")


@pytest.mark.parametrize("kind", ["length", "content_filter"])
async def test_a_model_that_a_limit_stopped_goes_on_being_asked(circuits: Circuits, kind: str) -> None:
    stopped = ModelStalled("the model's answer was cut off", kind=kind)
    model = GuardedModel(ScriptedModel(*[["Bezoek ", stopped]] * (FAILURES + 1)), circuits, MODEL)
    for _ in range(FAILURES + 1):
        with pytest.raises(ModelStalled):
            [delta async for delta in model.chat(TOLD)]
