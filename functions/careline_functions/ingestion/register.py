"""First state: an upload's S3 event, an object of a bulk import, or `{tenant, job_id}` of a job to run again, becomes
an ingestion job."""

from __future__ import annotations

from typing import Any

from careline.errors import BadRequest, Conflict, Contended, DocumentRejected, NotFound, SettingsInvalid
from careline.knowledge import catalogue, register
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.ingestion.refused_upload import SUPERSEDED, refuse
from careline.knowledge.offered_upload import promise
from careline.knowledge.register import Upload
from careline.log import context
from careline.ports import Engines
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage
from careline_functions.ingestion.events import Imported, ObjectCreated, RetryRequest, read
from careline_functions.ingestion.uploaded import read_file, stored_file, upload_of


@observed("ingestion-register")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """The ingestion job; `unchanged` when there is nothing to do: the same content is live already, a newer upload was
    there first, or it is a folder and no file."""
    return stage.finish("register", _again(event) if "job_id" in event else _new(event))


async def _new(event: dict[str, Any]) -> IngestionJob:
    engines = stage.engines()
    if engines.uploads is None:
        raise SettingsInvalid("uploads come through the bucket of a cloud installation; set CARELINE_STORAGE to aws")
    file = stored_file(read(Imported, event) if "item" in event else read(ObjectCreated, event))
    assert file is not None
    arrival = file.arrival(stage.own_tenant(), engines.clock.now())
    context.add(tenant=arrival.tenant)
    if file.is_folder:
        stage.log.write("upload_ignored", reason="folder")
        return IngestionJob(arrival.tenant, "", 0, "", unchanged=True)
    try:
        found = await read_file(file, arrival.tenant, engines.uploads, engines)
        if found.announced is not None:
            # Before anything can be wrong with it: whoever announced it asks for this job.
            arrival = await promise(arrival, found.announced, engines)
        return await _registered(upload_of(file, found, arrival), engines)
    except Contended:
        raise
    except (BadRequest, NotFound, Conflict, DocumentRejected) as error:
        # Here, where its reason is at hand; what may pass is tried again and written down by `fail` when it does not.
        job = await refuse(arrival, error, engines)
        with context.bound(job=job.job_id):
            stage.log.write("upload_refused", reason=job.error_type)
        raise


async def _registered(upload: Upload, engines: Engines) -> IngestionJob:
    stage.log.write("upload_read", bytes=len(upload.content))
    ingestion_job = await register.register(upload, engines)
    if ingestion_job.unchanged:
        held = await catalogue.job(engines.table, ingestion_job.tenant, ingestion_job.job_id)
        if held.job.error_type == SUPERSEDED:
            stage.log.write("upload_superseded")
    return ingestion_job


async def _again(event: dict[str, Any]) -> IngestionJob:
    asked = read(RetryRequest, event)
    context.add(tenant=asked.tenant, job=asked.job_id)
    held = await catalogue.job(stage.engines().table, asked.tenant, asked.job_id)
    return IngestionJob(held.job.tenant, held.job.doc_key, held.job.version, held.job.job_id)
