"""The life of an indexing job: which state may follow which, and what each change writes down."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from careline.errors import Conflict
from careline.model import IndexingJob, JobState

TRANSITIONS: dict[JobState, frozenset[JobState]] = {
    JobState.PENDING: frozenset({JobState.RUNNING, JobState.FAILED}),
    JobState.RUNNING: frozenset({JobState.PENDING, JobState.COMPLETED, JobState.FAILED}),
    JobState.COMPLETED: frozenset({JobState.PENDING, JobState.SUPERSEDED}),
    JobState.FAILED: frozenset({JobState.PENDING, JobState.SUPERSEDED}),
    JobState.SUPERSEDED: frozenset(),
}


def started(job: IndexingJob, now: datetime) -> IndexingJob:
    """The job as its first stage begins. A job that was interrupted while running goes on running."""
    if job.state is JobState.RUNNING:
        return job
    return replace(_moved(job, JobState.RUNNING), started_at=now)


def completed(job: IndexingJob, now: datetime) -> IndexingJob:
    """The job after its version became live."""
    return replace(_moved(job, JobState.COMPLETED), completed_at=now, stage=None)


def failed(job: IndexingJob, now: datetime, error_type: str, message: str) -> IndexingJob:
    """The job after a stage gave up."""
    return replace(_moved(job, JobState.FAILED), failed_at=now, error_type=error_type, error_message=message)


def superseded(job: IndexingJob, by: str) -> IndexingJob:
    """The job after newer work took its place; `by` is the newer job."""
    return replace(_moved(job, JobState.SUPERSEDED), superseded_by=by)


def retried(job: IndexingJob) -> IndexingJob:
    """The job waiting to run once more. Raises: Conflict when it did not fail or has failed too often."""
    if job.state is not JobState.FAILED:
        raise Conflict(f"only a failed job can be retried; this one is {job.state}")
    if job.retry_count >= job.max_retries:
        raise Conflict(
            f"this job was retried {job.max_retries} times; upload the document again when the cause is mended"
        )
    return replace(
        _moved(job, JobState.PENDING),
        retry_count=job.retry_count + 1,
        error_type=None,
        error_message=None,
        failed_at=None,
        stage=None,
        processed_chunks=0,
    )


def again(job: IndexingJob) -> IndexingJob:
    """The job of a live version waiting to run once more. What it may be retried after a failure stays; one that waits
    goes on doing so. One that runs begins anew, as whoever ran it may be gone."""
    if job.state is JobState.PENDING:
        return job
    return replace(
        _moved(job, JobState.PENDING),
        retry_count=job.retry_count + 1,
        max_retries=job.max_retries + 1,
        error_type=None,
        error_message=None,
        completed_at=None,
        failed_at=None,
        stage=None,
        processed_chunks=0,
    )


def _moved(job: IndexingJob, state: JobState) -> IndexingJob:
    if state not in TRANSITIONS[job.state]:
        raise Conflict(f"a {job.state} job cannot become {state}")
    return replace(job, state=state)
