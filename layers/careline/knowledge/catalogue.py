"""The records of documents, their versions and their jobs, over the table port."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, cast

from pydantic import TypeAdapter

from careline.errors import NotFound
from careline.knowledge.upload_order import Newest, read_newest
from careline.model import Document, DocumentState, IndexingJob, JobState
from careline.records import keys as record_keys
from careline.records.optimistic_update import Update, optimistic_update
from careline.records.record_table import Item, Put, RecordTable
from careline.schemas.library import DocumentBody, JobBody, Validity

_DOCUMENT: TypeAdapter[Document] = TypeAdapter(Document)
_JOB: TypeAdapter[IndexingJob] = TypeAdapter(IndexingJob)
JOB_BUSY = "the job is being changed by others all the time; try again"


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """Which versions of a document there are. `revision` guards every change of them.

    Versions up to `deleted` were deleted and never become live any more, whatever still works on them.
    """

    tenant: str
    doc_key: str
    latest: int = 0
    live: int | None = None
    revision: int = 0
    deleted: int = 0
    newest: Mapping[str, Newest] = field(default_factory=dict)
    """The newest upload of each file name that came through a bucket."""

    def put(self) -> Put:
        """The write of this head over the one that was read."""
        body: dict[str, Any] = {
            "doc_key": self.doc_key, "latest": self.latest, "live": self.live, "deleted": self.deleted,
        }  # fmt: skip
        if self.newest:
            body["newest"] = {name: [one.sequencer, one.version] for name, one in self.newest.items()}
        return Put(Item(*record_keys.document(self.tenant, self.doc_key), body), expects=self.revision)


@dataclass(frozen=True, slots=True)
class Held:
    """A document or job as it was read, with the revision a write must expect."""

    document: Document
    revision: int


@dataclass(frozen=True, slots=True)
class HeldJob:
    """A job as it was read, with the revision a write must expect."""

    job: IndexingJob
    revision: int


async def head(table: RecordTable, tenant: str, doc_key: str) -> DocumentHead:
    """The head of a document; an empty one with revision 0 when there is none."""
    item = await table.get(*record_keys.document(tenant, doc_key))
    if item is None:
        return DocumentHead(tenant, doc_key)
    body = item.body
    newest = read_newest(body.get("newest"))
    return DocumentHead(tenant, doc_key, body["latest"], body["live"], item.revision, body.get("deleted", 0), newest)


async def version(table: RecordTable, tenant: str, doc_key: str, number: int) -> Held:
    """One version. Raises: NotFound."""
    item = await table.get(*record_keys.version(tenant, doc_key, number))
    if item is None:
        raise NotFound(f"there is no version {number} of {doc_key}")
    return Held(_DOCUMENT.validate_python(item.body["document"]), item.revision)


async def job(table: RecordTable, tenant: str, job_id: str) -> HeldJob:
    """One job. Raises: NotFound."""
    held = await job_or_none(table, tenant, job_id)
    if held is None:
        raise NotFound(f"there is no job {job_id}")
    return held


async def job_or_none(table: RecordTable, tenant: str, job_id: str) -> HeldJob | None:
    """One job, where there is one of this id."""
    item = await table.get(*record_keys.job(tenant, job_id))
    return None if item is None else HeldJob(_JOB.validate_python(item.body), item.revision)


def put_version(document: Document, job_id: str, expects: int | None) -> Put:
    """The write of a version; it remembers the job that works on it."""
    body: dict[str, Any] = {"document": _DOCUMENT.dump_python(document, mode="json"), "job_id": job_id}
    return Put(Item(*record_keys.version(document.tenant, document.doc_key, document.version), body), expects)


def put_job(job: IndexingJob, expects: int | None) -> Put:
    """The write of a job."""
    return Put(Item(*record_keys.job(job.tenant, job.job_id), _JOB.dump_python(job, mode="json")), expects)


async def change_job(
    table: RecordTable, tenant: str, job_id: str, change: Callable[[IndexingJob], IndexingJob]
) -> None:
    """Write what `change` makes of a job, unless that is what it was. Raises: NotFound, Conflict."""

    async def decide() -> Update[None]:
        held = await job(table, tenant, job_id)
        changed = change(held.job)
        return Update(None, () if changed == held.job else (put_job(changed, held.revision),))

    await optimistic_update(table, decide, busy=JOB_BUSY)


async def change_version(
    table: RecordTable, tenant: str, doc_key: str, number: int, change: Callable[[Document], Document]
) -> None:
    """Write what `change` makes of a version, unless that is what it was. Raises: NotFound, Conflict."""

    async def decide() -> Update[None]:
        held = await version(table, tenant, doc_key, number)
        changed = change(held.document)
        if changed == held.document:
            return Update(None)
        return Update(None, (put_version(changed, await job_of(table, tenant, doc_key, number), held.revision),))

    await optimistic_update(table, decide, busy=busy(doc_key))


def busy(doc_key: str) -> str:
    """What is said when a document's records cannot be changed because others change them."""
    return f"{doc_key} is being changed by others all the time; try again"


