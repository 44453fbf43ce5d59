"""Runs one stage for a handler: the ingestion job in, the stage once, the ingestion job out. Sizes are logged, never
text."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from contextvars import copy_context
from functools import cache
from typing import Any, TypeVar

from careline.errors import CarelineError, DocumentRejected
from careline.knowledge import pipeline
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.pipeline import Stage
from careline.log import context
from careline.log.event_log import EventLog
from careline.ports import Engines
from careline_functions.ingestion.events import StageInput, read

Json = dict[str, Any]
Result = TypeVar("Result")
log = EventLog("careline.ingestion")


@cache
def engines() -> Engines:
    """This process's engines, made at the first invocation."""
    from careline import bootstrap
    from careline.settings import Settings

    return bootstrap.engines(Settings.load())


@cache
def own_tenant() -> str:
    """The installation's own tenant, whose list names what belongs to nobody else."""
    from careline.settings import Settings

    return Settings.load().tenant


@cache
def _runner() -> asyncio.Runner:
    """One event loop for the process: clients that keep connections belong to a loop."""
    return asyncio.Runner()


def run(name: str, event: Json, stage: Stage) -> Json:
    """Run a stage of `careline.knowledge.pipeline` on the ingestion job in `{ingestion_job: …}`.

    A rejection is written down here, where its reason is at hand: the state machine is told no more than a class and a
    text. Raises: DocumentRejected, which ends the execution; whatever else the stage raises.
    """
    ingestion_job = read(StageInput, event).ingestion_job
    with context.bound(job=ingestion_job.job_id, tenant=ingestion_job.tenant):
        return finish(name, _recorded(stage, ingestion_job, engines()))


async def _recorded(stage: Stage, ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    try:
        return await stage(ingestion_job, engines)
    except DocumentRejected as error:
        await pipeline.fail(ingestion_job, error.reason, error.message, engines)
        raise


def finish(name: str, work: Awaitable[IngestionJob]) -> Json:
    """Run to the end and map the result; the state machine sees the class of an exception."""
    started = time.perf_counter()
    try:
        ingestion_job = waited(work)
    except DocumentRejected as error:
        log.write("document_rejected", stage=name, reason=error.reason)
        raise
    except CarelineError as error:
        log.write("stage_failed", stage=name, error=error.code)
        raise
    ms = round((time.perf_counter() - started) * 1000)
    with context.bound(job=ingestion_job.job_id or None, tenant=ingestion_job.tenant):
        log.write("stage_finished", stage=name, batches=len(ingestion_job.batches), ms=ms)
    return ingestion_job.to_json()


def waited(work: Awaitable[Result]) -> Result:
    """What the work comes to, on this process's event loop."""
    # A runner keeps the context that it was made in, where the ids of its first invocation are.
    return _runner().run(_awaited(work), context=copy_context())


async def _awaited(work: Awaitable[Result]) -> Result:
    return await work
