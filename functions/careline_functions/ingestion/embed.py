"""One batch of chunks gets its vectors; the state machine runs up to five batches of a document at once."""

from __future__ import annotations

from functools import partial
from typing import Any

from careline.knowledge.embed import embed
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.pipeline import embedded
from careline.ports import Engines
from careline.runtime.lambda_handler import observed
from careline_functions.ingestion import stage
from careline_functions.ingestion.events import BatchInput, read


@observed("ingestion-embed")
def handler(event: dict[str, Any], invocation: object) -> dict[str, Any]:
    """`{ingestion_job, batch}` in, the ingestion job out."""
    return stage.run("embed", event, partial(_embed, batch=read(BatchInput, event).batch))


async def _embed(ingestion_job: IngestionJob, engines: Engines, *, batch: int) -> IngestionJob:
    ingestion_job = await embed(ingestion_job, batch, engines)
    await embedded(ingestion_job, batch, engines)
    return ingestion_job