async def job_of(table: RecordTable, tenant: str, doc_key: str, number: int) -> str:
    """The job that last worked on a version. Raises: NotFound."""
    item = await table.get(*record_keys.version(tenant, doc_key, number))
    if item is None:
        raise NotFound(f"there is no version {number} of {doc_key}")
    return str(item.body["job_id"])


async def versions(table: RecordTable, tenant: str, doc_key: str) -> list[tuple[Document, str]]:
    """Every version of a document with its job, oldest first."""
    items = [item async for item in table.query(record_keys.versions(tenant), record_keys.versions_of(doc_key))]
    return [(_DOCUMENT.validate_python(item.body["document"]), str(item.body["job_id"])) for item in items]


async def documents(table: RecordTable, tenant: str, *, after: str = "") -> AsyncIterator[Document]:
    """Every document in order of its key, past `after`: its live version, else its latest; deleted ones not."""
    best: Document | None = None
    past = record_keys.past_versions_of(after) if after else ""
    async for item in table.query(record_keys.versions(tenant), after=past):
        found = _DOCUMENT.validate_python(item.body["document"])
        if best is not None and best.doc_key != found.doc_key:
            if best.state is not DocumentState.DELETED:
                yield best
            best = None
        if best is None or best.state is not DocumentState.LIVE:
            best = found
    if best is not None and best.state is not DocumentState.DELETED:
        yield best


async def jobs(table: RecordTable, tenant: str, state: JobState | None = None) -> AsyncIterator[IndexingJob]:
    """Jobs, newest first."""
    async for item in table.query(record_keys.jobs(tenant), descending=True):
        found = _JOB.validate_python(item.body)
        if state is None or found.state is state:
            yield found


async def job_ids(table: RecordTable, tenant: str, prefix: str = "") -> AsyncIterator[str]:
    """Ids of jobs that begin with a prefix, in their order."""
    async for item in table.query(record_keys.jobs(tenant), prefix):
        yield item.sort


async def keys(table: RecordTable, tenant: str, prefix: str = "") -> AsyncIterator[str]:
    """Keys of documents that begin with a prefix, in their order; of a deleted one only if it is the prefix itself."""
    async for item in table.query(record_keys.documents(tenant), prefix):
        if item.sort == prefix or item.body.get("deleted", 0) < item.body["latest"]:
            yield item.sort


def with_live(head: DocumentHead, number: int) -> DocumentHead:
    """The head after a version became live; an older version never replaces a newer one."""
    return head if head.live is not None and head.live >= number else replace(head, live=number)


def validity(document: Document, today: date) -> Validity:
    """Whether callers can be told a document on a day, as far as its first and last day of validity say."""
    facts = document.facts
    if facts.valid_until is not None and facts.valid_until < today:
        return "expired"
    return "upcoming" if facts.valid_from is not None and facts.valid_from > today else "valid"


def to_json(document: Document, today: date) -> DocumentBody:
    """A document as clients and files see it."""
    body: dict[str, Any] = _DOCUMENT.dump_python(document, mode="json")
    flat = {**{k: v for k, v in body.items() if k != "facts"}, **body["facts"], "validity": validity(document, today)}
    return cast(DocumentBody, flat)


def job_to_json(job: IndexingJob) -> JobBody:
    """A job as clients see it."""
    body: JobBody = _JOB.dump_python(job, mode="json")
    return body
