"""What is held back of the documents that are live, and how a decision about it reaches the index."""

from __future__ import annotations

from typing import Any, Literal

from careline.errors import NotFound
from careline.knowledge import catalogue
from careline.knowledge.embed import embed_again
from careline.knowledge.ingestion import stage_files
from careline.knowledge.live_passages import make_live
from careline.knowledge.quarantine import held_passages
from careline.knowledge.quarantine.add_sifted import add_sifted
from careline.knowledge.quarantine.parts import findings_in, parts_of, to_json
from careline.log.event_log import EventLog
from careline.model import Document, DocumentState
from careline.ports import Engines
from careline.records.record_table import Body

log = EventLog(__name__)
_AT_LENGTH = ("text", "findings", "parts", "whole_only")
"""What a list leaves out."""


async def listing(tenant: str, engines: Engines, *, decided: bool = False, limit: int = 100) -> dict[str, list[Body]]:
    """Passages held back in live documents, those nobody has decided about unless `decided`; without their text."""
    found: list[Body] = []
    async for entry in _live_entries(tenant, engines):
        shown = await _shown(tenant, entry, engines)
        if decided or shown["decided"] is None:
            found.append({name: value for name, value in shown.items() if name not in _AT_LENGTH})
        if len(found) == limit:
            break
    log.write("held_passages_listed", count=len(found))
    return {"held_back": found}


async def show(tenant: str, passage: str, engines: Engines) -> Body:
    """One passage with its text, where the words stand that are held against it, what may be decided about apart, and
    what was decided. Raises: NotFound."""
    return await _shown(tenant, await entry_of(tenant, passage, engines), engines)


async def entry_of(tenant: str, passage: str, engines: Engines) -> Body:
    """The record of a passage that is held back in a live document. Raises: NotFound."""
    async for entry in _live_entries(tenant, engines):
        if entry["passage_id"] == passage:
            found: Body = entry
            return found
    raise NotFound("no passage of that name is held back; `careline quarantine list` names those that are")


async def documents_with(tenant: str, passage: str, engines: Engines) -> list[Document]:
    """The live documents in which a passage is held back. Raises: NotFound where there is none."""
    await entry_of(tenant, passage, engines)
    keys = {entry["doc_key"] async for entry in _live_entries(tenant, engines) if entry["passage_id"] == passage}
    found: list[Document] = []
    for key in sorted(keys):
        head = await catalogue.head(engines.table, tenant, key)
        if head.live is not None:
            found.append((await catalogue.version(engines.table, tenant, key, head.live)).document)
    return found


async def withheld(document: Document, engines: Engines) -> Literal["held", "discarded"] | None:
    """Why a passage of a version is not told: nobody has decided about it yet, or a person did; None where all are.

    Raises: NotFound where the passages are lost.
    """
    chunks = {held_passages.passage_id(one): one for one in await stage_files.chunks(engines.files, document)}
    found: set[Literal["held", "discarded"]] = set()
    async for entry in held_passages.entries(engines.table, document.tenant, document.doc_key, document.version):
        decisions = await held_passages.decisions(engines.table, document.tenant, entry["passage_id"])
        parts = parts_of(entry["text"], findings_in(entry))
        if (chunk := chunks.get(entry["passage_id"])) is None:
            raise NotFound("a passage that is held back is none of its version's any more; take the document in again")
        if decisions.told(chunk, parts) is None:
            found.add("discarded" if decisions.settled(parts) else "held")
    return "held" if "held" in found else next(iter(found), None)


async def index_again(document: Document, engines: Engines) -> None:
    """Bring a live document's passages into the index as decisions now stand. Raises: IndexUnavailable."""
    if document.state is DocumentState.LIVE:
        await embed_again(document, engines)
        sifted = await add_sifted(document, engines)
        await make_live(document, engines, empty=not sifted.kept)
        if not sifted.kept:
            # A decision took back the last that was told of it; another may release it again.
            await engines.index.withdraw(document.tenant, document.doc_key, document.version)
        await engines.index.settle()


async def _shown(tenant: str, entry: Body, engines: Engines) -> Body:
    decisions = await held_passages.decisions(engines.table, tenant, entry["passage_id"])
    findings = findings_in(entry)
    parts = parts_of(entry["text"], findings)
    return {
        **{name: value for name, value in entry.items() if name != "told"},
        "findings": to_json(findings),
        "parts": [
            {
                "part_id": one.part_id,
                "start": one.start,
                "end": one.end,
                "text": one.text,
                "reasons": list(one.reasons),
                "decided": decisions.of(one.part_id),
            }
            for one in parts.parts
        ],
        "whole_only": parts.whole,
        "decided": decisions.shown(parts),
    }


async def _live_entries(tenant: str, engines: Engines) -> Any:
    live: dict[str, int | None] = {}
    async for entry in held_passages.entries(engines.table, tenant):
        key: str = entry["doc_key"]
        if key not in live:
            live[key] = (await catalogue.head(engines.table, tenant, key)).live
        if live[key] == entry["version"]:
            body: Body = entry
            yield body
