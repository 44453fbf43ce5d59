"""Releases and discards passages that were held back, and parts of them: the decision and its audit entry are one
transaction."""

from __future__ import annotations

from careline.audit import chain as audit
from careline.errors import BadRequest, NotFound
from careline.knowledge.ingestion import stage_files
from careline.knowledge.quarantine import held_passages
from careline.knowledge.quarantine import release as quarantine
from careline.knowledge.quarantine.held_passages import Decision, Decisions
from careline.knowledge.quarantine.parts import Parts, findings_in, parts_of
from careline.model import Chunk, Document
from careline.ports import Engines
from careline.records.record_table import Body, Delete, Put
from careline.schemas.library import Decided, DecisionMade


async def decide(
    tenant: str, passage: str, decision: Decision, by: str, engines: Engines, part: str = ""
) -> DecisionMade:
    """Write down what a person decided about a passage, or about a part of it, and bring the index in line with it.

    As soon as every part is decided about, the passage is told without those that were discarded. What is decided about
    all of it holds for each part; a part may be decided about anew after that.

    Raises: NotFound, BadRequest for a part that cannot be decided about apart, TableUnavailable, IndexUnavailable,
    RecordDamaged.
    """
    entry = await quarantine.entry_of(tenant, passage, engines)
    documents = await quarantine.documents_with(tenant, passage, engines)
    parts = parts_of(entry["text"], findings_in(entry))
    before = await held_passages.decisions(engines.table, tenant, passage)
    made: Decided = {"decision": decision, "by": by, "at": engines.clock.now().isoformat()}
    keys = [one.doc_key for one in documents]
    body: Body = {"passage_id": passage, "decision": decision, "by": by, "documents": keys}
    chunk = await _chunk(passage, documents, engines)
    if part:
        _check_part(part, parts)
        body["part_id"] = part
    changes = _changes(tenant, passage, part, dict(made), before, parts)
    link = await audit.append(engines, tenant, "quarantine", body, alongside=changes)
    # Read again: somebody else may have decided about another part meanwhile.
    after = await held_passages.decisions(engines.table, tenant, passage)
    left = after.told(chunk, parts)
    if left is not None and left != chunk:
        # What is left is read once more when it is said, and must be known as released then.
        released = {**made, "decision": "released"}
        await engines.table.write(held_passages.put_decision(tenant, held_passages.passage_id(left), released))
    if before.told(chunk, parts) != left:
        for document in documents:
            await quarantine.index_again(document, engines)
    version = await engines.index.corpus_version(tenant)
    told: DecisionMade = {
        "passage_id": passage, "decision": decision, "by": by, "at": made["at"], "documents": keys,
        "corpus_version": version, "audit": str(link), "settled": after.settled(parts),
    }  # fmt: skip
    if part:
        told["part_id"] = part
    return told


def _check_part(part: str, parts: Parts) -> None:
    """Raises: NotFound, BadRequest."""
    if parts.of(part) is None:
        raise NotFound("the passage has no part of that name; `careline quarantine show` names them")
    if parts.whole:
        raise BadRequest(
            "part: something is held against the passage as a whole or its headings; decide about all of it"
        )


def _changes(tenant: str, passage: str, part: str, made: Body, before: Decisions, parts: Parts) -> list[Put | Delete]:
    """The writes of a decision. What held for the whole passage holds for its other parts from then on."""
    if not part:
        return [held_passages.put_decision(tenant, passage, made)]
    changes: list[Put | Delete] = [held_passages.put_decision(tenant, passage, made, part)]
    if before.whole is not None:
        names = {one.part_id for one in parts.parts} - {part}
        changes += [held_passages.put_decision(tenant, passage, before.whole, name) for name in sorted(names)]
        changes.append(held_passages.drop_decision(tenant, passage))
    return changes


async def _chunk(passage: str, documents: list[Document], engines: Engines) -> Chunk:
    """The passage as it was cut from a document. Raises: NotFound."""
    for document in documents:
        for chunk in await stage_files.chunks(engines.files, document):
            if held_passages.passage_id(chunk) == passage:
                return chunk
    raise NotFound("the passage is in no document any more; `careline quarantine list` names those that are")
