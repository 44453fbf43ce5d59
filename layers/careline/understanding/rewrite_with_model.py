"""Asks a language model once what is asked: a question that stands by itself, the intent and what is named.

What the model sees holds typed tokens in place of personal data, and nothing up to the last question that was refused.
What it writes is data like what a caller says: it is searched for, unless the rules or the lexical classifiers would
refuse it had a caller said it; no sentence embedding is made of it (`careline.turn.stages.rewrite_query`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from careline.errors import AnswerMisshapen
from careline.model import Message
from careline.ports import StructuredCaller
from careline.privacy.redaction.redact import tokens
from careline.understanding.question import GENERAL, Entity, Intent, StandaloneQuestion

SITE = "rewrite_query"
TIMEOUT = 1.5
"""Seconds for all attempts together."""
MESSAGES = 6
"""Messages before the question that the model sees, newest ones."""
LONGEST_MESSAGE = 600
"""Characters of each."""
LONGEST = 400
"""Characters of a question: what is longer is none."""
MOST_ENTITIES = 12
LEAST_CONFIDENCE = 0.3
"""An intent of less confidence is no intent."""


def _checked_text(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST:
        raise ValueError(f"must be 1 to {LONGEST} characters")
    return text.strip()


def _checked_share(share: float) -> float:
    if not 0 <= share <= 1:
        raise ValueError("must lie between 0 and 1")
    return share


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid")


_Text = Annotated[str, AfterValidator(_checked_text)]
"""Checked here and not by the schema, of which not every endpoint takes limits of length."""


class WrittenIntent(_Written):
    """The intent as a model writes it."""

    name: Literal["general"]
    confidence: Annotated[float, AfterValidator(_checked_share)]


class WrittenEntity(_Written):
    """Something named, as a model writes it."""

    kind: _Text
    text: _Text


class RewrittenQuestion(_Written):
    """What the model is asked for."""

    question: _Text
    intent: WrittenIntent
    entities: list[WrittenEntity]


async def rewritten(
    question: str, messages: Sequence[Message], instructions: str, caller: StructuredCaller
) -> StandaloneQuestion:
    """What is asked, by a model. `question` and `messages` hold typed tokens in place of personal data.

    Raises: ModelUnavailable, which AnswerMisshapen is, also for tokens that nobody gave the model.
    """
    told = [{"role": one.role, "text": one.text[:LONGEST_MESSAGE]} for one in messages[-MESSAGES:]]
    asked = json.dumps({"before": told, "question": question}, ensure_ascii=False)
    seen = await caller.ask(SITE, instructions, asked, RewrittenQuestion, TIMEOUT)
    if set(tokens(seen.model_dump_json())) - set(tokens(asked)):
        raise AnswerMisshapen("the language model wrote a token for personal data that it was not given")
    sure = seen.intent.confidence >= LEAST_CONFIDENCE
    return StandaloneQuestion(
        seen.question,
        leans=seen.question != question.strip(),
        intent=Intent(seen.intent.name, seen.intent.confidence) if sure else GENERAL,
        entities=tuple(Entity(one.kind, one.text) for one in seen.entities[:MOST_ENTITIES]),
    )
