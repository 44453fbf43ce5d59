"""Has the answer written from the sources and nothing else: by a language model, or by quoting them."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Literal

from careline.chat import ChatDelta, ChatMessage
from careline.model import Message
from careline.ports import ChatModel, Source
from careline.quoting.quoting_input import QuotingInput
from careline.quoting.writer import Quotation, quotations
from careline.safety.completion_end import NO_ANSWER
from careline.safety.injection.neutralise import Neutraliser
from careline.turn.case import case_told
from careline.turn.question.asked_persons import asked_persons
from careline.turn.turn import EgressRecord, Turn
from careline.value_framework.findings import notes_for_model
from careline.value_framework.units import notices as unit_notices

LANGUAGE_NAMES = {"nl": "Dutch", "en": "English", "fr": "French", "it": "Italian"}
"""Names of the languages in English, the language of the instructions."""
HISTORY = 5
"""Messages of the conversation that the model sees."""
_SOURCES_TAG = re.compile(r"<\s*(?:/\s*)?sources\b[^>]*>?", re.IGNORECASE)


def messages(turn: Turn) -> list[ChatMessage]:
    """What a language model is told: the invariants again with the numbered sources as data, earlier messages, the
    question."""
    sources = "\n\n".join(
        _within_block(f"[{source.number}] {source.title} ({source.language})\n{_text(source)}")
        for source in _as_data(turn)
    )
    told = "\n\n".join(filter(None, (system_prompt(turn), notes_for_model(turn.value))))
    instructions = f"{told}\n\n<sources>\n{sources}\n</sources>"
    history = (ChatMessage(one.role, one.text) for one in _history(turn))
    return [ChatMessage("system", instructions), *history, ChatMessage("user", _asked(turn))]


def quoting_input(turn: Turn) -> QuotingInput:
    """What is quoted from, and how it is to be said."""
    return QuotingInput(
        question=_question(turn),
        search_text=turn.search_text,
        language=turn.language,
        sources=turn.sources,
        voice=turn.voice,
        foreign_notices=notices(turn),
        unsure_notice=turn.pack.template("unsure_notice", turn.language),
        sure_from=turn.sure_from,
        unit_notice=turn.pack.template("unit_notice", turn.language),
        persons=asked_persons(turn),
        primary=turn.value.primary if turn.value is not None and turn.value.row is not None else None,
    )


def _question(turn: Turn) -> str:
    """What is answered. Of a request that nobody fulfils here: how it is done, as a writer might say that it was."""
    if turn.act is not None:
        return turn.search_text
    return turn.without_phi if turn.route is not None and turn.route.redacted else turn.question


def _asked(turn: Turn) -> str:
    """The question behind what is known of the patient whom it is about."""
    patient = case_told(turn)
    return f"{_within_block(patient)}\n\n{_question(turn)}" if patient else _question(turn)


def _history(turn: Turn) -> tuple[Message, ...]:
    redacted = turn.phi is not None and turn.route is not None and turn.route.redacted
    history = turn.phi.history if redacted and turn.phi is not None else turn.conversation.messages
    return history[-HISTORY:]


def notices(turn: Turn) -> dict[str, str]:
    """What is said before quoting a source in another language, by source language; `{title}` is left to fill. Of one
    whose language is not known nothing is said."""
    spoken = turn.pack.replies[turn.language] if turn.language in turn.pack.replies else {}
    written_in = {source.language for source in turn.sources} - {turn.language, ""}
    template = turn.pack.template("foreign_notice", turn.language)
    names = {code: spoken.get(f"language_{code}") or spoken.get("language_other", code) for code in written_in}
    return {code: template.replace("{language_name}", name) for code, name in names.items()}


def is_unit_notice(sentence: str, turn: Turn) -> bool:
    """Whether a sentence is the pack's own that prices are by another unit than was asked for."""
    return sentence.strip() in unit_notices(turn.pack.template("unit_notice", turn.language), turn.language)


def system_prompt(turn: Turn) -> str:
    """The pack's instructions, restated every turn."""
    return turn.pack.system_prompt.format(
        hospital=turn.tenant.name_in(turn.language) or "the hospital",
        language_name=LANGUAGE_NAMES[turn.language],
        emergency_number=turn.tenant.emergency_number,
        no_answer=NO_ANSWER,
    )


def _within_block(text: str) -> str:
    """The text without anything that would end the block of sources it stands in."""
    return _SOURCES_TAG.sub("(sources)", text)


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


def sent(turn: Turn, to: str, where: Literal["local", "cloud"]) -> EgressRecord:
    """What a writer is told, for the record: which parts and in which form, none of the words."""
    route = turn.route
    earlier = len(turn.conversation.messages[-HISTORY:])
    patient = "the patient's case, " if case_told(turn) else ""
    what = f"question, {patient}{earlier} earlier messages, {len(turn.sources)} passages"
    return EgressRecord(to, where, what, route is not None and route.redacted)


def generate(turn: Turn, model: ChatModel) -> AsyncGenerator[ChatDelta, None]:
    """Stream what the model writes; closing it stops the model. Raises: ModelUnavailable, ModelStalled."""
    return model.chat(messages(turn))


async def quote(turn: Turn) -> AsyncGenerator[Quotation, None]:
    """Quote the sources, piece by piece."""
    for quotation in quotations(quoting_input(turn)):
        yield quotation
