"""From a file to passages that are found: versions, failures, deletion, and many at once."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from careline.errors import Conflict, DocumentRejected, EmbedderUnavailable, EngineUnavailable, NotFound
from careline.knowledge import catalogue, pipeline
from careline.knowledge.delete import delete as delete_document
from careline.knowledge.extract.bulk_records import records
from careline.knowledge.ingestion.ingestion_job import IngestionJob
from careline.knowledge.ingestion.retry_policy import INGESTION
from careline.knowledge.register import Upload, register
from careline.knowledge.reindex import order_reindex, reindex
from careline.model import IndexingJob, JobState
from careline.ports import Engines, Matrix
from tests.builders import some_engines
from tests.fake_index import FakeIndex
from tests.fakes import FakeEmbedder, FakeJobLauncher
from tests.knowledge.stores import TENANT, an_upload, close, found, in_folder, ingested, jobs, states

KEY = "document-parking"
OLD, NEW = "Parkeren kost twee euro per uur.", "Parkeren is gratis op zondag."
EMPTY = "   \n"


@pytest.fixture(params=["embedded", "fake"])
def engines(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engines]:
    if request.param == "fake":
        yield some_engines()
        return
    made = in_folder(tmp_path)
    yield made
    close(made)


async def test_an_ingested_file_is_found_and_its_job_is_completed(engines: Engines) -> None:
    job = await ingested(an_upload(OLD), engines)
    assert (job.state, job.total_chunks, job.processed_chunks, job.stage) == (JobState.COMPLETED, 1, 1, None)
    assert (job.started_at, job.completed_at) == (engines.clock.now(), engines.clock.now())
    assert await found(engines, "parkeren") == [OLD]
    assert await states(engines, KEY) == ["live"]


async def test_changed_content_becomes_the_next_version_and_supersedes_the_old_one(engines: Engines) -> None:
    first = await ingested(an_upload(OLD), engines)
    second = await ingested(an_upload(NEW), engines)
    assert await found(engines, "parkeren euro gratis") == [NEW]
    assert await states(engines, KEY) == ["superseded", "live"]
    old = (await catalogue.job(engines.table, TENANT, first.job_id)).job
    assert (old.state, old.superseded_by) == (JobState.SUPERSEDED, second.job_id)
    assert [p.chunk.text for p in await engines.index.passages(TENANT, KEY, 1)] == [OLD]


async def test_a_failed_new_version_leaves_the_old_one_live(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    job = await ingested(an_upload(EMPTY), engines)
    assert (job.state, job.error_type) == (JobState.FAILED, "empty")
    assert job.error_message
    assert await found(engines, "parkeren") == [OLD]
    assert await states(engines, KEY) == ["live", "failed"]


async def test_going_back_to_the_live_content_after_a_failed_version_changes_nothing(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    await ingested(an_upload(EMPTY), engines)
    ingestion_job = await register(an_upload(OLD), engines)
    assert (ingestion_job.unchanged, ingestion_job.version) == (True, 1)
    assert await states(engines, KEY) == ["live", "failed"]


async def test_going_back_to_superseded_content_makes_a_new_version(engines: Engines) -> None:
    for text in (OLD, NEW, OLD):
        await ingested(an_upload(text), engines)
    assert await states(engines, KEY) == ["superseded", "superseded", "live"]
    assert await found(engines, "parkeren euro") == [OLD]


async def test_a_version_after_a_failed_one_supersedes_the_failed_job(engines: Engines) -> None:
    failed = await ingested(an_upload(EMPTY), engines)
    job = await ingested(an_upload(NEW), engines)
    assert job.version == 2
    old = (await catalogue.job(engines.table, TENANT, failed.job_id)).job
    assert (old.state, old.superseded_by) == (JobState.SUPERSEDED, job.job_id)
    assert await states(engines, KEY) == ["failed", "live"]


class MoodyEmbedder(FakeEmbedder):
    """Does not answer until it is mended."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error: Exception | None = error

    async def embed_passages(self, texts: Any) -> Matrix:
        if self.error:
            raise self.error
        return await super().embed_passages(texts)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between attempts take no time."""
    monkeypatch.setattr(pipeline, "INGESTION", replace(INGESTION, interval_seconds=0))


@pytest.mark.usefixtures("hasty")
async def test_a_file_uploaded_again_after_a_failure_is_the_same_version_in_a_new_job(engines: Engines) -> None:
    moody = MoodyEmbedder(EmbedderUnavailable("no answer"))
    engines = replace(engines, embedder=moody)
    failed = await ingested(an_upload(OLD), engines)
    assert (failed.state, failed.error_type) == (JobState.FAILED, "embedder_unavailable")
    moody.error = None
    job = await ingested(an_upload(OLD), engines)
    assert (job.state, job.version) == (JobState.COMPLETED, 1)
    assert job.job_id != failed.job_id
    old = (await catalogue.job(engines.table, TENANT, failed.job_id)).job
    assert (old.state, old.superseded_by) == (JobState.SUPERSEDED, job.job_id)
    assert await states(engines, KEY) == ["live"]
    assert await found(engines, "parkeren") == [OLD]


@pytest.mark.usefixtures("hasty")
async def test_a_failed_job_is_retried_three_times_at_most(engines: Engines) -> None:
    engines = replace(engines, embedder=MoodyEmbedder(EmbedderUnavailable("no answer")))
    job = await ingested(an_upload(OLD), engines)
    assert isinstance(engines.job_launcher, FakeJobLauncher)
    for count in (1, 2, 3):
        assert (await pipeline.retry(TENANT, job.job_id, engines)).retry_count == count
        assert await states(engines, KEY) == ["pending"]
        assert (await pipeline.resume(TENANT, job.job_id, engines)).state is JobState.FAILED
    with pytest.raises(Conflict, match="3 times"):
        await pipeline.retry(TENANT, job.job_id, engines)
    assert engines.job_launcher.started == [(TENANT, job.job_id)] * 3


@pytest.mark.usefixtures("hasty")
async def test_a_retried_job_that_succeeds_is_live(engines: Engines) -> None:
    moody = MoodyEmbedder(EmbedderUnavailable("no answer"))
    engines = replace(engines, embedder=moody)
    job = await ingested(an_upload(OLD), engines)
    await pipeline.retry(TENANT, job.job_id, engines)
    moody.error = None
    done = await pipeline.resume(TENANT, job.job_id, engines)
    assert (done.state, done.retry_count, done.error_type) == (JobState.COMPLETED, 1, None)
    assert await found(engines, "parkeren") == [OLD]


async def test_an_error_nobody_thought_of_fails_its_own_job_and_is_not_quoted(engines: Engines) -> None:
    engines = replace(engines, embedder=MoodyEmbedder(ZeroDivisionError("mevrouw Peeters")))
    job = await ingested(an_upload(OLD), engines)
    assert (job.state, job.error_type) == (JobState.FAILED, "zerodivisionerror")
    assert "Peeters" not in str(job)


async def test_a_retry_of_a_job_that_did_not_fail_is_a_conflict(engines: Engines) -> None:
    job = await ingested(an_upload(OLD), engines)
    with pytest.raises(Conflict, match="completed"):
        await pipeline.retry(TENANT, job.job_id, engines)


async def test_a_deleted_document_is_gone_and_the_same_content_comes_back_as_a_new_version(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    await delete_document(TENANT, KEY, engines)
    assert await found(engines, "parkeren") == []
    assert await states(engines, KEY) == ["deleted"]
    assert [document async for document in catalogue.documents(engines.table, TENANT)] == []
    with pytest.raises(NotFound):
        await delete_document(TENANT, KEY, engines)
    job = await ingested(an_upload(OLD), engines)
    assert (job.state, job.version) == (JobState.COMPLETED, 2)
    assert await found(engines, "parkeren") == [OLD]
    assert await states(engines, KEY) == ["deleted", "live"]


async def test_what_was_never_there_cannot_be_deleted(engines: Engines) -> None:
    with pytest.raises(NotFound):
        await delete_document(TENANT, "document-nothing", engines)


async def advance(ingestion_job: IngestionJob, engines: Engines, until: str) -> IngestionJob:
    """Run the stages before this one."""
    for name, stage in pipeline.STAGES:
        if name == until:
            return ingestion_job
        ingestion_job = await stage(ingestion_job, engines)
    raise AssertionError(until)


@pytest.mark.parametrize("until", ["extract", "chunk", "activate"])
async def test_a_document_deleted_while_it_is_being_indexed_stays_deleted(engines: Engines, until: str) -> None:
    await ingested(an_upload(OLD), engines)
    under_way = await advance(await register(an_upload(NEW), engines), engines, until)
    latest = await advance(await register(an_upload("Parkeren kan niet meer."), engines), engines, until)
    await delete_document(TENANT, KEY, engines)
    for ingestion_job in (under_way, latest):
        job = await pipeline.run(ingestion_job, engines)
        assert (job.state, job.error_type) == (JobState.FAILED, "deleted")
        with pytest.raises(Conflict, match="deleted"):
            await pipeline.retry(TENANT, ingestion_job.job_id, engines)
    assert await states(engines, KEY) == ["deleted"] * 3
    assert await found(engines, "parkeren") == []


async def test_an_older_version_that_finishes_last_is_superseded_and_never_live(engines: Engines) -> None:
    older = await advance(await register(an_upload(OLD), engines), engines, "activate")
    newer = await ingested(an_upload(NEW), engines)
    job = await pipeline.run(older, engines)
    assert (job.state, job.superseded_by) == (JobState.SUPERSEDED, newer.job_id)
    assert await states(engines, KEY) == ["superseded", "live"]
    assert await found(engines, "parkeren") == [NEW]


@pytest.mark.parametrize("at_once", [2, 5])
async def test_uploads_of_one_key_at_once_leave_exactly_one_live_version(engines: Engines, at_once: int) -> None:
    texts = [f"Parkeren kost {n} euro." for n in range(at_once)]
    done = await asyncio.gather(*(ingested(an_upload(text), engines) for text in texts))
    assert sorted(await states(engines, KEY)) == ["live", *["superseded"] * (at_once - 1)]
    assert (await states(engines, KEY))[-1] == "live"
    (live,) = [job for job in done if job.version == at_once]
    assert await found(engines, "parkeren") == [texts[done.index(live)]]
    assert {job.state for job in await jobs(engines)} == {JobState.COMPLETED, JobState.SUPERSEDED}


async def test_the_same_upload_twice_at_once_is_one_version_of_one_job(engines: Engines) -> None:
    done = await asyncio.gather(*(ingested(an_upload(OLD), engines) for _ in range(3)))
    assert {job.state for job in done} == {JobState.COMPLETED}
    assert len(await jobs(engines)) == 1
    assert await states(engines, KEY) == ["live"]
    assert await found(engines, "parkeren") == [OLD]


async def test_a_finished_job_that_is_run_again_changes_nothing(engines: Engines) -> None:
    job = await ingested(an_upload(OLD), engines)
    version = await engines.index.corpus_version(TENANT)
    assert await pipeline.resume(TENANT, job.job_id, engines) == job
    assert await engines.index.corpus_version(TENANT) == version
    assert await found(engines, "parkeren") == [OLD]


SECTIONS = [f"# Deel {n}\n\n" + f"Zin nummer {n} over het ziekenhuis. " * 60 for n in range(6)]


async def test_only_chunks_that_changed_are_embedded_again(engines: Engines) -> None:
    await ingested(an_upload("\n\n".join(SECTIONS)), engines)
    assert isinstance(engines.embedder, FakeEmbedder)
    total, engines.embedder.embedded = len(engines.embedder.embedded), []
    await ingested(an_upload("\n\n".join([*SECTIONS[:5], "# Deel 5\n\nHelemaal anders."])), engines)
    assert total > 5
    assert len(engines.embedder.embedded) == 2, "the chunk and its window"


async def test_chunks_are_embedded_anew_by_another_model(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    other = OtherEmbedder()
    await ingested(an_upload(f"{OLD}\n"), replace(engines, embedder=other))
    assert len(other.embedded) == 2, "the chunk and its window"
    (passage,) = await engines.index.passages(TENANT, KEY, 2)
    assert passage.embedding_model == "other/64"


class OtherEmbedder(FakeEmbedder):
    """Another model with vectors of its own."""

    name = "other/64"

    def vector(self, text: str) -> Any:
        return -super().vector(text)


async def test_the_index_is_built_again_from_the_documents(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    await ingested(an_upload(NEW), engines)
    await ingested(an_upload("Bezoek mag tot acht uur.", name="visit.md"), engines)
    await delete_document(TENANT, "document-visit", engines)
    empty = replace(engines, index=FakeIndex())
    assert [document.doc_key async for document in reindex(TENANT, empty)] == [KEY]
    assert await found(empty, "parkeren bezoek") == [NEW]
    assert isinstance(engines.embedder, FakeEmbedder)
    embedded = len(engines.embedder.embedded)
    assert [document.version async for document in reindex(TENANT, engines)] == [2]
    assert len(engines.embedder.embedded) == embedded
    assert await found(engines, "parkeren bezoek") == [NEW]


async def test_an_index_built_again_with_another_model_holds_that_models_vectors(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    other = replace(engines, embedder=OtherEmbedder())
    assert [document.version async for document in reindex(TENANT, other)] == [1]
    (passage,) = await engines.index.passages(TENANT, KEY, 1)
    assert passage.embedding_model == "other/64"
    vector = OtherEmbedder().vector(f"parking\n{OLD}")
    hit = (await engines.index.find(query(vector)))[0]
    assert hit.similarity == pytest.approx(1, abs=1e-5)


def query(vector: Any) -> Any:
    from careline.ports import PassageQuery

    return PassageQuery(TENANT, "parkeren", vector)


async def test_a_rejected_document_fails_with_its_reason_and_is_never_found(engines: Engines) -> None:
    job = await ingested(an_upload("%PDF-1.7 not a pdf", name="broken.pdf"), engines)
    assert job.state is JobState.FAILED
    with pytest.raises(DocumentRejected) as raised:
        await pipeline.extract(await register(an_upload("%PDF-1.7 not a pdf", name="other.pdf"), engines), engines)
    assert job.error_type == raised.value.reason
    assert await found(engines, "not a pdf") == []


async def test_a_record_with_half_a_character_becomes_live_and_says_so(engines: Engines) -> None:
    line = rb'{"doc_key": "faq-1", "question": "Open \ud83d?", "text": "Parkeren \udc00 is gratis."}'
    (upload,) = records(TENANT, "faq.jsonl", [line], {})
    assert isinstance(upload, Upload)
    job = await ingested(upload, engines)
    assert (job.state, job.error_message) == (JobState.COMPLETED, None)
    held = await catalogue.version(engines.table, TENANT, job.doc_key, job.version)
    assert [warning for warning in held.document.warnings if "alves of characters" in warning]
    assert "Parkeren \ufffd is gratis." in (await found(engines, "parkeren gratis"))[0]


async def ordered(engines: Engines) -> list[IndexingJob]:
    """What happens where jobs run apart from whoever asks for them."""
    return [
        await pipeline.resume(TENANT, job.job_id, engines)
        async for _, job in order_reindex(TENANT, engines)
        if isinstance(job, IndexingJob)
    ]


async def test_a_live_document_is_put_into_an_index_made_anew_by_its_own_job(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    await ingested(an_upload(NEW), engines)
    before = await catalogue.version(engines.table, TENANT, KEY, 2)
    empty = replace(engines, index=FakeIndex())
    (job,) = await ordered(empty)
    assert (job.version, job.state, job.processed_chunks, job.error_type) == (2, JobState.COMPLETED, 1, None)
    assert await found(empty, "parkeren") == [NEW]
    assert await states(engines, KEY) == ["superseded", "live"]
    after = await catalogue.version(engines.table, TENANT, KEY, 2)
    assert after.document.activated_at == before.document.activated_at


@pytest.mark.usefixtures("hasty")
async def test_one_that_fails_stays_live_and_can_be_retried_as_often_as_before(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    moody = MoodyEmbedder(EmbedderUnavailable("no answer"))
    moody.name = "other/64"
    (job,) = await ordered(replace(engines, index=FakeIndex(), embedder=moody))
    assert (job.state, job.error_type) == (JobState.FAILED, "embedder_unavailable")
    assert await states(engines, KEY) == ["live"]
    mended = replace(engines, index=FakeIndex())
    retried = await pipeline.retry(TENANT, job.job_id, mended)
    assert (retried.max_retries - retried.retry_count, await states(engines, KEY)) == (2, ["live"])
    assert (await pipeline.resume(TENANT, job.job_id, mended)).state is JobState.COMPLETED
    assert await found(mended, "parkeren") == [OLD]


async def test_a_job_that_waits_is_ordered_once(engines: Engines) -> None:
    await ingested(an_upload(OLD), engines)
    ((_, first),) = [one async for one in order_reindex(TENANT, engines)]
    ((_, second),) = [one async for one in order_reindex(TENANT, engines)]
    assert first == second


async def test_a_job_whose_runner_is_gone_begins_anew_and_what_cannot_be_ordered_stops_no_other(
    engines: Engines,
) -> None:
    await ingested(an_upload(OLD), engines)
    await ingested(an_upload("Bezoek mag tot acht uur.", name="visit.md"), engines)
    ((_, job), (_, other)) = [one async for one in order_reindex(TENANT, engines)]
    assert isinstance(job, IndexingJob)
    assert isinstance(other, IndexingJob)
    running = replace(job, state=JobState.RUNNING)
    await catalogue.change_job(engines.table, TENANT, job.job_id, lambda _: running)
    away = replace(engines, job_launcher=Away(job.job_id))
    found = [(document.doc_key, one) async for document, one in order_reindex(TENANT, away, keeps=True)]
    assert [type(one) for _, one in found] == [EngineUnavailable, IndexingJob]
    again = (await catalogue.job(engines.table, TENANT, job.job_id)).job
    assert (again.state, again.retry_count) == (JobState.PENDING, job.retry_count + 1)


class Away(FakeJobLauncher):
    """Takes every order but one."""

    def __init__(self, refused: str) -> None:
        super().__init__()
        self.refused = refused

    async def start(self, tenant: str, job_id: str) -> None:
        if job_id == self.refused:
            raise EngineUnavailable("the ingestion cannot be started")
        await super().start(tenant, job_id)
