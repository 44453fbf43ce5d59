"""Builders that default everything: engines over fakes, documents and their passages."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from careline.engines.embedded.uploads import FolderUploads
from careline.model import Chunk, Document, DocumentFacts, DocumentState, Passage
from careline.ports import Engines
from careline.speech.spoken.numbers import spoken_numbers
from tests.fake_index import FakeIndex
from tests.fakes import (
    KEY,
    NOW,
    FakeDetector,
    FakeEmbedder,
    FakeFiles,
    FakeJobLauncher,
    FakeOutbox,
    FakeTable,
    OneLanguage,
    ScriptedModel,
    SettableClock,
)


def as_sent(text: str, channel: str) -> str:
    """Dutch text as a client of the channel gets it: on the phone its numbers are in words."""
    return spoken_numbers(text, "nl") if channel == "voice" else text


def some_ids(prefix: str = "id") -> Callable[[], str]:
    """Identifiers that count."""
    numbers = itertools.count(1)
    return lambda: f"{prefix}-{next(numbers):06d}"


def some_engines(**chosen: Any) -> Engines:
    """Every port faked, except those that are given."""
    clock = chosen.pop("clock", None) or SettableClock()
    files = chosen.pop("files", None) or FakeFiles()
    made = Engines(
        clock=clock, new_id=some_ids(), embedder=FakeEmbedder(), count_tokens=lambda text: len(text.split()) * 4 // 3,
        index=FakeIndex(), table=FakeTable(clock), files=files, outbox=FakeOutbox(),
        job_launcher=FakeJobLauncher(), model=ScriptedModel(), identify=OneLanguage(), detector=FakeDetector(),
        read_key=lambda: KEY, uploads=FolderUploads(files, clock, KEY),
    )  # fmt: skip
    return replace(made, **chosen)


def some_facts(**said: Any) -> DocumentFacts:
    """Facts of a Dutch brochure, except those that are given."""
    return DocumentFacts(**{"title": "Op bezoek", "source_type": "brochure", "language": "nl", **said})


def a_document(**said: Any) -> Document:
    """The live first version of a brochure; `facts` may be given as a dictionary."""
    facts = said.pop("facts", {})
    chosen = facts if isinstance(facts, DocumentFacts) else some_facts(**facts)
    defaults: dict[str, Any] = {
        "tenant": "a", "doc_key": "brochure-1", "version": 1, "document_id": "brochure-1-1", "content_hash": "0" * 64,
        "file_name": "bezoek.md", "size_bytes": 100, "state": DocumentState.LIVE, "created_at": NOW,
    }  # fmt: skip
    return Document(**{**defaults, "facts": chosen, **said})


def a_passage(
    text: str = "Bezoek mag van 14 tot 20 uur.", *, ordinal: int = 0, heading_path: tuple[str, ...] = (),
    kind: Any = "text", table: Any = None, embedding_model: str = "words", document: Document | None = None,
    **said: Any,
) -> Passage:  # fmt: skip
    """A passage of `a_document(**said)`."""
    of = document or a_document(**said)
    return Passage(
        chunk_id=f"{of.doc_key}:{of.version}:{ordinal}", tenant=of.tenant, doc_key=of.doc_key, version=of.version,
        document_id=of.document_id, file_name=of.file_name, facts=of.facts, embedding_model=embedding_model,
        chunk=Chunk(ordinal, text, "table" if table else kind, heading_path, 1, 1, len(text.split()), table),
        indexed_at=NOW,
    )  # fmt: skip
