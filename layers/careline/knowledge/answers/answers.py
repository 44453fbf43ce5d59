"""Curated answers as the people see them who write them: saved, listed, shown and retired.

An answer is a document whose file holds one record, so it is taken in, screened, held back, dated, found, cited and
deleted as every other document is. Who changed it is kept beside it and in the audit chain.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any

from careline.audit import chain as audit
from careline.errors import Conflict, NotFound
from careline.knowledge import catalogue, library
from careline.knowledge.answers import answer_file
from careline.knowledge.curated import answer_records
from careline.knowledge.curated.answer_records import AnswerHistory, Did
from careline.knowledge.curated.personal_data import check_personal_data
from careline.knowledge.delete import delete
from careline.knowledge.ingestion import stage_files as artefacts
from careline.log.event_log import EventLog
from careline.model import Document, DocumentState, IndexingJob
from careline.ports import Engines
from careline.schemas.answers import AnswerBody, AnswerChangeBody, AnswerPage, AnswerRequest, AnswerSaved, AnswerState
from careline.tenants import tenant_records

AT_ONCE = 10
"""Answers that are read at the same time."""
log = EventLog(__name__)


async def add(tenant: str, asked: AnswerRequest, by: str, engines: Engines) -> AnswerSaved:
    """Save a new answer and start the job that takes it in; what is there word for word is left as it is.

    Raises: BadRequest, DocumentRejected (`personal_data`), Conflict where another answer is told to one of its
    questions already, and what `library.ingest` raises.
    """
    asked = answer_file.with_language(asked, engines.identify)
    return await _save(tenant, answer_file.key_of(asked), asked, by, engines, is_new=True)


async def edit(tenant: str, doc_key: str, asked: AnswerRequest, by: str, engines: Engines) -> AnswerSaved:
    """Save an answer in place of what it said before; a retired one is told again. Raises: NotFound, and as `add`."""
    await _history(tenant, doc_key, engines)
    asked = answer_file.with_language(asked, engines.identify)
    return await _save(tenant, doc_key, asked, by, engines, is_new=False)


async def put(tenant: str, doc_key: str, asked: AnswerRequest, by: str, engines: Engines) -> AnswerSaved:
    """Save the answer of a file's record under the record's key, whether it is new or not. Raises: as `add`."""
    return await _save(tenant, doc_key, answer_file.with_language(asked, engines.identify), by, engines, is_new=False)


async def retire(tenant: str, doc_key: str, by: str, engines: Engines) -> None:
    """Take an answer out at once; what it said stays for audit. Raises: NotFound, Conflict for a retired one."""
    held = await _history(tenant, doc_key, engines)
    document, _ = await _document(tenant, doc_key, engines)
    if document.state is DocumentState.DELETED:
        raise Conflict("this answer is retired already")
    change = answer_records.change_of("retired", by, document.content_hash, engines.clock.now())
    body = {"doc_key": doc_key, "did": "retired", "by": by, "content_hash": document.content_hash}
    await audit.append(engines, tenant, "answer", body, alongside=[held.put(tenant, change)])
    await delete(tenant, doc_key, engines)


async def show(tenant: str, doc_key: str, engines: Engines) -> AnswerBody:
    """One answer with its changes. Raises: NotFound."""
    return await _body(tenant, await _history(tenant, doc_key, engines), engines)


async def listing(
    tenant: str, engines: Engines, *, after: str = "", limit: int = 100, everything: bool = False
) -> AnswerPage:
    """At most `limit` answers in order of their key; retired ones are left out of them unless `everything`. `next` is
    the `after` of the following page."""
    held: list[AnswerHistory] = []
    more: str | None = None
    async for one in answer_records.histories(engines.table, tenant, after):
        if len(held) == limit:
            more = held[-1].doc_key
            break
        held.append(one)
    found = await _bodies(tenant, held, engines)
    log.write("answers_listed", count=len(found))
    return {"answers": [one for one in found if everything or one["state"] != "retired"], "next": more}


async def _bodies(tenant: str, held: Sequence[AnswerHistory], engines: Engines) -> list[AnswerBody]:
    few = asyncio.Semaphore(AT_ONCE)

    async def one(history: AnswerHistory) -> AnswerBody:
        async with few:
            return await _body(tenant, history, engines)

    return list(await asyncio.gather(*map(one, held)))


async def _save(
    tenant: str, doc_key: str, asked: AnswerRequest, by: str, engines: Engines, *, is_new: bool
) -> AnswerSaved:
    await _check(tenant, doc_key, asked, engines)
    held = await answer_records.history(engines.table, tenant, doc_key)
    file_name = ""
    if held.changes:
        document, _ = await _document(tenant, doc_key, engines)
        told = document.state is not DocumentState.DELETED
        is_same = answer_file.is_as(asked, document, await _content(document, engines))
        if told and is_same and document.state is not DocumentState.FAILED:
            return {"answer": await _body(tenant, held, engines), "unchanged": True}
        if is_new and told and not is_same:
            raise Conflict(f"{doc_key} answers this question already; edit that answer")
        if asked.version not in (None, document.version):
            raise Conflict(f"somebody saved version {document.version} meanwhile; look at it and edit that one")
        file_name = document.file_name
    upload = answer_file.upload_of(tenant, doc_key, asked, await library.today(tenant, engines), file_name)
    did: Did = "changed" if held.changes else "added"
    change = answer_records.change_of(did, by, upload.content_hash(), engines.clock.now())
    body = {
        "doc_key": doc_key, "did": did, "by": by, "content_hash": change.content_hash, "not_phi": len(asked.not_phi),
    }  # fmt: skip
    await audit.append(engines, tenant, "answer", body, alongside=[held.put(tenant, change)])
    await library.ingest(upload, engines)
    return {"answer": await show(tenant, doc_key, engines), "unchanged": False}


async def _check(tenant: str, doc_key: str, asked: AnswerRequest, engines: Engines) -> None:
    """Raises: DocumentRejected (`personal_data`), Conflict for a question that another answer is told to."""
    check = partial(
        check_personal_data, asked.questions, asked.text, str(asked.language), engines.detector,
        staff=(await tenant_records.retention_of(engines, tenant)).staff, not_phi=asked.not_phi,
    )  # fmt: skip
    await asyncio.to_thread(check)
    wanted = {answer_file.same(one) for one in asked.questions}
    page = await listing(tenant, engines, limit=10_000)
    for other in page["answers"]:
        if other["doc_key"] == doc_key or other["language"] != asked.language or other["audience"] != asked.audience:
            continue
        if other["state"] == "expired":
            continue
        if wanted & {answer_file.same(one) for one in other["questions"]}:
            raise Conflict(
                f"{other['doc_key']} is told to one of these questions already; edit that answer, or leave it out"
            )


async def _history(tenant: str, doc_key: str, engines: Engines) -> AnswerHistory:
    held = await answer_records.history(engines.table, tenant, doc_key)
    if not held.changes:
        raise NotFound("there is no such answer; `careline answer list` shows those there are")
    return held


async def _document(tenant: str, doc_key: str, engines: Engines) -> tuple[Document, str]:
    """The newest version of an answer's document and the job of it. Raises: NotFound."""
    head = await catalogue.head(engines.table, tenant, doc_key)
    if not head.latest:
        raise NotFound("nothing of this answer was kept; save it again")
    held = await catalogue.version(engines.table, tenant, doc_key, head.latest)
    return held.document, await catalogue.job_of(engines.table, tenant, doc_key, head.latest)


