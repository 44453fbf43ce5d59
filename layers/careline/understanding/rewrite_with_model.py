"""Asks a language model once what is asked: a question that stands by itself, and what is named.

What the model sees holds typed tokens in place of personal data, and nothing up to the last question that was refused.
What it writes is data like what a caller says: it is searched for, unless the rules or the lexical classifiers would
refuse it had a caller said it; no sentence embedding is made of it (`careline.turn.stages.search.rewrite_query`).
"""

from __future__ import annotations

from collections.abc import Sequence

from careline.model import Message
from careline.ports import StructuredCaller
from careline.understanding.question import Entity, StandaloneQuestion
from careline.understanding.written_by_model import Written, WrittenText, seen_before, written

SITE = "rewrite_query"
TIMEOUT = 1.5
"""Seconds for all attempts together."""
MOST_ENTITIES = 12


class WrittenEntity(Written):
    """Something named, as a model writes it."""

    kind: WrittenText
    text: WrittenText


class RewrittenQuestion(Written):
    """What the model is asked for."""

    question: WrittenText
    entities: list[WrittenEntity]


async def rewritten(
    question: str, messages: Sequence[Message], instructions: str, caller: StructuredCaller
) -> StandaloneQuestion:
    """What is asked, by a model. `question` and `messages` hold typed tokens in place of personal data.

    Raises: ModelUnavailable, which AnswerMisshapen is, also for tokens that nobody gave the model.
    """
    seen = await written(SITE, instructions, question, seen_before(messages), RewrittenQuestion, caller, TIMEOUT)
    return StandaloneQuestion(
        seen.question,
        leans=seen.question != question.strip(),
        entities=tuple(Entity(one.kind, one.text) for one in seen.entities[:MOST_ENTITIES]),
    )
