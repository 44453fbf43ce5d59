"""Keeps what documents say, and what people decided about it; what is asked now is made of both and the directory.

So a new version of a document proposes the difference alone: what the directory has by now, and what was decided
before, is not asked again. Nothing is answered from here.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace

from careline.curation import editions
from careline.curation.proposals.comparing.resolve import resolve_all
from careline.curation.proposals.proposal import Kind, Proposal, State, Statement, proposal_from, statement_from
from careline.model import Document
from careline.ports import Records
from careline.records import keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Body, Delete, Item, Put

LONGEST = 350_000
"""Characters of the packed statements of one document: a record of DynamoDB holds 400 KB."""
BUSY = "the statements of the document keep changing; try again"


async def keep(document: Document, found: Iterable[Statement], records: Records) -> int:
    """Keep the statements of a version, unless those of a newer one are kept; how many. Repeated without effect.

    Raises: Contended, TableUnavailable.
    """
    statements = list(found)
    packed = _packed(statements)
    while len(packed) > LONGEST:
        statements = statements[: len(statements) // 2]
        packed = _packed(statements)
    key = keys.document_statements(document.tenant, document.doc_key)
    body: Body = {"version": document.version, "count": len(statements), "packed": packed}

    async def decide() -> Update[int]:
        held = await records.table.get(*key)
        if held is not None and held.body["version"] > document.version:
            return Update(0)
        if held is not None and held.body == body:
            return Update(len(statements))
        if held is None and not statements:
            return Update(0)
        return Update(len(statements), (Put(Item(*key, body), expects=held.revision if held else 0),))

    return await optimistic_update(records.table, decide, busy=BUSY)


def forgotten(tenant: str, doc_key: str) -> Delete:
    """The change that forgets what a document says, as it was deleted."""
    return Delete(*keys.document_statements(tenant, doc_key))


async def statements(tenant: str, records: Records, doc_key: str = "") -> AsyncIterator[Statement]:
    """What live documents say, by document; without those whose validity is over. Raises: TableUnavailable."""
    today = records.clock.now().date().isoformat()
    async for item in records.table.query(keys.statements(tenant), doc_key):
        if doc_key and item.sort != doc_key:
            continue
        for body in json.loads(gzip.decompress(base64.b85decode(item.body["packed"]))):
            statement = statement_from(body)
            if (statement.valid_until or "9999") >= today:
                yield statement


def _packed(statements: list[Statement]) -> str:
    written = json.dumps([one.to_json() for one in statements]).encode()
    return base64.b85encode(gzip.compress(written, mtime=0)).decode("ascii")


async def decisions(tenant: str, records: Records) -> dict[str, Proposal]:
    """What people decided, by the id of the proposal. Raises: TableUnavailable."""
    return {
        item.sort: proposal_from(item.body) async for item in records.table.query(keys.proposal_decisions(tenant))
    }


def put_decision(tenant: str, decided: Proposal) -> Put:
    """The write of a decision."""
    return Put(Item(*keys.proposal_decision(tenant, decided.proposal_id), decided.to_json()))


def withdrawn(tenant: str, proposal: Proposal) -> Delete:
    """The change that forgets a decision."""
    return Delete(*keys.proposal_decision(tenant, proposal.proposal_id))


async def open_proposals(tenant: str, records: Records, doc_key: str = "") -> list[Proposal]:
    """What a person is asked to decide about now, each once, by document. Raises: TableUnavailable, RecordDamaged."""
    held = (await editions.current(tenant, records)).directory
    decided = await decisions(tenant, records)
    said = [one async for one in statements(tenant, records, doc_key) if one.statement_id not in decided]
    return resolve_all(said, held)


async def listing(
    tenant: str,
    records: Records,
    *,
    state: State | None = "open",
    kind: Kind | None = None,
    doc_key: str = "",
) -> list[Proposal]:
    """Proposals in one state, or in all, of one kind or document where it is named.

    Raises: TableUnavailable, RecordDamaged.
    """
    found: list[Proposal] = []
    if state in (None, "open"):
        found += await open_proposals(tenant, records, doc_key)
    if state != "open":
        decided = (await decisions(tenant, records)).values()
        found += [one for one in decided if state in (None, one.state)]
    return [
        one for one in found
        if (kind is None or one.kind == kind) and (not doc_key or one.source.doc_key == doc_key)
    ]  # fmt: skip


def decided(proposal: Proposal, state: State, by: str, records: Records, entry: Body | None = None) -> Proposal:
    """A proposal with what a person decided about it; `entry` as that person corrected it."""
    at = records.clock.now().isoformat()
    return replace(proposal, state=state, by=by, at=at, entry=proposal.entry if entry is None else entry)
