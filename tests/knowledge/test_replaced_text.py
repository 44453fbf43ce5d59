"""Whether a version is about something else than the one before, however long both are."""

from __future__ import annotations

import asyncio
import tracemalloc
from dataclasses import replace

import pytest

from careline.knowledge import catalogue
from careline.knowledge.ingestion import replaced_text, stage_files
from careline.model import Chunk
from careline.ports import Engines
from tests.builders import some_engines
from tests.knowledge.stores import TENANT, an_upload, ingested

KEY = "document-parking"
LONG = 120_000
"""Words of about a thousand pages in small print."""


def a_long_text(word: str, words: int = LONG) -> list[Chunk]:
    said = [f"{word}{number}" for number in range(words)]
    cut = (" ".join(said[at : at + 300]) for at in range(0, words, 300))
    return [Chunk(ordinal, text, "text", (), 1, 1, 300) for ordinal, text in enumerate(cut)]


async def replacing(before: list[Chunk]) -> Engines:
    """Engines with one live document of this text."""
    engines = some_engines()
    await ingested(an_upload(), engines)
    live = (await catalogue.version(engines.table, TENANT, KEY, 1)).document
    await stage_files.save_chunks(engines.files, live, before)
    return engines


async def warned(after: list[Chunk], engines: Engines) -> tuple[str, ...]:
    live = (await catalogue.version(engines.table, TENANT, KEY, 1)).document
    return await replaced_text.warning(replace(live, version=2), after, engines)


@pytest.mark.parametrize(
    ("after", "warnings"),
    [
        (a_long_text("kamer"), 0),
        ([*a_long_text("gang", LONG // 2), *a_long_text("kamer")], 0),
        (a_long_text("kamer", 3_000), 0),
        (a_long_text("kamer", 20), 0),
        (a_long_text("gang"), 1),
        (a_long_text("gang", 20), 1),
        (a_long_text("gang", 3_000), 1),
    ],
)
async def test_of_long_texts_it_is_told_whether_they_share_anything(after: list[Chunk], warnings: int) -> None:
    assert len(await warned(after, await replacing(a_long_text("kamer")))) == warnings


async def test_others_are_answered_while_long_texts_are_compared() -> None:
    engines, turns = await replacing(a_long_text("kamer")), 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    await warned(a_long_text("gang"), engines)
    task.cancel()
    assert turns > 100


def test_what_is_kept_to_compare_does_not_grow_with_the_texts() -> None:
    before, after = a_long_text("kamer"), a_long_text("gang")
    tracemalloc.start()
    try:
        assert replaced_text.share_of_runs(before, after) == 0.0
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 16 * 1024 * 1024
