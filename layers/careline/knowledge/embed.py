"""Gives every chunk and its windows their vectors, a hundred chunks at a time; unchanged chunks keep theirs."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import chain

import numpy as np

from careline.errors import NotFound
from careline.knowledge import catalogue
from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.model import Chunk, Document, DocumentFacts
from careline.passages.window_vectors import packed
from careline.passages.windows import embedded_text, windows_of
from careline.ports import Engines, Vector

BATCH = 100
"""Chunks in one call of the embedding model."""


def batches_of(chunks: Sequence[Chunk]) -> int:
    """How many batches a document's chunks make."""
    return -(-len(chunks) // BATCH)


def text_of(chunk: Chunk, facts: DocumentFacts) -> str:
    """What is embedded for a chunk: it is found by its document's title and its headings too."""
    return "\n".join((" - ".join(dict.fromkeys((facts.title, *chunk.heading_path))), chunk.text))


def window_texts(chunk: Chunk, facts: DocumentFacts) -> list[str]:
    """What is embedded for each window of a chunk."""
    return [embedded_text(facts.title, window) for window in windows_of(chunk, facts.language)]


async def embed(ingestion_job: IngestionJob, batch: int, engines: Engines) -> IngestionJob:
    """Compute and keep one batch of vectors. Raises: EmbedderUnavailable."""
    document = (
        await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    ).document
    await _embed(document, batch, engines)
    return ingestion_job


async def embed_again(document: Document, engines: Engines) -> None:
    """Compute every vector of a version that the embedding model of now has not made yet. Raises: NotFound."""
    batches = batches_of(await artefacts.chunks(engines.files, document))
    try:
        await artefacts.vectors(engines.files, document, engines.embedder.name, batches)
        await artefacts.windows(engines.files, document, engines.embedder.name, batches)
    except NotFound:
        for batch in range(batches):
            await _embed(document, batch, engines)


async def _embed(document: Document, batch: int, engines: Engines) -> None:
    chunks = (await artefacts.chunks(engines.files, document))[batch * BATCH : (batch + 1) * BATCH]
    texts = [text_of(chunk, document.facts) for chunk in chunks]
    known = await _known(document, engines)
    missing = [n for n, text in enumerate(texts) if _digest(text) not in known]
    made = await vectors_of([chunks[n] for n in missing], document.facts, engines)
    known.update({_digest(texts[n]): both for n, both in zip(missing, made, strict=True)})
    model = engines.embedder.name
    found = [known[_digest(text)] for text in texts]
    await artefacts.save_vectors(engines.files, document, model, batch, np.stack([row for row, _ in found]))
    await artefacts.save_windows(engines.files, document, model, batch, [windows for _, windows in found])


async def vectors_of(chunks: Sequence[Chunk], facts: DocumentFacts, engines: Engines) -> list[tuple[Vector, bytes]]:
    """The vector of each chunk, and the packed vectors of its windows. Raises: EmbedderUnavailable."""
    if not chunks:
        return []
    within = [window_texts(chunk, facts) for chunk in chunks]
    texts = [text_of(chunk, facts) for chunk in chunks]
    fresh = await engines.embedder.embed_passages([*texts, *chain.from_iterable(within)])
    _, *rest, _ = np.split(fresh, np.cumsum([len(chunks), *map(len, within)]))
    return [(row, packed(rows)) for row, rows in zip(fresh[: len(chunks)], rest, strict=True)]


async def _known(document: Document, engines: Engines) -> dict[str, tuple[Vector, bytes]]:
    """Vectors of the live version's chunks and their windows by the hash of the chunk's text; empty for a first version
    or another model."""
    head = await catalogue.head(engines.table, document.tenant, document.doc_key)
    if head.live is None:
        return {}
    live = (await catalogue.version(engines.table, document.tenant, document.doc_key, head.live)).document
    model = engines.embedder.name
    try:
        chunks = await artefacts.chunks(engines.files, live)
        vectors = await artefacts.vectors(engines.files, live, model, batches_of(chunks))
        windows = await artefacts.windows(engines.files, live, model, batches_of(chunks))
    except NotFound:
        return {}
    texts = [_digest(text_of(chunk, live.facts)) for chunk in chunks]
    return dict(zip(texts, zip(vectors, windows, strict=True), strict=True))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
