"""The library as operators see it: what is in it, ingest, delete, and how the work on it goes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from careline.errors import BadRequest, NotFound
from careline.identity import EVERYTHING
from careline.knowledge import catalogue, pipeline
from careline.knowledge.delete import delete as delete_document
from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.register import Upload, register
from careline.log.event_log import EventLog
from careline.model import Audience, Document, JobState
from careline.ports import Engines
from careline.schemas.library import (
    Begun,
    DocumentBody,
    DocumentPage,
    DocumentText,
    JobBody,
    Jobs,
    PageBody,
    Unchanged,
    Versions,
)
from careline.tenants import tenant_records

log = EventLog(__name__)


async def ingest(upload: Upload, engines: Engines) -> Unchanged | Begun:
    """Register a file and start its job; a file that is live already is only named. Raises: see `register`."""
    ingestion_job = await register(upload, engines)
    held = await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    if ingestion_job.unchanged:
        on = await today(ingestion_job.tenant, engines)
        return {"unchanged": True, "document": catalogue.to_json(held.document, on)}
    await engines.job_launcher.start(ingestion_job.tenant, ingestion_job.job_id)
    found = await catalogue.job(engines.table, ingestion_job.tenant, ingestion_job.job_id)
    return {"job": catalogue.job_to_json(found.job)}


async def listing(tenant: str, engines: Engines, *, after: str, limit: int) -> DocumentPage:
    """Documents in order of their key; `next` is the `after` of the following page."""
    found: list[DocumentBody] = []
    more: str | None = None
    on = await today(tenant, engines)
    async for document in catalogue.documents(engines.table, tenant, after=after):
        if len(found) == limit:
            more = found[-1]["doc_key"]
            break
        found.append(catalogue.to_json(document, on))
    log.write("documents_listed", count=len(found))
    return {"documents": found, "next": more}


async def versions(tenant: str, doc_key: str, engines: Engines) -> Versions:
    """Every version of a document, oldest first. Raises: NotFound."""
    found = await catalogue.versions(engines.table, tenant, doc_key)
    if not found:
        raise NotFound("there is no such document")
    on = await today(tenant, engines)
    log.write("versions_listed", count=len(found))
    return {"versions": [{**catalogue.to_json(document, on), "job_id": job_id} for document, job_id in found]}


async def delete(tenant: str, doc_key: str, engines: Engines) -> None:
    """Take a document out of the answers. Raises: NotFound."""
    await delete_document(tenant, doc_key, engines)


async def text(
    tenant: str, doc_key: str, number: int | None, engines: Engines, audiences: Sequence[Audience] = EVERYTHING
) -> DocumentText:
    """The cleaned text of a version (the live one when None), without what is left out.

    Raises: NotFound, also for another audience.
    """
    document = await version(tenant, doc_key, number, engines, audiences)
    held = await artefacts.extracted(engines.files, document, "text")
    pages: list[PageBody] = [
        {
            "number": page.number,
            "blocks": [
                {"kind": b.kind.value, "text": b.text, "level": b.level} for b in page.blocks if b.left_out is None
            ],
        }
        for page in held.pages
    ]
    log.write("document_text_shown", count=len(pages))
    return {
        "doc_key": doc_key,
        "version": document.version,
        "title": document.facts.title,
        "language": document.facts.language,
        "paged": held.paged,
        "pages": pages,
    }


async def original(
    tenant: str, doc_key: str, number: int | None, engines: Engines, audiences: Sequence[Audience] = EVERYTHING
) -> tuple[Document, bytes]:
    """A version (the live one when None) and its file as it came in. Raises: NotFound, also for another audience."""
    document = await version(tenant, doc_key, number, engines, audiences)
    return document, await artefacts.original(engines.files, document)


async def today(tenant: str, engines: Engines) -> date:
    """The day by the clocks of the hospital, which decides which documents hold. Raises: TableUnavailable."""
    return (await tenant_records.retention_of(engines, tenant)).day_of(engines.clock.now())


async def version(
    tenant: str, doc_key: str, number: int | None, engines: Engines, audiences: Sequence[Audience] = EVERYTHING
) -> Document:
    """A version of a document, the live one when None. Raises: NotFound, also for another audience."""
    if number is None:
        head = await catalogue.head(engines.table, tenant, doc_key)
        number = head.live or head.latest
    if not number:
        raise NotFound("there is no such document")
    try:
        document = (await catalogue.version(engines.table, tenant, doc_key, number)).document
    except NotFound:
        raise NotFound("there is no such version") from None
    if document.facts.audience not in audiences:
        raise NotFound("there is no such document")
    return document


async def jobs(tenant: str, engines: Engines, *, state: str | None, limit: int) -> Jobs:
    """Jobs, newest first. Raises: BadRequest for a state that does not exist."""
    known = [one.value for one in JobState]
    if state not in (None, "", *known):
        raise BadRequest(f"state: one of {', '.join(known)}")
    found: list[JobBody] = []
    async for one in catalogue.jobs(engines.table, tenant, JobState(state) if state else None):
        found.append(catalogue.job_to_json(one))
        if len(found) == limit:
            break
    log.write("jobs_listed", count=len(found))
    return {"jobs": found}


async def job(tenant: str, job_id: str, engines: Engines) -> JobBody:
    """One job. Raises: NotFound."""
    try:
        return catalogue.job_to_json((await catalogue.job(engines.table, tenant, job_id)).job)
    except NotFound:
        raise NotFound("there is no such job") from None


async def retry(tenant: str, job_id: str, engines: Engines) -> Begun:
    """Run a failed job again. Raises: NotFound, Conflict."""
    await job(tenant, job_id, engines)
    return {"job": catalogue.job_to_json(await pipeline.retry(tenant, job_id, engines))}
