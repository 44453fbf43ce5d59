"""What callers can be told of a document, and what of it nobody is told: for those who keep it."""

from __future__ import annotations

from collections.abc import Sequence

from careline.errors import NotFound
from careline.identity import EVERYTHING
from careline.knowledge import catalogue, library
from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.quarantine import held_passages
from careline.log.event_log import EventLog
from careline.model import Audience, Chunk, Document
from careline.ports import Engines
from careline.schemas.library import DocumentPassages, LeftOutBlock, PassageBody
from careline.tables.extracted import Extracted

log = EventLog(__name__)


async def passages(
    tenant: str, doc_key: str, number: int | None, engines: Engines, audiences: Sequence[Audience] = EVERYTHING
) -> DocumentPassages:
    """Every passage of a version (the live one when None) in order, and the text that is left out.

    A passage with reasons is held back: nobody is told it. Hidden text that nobody needs to look at is left out alone.

    Raises: NotFound, also for another audience and for a version whose text was not made yet.
    """
    document = await library.version(tenant, doc_key, number, engines, audiences)
    try:
        text = await artefacts.extracted(engines.files, document, "text")
        chunks = await artefacts.chunks(engines.files, document)
    except NotFound:
        raise NotFound("this version has no passages: its job has not come so far, or failed") from None
    held = await _held(document, engines)
    log.write("document_passages_shown", count=len(chunks))
    return {
        "doc_key": doc_key,
        "version": document.version,
        "title": document.facts.title,
        "language": document.facts.language,
        "state": document.state,
        "validity": catalogue.validity(document, await library.today(tenant, engines)),
        "paged": text.paged,
        "passages": [
            _passage(chunk, held.get(name, []))
            for name, chunk in ((held_passages.passage_id(chunk), chunk) for chunk in chunks)
            if name in held or not chunk.hidden
        ],
        "left_out": _left_out(text),
    }


async def _held(document: Document, engines: Engines) -> dict[str, list[str]]:
    """Why passages are held back, by their id; no reasons for those that a person released."""
    found: dict[str, list[str]] = {}
    async for body in held_passages.entries(engines.table, document.tenant, document.doc_key, document.version):
        name = body["passage_id"]
        released = await held_passages.is_released(engines.table, document.tenant, name)
        found[name] = [] if released else list(body["reasons"])
    return found


def _passage(chunk: Chunk, reasons: list[str]) -> PassageBody:
    return {
        "ordinal": chunk.ordinal,
        "kind": chunk.kind,
        "headings": list(chunk.heading_path),
        "first_page": chunk.first_page,
        "last_page": chunk.last_page,
        "text": chunk.text,
        "held_back": reasons,
    }


def _left_out(text: Extracted) -> list[LeftOutBlock]:
    return [
        {"reason": block.left_out, "page": page.number, "text": block.text}
        for page in text.pages
        for block in page.blocks
        if block.left_out is not None
    ]
