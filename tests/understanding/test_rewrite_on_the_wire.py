"""The rewriting call on real bytes: what the model is sent, and what becomes of an answer that is none."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator

import pytest

from careline.engines.openai.client import connect
from careline.engines.openai.structured import ATTEMPTS, OpenAIStructuredCaller
from careline.privacy.detect import Detector
from careline.turn.stages.detect_phi import detect_phi
from careline.turn.stages.search.rewrite_query import rewrite_query
from careline.turn.turn import Turn
from tests.emulators.openai import KEY, Break, Bytes, Endpoint, Refusal, serving
from tests.turn.turns import a_turn, an_installation

FIRST, FOLLOW_UP = "wat kost parkeren op campus Oost", "en voor een week?"
JOINED = f"{FIRST}? {FOLLOW_UP}"
WHOLE = "wat kost parkeren op campus Oost voor een week"
WRITTEN = json.dumps({"question": WHOLE, "entities": []})
NAME, NISS = "Lieselotte Vanhaverbeke", "85.07.30-033.28"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as served:
        served.words = (WRITTEN,)
        yield served


@pytest.fixture
async def caller(endpoint: Endpoint) -> AsyncIterator[OpenAIStructuredCaller]:
    client = connect(endpoint.url, KEY)
    yield OpenAIStructuredCaller(client, "gpt-4.1-mini")
    await client.close()


async def read(caller: OpenAIStructuredCaller, *said: str) -> Turn:
    """The last message, read in the light of the others, with the detector of the product."""
    installation = an_installation(settings={"engines": {"follow_ups": "model"}}, guardrail=caller, detector=Detector())
    turn = await detect_phi(a_turn(said[-1], said=said[:-1]), installation)
    return await rewrite_query(turn, installation)


async def test_the_model_is_told_the_packs_prompt_and_the_shape(
    endpoint: Endpoint, caller: OpenAIStructuredCaller
) -> None:
    turn = await read(caller, FIRST, FOLLOW_UP)
    assert turn.search_text == WHOLE
    (asked,) = endpoint.requests
    assert asked["messages"][0]["content"] == turn.pack.rewrite_prompt
    assert asked["response_format"]["json_schema"]["strict"]
    assert json.loads(asked["messages"][1]["content"]) == {
        "before": [{"role": "user", "text": FIRST}],
        "question": FOLLOW_UP,
    }


async def test_nothing_personal_of_the_whole_conversation_is_sent(
    endpoint: Endpoint, caller: OpenAIStructuredCaller
) -> None:
    turn = await read(caller, f"mijn naam is {NAME}, {FIRST}", f"en voor rijksregisternummer {NISS}?")
    sent = json.dumps(endpoint.requests)
    assert "Vanhaverbeke" not in sent
    assert "033" not in sent
    assert "[PERSON_1]" in sent
    assert [one.redacted for one in turn.sent] == [True]


async def test_an_answer_of_another_shape_is_asked_for_again_and_then_the_question_is_joined(
    endpoint: Endpoint, caller: OpenAIStructuredCaller
) -> None:
    endpoint.words = ('{"question": ""}',)
    turn = await read(caller, FIRST, FOLLOW_UP)
    assert (turn.search_text, len(endpoint.requests)) == (JOINED, ATTEMPTS)
    assert caller.repeated["rewrite_query"] == ATTEMPTS - 1


@pytest.mark.parametrize("fault", [Refusal(401), Break("stall"), Bytes(b"[]"), Bytes(b"<html>")])
async def test_a_model_that_refuses_is_late_or_cannot_be_read_leaves_the_question_joined(
    endpoint: Endpoint, caller: OpenAIStructuredCaller, fault: Refusal | Break | Bytes
) -> None:
    endpoint.faults.append(fault)
    turn = await read(caller, FIRST, FOLLOW_UP)
    assert turn.search_text == JOINED
    assert [one.code for one in turn.warnings] == ["QUESTION_NOT_REWRITTEN"]
