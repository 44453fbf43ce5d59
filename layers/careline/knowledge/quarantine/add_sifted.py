"""Adds a version to the index without what is held back."""

from __future__ import annotations

from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.live_passages import add_passages
from careline.knowledge.quarantine.hold_back import Sifted, sift
from careline.model import Document
from careline.ports import Engines


async def add_sifted(document: Document, engines: Engines) -> Sifted:
    """Add the passages of one version from what the stages before have kept, and say which were held back.

    Raises: NotFound, IndexUnavailable, TableUnavailable.
    """
    chunks = await artefacts.chunks(engines.files, document)
    sifted = await sift(document, chunks, engines)
    await add_passages(document, chunks, sifted.kept, engines, sifted.cut)
    return sifted
