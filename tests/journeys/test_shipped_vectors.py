"""The vectors that are shipped for the demo hospital are those of its documents and of the model that is shipped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from careline.knowledge import catalogue
from careline.knowledge.embed import text_of, window_texts
from careline.knowledge.ingestion import stage_files
from careline.knowledge.quarantine import held_passages
from careline.model import Chunk, Document
from careline.ports import Engines
from careline.safety.injection.planted_text import read_planted_text_screen, read_statements
from careline_local.demo.load import VECTORS
from careline_local.kept_vectors import digest, read
from tests.journeys.in_process import installed

REBUILD = "python -m careline_local.demo.build_vectors && python -m training.build_manifest"
LIKE = 0.995
"""Cosine of one text on two processors at least: sums of floats are rounded otherwise before bytes are made of them. Of
74 passages of the demo, kept on a processor without 8-bit dot products and made on one with them, the least was .9980.
"""
EVERY = 100
"""Of so many chunks one is embedded anew, and its statements are looked for: all of them would take minutes."""


@pytest.fixture
def engines(demo_home: Path) -> Iterator[Engines]:
    with installed(demo_home) as installation:
        yield installation.engines


@pytest.fixture
async def chunks(engines: Engines) -> list[tuple[Document, Chunk]]:
    return [
        (document, chunk)
        async for document in catalogue.documents(engines.table, "default")
        for chunk in await stage_files.chunks(engines.files, document)
    ]


async def test_every_passage_and_window_of_the_demo_is_kept_and_nothing_else(
    engines: Engines, chunks: list[tuple[Document, Chunk]]
) -> None:
    kept = read(VECTORS)
    passages = {digest(text_of(chunk, document.facts)) for document, chunk in chunks}
    windows = {digest(text) for document, chunk in chunks for text in window_texts(chunk, document.facts)} - passages
    assert kept.model == engines.embedder.name, REBUILD
    assert kept.passages.rows.keys() == passages, REBUILD
    assert kept.windows.rows.keys() == windows, REBUILD


async def test_no_passage_of_the_demo_is_held_back(engines: Engines) -> None:
    assert [one["excerpt"] async for one in held_passages.entries(engines.table, "default")] == []


async def test_what_is_kept_is_what_the_model_gives(engines: Engines, chunks: list[tuple[Document, Chunk]]) -> None:
    kept = read(VECTORS)
    texts = [text_of(chunk, document.facts) for document, chunk in chunks[::EVERY]]
    places = {name: place for place, name in enumerate(kept.passages.rows)}
    held = np.array(list(kept.passages.rows.values()), np.float32)
    cosines = await engines.embedder.embed_passages(texts) @ (held / np.linalg.norm(held, axis=1, keepdims=True)).T
    for text, row in zip(texts, cosines, strict=True):
        own = places[digest(text)]
        assert row[own] > LIKE, REBUILD
        # Rounding takes no vector nearer to another text than to its own, as another model, or another order, would.
        assert row[own] >= row.max(), REBUILD


async def test_statements_that_the_screen_asks_about_are_kept(
    engines: Engines, chunks: list[tuple[Document, Chunk]]
) -> None:
    kept, screen = read(VECTORS), read_planted_text_screen()
    asked = [
        each
        for document, chunk in chunks[::EVERY]
        for each in read_statements(chunk.text, document.facts.language)
        if screen.first_look(each, document.facts.language).in_doubt
    ]
    assert asked
    assert engines.sentence_embedder is not None
    for text, row in zip(asked[:5], await engines.sentence_embedder.sentence_embeddings(asked[:5]), strict=True):
        held = kept.statements.vector(text)
        assert held is not None and float(held @ row) / kept.statements.length**2 > 0.998, REBUILD  # noqa: PT018
    assert all(kept.statements.vector(each) is not None for each in asked), REBUILD
