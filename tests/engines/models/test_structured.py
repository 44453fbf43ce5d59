"""Answers of a given shape over the real wire: validated, asked for again within the time there is, then given up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest
from pydantic import BaseModel

from careline.engines.openai.client import connect
from careline.engines.openai.structured import ATTEMPTS, OpenAIStructuredCaller
from careline.errors import AnswerMisshapen, ModelUnavailable
from tests.emulators.openai import KEY, Break, Bytes, Endpoint, Refusal, serving


class Colour(BaseModel):
    """A shape."""

    colour: Literal["red", "green"]


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as served:
        yield served


async def ask(endpoint: Endpoint, seconds: float = 5.0) -> tuple[Colour, OpenAIStructuredCaller]:
    client = connect(endpoint.url, KEY)
    caller = OpenAIStructuredCaller(client, "gpt-4.1-mini")
    try:
        return await caller.ask("test", "Name the colour.", "the sky at dusk", Colour, seconds), caller
    finally:
        await client.close()


async def test_an_answer_of_the_shape_is_given_and_the_model_was_told_the_shape(endpoint: Endpoint) -> None:
    endpoint.words = ('{"colour": ', '"red"}')
    answer, caller = await ask(endpoint)
    assert (answer.colour, sum(caller.repeated.values())) == ("red", 0)
    (asked,) = endpoint.requests
    assert asked["response_format"]["json_schema"]["schema"]["required"] == ["colour"]
    assert [message["content"] for message in asked["messages"]] == ["Name the colour.", "the sky at dusk"]


@pytest.mark.parametrize(
    "written",
    ['<think>Dusk. {"colour": "green"}?</think>\n{}', "[THINK]Red.[/THINK]{}", "```json\n{}\n```", "```\n{}\n```"],
)
async def test_an_answer_behind_reasoning_or_in_a_fence_is_read_at_once(endpoint: Endpoint, written: str) -> None:
    endpoint.words = (written.replace("{}", '{"colour": "red"}'),)
    answer, _ = await ask(endpoint)
    assert (answer.colour, len(endpoint.requests)) == ("red", 1)


@pytest.mark.parametrize("words", ['{"colour": "blue"}', "red", "", '{"color": "red"}'])
async def test_an_answer_of_another_shape_is_asked_for_again_and_given_up_at_last(
    endpoint: Endpoint, words: str
) -> None:
    endpoint.words = (words,)
    with pytest.raises(AnswerMisshapen, match="the shape that test needs"):
        await ask(endpoint)
    assert len(endpoint.requests) == ATTEMPTS


async def test_a_model_that_is_late_is_not_waited_for(endpoint: Endpoint) -> None:
    endpoint.faults.append(Break("stall"))
    with pytest.raises(ModelUnavailable, match="in time"):
        await ask(endpoint, seconds=0.1)


UNREADABLE = {
    "no JSON": b"<html>een geheim</html>",
    "JSON that is cut": b'{"choices": [{"mess',
    "nothing": b"",
    "null": b"null",
    "a list": b"[]",
    "a choice that is none": b'{"choices": [null]}',
    "a choice without a message": b'{"choices": [{"index": 0}]}',
    "a message that is null": b'{"choices": [{"message": null}]}',
    "choices that are a number": b'{"choices": 3}',
    "choices under names": b'{"choices": {"first": {"message": {"content": "{}"}}}}',
    "content in parts": b'{"choices": [{"message": {"content": [{"type": "text", "text": "een geheim"}]}}]}',
    "no UTF-8": b'{"choices": "\xff\xfe"}',
}


@pytest.mark.parametrize("sent", UNREADABLE)
async def test_an_answer_that_cannot_be_read_is_of_a_model_that_is_unavailable(endpoint: Endpoint, sent: str) -> None:
    endpoint.faults.extend([Bytes(UNREADABLE[sent])] * ATTEMPTS)
    with pytest.raises(ModelUnavailable) as caught:
        await ask(endpoint)
    assert "geheim" not in str(caught.value)


async def test_a_model_that_refuses_is_unavailable_and_its_words_are_not_repeated(endpoint: Endpoint) -> None:
    endpoint.faults.append(Refusal(401))
    with pytest.raises(ModelUnavailable) as caught:
        await ask(endpoint)
    assert KEY not in str(caught.value)
