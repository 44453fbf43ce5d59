"""The stages of ingestion in order. Lambda runs one stage an invocation, a laptop all of them in one process.

Each stage reads what the one before it wrote and writes what the next will read, so that any stage may be killed and
run again, or run twice at once, without losing or doubling anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

from careline.errors import CarelineError, Conflict, DocumentRejected, kind_and_place
from careline.knowledge import catalogue
from careline.knowledge.activation.activate import activate
from careline.knowledge.activation.index import index
from careline.knowledge.chunk import chunk as chunking
from careline.knowledge.clean import clean as cleaning
from careline.knowledge.clean.left_out import counts
from careline.knowledge.curated.ingested import curated_answer
from careline.knowledge.document_facts import settled_facts
from careline.knowledge.embed import batches_of, embed
from careline.knowledge.extract.child import read_in_child
from careline.knowledge.ingestion import jobs, replaced_text
from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.ingestion.retry_policy import INGESTION
from careline.log.event_log import EventLog
from careline.model import Document, DocumentState, IndexingJob, JobState
from careline.ports import Engines
from careline.records.optimistic_update import Update, optimistic_update

Stage = Callable[[IngestionJob, Engines], Awaitable[IngestionJob]]
BROKEN = "a stage of the ingestion did not finish; try again"
log = EventLog(__name__)


async def extract(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """File to pages of text; the job is running from here on. Raises: DocumentRejected."""
    document = await _document(ingestion_job, engines)
    await _change_job(
        ingestion_job, engines, lambda job: replace(jobs.started(job, engines.clock.now()), stage="extract")
    )
    content = await artefacts.original(engines.files, document)
    pages = await read_in_child(document.file_name, content, engines.limits)
    await artefacts.save_extracted(engines.files, document, "pages", pages)
    return ingestion_job


async def clean(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """Pages without what the layout put there: running headers, hyphens, page numbers."""
    document = await _document(ingestion_job, engines)
    pages = await artefacts.extracted(engines.files, document, "pages")
    cleaned = await asyncio.to_thread(cleaning.clean, pages)
    await artefacts.save_extracted(engines.files, document, "text", cleaned)
    return ingestion_job


async def chunk(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """Pages to chunks, and what the document says about itself to facts. Raises: DocumentRejected (`no_text`)."""
    document = await _document(ingestion_job, engines)
    text = await artefacts.extracted(engines.files, document, "text")
    facts = settled_facts(document, text, engines.identify)
    answer = await curated_answer(document, text, facts, engines)
    cut = partial(chunking.chunk, text, facts.language, engines.count_tokens)
    chunks = [answer] if answer is not None else await asyncio.to_thread(cut)
    if not chunks:
        raise DocumentRejected("no_text", "no text was found in the file; if it is a scan, make it readable")
    left_out = counts(text)
    warnings = (*text.warnings, *await replaced_text.warning(document, chunks, engines))
    await artefacts.save_chunks(engines.files, document, chunks)
    await catalogue.change_version(
        engines.table,
        ingestion_job.tenant,
        ingestion_job.doc_key,
        ingestion_job.version,
        lambda held: replace(
            held, facts=facts, pages=len(text.pages), chunks=len(chunks), warnings=warnings, left_out=left_out
        ),
    )
    await _change_job(
        ingestion_job, engines, lambda job: replace(job, stage="embed", total_chunks=len(chunks), left_out=left_out)
    )
    return replace(ingestion_job, batches=tuple(range(batches_of(chunks))))


async def embed_all(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """Every batch of one document, one after the other."""
    for batch in ingestion_job.batches:
        await embed(ingestion_job, batch, engines)
        if len(ingestion_job.batches) > 1:
            await embedded(ingestion_job, batch, engines)
    return ingestion_job


async def embedded(ingestion_job: IngestionJob, batch: int, engines: Engines) -> None:
    """Note how far embedding has come."""
    document = await _document(ingestion_job, engines)
    share = document.chunks * (batch + 1) // len(ingestion_job.batches)
    await _change_job(
        ingestion_job, engines, lambda job: replace(job, processed_chunks=max(job.processed_chunks, share))
    )


STAGES: tuple[tuple[str, Stage], ...] = (
    ("extract", extract),
    ("clean", clean),
    ("chunk", chunk),
    ("embed", embed_all),
    ("index", index),
    ("activate", activate),
)


async def run(ingestion_job: IngestionJob, engines: Engines) -> IndexingJob:
    """Run every stage in this process and say how the job ended. A document that fails fails its own job alone."""
    if not ingestion_job.unchanged:
        try:
            for _, stage in STAGES:
                ingestion_job = await INGESTION.run(partial(stage, ingestion_job, engines))
        except DocumentRejected as error:
            await fail(ingestion_job, error.reason, error.message, engines)
        except CarelineError as error:
            await fail(ingestion_job, error.code.lower(), error.message, engines)
        except Exception as error:
            # As the state machine's Catch does. The message may quote the document; the kind of error does not.
            log.write("ingestion_broke", **kind_and_place(error))
            await fail(ingestion_job, type(error).__name__.lower(), BROKEN, engines)
    return (await catalogue.job(engines.table, ingestion_job.tenant, ingestion_job.job_id)).job


async def fail(ingestion_job: IngestionJob, error_type: str, message: str, engines: Engines) -> IngestionJob:
    """Write down that the job failed, and its version with it; a version that was live before stays live."""

    async def decide() -> Update[IngestionJob]:
        held = await catalogue.job(engines.table, ingestion_job.tenant, ingestion_job.job_id)
        if held.job.state not in {JobState.PENDING, JobState.RUNNING}:
            return Update(ingestion_job)
        job = jobs.failed(held.job, engines.clock.now(), error_type, message)
        changes = [catalogue.put_job(job, held.revision)]
        version = await catalogue.version(
            engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version
        )
        if version.document.state is DocumentState.PENDING:
            document = replace(version.document, state=DocumentState.FAILED)
            changes.append(catalogue.put_version(document, ingestion_job.job_id, version.revision))
        return Update(ingestion_job, changes)

    return await optimistic_update(engines.table, decide, busy=catalogue.JOB_BUSY)


async def retry(tenant: str, job_id: str, engines: Engines) -> IndexingJob:
    """Put a failed job back in the queue and start it. Raises: NotFound, Conflict."""
    held = await catalogue.job(engines.table, tenant, job_id)
    job = jobs.retried(held.job)
    if not job.version:
        raise Conflict("nothing of this upload was kept; mend what the job says and upload the file again")
    if job.version <= (await catalogue.head(engines.table, tenant, job.doc_key)).deleted:
        raise Conflict("the document of this job was deleted; upload it again")
    version = await catalogue.version(engines.table, tenant, job.doc_key, job.version)
    changes = [catalogue.put_job(job, held.revision)]
    if version.document.state is DocumentState.FAILED:
        # One that is live stays so: its job was to put it into the index again.
        pending = replace(version.document, state=DocumentState.PENDING)
        changes.append(catalogue.put_version(pending, job.job_id, version.revision))
    await engines.table.write(*changes)
    await engines.job_launcher.start(tenant, job_id)
    return job


async def run_again(document: Document, engines: Engines) -> IndexingJob:
    """Have a live document put into the index again by its own job, where jobs run; it stays live meanwhile.

    Raises: NotFound, Conflict where the job changed meanwhile.
    """
    tenant = document.tenant
    job_id = await catalogue.job_of(engines.table, tenant, document.doc_key, document.version)
    held = await catalogue.job(engines.table, tenant, job_id)
    job = jobs.again(held.job)
    if job is not held.job:
        await engines.table.write(catalogue.put_job(job, held.revision))
    await engines.job_launcher.start(tenant, job_id)
    return job


async def resume(tenant: str, job_id: str, engines: Engines) -> IndexingJob:
    """Run a job by its number, whatever stage it had reached, and log how it ended. Raises: NotFound."""
    job = (await catalogue.job(engines.table, tenant, job_id)).job
    ended = await run(IngestionJob(tenant, job.doc_key, job.version, job_id), engines)
    if ended.state is JobState.FAILED:
        log.write("job_failed", reason=ended.error_type)
    else:
        log.write("job_ended", outcome=ended.state)
    return ended


async def _document(ingestion_job: IngestionJob, engines: Engines) -> Document:
    held = await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    return held.document


async def _change_job(
    ingestion_job: IngestionJob, engines: Engines, change: Callable[[IndexingJob], IndexingJob]
) -> None:
    await catalogue.change_job(engines.table, ingestion_job.tenant, ingestion_job.job_id, change)
