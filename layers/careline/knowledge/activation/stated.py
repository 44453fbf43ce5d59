"""Notes what the live version of a document says that the hospital's directory could hold."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from careline.curation.proposals import store
from careline.curation.proposals.find import find
from careline.curation.proposals.proposal import Statement
from careline.errors import NotFound, kind_and_place
from careline.knowledge import catalogue
from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.quarantine import held_passages
from careline.log.event_log import EventLog
from careline.model import Document, DocumentState
from careline.ports import Engines
from careline.records.record_table import Body

log = EventLog(__name__)


async def note_stated(tenant: str, doc_key: str, version: int, engines: Engines) -> None:
    """Note what a version says, where it is live. A document that was taken in stays so whatever happens here."""
    try:
        document = (await catalogue.version(engines.table, tenant, doc_key, version)).document
        if document.state is DocumentState.LIVE:
            await state(document, engines)
    except Exception as error:
        # It is live: whatever is wrong with what it proposes may be mended later, by `careline proposals find`.
        log.write("statements_not_noted", **kind_and_place(error))


async def state(document: Document, engines: Engines) -> int:
    """Find and keep what a live version says; how many statements. Raises: NotFound, TableUnavailable, Contended."""
    count = await store.keep(document, await said(document, engines), engines)
    now = await catalogue.head(engines.table, document.tenant, document.doc_key)
    if now.live is None:
        # Deleted meanwhile.
        await engines.table.write(store.forgotten(document.tenant, document.doc_key))
        return 0
    return count


async def said(document: Document, engines: Engines) -> list[Statement]:
    """What a version says in the passages that callers may be told. Raises: NotFound, TableUnavailable."""
    held = {
        entry["passage_id"]
        async for entry in held_passages.entries(engines.table, document.tenant, document.doc_key, document.version)
        if not _is_told_whole(entry)
    }
    chunks = [
        chunk
        for chunk in await artefacts.chunks(engines.files, document)
        if held_passages.passage_id(chunk) not in held
    ]
    return await asyncio.to_thread(find, document, chunks)


def _is_told_whole(entry: Body) -> bool:
    """Whether a passage that was held back is told since, with all its parts."""
    return "told" in entry and not entry["told"]["without"]


async def live_documents(tenant: str, engines: Engines, doc_key: str = "") -> AsyncIterator[Document]:
    """The live versions of all documents, or of one. Raises: NotFound where the one that is named is not live."""
    there = False
    async for document in catalogue.documents(engines.table, tenant):
        if document.state is DocumentState.LIVE and doc_key in ("", document.doc_key):
            there = True
            yield document
    if doc_key and not there:
        raise NotFound(f"there is no live document {doc_key}")


async def state_all(tenant: str, engines: Engines, doc_key: str = "") -> AsyncIterator[tuple[Document, int]]:
    """Find what every live document says, or one; yields each with the number of its statements.

    Raises: NotFound where the one that is named is not live, TableUnavailable.
    """
    async for document in live_documents(tenant, engines, doc_key):
        yield document, await state(document, engines)
