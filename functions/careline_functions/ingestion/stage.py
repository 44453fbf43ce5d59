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
    """Run a stage of `careline.knowledge.pipeline` on the ingestion job in `{ticket: …}`."""
    return finish(name, stage(IngestionJob.from_json(event["ingestion_job"]), engines()))


def finish(name: str, work: Awaitable[IngestionJob]) -> Json:
    """Run to the end and map the result.

    The state machine sees an exception's class and message; a rejection's stable reason goes in front of its message,
    where `fail` reads it.
    """
    started = time.perf_counter()
    try:
        ingestion_job = _runner().run(_awaited(work))
    except DocumentRejected as error:
        log.info("document rejected", extra={"stage": name, "reason": error.reason})
        raise DocumentRejected(error.reason, f"[{error.reason}] {error.message}") from error
    ms = round((time.perf_counter() - started) * 1000)
    said = {"stage": name, "job_id": ingestion_job.job_id, "batches": len(ingestion_job.batches), "ms": ms}
    log.info("stage finished", extra=said)
    return ingestion_job.to_json()


async def _awaited(work: Awaitable[IngestionJob]) -> IngestionJob:
    return await work
