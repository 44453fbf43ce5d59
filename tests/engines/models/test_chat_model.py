"""What every chat model does."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

import pytest

from careline.chat import ChatDelta, ChatMessage, TextDelta, ToolCall, ToolDefinition
from careline.errors import ModelStalled, ModelUnavailable
from careline.model import Usage
from careline.ports import ChatModel
from tests.emulators.openai import MODEL, Break, serving
from tests.fakes import ScriptedModel

TOLD = (ChatMessage("system", "Antwoord kort."), ChatMessage("user", "Hoe laat is het bezoek?"))
WORDS = ("Bezoek mag ", "tot 20 uur [1].")
CALLS = (ToolCall("call_1", "opening_hours", '{"department": "radiologie"}'), ToolCall("call_2", "end_call", "{}"))
TOOLS = [ToolDefinition(name, "What it does.", {"type": "object"}) for name in ("opening_hours", "end_call")]
FAULTS = {"none": [], "before": [Break("cut")] * 2, "after": [Break("cut", after=1)]}


@pytest.fixture(params=["fake", "openai"])
async def model(request: pytest.FixtureRequest) -> AsyncIterator[ChatModel]:
    """An engine whose one answer is the words and then the calls, broken off as `fault` says."""
    fault = request.node.callspec.params.get("fault", "none")
    if request.param == "fake":
        whole = [*WORDS, *CALLS]
        cut = {"before": [ModelUnavailable("")], "after": [WORDS[0], ModelStalled("")]}
        yield ScriptedModel(cut.get(fault, whole))
        return
    from openai import AsyncOpenAI

    from careline.engines.openai.model import ModelTimeouts, OpenAIModel, Prices

    with serving() as endpoint:
        endpoint.words = WORDS
        endpoint.calls = tuple((call.call_id, call.name, call.arguments) for call in CALLS)
        endpoint.faults.extend(FAULTS[fault])
        async with AsyncOpenAI(api_key="k", base_url=endpoint.url, max_retries=0) as client:
            yield OpenAIModel(client, MODEL, Prices(1, 2), ModelTimeouts())


async def test_an_answer_is_its_words_its_calls_and_last_what_it_consumed(model: ChatModel) -> None:
    *said, usage = [delta async for delta in model.chat(TOLD, TOOLS)]
    assert said == [*map(TextDelta, WORDS), *CALLS]
    assert isinstance(usage, Usage)
    assert model.name


async def test_a_reader_may_go_away_at_any_piece(model: ChatModel) -> None:
    async with aclosing(model.chat(TOLD)) as deltas:
        assert await anext(deltas) == TextDelta(WORDS[0])


@pytest.mark.parametrize(("fault", "error"), [("before", ModelUnavailable), ("after", ModelStalled)])
async def test_a_fault_is_told_by_whether_the_answer_had_begun(
    model: ChatModel, fault: str, error: type[Exception]
) -> None:
    said: list[ChatDelta] = []

    async def read() -> None:
        async for delta in model.chat(TOLD, TOOLS):
            said.append(delta)

    with pytest.raises(ModelUnavailable) as raised:
        await read()
    assert type(raised.value) is error
    assert said == ([TextDelta(WORDS[0])] if fault == "after" else [])
