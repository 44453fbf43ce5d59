"""Puts a version's passages into the index, where nobody finds them yet, without those that are held back."""

from __future__ import annotations

from dataclasses import replace

from careline.knowledge import catalogue
from careline.knowledge import stage_files as artefacts
from careline.knowledge.embed import batches_of
from careline.knowledge.hold_back import Sifted, sift
from careline.knowledge.ingestion_job import IngestionJob
from careline.model import Document, HeldPassage, Passage
from careline.ports import Engines

NAMED = 20
"""Passages held back that a job names; the rest is counted, and listed by the quarantine."""


async def index(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """Add every passage that may be found, with its vector. Raises: IndexUnavailable."""
    document = (
        await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    ).document
    sifted = await add(document, engines)
    await _name_held(ingestion_job, sifted.held, engines)
    return replace(ingestion_job, empty=not sifted.kept)


async def _name_held(ingestion_job: IngestionJob, held: tuple[HeldPassage, ...], engines: Engines) -> None:
    """Say in the job what was held back. Raises: Conflict."""
    await catalogue.change_job(
        engines.table,
        ingestion_job.tenant,
        ingestion_job.job_id,
        lambda job: replace(job, held_back=len(held), held=held[:NAMED]),
    )


async def add(document: Document, engines: Engines) -> Sifted:
    """Add the passages of one version from what the stages before have kept, and say which were held back.

    Raises: NotFound, IndexUnavailable, TableUnavailable.
    """
    chunks = await artefacts.chunks(engines.files, document)
    vectors = await artefacts.vectors(engines.files, document, engines.embedder.name, batches_of(chunks))
    windows = await artefacts.windows(engines.files, document, engines.embedder.name, batches_of(chunks))
    sifted = await sift(document, chunks, engines)
    passages = [
        Passage(
            chunk_id=f"{document.doc_key}:{document.version}:{chunk.ordinal}",
            tenant=document.tenant,
            doc_key=document.doc_key,
            version=document.version,
            document_id=document.document_id,
            file_name=document.file_name,
            chunk=chunk,
            facts=document.facts,
            embedding_model=engines.embedder.name,
            indexed_at=engines.clock.now(),
        )
        for chunk in (chunks[place] for place in sifted.kept)
    ]
    if passages:
        kept = list(sifted.kept)
        await engines.index.add(passages, vectors[kept], [windows[place] for place in kept])
    return sifted


async def make_live(document: Document, engines: Engines, *, empty: bool) -> None:
    """Have what was added found instead of the versions before. `empty`: nothing of this one may be found.

    A later release of its passages makes an empty version live. Raises: IndexUnavailable.
    """
    if empty:
        await engines.index.retire(document.tenant, document.doc_key, document.version - 1)
    else:
        await engines.index.activate(document.tenant, document.doc_key, document.version)
