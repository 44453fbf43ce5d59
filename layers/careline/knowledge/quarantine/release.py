"""What is held back of the documents that are live, and how a decision about it reaches the index."""

from __future__ import annotations

from typing import Any

from careline.errors import NotFound
from careline.knowledge import catalogue
from careline.knowledge.embed import embed_again
from careline.knowledge.live_passages import make_live
from careline.knowledge.quarantine import held_passages
from careline.knowledge.quarantine.add_sifted import add_sifted
from careline.log.event_log import EventLog
from careline.model import Document, DocumentState
from careline.ports import Engines
from careline.records.record_table import Body

log = EventLog(__name__)


async def listing(
    tenant: str, engines: Engines, *, decided: bool = False, limit: int = 100
) -> dict[str, list[dict[str, Any]]]:
    """Passages held back in live documents, those nobody has decided about unless `decided`; without their text."""
    found: list[dict[str, Any]] = []
    async for entry in _live_entries(tenant, engines):
        made = await held_passages.decision(engines.table, tenant, entry["passage_id"])
        if decided or made is None:
            found.append({**{name: value for name, value in entry.items() if name != "text"}, "decided": made})
        if len(found) == limit:
            break
    log.write("held_passages_listed", count=len(found))
    return {"held_back": found}


async def show(tenant: str, passage: str, engines: Engines) -> dict[str, Any]:
    """One passage with its text and what was decided about it. Raises: NotFound."""
    async for entry in _live_entries(tenant, engines):
        if entry["passage_id"] == passage:
            return {**entry, "decided": await held_passages.decision(engines.table, tenant, passage)}
    raise NotFound("no passage of that name is held back; `careline quarantine list` names those that are")


async def documents_with(tenant: str, passage: str, engines: Engines) -> list[Document]:
    """The live documents in which a passage is held back. Raises: NotFound where there is none."""
    await show(tenant, passage, engines)
    keys = {entry["doc_key"] async for entry in _live_entries(tenant, engines) if entry["passage_id"] == passage}
    found: list[Document] = []
    for key in sorted(keys):
        head = await catalogue.head(engines.table, tenant, key)
        if head.live is not None:
            found.append((await catalogue.version(engines.table, tenant, key, head.live)).document)
    return found


async def index_again(document: Document, engines: Engines) -> None:
    """Bring a live document's passages into the index as decisions now stand. Raises: IndexUnavailable."""
    if document.state is DocumentState.LIVE:
        await embed_again(document, engines)
        sifted = await add_sifted(document, engines)
        await make_live(document, engines, empty=not sifted.kept)
        await engines.index.settle()


async def _live_entries(tenant: str, engines: Engines) -> Any:
    live: dict[str, int | None] = {}
    async for entry in held_passages.entries(engines.table, tenant):
        key: str = entry["doc_key"]
        if key not in live:
            live[key] = (await catalogue.head(engines.table, tenant, key)).live
        if live[key] == entry["version"]:
            body: Body = entry
            yield body
