"""The passages of a version in the index: added where nobody finds them yet, then made live."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from careline.knowledge.embed import batches_of, vectors_of
from careline.knowledge.ingestion import stage_files as artefacts
from careline.model import Chunk, Document, Passage
from careline.ports import Engines
from careline.value_framework.category import categorised


async def add_passages(
    document: Document, chunks: Sequence[Chunk], kept: Sequence[int], engines: Engines, cut: Mapping[int, Chunk]
) -> None:
    """Add those of a version's chunks whose places are `kept`, from what the stages before have left. `cut` has what
    takes the place of some of them, of which no vectors were made yet.

    Raises: NotFound, IndexUnavailable, EmbedderUnavailable.
    """
    vectors = await artefacts.vectors(engines.files, document, engines.embedder.name, batches_of(chunks))
    windows = await artefacts.windows(engines.files, document, engines.embedder.name, batches_of(chunks))
    if cut:
        vectors, windows = vectors.copy(), list(windows)
        fresh = await vectors_of(list(cut.values()), document.facts, engines)
        for place, (row, rows) in zip(cut, fresh, strict=True):
            vectors[place], windows[place] = row, rows
    passages = [
        Passage(
            chunk_id=f"{document.doc_key}:{document.version}:{chunk.ordinal}",
            tenant=document.tenant,
            doc_key=document.doc_key,
            version=document.version,
            document_id=document.document_id,
            file_name=document.file_name,
            chunk=replace(chunk, category=categorised(chunk, document.facts.title, document.facts.language)),
            facts=document.facts,
            embedding_model=engines.embedder.name,
            indexed_at=engines.clock.now(),
        )
        for chunk in (cut.get(place, chunks[place]) for place in kept)
    ]
    if passages:
        await engines.index.add(passages, vectors[list(kept)], [windows[place] for place in kept])


async def make_live(document: Document, engines: Engines, *, empty: bool) -> None:
    """Have what was added found instead of the versions before. `empty`: nothing of this one may be found.

    A later release of its passages makes an empty version live. Raises: IndexUnavailable.
    """
    if empty:
        await engines.index.retire(document.tenant, document.doc_key, document.version - 1)
    else:
        await engines.index.activate(document.tenant, document.doc_key, document.version)
