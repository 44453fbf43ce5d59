"""Releases and discards passages that were held back: the decision and its audit entry are one transaction."""

from __future__ import annotations

from careline.audit import chain as audit
from careline.knowledge.quarantine import held_passages
from careline.knowledge.quarantine import release as quarantine
from careline.knowledge.quarantine.held_passages import Decision
from careline.ports import Engines
from careline.schemas.library import Decided, DecisionMade


async def decide(tenant: str, passage: str, decision: Decision, by: str, engines: Engines) -> DecisionMade:
    """Write down what a person decided and bring the index in line with it.

    Raises: NotFound, TableUnavailable, IndexUnavailable, RecordDamaged.
    """
    documents = await quarantine.documents_with(tenant, passage, engines)
    made: Decided = {"decision": decision, "by": by, "at": engines.clock.now().isoformat()}
    keys = [one.doc_key for one in documents]
    body = {"passage_id": passage, "decision": decision, "by": by, "documents": keys}
    kept = held_passages.put_decision(tenant, passage, dict(made))
    link = await audit.append(engines, tenant, "quarantine", body, alongside=[kept])
    if decision == "released":
        for document in documents:
            await quarantine.index_again(document, engines)
    version = await engines.index.corpus_version(tenant)
    return {"passage_id": passage, **made, "documents": keys, "corpus_version": version, "audit": str(link)}
