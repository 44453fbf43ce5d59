"""First state: an upload's S3 event, or `{tenant, job_id}` of a job to run again, becomes an ingestion job."""

from __future__ import annotations

from typing import Any

from careline.knowledge import catalogue, register
from careline.knowledge.ingestion_job import IngestionJob
from careline_functions.ingestion import stage
from careline_functions.ingestion.uploaded import read_upload


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """The ingestion job; `unchanged` when the same content is live already."""
    return stage.finish("register", _again(event) if "job_id" in event else _new(event))


async def _new(event: dict[str, Any]) -> IngestionJob:
    from careline.settings import Settings

    upload = await read_upload(event, Settings.load().max_upload_bytes)
    stage.log.info("upload read", extra={"tenant": upload.tenant, "bytes": len(upload.content)})
    return await register.register(upload, stage.engines())


async def _again(event: dict[str, Any]) -> IngestionJob:
    held = await catalogue.job(stage.engines().table, event["tenant"], event["job_id"])
    return IngestionJob(held.job.tenant, held.job.doc_key, held.job.version, held.job.job_id)
