"""Asks a language model once what somebody wants, where the classifier does not know.

It chooses one of the pack's labels. What it says is named it gives as words: those that stand in what it was told
count, and are looked up in the directory by whoever asked; an id of its own counts for nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator, Field, create_model

from careline.model import Message
from careline.ports import StructuredCaller
from careline.privacy.redaction.redact import tokens
from careline.understanding.intents.classifier import Label
from careline.understanding.written_by_model import (
    LONGEST_MESSAGE,
    Written,
    WrittenShare,
    WrittenText,
    seen_before,
    written,
)

SITE = "understand"
MOST_NAMED = 6


class WrittenName(Written):
    """Something named, as a model writes it: in the words of what it was told, and as it is properly spelt."""

    said: WrittenText
    name: WrittenText


class WrittenIntent(Written):
    """What a model is asked for; `shape` says which labels there are."""

    intent: str
    confidence: WrittenShare
    named: list[WrittenName]


@dataclass(frozen=True, slots=True)
class NamedByModel:
    """Words of the question, or of the messages before it (`is_before`), and how a model spells what they name."""

    said: str
    name: str
    is_before: bool = False


@dataclass(frozen=True, slots=True)
class ModelReading:
    """What a model makes of a question: the label, as sure as it says it is, and what is named."""

    label: Label
    named: tuple[NamedByModel, ...] = ()


@lru_cache(maxsize=32)
def shape(labels: tuple[str, ...]) -> type[WrittenIntent]:
    """The shape of an answer that chooses one of these labels."""

    def known(label: str) -> str:
        if label not in labels:
            raise ValueError("is none of the labels")
        return label

    chosen = Annotated[str, AfterValidator(known), Field(json_schema_extra={"enum": list(labels)})]
    return create_model("WrittenIntent", __base__=WrittenIntent, intent=(chosen, ...))


async def asked_of_model(
    question: str,
    messages: Sequence[Message],
    labels: Sequence[str],
    instructions: str,
    caller: StructuredCaller,
    seconds: float,
) -> ModelReading:
    """What is wanted, by a model, within `seconds`. `question` and `messages` hold typed tokens for personal data.

    Raises: ModelUnavailable, which AnswerMisshapen is: also for a label that is none, and for tokens that nobody gave
    the model.
    """
    question = question[:LONGEST_MESSAGE]
    before = seen_before(messages)
    seen = await written(SITE, instructions, question, before, shape(tuple(sorted(labels))), caller, seconds)
    intent, _, sub_intent = seen.intent.partition("/")
    texts = [one["text"] for one in before]
    return ModelReading(Label(intent, sub_intent, seen.confidence), tuple(_said(seen.named, question, texts)))


def _said(named: Sequence[WrittenName], question: str, before: Sequence[str]) -> list[NamedByModel]:
    """What of it was said by somebody, and is no personal data."""
    found = []
    for one in named[:MOST_NAMED]:
        is_now = one.said in question
        if (is_now or any(one.said in text for text in before)) and not tokens(f"{one.said} {one.name}"):
            found.append(NamedByModel(one.said, one.name, not is_now))
    return found
