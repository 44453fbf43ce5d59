"""Takes a document out of the answers: the index is told first and the records last."""

from __future__ import annotations

from dataclasses import replace

from careline.curation.proposals import store
from careline.errors import NotFound
from careline.knowledge import catalogue
from careline.model import Document, DocumentState
from careline.ports import Engines
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Delete, Put


async def delete(tenant: str, doc_key: str, engines: Engines) -> Document:
    """Delete a document: no version is found any more, what was stored stays for audit. Raises: NotFound."""

    async def decide() -> Update[Document]:
        head = await catalogue.head(engines.table, tenant, doc_key)
        held = await catalogue.version(engines.table, tenant, doc_key, head.latest) if head.latest else None
        if held is None or (head.live is None and held.document.state is DocumentState.DELETED):
            raise NotFound(f"there is no document {doc_key}")
        await engines.index.retire(tenant, doc_key, head.latest)
        changes: list[Put | Delete] = [
            replace(head, live=None, deleted=head.latest).put(), store.forgotten(tenant, doc_key)
        ]  # fmt: skip
        for number in sorted({head.latest, head.live or head.latest}):
            one = await catalogue.version(engines.table, tenant, doc_key, number)
            job_id = await catalogue.job_of(engines.table, tenant, doc_key, number)
            gone = replace(one.document, state=DocumentState.DELETED)
            changes.append(catalogue.put_version(gone, job_id, one.revision))
        return Update(replace(held.document, state=DocumentState.DELETED), changes)

    return await optimistic_update(engines.table, decide, busy=catalogue.busy(doc_key))