async def _content(document: Document, engines: Engines) -> dict[str, Any]:
    return answer_file.read_answer(document, await artefacts.original(engines.files, document))


async def _body(tenant: str, held: AnswerHistory, engines: Engines) -> AnswerBody:
    versions = await catalogue.versions(engines.table, tenant, held.doc_key)
    if not versions:
        raise NotFound("nothing of this answer was kept; save it again")
    document, job_id = versions[-1]
    job = (await catalogue.job(engines.table, tenant, job_id)).job
    content, facts = await _content(document, engines), document.facts
    numbers = {one.content_hash: one.version for one, _ in versions}
    changes: list[AnswerChangeBody] = [
        {
            "did": one.did, "by": one.by, "at": one.at,
            "version": None if one.did == "retired" else numbers.get(one.content_hash),
        }
        for one in held.changes
    ]  # fmt: skip
    return {
        "doc_key": held.doc_key, "version": document.version,
        "state": _state(document, job, await library.today(tenant, engines)),
        "questions": content["questions"], "text": content["text"], "language": facts.language,
        "audience": facts.audience, "owner": facts.owner, "valid_from": _day(facts.valid_from),
        "valid_until": _day(facts.valid_until), "sources": content["sources"], "not_phi": content["not_phi"],
        "written_on": content["written_on"], "job_id": job_id, "error_message": job.error_message, "changes": changes,
    }  # fmt: skip


def _state(document: Document, job: IndexingJob, today: date) -> AnswerState:
    if document.state is DocumentState.DELETED:
        return "retired"
    if document.state is DocumentState.FAILED:
        return "failed"
    if document.state is not DocumentState.LIVE:
        return "pending"
    if job.held_back:
        return "held"
    if document.facts.valid_from is not None and today < document.facts.valid_from:
        return "not_yet"
    if document.facts.valid_until is not None and document.facts.valid_until < today:
        return "expired"
    return "live"


def _day(value: date | None) -> str | None:
    return None if value is None else value.isoformat()
