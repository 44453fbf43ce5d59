"""Who orders jobs in the cloud is told which documents are back, and of each other why not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.knowledge import catalogue
from careline.model import IndexingJob, JobState
from careline.ports import Engines
from careline_local.cli.knowledge import reindex
from careline_local.cli.knowledge.reindex import STILL, Ordered
from tests.builders import NOW, some_engines


async def a_job(engines: Engines, name: str, state: JobState) -> IndexingJob:
    job = IndexingJob(name, "default", f"brochure-{name}", 1, f"{name}-1", f"{name}.md", state, NOW)
    if state is JobState.FAILED:
        job = replace(job, error_type="embedder_refused", error_message="its key is wrong")
    await engines.table.write(catalogue.put_job(job, 0))
    return job


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindex, "LOOKED_EVERY", 0.0)


async def test_each_job_that_has_ended_is_counted_and_each_that_failed_says_why() -> None:
    engines, told = some_engines(), []
    jobs = [await a_job(engines, name, state) for name, state in (("a", JobState.COMPLETED), ("b", JobState.FAILED))]
    ordered = Ordered(engines, lambda: told.append(1), {job.job_id: job for job in jobs})
    await ordered.fewer_than(1)
    assert (ordered.back, ordered.failed, len(told)) == (1, {"brochure-b": "its key is wrong"}, 2)


async def test_jobs_of_which_none_ends_are_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reindex, "NOTHING_ENDS", 0.01)
    engines = some_engines()
    job = await a_job(engines, "a", JobState.RUNNING)
    ordered = Ordered(engines, lambda: None, {job.job_id: job})
    await ordered.fewer_than(1)
    assert (ordered.back, ordered.failed, ordered.waiting) == (0, {"brochure-a": STILL}, {})


async def test_more_are_ordered_while_there_is_room() -> None:
    engines = some_engines()
    job = await a_job(engines, "a", JobState.RUNNING)
    ordered = Ordered(engines, lambda: None, {job.job_id: job})
    await ordered.fewer_than(2)
    assert ordered.waiting == {job.job_id: job}
