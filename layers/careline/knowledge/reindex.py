"""Builds the index again from the documents, which are the truth."""

from __future__ import annotations

from collections.abc import AsyncIterator

from careline.errors import CarelineError
from careline.knowledge import catalogue, pipeline
from careline.knowledge.curated.ingested import take_missing_questions
from careline.knowledge.embed import embed_again
from careline.knowledge.ingestion import stage_files
from careline.knowledge.live_passages import make_live
from careline.knowledge.quarantine.add_sifted import add_sifted
from careline.model import Document, DocumentState, IndexingJob
from careline.ports import Engines


async def reindex(tenant: str, engines: Engines) -> AsyncIterator[Document]:
    """Build the index again from the live documents, which are the truth; yields each one as it is back."""
    await engines.index.clear(tenant)
    async for document in catalogue.documents(engines.table, tenant):
        if document.state is DocumentState.LIVE:
            await embed_again(document, engines)
            sifted = await add_sifted(document, engines)
            await make_live(document, engines, empty=not sifted.kept)
            await take_missing_questions(document, await stage_files.chunks(engines.files, document), engines)
            yield document
    await engines.index.settle()


async def order_reindex(
    tenant: str, engines: Engines, *, keeps: bool = False
) -> AsyncIterator[tuple[Document, IndexingJob | CarelineError]]:
    """Clear the index and have every live document put into it again by its own job, as in the cloud, where jobs run
    apart from whoever asks and search may be reached by them alone. Yields each document with its job as it was
    ordered, or why it was not; jobs end later, and each document is found again as its job ends.

    With `keeps` nothing is cleared: what may be missing is put there again, as after an interruption.
    """
    if not keeps:
        await engines.index.clear(tenant)
    async for document in catalogue.documents(engines.table, tenant):
        if document.state is not DocumentState.LIVE:
            continue
        try:
            ordered: IndexingJob | CarelineError = await pipeline.run_again(document, engines)
        except CarelineError as error:
            # The others are not to stay away for this one.
            ordered = error
        yield document, ordered
