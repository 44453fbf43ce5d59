"""The states of an indexing job, every transition that is allowed and every one that is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest

from careline.errors import Conflict
from careline.knowledge.ingestion import jobs
from careline.model import IndexingJob, JobState
from tests.fakes import NOW

P, R, C, F, S = JobState.PENDING, JobState.RUNNING, JobState.COMPLETED, JobState.FAILED, JobState.SUPERSEDED
ALLOWED = {(P, R), (P, F), (R, C), (R, F), (C, S), (F, P), (F, S)}
MOVES: dict[JobState, Callable[[IndexingJob], IndexingJob]] = {
    R: lambda job: jobs.started(job, NOW),
    C: lambda job: jobs.completed(job, NOW),
    F: lambda job: jobs.failed(job, NOW, "corrupt", "the file is broken"),
    S: lambda job: jobs.superseded(job, "job-2"),
    P: jobs.retried,
}


def a_job(state: JobState = P) -> IndexingJob:
    return IndexingJob("job-1", "a", "faq-1", 1, "doc-1", "faq.md", state, NOW, stage="embed", processed_chunks=7)


@pytest.mark.parametrize(("before", "after"), sorted(ALLOWED))
def test_an_allowed_change_is_made(before: JobState, after: JobState) -> None:
    assert MOVES[after](a_job(before)).state is after


@pytest.mark.parametrize(("before", "after"), sorted(set(product(JobState, JobState)) - ALLOWED - {(R, R)}))
def test_every_other_change_is_a_conflict_and_leaves_the_job_alone(before: JobState, after: JobState) -> None:
    job = a_job(before)
    with pytest.raises(Conflict):
        MOVES[after](job)
    assert job == a_job(before)


def test_a_job_that_was_interrupted_goes_on_running_from_when_it_began() -> None:
    job = replace(a_job(R), started_at=NOW)
    assert jobs.started(job, NOW.replace(year=2030)) == job


def test_a_change_writes_down_when_and_why() -> None:
    failed = jobs.failed(a_job(R), NOW, "corrupt", "the file is broken")
    assert (failed.failed_at, failed.error_type, failed.error_message) == (NOW, "corrupt", "the file is broken")
    assert jobs.completed(a_job(R), NOW).completed_at == NOW
    assert jobs.superseded(failed, "job-2").superseded_by == "job-2"
    assert jobs.started(a_job(), NOW).started_at == NOW


def test_a_retried_job_starts_afresh_and_is_counted() -> None:
    job = jobs.retried(jobs.failed(a_job(R), NOW, "corrupt", "the file is broken"))
    assert (job.retry_count, job.processed_chunks, job.stage) == (1, 0, None)
    assert (job.error_type, job.error_message, job.failed_at) == (None, None, None)


def test_a_job_is_retried_three_times_at_most() -> None:
    job = a_job(F)
    for count in (1, 2, 3):
        job = jobs.retried(job)
        assert job.retry_count == count
        job = jobs.failed(job, NOW, "corrupt", "the file is broken")
    with pytest.raises(Conflict, match="retried 3 times"):
        jobs.retried(job)
