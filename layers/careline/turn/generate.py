"""Has the language model write, from the sources and nothing else."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace
from typing import Literal

from careline.ports import CompletionChunk, LanguageModel, PromptInput, Source
from careline.safety.completion_end import NO_ANSWER
from careline.safety.injection.neutralise import Neutraliser
from careline.turn.turn import EgressRecord, Turn

LANGUAGE_NAMES = {"nl": "Dutch", "en": "English", "fr": "French", "it": "Italian"}
"""Names of the languages in English, the language of the instructions."""
HISTORY = 5
"""Messages of the conversation that the model sees."""


def prompt_input(turn: Turn, *, follows_instructions: bool = True) -> PromptInput:
    """What the model is told: the invariants again, the question, the numbered sources."""
    redacted = turn.phi is not None and turn.route is not None and turn.route.redacted
    history = turn.phi.history if redacted and turn.phi is not None else turn.conversation.messages
    return PromptInput(
        question=turn.without_phi if redacted else turn.question,
        search_text=turn.search_text,
        vector=turn.vector,
        language=turn.language,
        system=system_prompt(turn),
        sources=_as_data(turn) if follows_instructions else turn.sources,
        history=history[-HISTORY:],
        voice=turn.voice,
        foreign_notices=notices(turn),
        unsure_notice=turn.pack.template("unsure_notice", turn.language),
        sure_from=turn.pack.evidence.min_sure,
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
        no_answer=NO_ANSWER,
    )


def _as_data(turn: Turn) -> tuple[Source, ...]:
    """The sources without what in them speaks to a language model; a document instructs its readers only."""
    neutraliser = Neutraliser(turn.pack.injection.rule_sets)
    return tuple(_with_text(one, neutraliser.neutralise(_text(one), one.language).text) for one in turn.sources)


def _text(source: Source) -> str:
    return source.hit.passage.chunk.text


def _with_text(source: Source, text: str) -> Source:
    if text == _text(source):
        return source
    passage = replace(source.hit.passage, chunk=replace(source.hit.passage.chunk, text=text))
    return replace(source, hit=replace(source.hit, passage=passage))


def sent(turn: Turn, model: LanguageModel, where: Literal["local", "cloud"]) -> EgressRecord:
    """What the model is told, for the record: which parts and in which form, none of the words."""
    route = turn.route
    earlier = len(turn.conversation.messages[-HISTORY:])
    what = f"question, {earlier} earlier messages, {len(turn.sources)} passages"
    return EgressRecord(model.name, where, what, route is not None and route.redacted)


async def generate(turn: Turn, model: LanguageModel) -> AsyncGenerator[CompletionChunk, None]:
    """Stream the draft; the model stops when nobody listens any more. Raises: ModelUnavailable, ModelStalled."""
    async with aclosing(model.write(prompt_input(turn, follows_instructions=model.follows_instructions))) as chunks:
        async for completion in chunks:
            yield completion
