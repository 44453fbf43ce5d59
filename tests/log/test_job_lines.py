"""What an operator can tell from the lines of an ingestion alone: how a job ended, and why; no words of a document."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.engines.embedded.job_launcher import TaskLauncher
from careline.knowledge import pipeline
from careline.knowledge.register import register
from careline.ports import Engines
from tests.builders import some_engines
from tests.knowledge.stores import TENANT, an_upload
from tests.log.conftest import Log


@pytest.fixture
def engines() -> Engines:
    """Engines whose jobs run in this process, as a laptop's do."""

    async def run(tenant: str, job_id: str) -> None:
        await pipeline.resume(tenant, job_id, made)

    made = replace(some_engines(), job_launcher=TaskLauncher(run))
    return made


async def job_of(text: str, engines: Engines) -> str:
    """The job of an upload, after it ended."""
    ingestion_job = await register(an_upload(text), engines)
    await engines.job_launcher.start(TENANT, ingestion_job.job_id)
    await engines.job_launcher.drain()
    return ingestion_job.job_id


async def test_a_job_that_ends_well_says_so(written: Log, engines: Engines) -> None:
    job_id = await job_of("Parkeren kost twee euro per uur.", engines)
    (line,) = written.of("job_ended")
    assert (line["level"], line["outcome"], line["job"], line["tenant"]) == ("INFO", "completed", job_id, TENANT)
    assert written.of("job_failed") == []
    assert "Parkeren" not in written.stream.getvalue()


async def test_a_job_that_failed_is_a_warning_with_the_reason(written: Log, engines: Engines) -> None:
    job_id = await job_of("   \n", engines)
    (line,) = written.of("job_failed")
    assert (line["level"], line["reason"], line["job"], line["tenant"]) == ("WARNING", "empty", job_id, TENANT)
    assert written.of("job_ended") == []
