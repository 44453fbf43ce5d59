"""Releases and discards passages that were held back, and parts of them: the decision and its audit entry are one
transaction."""

from __future__ import annotations

from contextlib import suppress

from careline.audit import chain as audit
from careline.errors import BadRequest, Conflict, Contended, NotFound
from careline.knowledge.ingestion import stage_files
from careline.knowledge.quarantine import held_passages
from careline.knowledge.quarantine import release as quarantine
from careline.knowledge.quarantine.held_passages import IN_PARTS, Decision, Decisions
from careline.knowledge.quarantine.parts import Parts, findings_in, parts_of
from careline.model import Chunk, Document
from careline.ports import Engines
from careline.records.optimistic_update import RETRY_AFTER_SECONDS, TRIES, pause_at_random
from careline.records.record_table import Body, Put
from careline.schemas.library import Decided, DecisionMade

BUSY = "others keep deciding about this passage; nothing was changed, try again"


async def decide(
    tenant: str, passage: str, decision: Decision, by: str, engines: Engines, part: str = ""
) -> DecisionMade:
    """Write down what a person decided about a passage, or about a part of it, and bring the index in line with it.

    As soon as every part is decided about, the passage is told without those that were discarded. What is decided about
    all of it holds for each part; a part may be decided about anew after that.

    Raises: NotFound, BadRequest for a part that cannot be decided about apart, Contended when others were first each
    time, TableUnavailable, IndexUnavailable, RecordDamaged.
    """
    entry = await quarantine.entry_of(tenant, passage, engines)
    documents = await quarantine.documents_with(tenant, passage, engines)
    parts = parts_of(entry["text"], findings_in(entry))
    made: Decided = {"decision": decision, "by": by, "at": engines.clock.now().isoformat()}
    keys = [one.doc_key for one in documents]
    body: Body = {"passage_id": passage, "decision": decision, "by": by, "documents": keys}
    chunk = await _chunk(passage, documents, engines)
    if part:
        _check_part(part, parts)
        body["part_id"] = part
    before, link = await _written(tenant, body, dict(made), parts, engines)
    after = await held_passages.decisions(engines.table, tenant, passage)
    while before.told(chunk, parts) != after.told(chunk, parts):
        for document in documents:
            await quarantine.index_again(document, engines)
        # Again where somebody decided meanwhile: what is older may have been written to the index last.
        before, after = after, await held_passages.decisions(engines.table, tenant, passage)
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


async def _written(
    tenant: str, body: Body, made: Body, parts: Parts, engines: Engines
) -> tuple[Decisions, audit.Link | None]:
    """What was decided before, and the audit entry. Raises: Contended, TableUnavailable, RecordDamaged."""
    passage, part = body["passage_id"], body.get("part_id", "")
    for attempt in range(1, TRIES + 1):
        before = await held_passages.decisions(engines.table, tenant, passage)
        changes = _changes(tenant, passage, part, made, before, parts)
        try:
            return before, await audit.append(engines, tenant, "quarantine", body, alongside=changes)
        except Contended:
            raise
        except Conflict:
            await pause_at_random(attempt)
    raise Contended(BUSY, retry_after=RETRY_AFTER_SECONDS)


def _changes(tenant: str, passage: str, part: str, made: Body, before: Decisions, parts: Parts) -> list[Put]:
    """The writes of a decision. What held for the whole passage holds for its other parts from then on."""
    if not part:
        return [held_passages.put_decision(tenant, passage, made, before.revision)]
    # Written with each part, so that of two decisions at once the later one is made of what the earlier one left.
    changes = [
        held_passages.put_decision(tenant, passage, {**made, "decision": IN_PARTS}, before.revision),
        held_passages.put_part_decision(tenant, passage, part, made),
    ]
    if before.whole is not None:
        names = {one.part_id for one in parts.parts} - {part}
        changes += [held_passages.put_part_decision(tenant, passage, name, before.whole) for name in sorted(names)]
    return changes


async def _chunk(passage: str, documents: list[Document], engines: Engines) -> Chunk:
    """The passage as it was cut from a document. Raises: NotFound."""
    for document in documents:
        with suppress(NotFound):
            for chunk in await stage_files.chunks(engines.files, document):
                if held_passages.passage_id(chunk) == passage:
                    return chunk
    raise NotFound("the passage is in no document any more; `careline quarantine list` names those that are")
