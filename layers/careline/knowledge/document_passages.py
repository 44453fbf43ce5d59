"""What callers can be told of a document, and what of it nobody is told: for those who keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from careline.errors import NotFound
from careline.identity import EVERYTHING
from careline.knowledge import catalogue, library
from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.quarantine import held_passages
from careline.knowledge.quarantine.held_passages import Decisions
from careline.knowledge.quarantine.parts import Parts, findings_in, parts_of
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

    A passage with reasons is held back: nobody is told it. Of one that was decided about part by part, what was
    discarded stands behind what is told. Hidden text that nobody needs to look at is left out alone.

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
            passage
            for name, chunk in ((held_passages.passage_id(chunk), chunk) for chunk in chunks)
            for passage in _of_chunk(chunk, held.get(name))
        ],
        "left_out": _left_out(text),
    }


@dataclass(frozen=True, slots=True)
class _Held:
    reasons: list[str]
    parts: Parts
    decisions: Decisions


async def _held(document: Document, engines: Engines) -> dict[str, _Held]:
    """What was held back of a version and what was decided about it, by the names of the passages."""
    found: dict[str, _Held] = {}
    async for body in held_passages.entries(engines.table, document.tenant, document.doc_key, document.version):
        name, parts = body["passage_id"], parts_of(body["text"], findings_in(body))
        decisions = await held_passages.decisions(engines.table, document.tenant, name)
        found[name] = _Held(list(body["reasons"]), parts, decisions)
    return found


def _of_chunk(chunk: Chunk, held: _Held | None) -> list[PassageBody]:
    """A chunk as it is told, and what of it is not."""
    if held is None:
        return [] if chunk.hidden else [_passage(chunk, [])]
    left = held.decisions.told(chunk, held.parts)
    if left is None:
        return [_passage(chunk, held.reasons)]
    discarded = [part for part in held.parts.parts if part.part_id in held.decisions.discarded]
    return [
        _passage(left, []),
        *(_passage(replace(chunk, text=part.text, kind="text"), list(part.reasons)) for part in discarded),
    ]


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
