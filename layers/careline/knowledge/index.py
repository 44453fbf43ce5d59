"""Puts a version's passages into the index, where nobody finds them yet."""

from __future__ import annotations

from careline.knowledge import artefacts, catalogue
from careline.knowledge.embed import batches_of
from careline.knowledge.ticket import Ticket
from careline.model import Document, Passage
from careline.ports import Engines


async def index(ticket: Ticket, engines: Engines) -> Ticket:
    """Add every passage with its vector. Raises: IndexUnavailable."""
    document = (await catalogue.version(engines.table, ticket.tenant, ticket.doc_key, ticket.version)).document
    await add(document, engines)
    return ticket


async def add(document: Document, engines: Engines) -> None:
    """Add the passages of one version from what the stages before have kept. Raises: NotFound, IndexUnavailable."""
    chunks = await artefacts.chunks(engines.files, document)
    vectors = await artefacts.vectors(engines.files, document, engines.embedder.name, batches_of(chunks))
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
        for chunk in chunks
    ]
    await engines.index.add(passages, vectors)
