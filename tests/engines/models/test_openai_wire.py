"""The OpenAI engines on real bytes: what they ask, what they make of answers, and of every way an answer can fail."""

from __future__ import annotations

import asyncio
import json
import socket
import time
import traceback
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing
from itertools import zip_longest
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai.types.chat.chat_completion_chunk import ChoiceDeltaToolCall, ChoiceDeltaToolCallFunction
from pydantic import SecretStr

from careline.chat import ChatMessage, TextDelta, ToolCall, ToolDefinition
from careline.engines.openai.client import client
from careline.engines.openai.embedder import QUESTION_SECONDS, OpenAIEmbedder
from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices
from careline.engines.openai.tool_calls import ToolCallFragments
from careline.errors import EmbedderUnavailable, ModelStalled, ModelUnavailable, SettingsInvalid
from careline.model import Usage
from careline.settings import OpenAISettings
from tests.emulators.openai import KEY, MODEL, Break, Bytes, Calls, Endpoint, Json, Refusal, fragments, serving


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as opened:
        yield opened


def settings(url: str) -> OpenAISettings:
    return OpenAISettings(base_url=url, api_key=SecretStr(KEY))


@pytest.fixture
async def model(endpoint: Endpoint) -> AsyncIterator[OpenAIModel]:
    async with client(settings(endpoint.url)) as opened:
        yield OpenAIModel(opened, MODEL, Prices(0.4, 1.6), ModelTimeouts(first=0.4, next=0.4))


TOLD = (ChatMessage("system", "Antwoord kort."), ChatMessage("user", "Tot hoe laat mag ik op bezoek?"))
HOURS = ToolDefinition(
    "opening_hours",
    "When a department is open.",
    {"type": "object", "properties": {"department": {"type": "string"}}, "required": ["department"]},
)
CALLS = (
    ("call_Xk1", "opening_hours", '{"department": "radiologie, gebouw “Noord”"}'),
    ("call_Xk2", "opening_hours", '{"department": "cafetaria"}'),
)


async def text_of(model: OpenAIModel) -> str:
    return "".join([delta.text async for delta in model.chat(TOLD) if isinstance(delta, TextDelta)])


async def test_the_words_arrive_in_order_and_the_last_piece_carries_usage_and_cost(model: OpenAIModel) -> None:
    *words, usage = [delta async for delta in model.chat(TOLD)]
    assert words == [TextDelta(word) for word in ("Bezoek ", "mag ", "tot ", "20 uur [1].")]
    assert isinstance(usage, Usage)
    assert (usage.tokens_in, usage.tokens_out, usage.tokens_cached) == (1200, 40, 1024)
    assert usage.cost == pytest.approx((1200 * 0.4 + 40 * 1.6) / 1e6)


async def test_a_request_streams_with_usage_and_shows_the_key_to_the_endpoint_alone(
    model: OpenAIModel, endpoint: Endpoint
) -> None:
    await text_of(model)
    (asked,) = endpoint.requests
    assert (asked["model"], asked["stream"], asked["stream_options"]) == (MODEL, True, {"include_usage": True})
    assert endpoint.keys == [f"Bearer {KEY}"]
    assert KEY not in json.dumps(asked)


async def test_every_role_is_sent_as_the_endpoint_takes_it(model: OpenAIModel, endpoint: Endpoint) -> None:
    call = ToolCall(*CALLS[0])
    asked = ChatMessage("assistant", tool_calls=(call,))
    told = ChatMessage("tool", "Van 8 tot 17 uur.", tool_call_id=call.call_id)
    said = ChatMessage("assistant", "Goedendag.")
    await anext(model.chat([*TOLD, said, asked, told]))
    system, user, assistant, calling, tool = endpoint.requests[0]["messages"]
    assert (system, user) == (
        {"role": "system", "content": "Antwoord kort."},
        {"role": "user", "content": "Tot hoe laat mag ik op bezoek?"},
    )
    assert assistant == {"role": "assistant", "content": "Goedendag."}
    function = {"name": call.name, "arguments": call.arguments}
    calls = [{"id": call.call_id, "type": "function", "function": function}]
    assert calling == {"role": "assistant", "content": None, "tool_calls": calls}
    assert tool == {"role": "tool", "content": "Van 8 tot 17 uur.", "tool_call_id": call.call_id}


async def test_tools_are_offered_with_their_schema_and_none_are_where_there_are_none(
    model: OpenAIModel, endpoint: Endpoint
) -> None:
    await anext(model.chat(TOLD, [HOURS]))
    await anext(model.chat(TOLD))
    with_tools, without = endpoint.requests
    offered = {"name": HOURS.name, "description": HOURS.description, "parameters": dict(HOURS.parameters)}
    assert with_tools["tools"] == [{"type": "function", "function": offered}]
    assert "tools" not in without


