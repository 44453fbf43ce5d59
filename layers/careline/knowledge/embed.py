"""Gives every chunk its vector, a hundred at a time, and takes over those of chunks that did not change."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from careline.errors import NotFound
from careline.knowledge import catalogue
from careline.knowledge import stage_files as artefacts
from careline.knowledge.ingestion_job import IngestionJob
from careline.model import Chunk, Document, DocumentFacts
from careline.ports import Engines, Vector

BATCH = 100
"""Chunks in one call of the embedding model."""


def batches_of(chunks: Sequence[Chunk]) -> int:
    """How many batches a document's chunks make."""
    return -(-len(chunks) // BATCH)


def text_of(chunk: Chunk, facts: DocumentFacts) -> str:
    """What is embedded for a chunk: it is found by its document's title and its headings too."""
    return "\n".join((" - ".join(dict.fromkeys((facts.title, *chunk.heading_path))), chunk.text))


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
    except NotFound:
        for batch in range(batches):
            await _embed(document, batch, engines)


async def _embed(document: Document, batch: int, engines: Engines) -> None:
    chunks = (await artefacts.chunks(engines.files, document))[batch * BATCH : (batch + 1) * BATCH]
    texts = [text_of(chunk, document.facts) for chunk in chunks]
    known = await _known(document, engines)
    missing = [text for text in texts if _digest(text) not in known]
    if missing:
        fresh = await engines.embedder.embed_passages(missing)
        known.update(zip(map(_digest, missing), fresh, strict=True))
    rows = np.stack([known[_digest(text)] for text in texts])
    await artefacts.save_vectors(engines.files, document, engines.embedder.name, batch, rows)


async def _known(document: Document, engines: Engines) -> dict[str, Vector]:
    """Vectors of the live version's chunks by the hash of their text; empty for a first version or another model."""
    head = await catalogue.head(engines.table, document.tenant, document.doc_key)
    if head.live is None:
        return {}
    live = (await catalogue.version(engines.table, document.tenant, document.doc_key, head.live)).document
    try:
        chunks = await artefacts.chunks(engines.files, live)
        vectors = await artefacts.vectors(engines.files, live, engines.embedder.name, batches_of(chunks))
    except NotFound:
        return {}
    return {_digest(text_of(chunk, live.facts)): row for chunk, row in zip(chunks, vectors, strict=True)}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
