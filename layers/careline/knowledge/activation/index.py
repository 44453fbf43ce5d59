"""Puts a version's passages into the index, where nobody finds them yet, without those that are held back."""

from __future__ import annotations

from dataclasses import replace

from careline.knowledge import catalogue
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.quarantine.add_sifted import add_sifted
from careline.log.event_log import EventLog
from careline.model import HeldPassage
from careline.ports import Engines

log = EventLog(__name__)
NAMED = 20
"""Passages held back that a job names; the rest is counted, and listed by the quarantine."""


async def index(ingestion_job: IngestionJob, engines: Engines) -> IngestionJob:
    """Add every passage that may be found, with its vector. Raises: IndexUnavailable."""
    document = (
        await catalogue.version(engines.table, ingestion_job.tenant, ingestion_job.doc_key, ingestion_job.version)
    ).document
    sifted = await add_sifted(document, engines)
    await _name_held(ingestion_job, sifted.held, engines)
    if sifted.held:
        log.write("passages_held_back", count=len(sifted.held))
    return replace(ingestion_job, empty=not sifted.kept)


async def _name_held(ingestion_job: IngestionJob, held: tuple[HeldPassage, ...], engines: Engines) -> None:
    """Say in the job what was held back. Raises: Conflict."""
    await catalogue.change_job(
        engines.table,
        ingestion_job.tenant,
        ingestion_job.job_id,
        lambda job: replace(job, held_back=len(held), held=held[:NAMED]),
    )
