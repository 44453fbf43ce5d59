"""A process that works on an embedded index and says after each call that it has returned; a test kills it.

`python -m tests.engines.index.indexing_process FOLDER`
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

from careline.engines.embedded.passage_index.index import LocalIndex
from careline.ports import PassageIndex
from tests.builders import a_passage
from tests.fakes import DIMENSIONS, FakeEmbedder


def calls(index: PassageIndex) -> list[Callable[[], Awaitable[object]]]:
    """A document in two versions, one that comes and goes, and the keyword index written after each."""

    async def add(doc_key: str, version: int, *texts: str) -> None:
        passages = [a_passage(text, ordinal=n, doc_key=doc_key, version=version) for n, text in enumerate(texts)]
        await index.add(passages, await FakeEmbedder().embed_passages(texts))

    return [
        lambda: add("parking", 1, "Parkeren kost twee euro.", "Met de auto naar het ziekenhuis."),
        lambda: index.activate("a", "parking", 1),
        lambda: index.settle(),
        lambda: add("parking", 2, "Parkeren is gratis."),
        lambda: add("visit", 1, "Bezoek mag tot acht uur."),
        lambda: index.activate("a", "visit", 1),
        lambda: index.activate("a", "parking", 2),
        lambda: index.settle(),
        lambda: index.retire("a", "visit", 1),
        lambda: index.settle(),
    ]


async def main(folder: Path) -> None:
    index = LocalIndex(folder, DIMENSIONS)
    for number, call in enumerate(calls(index)):
        await call()
        print(number, flush=True)  # noqa: T201
    index.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1])))