async def test_the_fragments_of_calls_become_whole_calls_after_the_words_and_before_the_usage(
    model: OpenAIModel, endpoint: Endpoint
) -> None:
    endpoint.words, endpoint.calls = ("Ik kijk even na. ",), CALLS
    text, first, second, usage = [delta async for delta in model.chat(TOLD, [HOURS])]
    assert text == TextDelta("Ik kijk even na. ")
    assert (first, second) == tuple(ToolCall(*call) for call in CALLS)
    assert isinstance(usage, Usage)


@given(st.lists(st.tuples(st.text(max_size=30), st.integers(1, 7)), min_size=1, max_size=4))
def test_however_arguments_are_cut_and_mixed_each_call_gets_its_own(said: list[tuple[str, int]]) -> None:
    calls = [(f"call_{n}", "opening_hours", json.dumps({"department": text})) for n, (text, _) in enumerate(said)]
    pieces = [list(fragments([call], size)) for call, (_, size) in zip(calls, said, strict=True)]
    put_together = ToolCallFragments()
    for turn in zip_longest(*pieces):
        for index, piece in enumerate(turn):
            if piece is not None:
                put_together.push([_fragment(piece, index)])
    assert put_together.complete() == [ToolCall(*call) for call in calls]
    assert put_together.complete() == []


def _fragment(delta: Json, index: int | None) -> ChoiceDeltaToolCall:
    return ChoiceDeltaToolCall.model_construct(
        index=index, id=delta["tool_calls"][0].get("id"), type="function",
        function=ChoiceDeltaToolCallFunction.model_validate(delta["tool_calls"][0]["function"]),
    )  # fmt: skip


def under_one_index(calls: Calls) -> Iterator[Json]:
    """Every call whole, and all of them under the index 0."""
    for call_id, name, arguments in calls:
        function = {"name": name, "arguments": arguments}
        yield {"tool_calls": [{"index": 0, "id": call_id, "type": "function", "function": function}]}


def without_index(calls: Calls) -> Iterator[Json]:
    """No call has an index; what belongs to which is told by the order alone."""
    for delta in fragments(calls):
        yield {"tool_calls": [{key: value for key, value in delta["tool_calls"][0].items() if key != "index"}]}


def all_in_one(calls: Calls) -> Iterator[Json]:
    """Every call whole, all in one chunk."""
    yield {"tool_calls": [one for n, call in enumerate(calls) for one in _under(n, next(under_one_index([call])))]}


def with_new_ids(calls: Calls) -> Iterator[Json]:
    """An id of its own for every fragment; the first of a call is the one that counts."""
    for n, delta in enumerate(fragments(calls)):
        (one,) = delta["tool_calls"]
        yield {"tool_calls": [{"id": f"other_{n}", **one}]}


def _under(index: int, delta: Json) -> list[Json]:
    return [{**delta["tool_calls"][0], "index": index}]


@pytest.mark.parametrize("cut", [under_one_index, without_index, all_in_one, with_new_ids])
async def test_servers_that_count_calls_in_their_own_way_are_understood(
    model: OpenAIModel, endpoint: Endpoint, cut: Any
) -> None:
    endpoint.words, endpoint.calls, endpoint.cut = (), CALLS, cut
    calls = [delta async for delta in model.chat(TOLD, [HOURS]) if isinstance(delta, ToolCall)]
    assert calls == [ToolCall(*call) for call in CALLS]


