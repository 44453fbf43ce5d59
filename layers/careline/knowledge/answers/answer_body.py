"""How an answer stands and what it says, as people and programs see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from careline.errors import NotFound
from careline.knowledge import catalogue, library
from careline.knowledge.answers import answer_file
from careline.knowledge.curated.answer_records import AnswerHistory
from careline.knowledge.ingestion import stage_files as artefacts
from careline.knowledge.quarantine import release as quarantine
from careline.model import Document, DocumentState, IndexingJob
from careline.ports import Engines
from careline.schemas.answers import AnswerBody, AnswerChangeBody, AnswerState

NOTHING_KEPT = "nothing of this answer was kept; save it again"


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    """The newest version of an answer's document and what its file says; None where the file is lost or no record."""

    document: Document
    job_id: str
    content: dict[str, Any] | None
    numbers: Mapping[str, int]
    """The version of each content (SHA-256)."""


async def saved_answer(tenant: str, doc_key: str, engines: Engines) -> SavedAnswer | None:
    """What was saved of an answer; None where no upload of it came through."""
    versions = await catalogue.versions(engines.table, tenant, doc_key)
    if not versions:
        return None
    document, job_id = versions[-1]
    try:
        content = answer_file.read_answer(document, await artefacts.original(engines.files, document))
    except (NotFound, ValueError):
        content = None
    return SavedAnswer(document, job_id, content, {one.content_hash: one.version for one, _ in versions})


async def body_of(tenant: str, held: AnswerHistory, engines: Engines) -> AnswerBody:
    """One answer with its changes; of one of which nothing was kept, that it failed."""
    saved = await saved_answer(tenant, held.doc_key, engines)
    if saved is None:
        return _body_of_none(held)
    document, job_id, facts = saved.document, saved.job_id, saved.document.facts
    job = (await catalogue.job(engines.table, tenant, job_id)).job
    content = saved.content or answer_file.EMPTY
    is_lost = saved.content is None and document.state is not DocumentState.DELETED
    state: AnswerState = "failed"
    if not is_lost:
        try:
            state = await _state(document, job, await library.today(tenant, engines), engines)
        except NotFound:
            is_lost = True
    return {
        "doc_key": held.doc_key, "version": document.version, "state": state,
        "questions": content["questions"], "text": content["text"], "language": facts.language,
        "audience": facts.audience, "owner": facts.owner, "valid_from": _day(facts.valid_from),
        "valid_until": _day(facts.valid_until), "sources": content["sources"], "not_phi": content["not_phi"],
        "written_on": content["written_on"], "job_id": job_id,
        "error_message": NOTHING_KEPT if is_lost else job.error_message, "changes": _changes(held, saved.numbers),
    }  # fmt: skip


def _body_of_none(held: AnswerHistory) -> AnswerBody:
    return {
        "doc_key": held.doc_key, "version": 0, "state": "retired" if held.is_retired else "failed",
        "questions": [], "text": "", "language": "", "audience": "public", "owner": None, "valid_from": None,
        "valid_until": None, "sources": [], "not_phi": [], "written_on": None, "job_id": "",
        "error_message": NOTHING_KEPT, "changes": _changes(held, {}),
    }  # fmt: skip


def _changes(held: AnswerHistory, numbers: Mapping[str, int]) -> list[AnswerChangeBody]:
    return [
        {
            "did": one.did, "by": one.by, "at": one.at,
            "version": None if one.did == "retired" else numbers.get(one.content_hash),
        }
        for one in held.changes
    ]  # fmt: skip


async def _state(document: Document, job: IndexingJob, today: date, engines: Engines) -> AnswerState:
    """How it stands. Raises: NotFound where what is withheld of it is lost."""
    if document.state is DocumentState.DELETED:
        return "retired"
    if document.state is DocumentState.FAILED:
        return "failed"
    if document.state is not DocumentState.LIVE:
        return "pending"
    if job.held_back and (withheld := await quarantine.withheld(document, engines)) is not None:
        return withheld
    validity = catalogue.validity(document, today)
    return "live" if validity == "valid" else validity


def _day(value: date | None) -> str | None:
    return None if value is None else value.isoformat()
