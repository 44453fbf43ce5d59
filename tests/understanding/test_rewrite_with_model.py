"""One structured call says what is asked; whatever it cannot be held to is no answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from careline.errors import AnswerMisshapen, ModelUnavailable
from careline.model import Message
from careline.understanding.question import Entity
from careline.understanding.rewrite_with_model import RewrittenQuestion, rewritten
from careline.understanding.written_by_model import LONGEST
from tests.fakes import NOW, ScriptedCaller

BEFORE = (
    Message("user", "wat zijn de bezoekuren op cardiologie", NOW),
    Message("assistant", "Van 14 tot 20 uur.", NOW),
)


def written(question: str = "wat zijn de bezoekuren op cardiologie op zondag", **said: Any) -> dict[str, Any]:
    return {"question": question, "entities": [], **said}


async def test_the_question_and_what_is_named_are_taken_over() -> None:
    entities = [{"kind": "department", "text": "cardiologie"}, {"kind": "day", "text": "zondag"}]
    caller = ScriptedCaller(written(entities=entities))
    asked = await rewritten("en op zondag?", BEFORE, "instructions", caller)
    assert asked.text == "wat zijn de bezoekuren op cardiologie op zondag"
    assert asked.leans
    assert asked.entities == (Entity("department", "cardiologie"), Entity("day", "zondag"))


async def test_the_model_gets_question_and_messages_as_data() -> None:
    caller = ScriptedCaller(written())
    await rewritten('en "op" zondag?', BEFORE, "instructions", caller)
    (site, instructions, text), *_ = caller.asked
    assert (site, instructions) == ("rewrite_query", "instructions")
    told = json.loads(text)
    assert told["question"] == 'en "op" zondag?'
    assert [one["role"] for one in told["before"]] == ["user", "assistant"]


async def test_a_question_that_stays_as_it_is_leans_on_nothing() -> None:
    asked = await rewritten("is er wifi?", BEFORE, "", ScriptedCaller(written("is er wifi?")))
    assert not asked.leans


async def test_a_token_that_the_model_was_not_given_is_no_answer() -> None:
    with pytest.raises(AnswerMisshapen):
        await rewritten("en op zondag?", BEFORE, "", ScriptedCaller(written("wanneer mag [PERSON_1] bezoek krijgen")))
    kept = await rewritten("en [PERSON_1]?", BEFORE, "", ScriptedCaller(written("wanneer mag [PERSON_1] komen")))
    assert "[PERSON_1]" in kept.text


async def test_a_model_that_does_not_answer_is_told_of() -> None:
    with pytest.raises(ModelUnavailable):
        await rewritten("en op zondag?", BEFORE, "", ScriptedCaller(ModelUnavailable("late")))


@pytest.mark.parametrize(
    "wrong",
    [
        {"question": " "},
        {"question": "x" * (LONGEST + 1)},
        {"entities": [{"kind": "day"}]},
        {"answer": "14 tot 20 uur"},
    ],
)
def test_what_has_another_shape_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        RewrittenQuestion.model_validate(written() | wrong)


def test_the_schema_asks_for_every_field_and_no_other() -> None:
    def closed(part: type[BaseModel]) -> bool:
        schema = part.model_json_schema()
        return schema["additionalProperties"] is False and set(schema["required"]) == set(schema["properties"])

    assert closed(RewrittenQuestion)
