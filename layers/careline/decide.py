"""Releases and discards passages that were held back: the decision and its audit entry are one transaction."""

from __future__ import annotations

from typing import Any

from careline.knowledge import quarantine
from careline.ports import Engines
from careline.telemetry import audit
from careline.tenants import held_passages
from careline.tenants.held_passages import Decision


async def decide(tenant: str, passage: str, decision: Decision, by: str, engines: Engines) -> dict[str, Any]:
    """Write down what a person decided and bring the index in line with it.

    Raises: NotFound, TableUnavailable, IndexUnavailable, RecordDamaged.
    """
    documents = await quarantine.documents_with(tenant, passage, engines)
    made = {"decision": decision, "by": by, "at": engines.clock.now().isoformat()}
    body = {"passage_id": passage, "decision": decision, "by": by, "documents": [one.doc_key for one in documents]}
    kept = held_passages.put_decision(tenant, passage, made)
    link = await audit.append(engines, tenant, "quarantine", body, alongside=[kept])
    if decision == "released":
        for document in documents:
            await quarantine.index_again(document, engines)
    version = await engines.index.corpus_version(tenant)
    kept_as = {"documents": body["documents"], "corpus_version": version, "audit": str(link)}
    return {"passage_id": passage, **made, **kept_as}
