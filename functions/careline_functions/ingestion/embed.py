"""One batch of chunks gets its vectors; the state machine runs up to five batches of a document at once."""

from __future__ import annotations

from functools import partial
from typing import Any

from careline.knowledge.embed import embed
from careline.knowledge.pipeline import embedded
from careline.knowledge.ticket import Ticket
from careline.ports import Engines
from careline_functions.ingestion import stage


def handler(event: dict[str, Any], context: object) -> dict[str, Any]:
    """`{ticket, batch}` in, the ticket out."""
    return stage.run("embed", event, partial(_embed, batch=int(event["batch"])))


async def _embed(ticket: Ticket, engines: Engines, *, batch: int) -> Ticket:
    ticket = await embed(ticket, batch, engines)
    await embedded(ticket, batch, engines)
    return ticket
