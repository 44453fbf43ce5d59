"""Real stores in a folder, engines that are interrupted at any call, and what a store holds in the end."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from careline.engines.embedded.files import FolderFiles
from careline.engines.embedded.passage_index.index import LocalIndex
from careline.engines.embedded.table import SqliteTable
from careline.knowledge import catalogue, pipeline
from careline.knowledge.register import Upload, register
from careline.model import IndexingJob
from careline.ports import Engines, PassageQuery
from tests.builders import some_engines
from tests.fakes import DIMENSIONS, FakeEmbedder, SettableClock

TENANT = "a"
PORTS = ("table", "files", "index", "embedder", "job_launcher")


def in_folder(folder: Path, **chosen: Any) -> Engines:
    """Engines over SQLite, a folder and the embedded index; only the embedding model is faked."""
    clock = SettableClock()
    table, files = SqliteTable(folder / "records.sqlite", clock), FolderFiles(folder / "files")
    index = LocalIndex(folder / "index", DIMENSIONS)
    return some_engines(**{"clock": clock, "table": table, "files": files, "index": index, **chosen})


def close(engines: Engines) -> None:
    """Let go of the files of `in_folder`."""
    for held in (engines.table, engines.index):
        original: Any = held.engine if isinstance(held, Watched) else held
        original.close()


class Killed(BaseException):
    """The process is gone."""


class Watched:
    """An engine that tells of every call before it is made."""

    def __init__(self, engine: Any, before_call: Callable[[], None]) -> None:
        self.engine = engine
        self._before_call = before_call

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.engine, name)
        if not callable(found):
            return found
        if inspect.isasyncgenfunction(found):
            return self._started(found)

        async def call(*values: Any, **named: Any) -> Any:
            self._before_call()
            return await found(*values, **named)

        return call

    def _started(self, found: Callable[..., Any]) -> Callable[..., Any]:
        def call(*values: Any, **named: Any) -> Any:
            self._before_call()
            return found(*values, **named)

        return call


def watched(engines: Engines, before_call: Callable[[], None]) -> Engines:
    """The engines with every port watched."""
    return replace(engines, **{port: Watched(getattr(engines, port), before_call) for port in PORTS})


@dataclass
class Countdown:
    """Kills at the n-th call, counted from 0."""

    left: int

    def __call__(self) -> None:
        if self.left == 0:
            raise Killed
        self.left -= 1


def an_upload(text: str = "Parkeren kost twee euro per uur.", name: str = "parking.md", **said: Any) -> Upload:
    """A Markdown file, or whatever the name says."""
    return Upload(TENANT, name, text.encode(), **said)


async def ingested(upload: Upload, engines: Engines) -> IndexingJob:
    """Register and run in this process."""
    return await pipeline.run(await register(upload, engines), engines)


async def found(engines: Engines, text: str, *, dense: bool = True) -> list[str]:
    """The texts that are found, in order of the alphabet."""
    await engines.index.settle()
    vector = FakeEmbedder().vector(text) if dense else None
    hits = await engines.index.find(PassageQuery(TENANT, text, vector, limit=100))
    return sorted(hit.passage.chunk.text for hit in hits)


async def states(engines: Engines, doc_key: str) -> list[str]:
    """The state of every version of a document, oldest first."""
    return [document.state.value for document, _ in await catalogue.versions(engines.table, TENANT, doc_key)]


async def jobs(engines: Engines) -> list[IndexingJob]:
    """Every job, oldest first."""
    return [job async for job in catalogue.jobs(engines.table, TENANT)][::-1]


async def contents(engines: Engines, doc_keys: Sequence[str], asked: str) -> dict[str, Any]:
    """Everything that must be the same however often the work was interrupted."""
    held: dict[str, Any] = {}
    for doc_key in doc_keys:
        head = await catalogue.head(engines.table, TENANT, doc_key)
        held[doc_key] = (head.latest, head.live, head.deleted)
        for document, _ in await catalogue.versions(engines.table, TENANT, doc_key):
            passages = await engines.index.passages(TENANT, doc_key, document.version)
            held[f"{doc_key} {document.version}"] = (
                replace(document, created_at=engines.clock.now()), [(p.chunk, p.facts) for p in passages],
            )  # fmt: skip
    held["jobs"] = sorted(
        (j.doc_key, j.version, j.state.value, j.stage or "", j.processed_chunks, j.retry_count, j.error_type or "")
        for j in await jobs(engines)
    )
    held["found"] = (await found(engines, asked), await found(engines, asked, dense=False))
    return held
