"""Makes a version the live one.

The index is told first and the records last: a kill in between leaves a job that is still running and will be run
again, never a finished job whose passages cannot be found.
"""

from __future__ import annotations

from dataclasses import replace

from careline.knowledge import catalogue
from careline.knowledge.activation.stated import note_stated
from careline.knowledge.ingestion import jobs
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.live_passages import make_live
from careline.model import DocumentState, JobState
from careline.ports import Engines
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Delete, Put

DELETED = "the document was deleted while it was being indexed"


async def activate(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """Make the version live and the one before it superseded; one older than the live one is superseded itself.

    What it says that the directory could hold is noted last, and nothing fails for it.
    """
    document = (
        await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    ).document
    await make_live(document, engines, empty=ingestion_job.empty)

    async def decide() -> Update[IngestionJob]:
        return Update(ingestion_job, await _changes(ingestion_job, engines))

    done = await optimistic_update(engines.table, decide, busy=catalogue.busy(ingestion_job.doc_key))
    await note_stated(ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version, engines)
    return done


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
    # One that was live already was put into the index again.
    since = held.document.activated_at if head.live == ingestion_job.version else now
    live = replace(held.document, state=DocumentState.LIVE, activated_at=since or now)
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
