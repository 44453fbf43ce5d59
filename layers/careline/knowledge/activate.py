"""Makes a version the live one, takes documents out again, and rebuilds the index from the documents.

The index is told first and the records last: a kill in between leaves a job that is still running and will be run
again, never a finished job whose passages cannot be found.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

from careline.errors import Conflict, NotFound
from careline.knowledge import catalogue, jobs
from careline.knowledge.embed import embed_again
from careline.knowledge.index import add, make_live
from careline.knowledge.ingestion_job import IngestionJob
from careline.model import Document, DocumentState, JobState
from careline.ports import Delete, Engines, Put

ATTEMPTS = 8
DELETED = "the document was deleted while it was being indexed"


async def activate(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """Make the version live and the one before it superseded; one older than the live one is superseded itself."""
    document = (
        await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    ).document
    work = (await catalogue.job(engines.table, ingestion_job.tenant, ingestion_job.job_id)).job
    await make_live(document, engines, empty=0 < document.chunks <= work.held_back)
    for _ in range(ATTEMPTS):
        try:
            await engines.table.write(*await _changes(ingestion_job, engines))
            return ingestion_job
        except Conflict:
            continue
    raise Conflict(f"{ingestion_job.doc_key} is being changed by others all the time", retry_after=5)


async def _changes(ingestion_job: IngestionJob, engines: Engines) -> list[Put | Delete]:
    now = engines.clock.now()
    head = await catalogue.head(engines.table, ingestion_job.tenant, ingestion_job.doc_key)
    held = await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    work = await catalogue.job(engines.table, ingestion_job.tenant, ingestion_job.job_id)
    if work.job.state is not JobState.RUNNING:
        return []
    if ingestion_job.version <= head.deleted:
        gone = replace(held.document, state=DocumentState.DELETED)
        return [
            catalogue.put_version(gone, ingestion_job.job_id, held.revision),
            catalogue.put_job(jobs.failed(work.job, now, "deleted", DELETED), work.revision),
        ]
    done = replace(jobs.completed(work.job, now), processed_chunks=held.document.chunks)
    if head.live is not None and head.live > ingestion_job.version:
        newer = await catalogue.job_of(engines.table, ingestion_job.tenant, ingestion_job.doc_key, head.live)
        late = replace(held.document, state=DocumentState.SUPERSEDED)
        return [
            catalogue.put_version(late, ingestion_job.job_id, held.revision),
            catalogue.put_job(jobs.superseded(done, newer), work.revision),
        ]
    live = replace(held.document, state=DocumentState.LIVE, activated_at=now)
    changes: list[Put | Delete] = [
        catalogue.with_live(head, ingestion_job.version).put(),
        catalogue.put_version(live, ingestion_job.job_id, held.revision),
        catalogue.put_job(done, work.revision),
    ]
    if head.live is not None and head.live != ingestion_job.version:
        changes += await _superseding(ingestion_job, head.live, engines)
    return changes


async def _superseding(ingestion_job: IngestionJob, before: int, engines: Engines) -> list[Put | Delete]:
    old = await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, before)
    old_job_id = await catalogue.job_of(engines.table, ingestion_job.tenant, ingestion_job.doc_key, before)
    old_job = await catalogue.job(engines.table, ingestion_job.tenant, old_job_id)
    changes: list[Put | Delete] = [
        catalogue.put_version(replace(old.document, state=DocumentState.SUPERSEDED), old_job_id, old.revision)
    ]
    if old_job.job.state is JobState.COMPLETED:
        changes.append(catalogue.put_job(jobs.superseded(old_job.job, ingestion_job.job_id), old_job.revision))
    return changes


async def remove(tenant: str, doc_key: str, engines: Engines) -> Document:
    """Delete a document: no version is found any more, what was stored stays for audit. Raises: NotFound."""
    for _ in range(ATTEMPTS):
        head = await catalogue.head(engines.table, tenant, doc_key)
        held = await catalogue.version(engines.table, tenant, doc_key, head.latest) if head.latest else None
        if held is None or (head.live is None and held.document.state is DocumentState.DELETED):
            raise NotFound(f"there is no document {doc_key}")
        await engines.index.retire(tenant, doc_key, head.latest)
        changes: list[Put | Delete] = [replace(head, live=None, deleted=head.latest).put()]
        for number in sorted({head.latest, head.live or head.latest}):
            one = await catalogue.version(engines.table, tenant, doc_key, number)
            job_id = await catalogue.job_of(engines.table, tenant, doc_key, number)
            gone = replace(one.document, state=DocumentState.DELETED)
            changes.append(catalogue.put_version(gone, job_id, one.revision))
        try:
            await engines.table.write(*changes)
        except Conflict:
            continue
        return replace(held.document, state=DocumentState.DELETED)
    raise Conflict(f"{doc_key} is being changed by others all the time", retry_after=5)


async def rebuild(tenant: str, engines: Engines) -> AsyncIterator[Document]:
    """Build the index again from the live documents, which are the truth; yields each one as it is back."""
    await engines.index.clear(tenant)
    async for document in catalogue.documents(engines.table, tenant):
        if document.state is DocumentState.LIVE:
            await embed_again(document, engines)
            sifted = await add(document, engines)
            await make_live(document, engines, empty=not sifted.kept)
            yield document
    await engines.index.settle()
