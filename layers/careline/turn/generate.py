"""Has the language model write, from the sources and nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from careline.ports import Brief, Draft
from careline.turn.turn import Installation, Turn

LANGUAGE_NAMES = {"nl": "Dutch", "en": "English", "fr": "French", "it": "Italian"}
"""Names of the languages in English, the language of the instructions."""
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
        foreign_notices=notices(turn),
    )


def notices(turn: Turn) -> dict[str, str]:
    """What is said before quoting a source in another language, by source language; `{title}` is left to fill."""
    spoken = turn.pack.replies[turn.language] if turn.language in turn.pack.replies else {}
    written_in = {source.language for source in turn.sources} - {turn.language}
    template = turn.pack.template("foreign_notice", turn.language)
    names = {code: spoken.get(f"language_{code}") or spoken.get("language_other", code) for code in written_in}
    return {code: template.replace("{language_name}", name) for code, name in names.items()}


def system_prompt(turn: Turn) -> str:
    """The pack's instructions, restated every turn."""
    return turn.pack.system_prompt.format(
        hospital=turn.tenant.name_in(turn.language) or "the hospital",
        language_name=LANGUAGE_NAMES[turn.language],
        emergency_number=turn.tenant.emergency_number,
    )


async def generate(turn: Turn, installation: Installation) -> AsyncGenerator[Draft, None]:
    """Stream the draft; the model stops when nobody listens any more. Raises: ModelUnavailable, ModelStalled."""
    async with aclosing(installation.engines.model.write(brief(turn))) as drafts:
        async for draft in drafts:
            yield draft
