"""Has a language model write of a question in a given shape, and what every such answer is held to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

from careline.errors import AnswerMisshapen
from careline.model import Message
from careline.ports import Shaped, StructuredCaller
from careline.privacy.redaction.redact import tokens

MESSAGES = 6
"""Messages before the question that the model sees, newest ones."""
LONGEST_MESSAGE = 600
"""Characters of each."""
LONGEST = 400
"""Characters of a text: what is longer is none."""


def _checked_text(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST:
        raise ValueError(f"must be 1 to {LONGEST} characters")
    return text.strip()


def _checked_share(share: float) -> float:
    if not 0 <= share <= 1:
        raise ValueError("must lie between 0 and 1")
    return share


class Written(BaseModel):
    """A part of an answer: every field of it, and no other."""

    model_config = ConfigDict(extra="forbid")


WrittenText = Annotated[str, AfterValidator(_checked_text)]
"""Checked here and not by the schema, of which not every endpoint takes limits of length."""
WrittenShare = Annotated[float, AfterValidator(_checked_share)]


def seen_before(messages: Sequence[Message]) -> list[dict[str, str]]:
    """What a model sees of the messages before a question."""
    return [{"role": one.role, "text": one.text[:LONGEST_MESSAGE]} for one in messages[-MESSAGES:]]


async def written(
    site: str,
    instructions: str,
    question: str,
    before: Sequence[dict[str, str]],
    shape: type[Shaped],
    caller: StructuredCaller,
    seconds: float,
) -> Shaped:
    """What a model writes of a question behind what it sees of the messages before, within `seconds`. Both hold typed
    tokens in place of personal data.

    Raises: ModelUnavailable, which AnswerMisshapen is, also for tokens that nobody gave the model.
    """
    told = json.dumps({"before": before, "question": question}, ensure_ascii=False)
    seen = await caller.ask(site, instructions, told, shape, seconds)
    if set(tokens(seen.model_dump_json())) - set(tokens(told)):
        raise AnswerMisshapen("the language model wrote a token for personal data that it was not given")
    return seen
