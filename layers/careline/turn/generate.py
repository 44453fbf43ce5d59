"""Has the language model write, from the sources and nothing else."""

from __future__ import annotations

from collections.abc import AsyncIterator

from careline.ports import Brief, Draft
from careline.turn.turn import Installation, Turn

HISTORY = 5
"""Messages of the conversation that the model sees."""


def brief(turn: Turn) -> Brief:
    """What the model is told: the invariants again, the question, the numbered sources."""
    return Brief(
        question=turn.question,
        search_text=turn.search_text,
        vector=turn.vector,
        language=turn.language,
        system=system_prompt(turn),
        sources=turn.sources,
        history=turn.conversation.messages[-HISTORY:],
        voice=turn.voice,
        foreign_notice=turn.pack.template("foreign_notice", turn.language),
    )


def system_prompt(turn: Turn) -> str:
    """The pack's instructions, restated every turn (spec S3)."""
    hospital = turn.tenant.name_in(turn.language) or "the hospital"
    language = turn.pack.language_name(turn.language, "en")
    length = "Answer in one or two sentences." if turn.voice else "Answer briefly; use a list where it helps."
    return turn.pack.system_prompt.format(hospital=hospital, language=language, length=length)


async def generate(turn: Turn, installation: Installation) -> AsyncIterator[Draft]:
    """Stream the draft. Raises: ModelUnavailable, ModelStalled."""
    async for draft in installation.engines.model.write(brief(turn)):
        yield draft
