"""What operators of the library see and do."""

from __future__ import annotations

import pytest

from careline.errors import BadRequest, Conflict, NotFound
from careline.knowledge import library, pipeline
from careline.ports import Engines
from tests.builders import some_engines
from tests.fakes import FakeJobLauncher
from tests.knowledge.stores import TENANT, an_upload, ingested


@pytest.fixture
def engines() -> Engines:
    return some_engines()


async def test_a_file_that_is_taken_in_is_started_once_and_its_job_is_shown(engines: Engines) -> None:
    taken = await library.ingest(an_upload(), engines)
    assert taken["job"]["state"] == "pending"
    assert isinstance(engines.job_launcher, FakeJobLauncher)
    assert engines.job_launcher.started == [(TENANT, taken["job"]["job_id"])]
    await pipeline.resume(TENANT, taken["job"]["job_id"], engines)
    assert await library.job(TENANT, taken["job"]["job_id"], engines) == {
        **taken["job"], "state": "completed", "total_chunks": 1, "processed_chunks": 1,
        "started_at": taken["job"]["created_at"], "completed_at": taken["job"]["created_at"],
    }  # fmt: skip


async def test_a_file_that_is_live_already_is_only_named(engines: Engines) -> None:
    await ingested(an_upload(), engines)
    taken = await library.ingest(an_upload(), engines)
    assert (taken["unchanged"], taken["document"]["doc_key"]) == (True, "document-parking")
    assert isinstance(engines.job_launcher, FakeJobLauncher)
    assert engines.job_launcher.started == []


async def test_documents_are_listed_in_pages_in_order_of_their_keys(engines: Engines) -> None:
    keys = ["a", "a-b", "a.b", "ab", "b"]
    for key in keys[::-1]:
        for text in ("een", "twee"):
            await ingested(an_upload(text, doc_key=key), engines)
    await library.delete(TENANT, "ab", engines)
    seen, after = [], ""
    while True:
        page = await library.listing(TENANT, engines, after=after, limit=2)
        seen += [(one["doc_key"], one["version"], one["state"]) for one in page["documents"]]
        if page["next"] is None:
            break
        after = page["next"]
    assert seen == [(key, 2, "live") for key in ("a", "a-b", "a.b", "b")]


async def test_the_live_version_is_listed_even_when_a_newer_one_failed(engines: Engines) -> None:
    await ingested(an_upload(), engines)
    await ingested(an_upload("  "), engines)
    (listed,) = (await library.listing(TENANT, engines, after="", limit=9))["documents"]
    assert (listed["version"], listed["state"]) == (1, "live")


async def test_versions_texts_and_originals_of_a_document_stay_readable(engines: Engines) -> None:
    await ingested(an_upload("Eerste tekst."), engines)
    await ingested(an_upload("Tweede tekst."), engines)
    shown = (await library.versions(TENANT, "document-parking", engines))["versions"]
    assert [(one["version"], one["state"]) for one in shown] == [(1, "superseded"), (2, "live")]
    for number, expected in ((1, "Eerste tekst."), (2, "Tweede tekst."), (None, "Tweede tekst.")):
        text = await library.text(TENANT, "document-parking", number, engines)
        assert [block["text"] for block in text["pages"][0]["blocks"]] == [expected]
        _, original = await library.original(TENANT, "document-parking", number, engines)
        assert original == expected.encode()


async def test_jobs_are_listed_newest_first_and_by_state(engines: Engines) -> None:
    done = await ingested(an_upload(), engines)
    failed = await ingested(an_upload("  ", name="empty.md"), engines)
    listed = (await library.jobs(TENANT, engines, state=None, limit=9))["jobs"]
    assert [job["job_id"] for job in listed] == [failed.job_id, done.job_id]
    listed = (await library.jobs(TENANT, engines, state="failed", limit=9))["jobs"]
    assert [(job["job_id"], job["error_type"]) for job in listed] == [(failed.job_id, "empty")]
    assert len((await library.jobs(TENANT, engines, state="", limit=1))["jobs"]) == 1
    with pytest.raises(BadRequest, match="completed"):
        await library.jobs(TENANT, engines, state="done", limit=9)


async def test_a_failed_job_is_retried_through_the_library(engines: Engines) -> None:
    failed = await ingested(an_upload("  "), engines)
    assert (await library.retry(TENANT, failed.job_id, engines))["job"]["retry_count"] == 1
    with pytest.raises(Conflict):
        await library.retry(TENANT, failed.job_id, engines)


async def test_what_is_not_there_is_not_found(engines: Engines) -> None:
    await ingested(an_upload(), engines)
    for work in (
        library.versions(TENANT, "nothing", engines), library.text(TENANT, "nothing", None, engines),
        library.original(TENANT, "document-parking", 7, engines), library.job(TENANT, "nothing", engines),
        library.retry(TENANT, "nothing", engines), library.delete(TENANT, "nothing", engines),
        library.text("b", "document-parking", None, engines),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            await work
