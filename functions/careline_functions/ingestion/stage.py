"""Runs one stage for a handler: the ingestion job in, the stage once, the ingestion job out. Sizes are logged, never
text."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable
from functools import cache
from typing import Any

from careline.errors import DocumentRejected
from careline.knowledge import pipeline
from careline.knowledge.ingestion_job import IngestionJob
from careline.knowledge.pipeline import Stage
from careline.ports import Engines

Json = dict[str, Any]
log = logging.getLogger("careline.ingestion")
log.setLevel(logging.INFO)


@cache
def engines() -> Engines:
    """This process's engines, made at the first invocation."""
    from careline import bootstrap
    from careline.settings import Settings

    return bootstrap.engines(Settings.load())


@cache
def _runner() -> asyncio.Runner:
    """One event loop for the process: clients that keep connections belong to a loop."""
    return asyncio.Runner()


def run(name: str, event: Json, stage: Stage) -> Json:
    """Run a stage of `careline.knowledge.pipeline` on the ingestion job in `{ingestion_job: …}`.

    A rejection is written down here, where its reason is at hand: the state machine is told no more than a class and a
    text. Raises: DocumentRejected, which ends the execution; whatever else the stage raises.
    """
    return finish(name, _recorded(stage, IngestionJob.from_json(event["ingestion_job"]), engines()))


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
        ingestion_job = _runner().run(_awaited(work))
    except DocumentRejected as error:
        log.info("document rejected", extra={"stage": name, "reason": error.reason})
        raise
    ms = round((time.perf_counter() - started) * 1000)
    said = {"stage": name, "job_id": ingestion_job.job_id, "batches": len(ingestion_job.batches), "ms": ms}
    log.info("stage finished", extra=said)
    return ingestion_job.to_json()


async def _awaited(work: Awaitable[IngestionJob]) -> IngestionJob:
    return await work
