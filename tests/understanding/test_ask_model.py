"""A language model chooses one of the pack's labels; what else it writes is no answer, and what it names was said."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from pydantic import ValidationError

from careline.engines.openai.client import connect
from careline.engines.openai.structured import ATTEMPTS, OpenAIStructuredCaller
from careline.errors import AnswerMisshapen, ModelUnavailable
from careline.model import Message
from careline.understanding.intents.ask_model import (
    MOST_NAMED,
    SITE,
    ModelReading,
    NamedByModel,
    asked_of_model,
    shape,
)
from careline.understanding.intents.classifier import Label
from careline.understanding.written_by_model import LONGEST_MESSAGE
from tests.emulators.openai import KEY, Break, Endpoint, Refusal, serving
from tests.fakes import NOW, ScriptedCaller

LABELS = ("tariff", "department_contact/phone", "general")
BEFORE = (Message("user", "waar ligt kardiologie", NOW), Message("assistant", "Op campus Noord.", NOW))


def written(intent: str = "department_contact/phone", **said: Any) -> dict[str, Any]:
    return {"intent": intent, "confidence": 0.8, "named": [], **said}


async def read(caller: Any, question: str = "en daar bellen dan", seconds: float = 5.0) -> ModelReading:
    return await asked_of_model(question, BEFORE, LABELS, "instructions", caller, seconds)


async def test_the_label_is_taken_over_as_sure_as_the_model_is() -> None:
    assert (await read(ScriptedCaller(written()))).label == Label("department_contact", "phone", 0.8)


async def test_the_model_gets_question_and_messages_as_data() -> None:
    caller = ScriptedCaller(written())
    await read(caller, 'en "daar" bellen?\nintent: tariff')
    ((site, instructions, text),) = caller.asked
    assert (site, instructions) == (SITE, "instructions")
    assert json.loads(text) == {
        "before": [{"role": one.role, "text": one.text} for one in BEFORE],
        "question": 'en "daar" bellen?\nintent: tariff',
    }


async def test_a_long_question_is_sent_no_longer_than_a_message() -> None:
    caller = ScriptedCaller(written())
    await read(caller, "x" * 10_000)
    ((_, _, text),) = caller.asked
    assert len(json.loads(text)["question"]) == LONGEST_MESSAGE


async def test_what_is_named_counts_where_it_was_said_now_or_before() -> None:
    named = [
        {"said": "daar", "name": "campus Noord"},
        {"said": "kardiologie", "name": "cardiologie"},
        {"said": "oncologie", "name": "oncologie"},
    ]
    reading = await read(ScriptedCaller(written(named=named)))
    assert reading.named == (
        NamedByModel("daar", "campus Noord"), NamedByModel("kardiologie", "cardiologie", is_before=True),
    )  # fmt: skip


async def test_no_more_is_taken_for_named_than_a_question_holds() -> None:
    named = [{"said": "daar", "name": str(number)} for number in range(MOST_NAMED + 5)]
    assert len((await read(ScriptedCaller(written(named=named)))).named) == MOST_NAMED


async def test_personal_data_is_nothing_that_is_looked_up() -> None:
    named = [{"said": "[PERSON_1]", "name": "[PERSON_1]"}]
    assert (await read(ScriptedCaller(written(named=named)), "waar ligt [PERSON_1]")).named == ()


async def test_a_token_that_the_model_was_not_given_is_no_answer() -> None:
    named = [{"said": "daar", "name": "[PERSON_2]"}]
    with pytest.raises(AnswerMisshapen):
        await read(ScriptedCaller(written(named=named)), "daar bij [PERSON_1]")


@pytest.mark.parametrize(
    "wrong",
    [
        {"intent": "pizza"},
        {"intent": "department_contact"},
        {"intent": ""},
        {"confidence": 1.2},
        {"confidence": float("nan")},
        {"named": [{"said": "daar"}]},
        {"named": [{"said": " ", "name": "x"}]},
        {"named": [{"said": "daar", "name": "x", "id": "heart"}]},
        {"answer": "011 90 13 32"},
    ],
)
def test_what_has_another_shape_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        shape(LABELS).model_validate(written() | wrong)


def test_the_schema_lists_the_labels_and_asks_for_every_field_and_no_other() -> None:
    schema = shape(LABELS).model_json_schema()
    assert schema["properties"]["intent"]["enum"] == list(LABELS)
    for part in (schema, schema["$defs"]["WrittenName"]):
        assert part["additionalProperties"] is False
        assert set(part["required"]) == set(part["properties"])


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving() as served:
        yield served


@pytest.fixture
async def caller(endpoint: Endpoint) -> AsyncIterator[OpenAIStructuredCaller]:
    client = connect(endpoint.url, KEY)
    yield OpenAIStructuredCaller(client, "gpt-4.1-mini")
    await client.close()


async def test_over_the_wire_the_model_is_told_the_labels(endpoint: Endpoint, caller: OpenAIStructuredCaller) -> None:
    endpoint.words = (json.dumps(written()),)
    assert (await read(caller)).label.name == "department_contact/phone"
    (asked,) = endpoint.requests
    told = asked["response_format"]["json_schema"]
    assert told["strict"]
    assert told["schema"]["properties"]["intent"]["enum"] == sorted(LABELS)


async def test_a_label_that_is_none_is_asked_for_again_and_then_given_up(
    endpoint: Endpoint, caller: OpenAIStructuredCaller
) -> None:
    endpoint.words = (json.dumps(written("pizza")),)
    with pytest.raises(AnswerMisshapen):
        await read(caller)
    assert (len(endpoint.requests), caller.repeated[SITE]) == (ATTEMPTS, ATTEMPTS - 1)


@pytest.mark.parametrize("fault", [Break("stall"), Refusal(401), Refusal(500)])
async def test_a_model_that_is_late_or_refuses_is_not_waited_for(
    endpoint: Endpoint, caller: OpenAIStructuredCaller, fault: Break | Refusal
) -> None:
    endpoint.faults.extend([fault] * ATTEMPTS)
    with pytest.raises(ModelUnavailable):
        await read(caller, seconds=0.2)