async def test_a_call_without_arguments_has_an_empty_object(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.words, endpoint.calls = (), (("call_1", "end_call", ""),)
    assert await anext(model.chat(TOLD, [HOURS])) == ToolCall("call_1", "end_call", "{}")


@pytest.mark.parametrize("how", ["stall", "cut", "malformed", "empty", "error"])
async def test_of_an_answer_that_breaks_off_within_a_call_no_call_is_sent(
    model: OpenAIModel, endpoint: Endpoint, how: str
) -> None:
    endpoint.words, endpoint.calls = (), CALLS
    endpoint.faults.append(Break(how, after=4))
    with pytest.raises(ModelStalled):
        [delta async for delta in model.chat(TOLD, [HOURS])]
    assert len(endpoint.requests) == 1


async def test_a_call_in_which_the_model_ran_out_of_tokens_is_not_sent(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.calls, endpoint.finish_reason = (("call_1", "opening_hours", '{"department": "radio'),), "length"
    said: list[object] = []

    async def read() -> None:
        async for delta in model.chat(TOLD, [HOURS]):
            said.append(delta)

    with pytest.raises(ModelStalled, match="cut off"):
        await read()
    assert not any(isinstance(delta, ToolCall) for delta in said)


@pytest.mark.parametrize(
    ("reason", "kind"), [("length", "length"), ("content_filter", "content_filter"), ("error", "cut_off")]
)
async def test_an_answer_that_was_stopped_says_so_behind_its_last_word(
    model: OpenAIModel, endpoint: Endpoint, reason: str, kind: str
) -> None:
    endpoint.words, endpoint.finish_reason = ("Bezoek kost ", "9"), reason
    said: list[object] = []

    async def read() -> None:
        async for delta in model.chat(TOLD):
            said.append(delta)

    with pytest.raises(ModelStalled) as raised:
        await read()
    assert [delta for delta in said if isinstance(delta, TextDelta)] == [TextDelta("Bezoek kost "), TextDelta("9")]
    assert raised.value.kind == kind


async def test_arguments_of_no_call_cannot_be_read(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.words, endpoint.calls = (), CALLS
    endpoint.cut = lambda _: iter([{"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}])
    with pytest.raises(ModelStalled, match="without a name"):
        [delta async for delta in model.chat(TOLD, [HOURS])]


PASSING: list[Refusal | Break] = [
    Refusal(429, {"retry-after": "7"}), Refusal(500), Refusal(503),
    Break("cut"), Break("malformed"), Break("empty"), Break("error"),
]  # fmt: skip
LASTING: list[Refusal | Break] = [Refusal(400), Refusal(401), Refusal(403), Refusal(404), Break("stall")]
"""Faults that come back, and the one that used up the timeout of whoever waits."""


@pytest.mark.parametrize("fault", LASTING, ids=str)
async def test_a_failure_that_does_not_pass_is_not_tried_again_and_tells_its_kind(
    model: OpenAIModel, endpoint: Endpoint, fault: Refusal | Break
) -> None:
    endpoint.faults.append(fault)
    with pytest.raises(ModelUnavailable) as raised:
        await text_of(model)
    assert type(raised.value) is ModelUnavailable
    assert len(endpoint.requests) == 1
    told = (raised.value.kind, raised.value.answered)
    assert told == (("status", fault.status) if isinstance(fault, Refusal) else ("timeout", None))
    assert KEY not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize("fault", PASSING, ids=str)
async def test_a_failure_before_the_first_word_is_tried_once_more(
    model: OpenAIModel, endpoint: Endpoint, fault: Refusal | Break
) -> None:
    endpoint.faults.append(fault)
    assert await text_of(model) == "Bezoek mag tot 20 uur [1]."
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize("fault", PASSING, ids=str)
async def test_a_second_failure_before_the_first_word_makes_the_model_unavailable(
    model: OpenAIModel, endpoint: Endpoint, fault: Refusal | Break
) -> None:
    endpoint.faults.extend([fault] * 3)
    with pytest.raises(ModelUnavailable) as raised:
        await text_of(model)
    assert type(raised.value) is ModelUnavailable
    assert len(endpoint.requests) == 2
    assert len(endpoint.faults) == 1
    assert raised.value.retry_after == (7 if fault == Refusal(429, {"retry-after": "7"}) else 5)
    shown = "".join(traceback.format_exception(raised.value)) + repr(raised.value) + raised.value.message
    assert KEY not in shown
    assert "geheim" not in shown


UNREADABLE = [b"[]", b"null", b'{"choices": [null]}', b'{"choices": 3}', b'{"choices": [{"delta": 3}]}']


@pytest.mark.parametrize("sent", UNREADABLE)
@pytest.mark.parametrize(("after", "error"), [(0, ModelUnavailable), (2, ModelStalled)])
async def test_a_piece_that_cannot_be_read_is_a_failure_of_the_model(
    model: OpenAIModel, endpoint: Endpoint, sent: bytes, after: int, error: type[ModelUnavailable]
) -> None:
    endpoint.faults.extend([Bytes(sent, after)] * 2)
    with pytest.raises(error):
        await text_of(model)


@pytest.mark.parametrize("sent", [b"[]", b"null", b'{"data": 3}', b'{"data": [null]}', b'{"data": [{"index": 0}]}'])
async def test_vectors_that_cannot_be_read_are_a_failure_of_the_embedder(endpoint: Endpoint, sent: bytes) -> None:
    async with client(settings(endpoint.url)) as opened:
        endpoint.faults.append(Bytes(sent))
        with pytest.raises(EmbedderUnavailable):
            await OpenAIEmbedder(lambda: opened, "text-embedding-3-large", 64).embed_query("tekst")


@pytest.mark.parametrize("how", ["stall", "cut", "malformed", "empty", "error"])
async def test_a_failure_after_the_first_word_is_a_stall_and_is_not_tried_again(
    model: OpenAIModel, endpoint: Endpoint, how: str
) -> None:
    endpoint.faults.append(Break(how, after=2))
    said: list[str] = []

    async def read() -> None:
        async for delta in model.chat(TOLD):
            assert isinstance(delta, TextDelta)
            said.append(delta.text)

    with pytest.raises(ModelStalled) as raised:
        await read()
    assert said == ["Bezoek ", "mag "]
    assert len(endpoint.requests) == 1
    assert "geheim" not in "".join(traceback.format_exception(raised.value))


async def test_nobody_at_the_address_makes_the_model_unavailable() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        async with client(settings(f"http://127.0.0.1:{taken.getsockname()[1]}/v1")) as opened:
            with pytest.raises(ModelUnavailable, match="cannot be reached") as raised:
                await text_of(OpenAIModel(opened, MODEL, Prices(), ModelTimeouts()))
    assert type(raised.value) is ModelUnavailable


async def test_a_reader_who_goes_away_closes_the_connection(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.faults.append(Break("stall", after=1))
    async with aclosing(model.chat(TOLD)) as deltas:
        assert await anext(deltas) == TextDelta("Bezoek ")
    assert await asyncio.to_thread(endpoint.left.acquire, timeout=5)


async def test_a_cancelled_reader_closes_the_connection(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.faults.append(Break("stall", after=1))
    begun = asyncio.Event()

    async def read() -> None:
        async with aclosing(model.chat(TOLD)) as deltas:
            async for _ in deltas:
                begun.set()

    reading = asyncio.create_task(read())
    await begun.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert await asyncio.to_thread(endpoint.left.acquire, timeout=5)


async def test_a_try_that_stalls_is_hung_up_on(model: OpenAIModel, endpoint: Endpoint) -> None:
    endpoint.faults.append(Break("stall"))
    with pytest.raises(ModelUnavailable):
        await text_of(model)
    assert await asyncio.to_thread(endpoint.left.acquire, timeout=5)


async def test_embeddings_come_in_batches_of_a_hundred_in_order_and_of_unit_length(endpoint: Endpoint) -> None:
    texts = [f"tekst {n}" for n in range(250)]
    async with client(settings(endpoint.url)) as opened:
        embedder = OpenAIEmbedder(lambda: opened, "text-embedding-3-large", 64)
        rows = await embedder.embed_passages(texts)
        assert [len(asked["input"]) for asked in endpoint.requests] == [100, 100, 50]
        assert rows.shape == (250, 64)
        assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
        assert np.allclose(rows[137], await embedder.embed_query("tekst 137"), atol=1e-6)
        assert (await embedder.embed_passages([])).shape == (0, 64)
    assert embedder.name == "text-embedding-3-large/64"


async def test_embedding_is_tried_again_after_a_passing_fault_and_not_after_a_refusal(endpoint: Endpoint) -> None:
    async with client(settings(endpoint.url)) as opened:
        embedder = OpenAIEmbedder(lambda: opened, "text-embedding-3-large", 64)
        endpoint.faults.append(Refusal(503))
        assert (await embedder.embed_query("tekst")).shape == (64,)
        endpoint.faults.append(Refusal(401))
        with pytest.raises(EmbedderUnavailable) as raised:
            await embedder.embed_query("tekst")
    assert len(endpoint.requests) == 3
    assert KEY not in "".join(traceback.format_exception(raised.value))


async def test_a_question_waits_no_longer_for_an_embedder_that_is_silent_than_an_answer_may() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        async with client(settings(address)) as opened:
            embedder = OpenAIEmbedder(lambda: opened, "text-embedding-3-large", 64, question_seconds=0.2)
            began = time.monotonic()
            with pytest.raises(EmbedderUnavailable, match=r"within 0\.2 s$") as raised:
                await embedder.embed_query("tekst")
            assert time.monotonic() - began < 10
    assert raised.value.was_asked, "so that its circuit counts it"
    assert QUESTION_SECONDS <= 3


async def test_vectors_of_another_length_or_an_unreadable_answer_make_the_embedder_unavailable(
    endpoint: Endpoint,
) -> None:
    async with client(settings(endpoint.url)) as opened:
        embedder = OpenAIEmbedder(lambda: opened, "text-embedding-3-large", 64)
        endpoint.faults.append(Break("malformed"))
        with pytest.raises(EmbedderUnavailable, match="cannot be read"):
            await embedder.embed_query("tekst")
        endpoint.dimensions = 32
        with pytest.raises(EmbedderUnavailable, match="CARELINE_OPENAI_EMBEDDING_DIMENSIONS"):
            await embedder.embed_query("tekst")


def test_neither_a_key_nor_an_address_is_said_before_anything_is_asked() -> None:
    with pytest.raises(SettingsInvalid, match="CARELINE_OPENAI_API_KEY"):
        client(OpenAISettings())
