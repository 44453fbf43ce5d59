"""Jobs of uploads that never became a version: they could not be registered, or a newer upload was there already.

They stand in the same list as all others, so that whoever looks for what became of a file finds it. Their number comes
from the event that told of the upload: the same event again is the same job.
"""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from careline.errors import CarelineError, DocumentRejected
from careline.knowledge import catalogue
from careline.model import IndexingJob, JobState
from careline.ports import Engines
from careline.records.optimistic_update import Update, optimistic_update

SUPERSEDED = "superseded_upload"
SUPERSEDED_BY = "superseded by a newer upload of the same file, which arrived first; nothing is to be done"
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Arrival:
    """An upload as the event tells of it. `event` is whatever is the same each time the event comes."""

    tenant: str
    file_name: str
    event: str
    at: datetime
    sequencer: str | None = None
    """Its place among the uploads of the same name, where the event tells it."""
    job_id: str | None = None
    """The job that its sender was promised, where there was one."""

    def named_job(self) -> str:
        """The promised job, else a number made of the event; it sorts among others by the time of the event."""
        if self.job_id is not None:
            return self.job_id
        digest = hashlib.sha256(f"{self.tenant}/{self.file_name}/{self.event}".encode(errors="replace")).hexdigest()
        return f"{int(self.at.timestamp() * 1000):011x}{digest[:13]}"


async def refuse(arrival: Arrival, error: CarelineError, engines: Engines) -> IndexingJob:
    """Write down that an upload could not be registered and why; once, however often it is told.

    Raises: TableUnavailable, Contended.
    """
    kind = error.reason if isinstance(error, DocumentRejected) else error.code.lower()
    return await refuse_as(arrival, kind, error.message, engines)


async def refuse_as(arrival: Arrival, kind: str, message: str, engines: Engines) -> IndexingJob:
    """The same with a type and a message of the error, which hold nothing of the file."""

    async def decide() -> Update[IndexingJob]:
        held = await catalogue.job_or_none(engines.table, arrival.tenant, arrival.named_job())
        told = arrival
        if held is not None and arrival.job_id is not None and not _is_refusal(held.job):
            # The promise was kept by a file that came before; this one is told of beside it.
            told = replace(arrival, job_id=None)
            held = await catalogue.job_or_none(engines.table, told.tenant, told.named_job())
        if held is not None:
            return Update(held.job)
        new = _job(told, engines, JobState.FAILED, kind, message)
        return Update(new, (catalogue.put_job(new, 0),))

    return await optimistic_update(engines.table, decide, busy=catalogue.JOB_BUSY)


def _is_refusal(job: IndexingJob) -> bool:
    return job.state is JobState.FAILED and not job.version


def superseded_job(arrival: Arrival, doc_key: str, by: str, engines: Engines) -> IndexingJob:
    """The job of an upload that a newer one, the job `by`, took the place of before it arrived."""
    return _job(arrival, engines, JobState.SUPERSEDED, SUPERSEDED, SUPERSEDED_BY, doc_key=doc_key, superseded_by=by)


def _job(
    arrival: Arrival,
    engines: Engines,
    state: JobState,
    kind: str,
    message: str,
    *,
    doc_key: str = "",
    superseded_by: str | None = None,
) -> IndexingJob:
    now = engines.clock.now()
    return IndexingJob(
        job_id=arrival.named_job(),
        tenant=arrival.tenant,
        doc_key=doc_key,
        version=0,
        document_id="",
        file_name=showable(arrival.file_name),
        state=state,
        created_at=arrival.at,
        failed_at=now if state is JobState.FAILED else None,
        completed_at=None if state is JobState.FAILED else now,
        error_type=kind,
        error_message=message,
        superseded_by=superseded_by,
    )


def showable(file_name: str) -> str:
    """A name from outside as a list may show it: without signs that are not seen, and not endless."""
    hidden = {"Cc", "Cf", "Cs"}
    return "".join("\ufffd" if unicodedata.category(c) in hidden else c for c in file_name)[:LONGEST_NAME]


def read_moment(text: str | None, now: datetime) -> datetime:
    """The time of an event, or now where it has none that can be read."""
    try:
        at = datetime.fromisoformat(text or "")
    except ValueError:
        return now
    return at if at.tzinfo else at.replace(tzinfo=UTC)
