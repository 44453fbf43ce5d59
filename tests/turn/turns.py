"""Builders for the tests of a turn: an installation over fakes with the real packs, a turn on its way, its events."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from careline.chat import ChatMessage
from careline.conversation import names, store
from careline.installation import Installation
from careline.model import Conversation, Hit, Message, Passage
from careline.packs.packs import Pack, load_packs
from careline.ports import PassageQuery, Source
from careline.quoting.quoting_input import QuotingInput
from careline.quoting.writer import Quotation
from careline.schemas import wire
from careline.settings import Settings
from careline.tenants.tenant_records import Tenant
from careline.turn import pipeline
from careline.turn.speak import generate
from careline.turn.turn import Turn
from tests.builders import a_passage, some_engines
from tests.fake_index import FakeIndex
from tests.fakes import KEY, NOW, FakeEmbedder, Line, ScriptedModel

TENANT = "default"
TRACE = "trace-0001"
TALK = names.ours("talk", TENANT, KEY)
"""The name under which the conversation is kept that tests call `talk`."""


@cache
def packs() -> dict[str, Pack]:
    """The packs as they are shipped, except that the fake index's scores are enough to answer from."""
    shipped = load_packs(Settings().packs)
    return {
        name: replace(pack, evidence=pack.evidence.model_copy(update={"min_relative_similarity": 0.0}))
        for name, pack in shipped.items()
    }


def an_installation(*answers: Iterable[Line], **chosen: Any) -> Installation:
    """Fakes behind every port; `answers` are what the model writes, one a call."""
    settings = Settings(home=Path("/nowhere"), **chosen.pop("settings", {}))
    return Installation(some_engines(model=ScriptedModel(*answers), **chosen), packs(), settings)


async def with_passages(installation: Installation, *passages: Passage) -> Installation:
    """The installation with passages that can be found."""
    index = installation.engines.index
    for passage in passages:
        await index.add([passage], await FakeEmbedder().embed_passages([passage.chunk.text]))
        await index.activate(passage.tenant, passage.doc_key, passage.version)
    return installation


async def a_hospital(*answers: Iterable[Line], **chosen: Any) -> Installation:
    """An installation whose documents say when visitors are welcome and what parking costs."""
    return await with_passages(
        an_installation(*answers, **chosen),
        a_passage("Bezoek is welkom van 14 tot 20 uur.", tenant=TENANT, doc_key="brochure-bezoek"),
        a_passage(
            "Parkeren kost 2,50 euro per uur.", tenant=TENANT, doc_key="brochure-parkeren", facts={"title": "Parkeren"}
        ),
    )


def a_turn(question: str = "wanneer is er bezoek", **chosen: Any) -> Turn:
    """A turn of the hospital line in Dutch. `said` are earlier user messages, `sources` the texts to answer from."""
    said, texts = chosen.pop("said", ()), chosen.pop("sources", ())
    asked = {name: chosen.pop(name) for name in ("channel", "preferences", "language_asked", "user") if name in chosen}
    request = wire.QueryRequest(text=question, language=asked.pop("language_asked", None), **asked)
    messages = tuple(Message("user", text, NOW) for text in said)
    defaults: dict[str, Any] = {
        "turn_id": "turn-1", "trace_id": TRACE, "began_at": NOW, "request": request, "tenant": Tenant(TENANT),
        "pack": packs()["hospital_line"], "conversation": Conversation("talk", TENANT, messages), "language": "nl",
        "search_text": question, "sources": some_sources(*texts),
    }  # fmt: skip
    return Turn(**{**defaults, **chosen})


def a_hit(score: float = 0.9, text: str = "Bezoek is welkom.", **said: Any) -> Hit:
    """A hit of a passage of its own."""
    measured = {name: said.pop(name) for name in ("similarity", "relative_similarity", "coverage") if name in said}
    return Hit(a_passage(text, **said), score, **{"similarity": 0.8, "relative_similarity": 0.2, **measured})


def some_sources(*texts: str) -> tuple[Source, ...]:
    """Numbered sources that hold these texts, each of a document of its own."""
    hits = [a_hit(text=text, doc_key=f"brochure-{number}") for number, text in enumerate(texts, 1)]
    return tuple(Source(number, f"Brochure {number}", "nl", hit) for number, hit in enumerate(hits, 1))


async def ask(installation: Installation, text: str, **more: Any) -> list[wire.Event]:
    """Every event of a turn."""
    request = wire.QueryRequest(text=text, **more)
    return [event async for event in pipeline.run(request, installation, TRACE)]


def quote_instead(monkeypatch: pytest.MonkeyPatch, *said: str | BaseException) -> None:
    """Has the quoting writer say these pieces, and raise an error where one stands."""

    def quotations(quoting_input: QuotingInput) -> Iterator[Quotation]:
        for piece in said:
            if isinstance(piece, BaseException):
                raise piece
            yield Quotation(piece)

    monkeypatch.setattr(generate, "quotations", quotations)


def sources_told(messages: Sequence[ChatMessage]) -> dict[str, int]:
    """The numbers of the sources in what a language model was told, by their titles."""
    return {title: int(number) for number, title in re.findall(r"^\[(\d+)\] (.*) \(\w\w\)$", messages[0].text, re.M)}


async def kept_messages(installation: Installation, limit: int = 100) -> tuple[Message, ...]:
    """The messages of `talk` as they are kept, decrypted."""
    return await store.last_messages(TENANT, TALK, limit, installation.engines)


def answer(events: Sequence[wire.Event]) -> wire.Answer:
    """The answer that events end in."""
    done = events[-1]
    assert isinstance(done, wire.Done), done
    return done.answer


def shown(events: Sequence[wire.Event]) -> str:
    """What a client has shown or spoken when the events are over."""
    return "".join(event.text for event in events if isinstance(event, wire.Token))


class WatchedIndex(FakeIndex):
    """Remembers what was looked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[PassageQuery] = []

    async def find(self, query: PassageQuery) -> Sequence[Hit]:
        self.asked.append(query)
        return await super().find(query)


class BrokenIndex(FakeIndex):
    """Fails as often as it is told to, then works."""

    def __init__(self, failures: int, error: Exception) -> None:
        super().__init__()
        self.failures, self.error, self.asked = failures, error, 0

    async def find(self, query: Any) -> Sequence[Hit]:
        self.asked += 1
        if self.asked <= self.failures:
            raise self.error
        return await super().find(query)
