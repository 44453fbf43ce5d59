"""What becomes of uploads that come late, twice, at once, under odd names or none, in the deployed state machine.

Nothing is lost, nothing doubled, and whoever sent a file finds in the list of jobs what became of it.
"""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote_plus

import pytest

from careline.errors import EmbedderUnavailable
from careline.knowledge import catalogue, offered_upload
from careline.knowledge.ingestion import jobs
from careline.knowledge.ingestion.retry_policy import INGESTION
from careline.telemetry.metric_catalogue import metrics
from infra.state_machines.ingestion import ingestion_definition
from tests.infra.ingestion_stack import BUCKET, OWN_TENANT, TENANT, IngestionStack, open_stack

PAGE = "# Tarieven\n\nParkeren kost {} euro per uur, op zondag is parkeren gratis.\n"


@pytest.fixture
def stack(monkeypatch: pytest.MonkeyPatch) -> Iterator[IngestionStack]:
    with open_stack(monkeypatch) as stack:
        yield stack


def failures(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, str]]:
    """Code, fault and error of every line that tells of an execution that failed."""
    lines = [vars(record) for record in caplog.records if hasattr(record, "fault")]
    return [(line["event_code"], line["fault"], line["error"]) for line in lines]


def counted(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The metrics of failures that those lines are counted in, as their filters read them."""
    told = {
        (one.logged_as.code, one.logged_as.having): one.name for one in metrics().values() if one.origin == "log"
    }  # fmt: skip
    found = (told.get((code, ("fault", fault))) for code, fault, _ in failures(caplog))
    return [name for name in found if name]


async def test_an_older_event_that_comes_after_a_newer_one_changes_nothing(
    stack: IngestionStack, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    older, newer = stack.upload(PAGE.format("twee")), stack.upload(PAGE.format("drie"))
    for event in (newer, older, older, newer):
        assert stack.run(event)["status"] == "SUCCEEDED"
    assert [text for text in await stack.find("parkeren") if "twee" in text] == []
    states = [(job.state, job.error_type) for job in await stack.jobs()]
    assert sorted(states) == [("completed", None), ("superseded", "superseded_upload")]
    codes = [getattr(record, "event_code", "") for record in caplog.records]
    assert codes.count("upload_superseded") == 2


async def test_two_events_at_once_end_with_the_newer_file(stack: IngestionStack) -> None:
    events = [stack.upload(PAGE.format(word)) for word in ("een", "twee", "drie")]
    running = [threading.Thread(target=stack.run, args=(event,)) for event in (events[2], events[0], events[1])]
    for one in running:
        one.start()
    for one in running:
        one.join()
    found = await stack.find("parkeren")
    assert len(found) == 1
    assert "drie" in found[0]
    assert [job.state for job in await stack.jobs() if job.state != "superseded"] == ["completed"]


@pytest.mark.parametrize("interrupted", ["register", "extract", "clean", "chunk", "embed", "index", "activate"])
async def test_stages_that_run_twice_out_of_order_double_nothing(stack: IngestionStack, interrupted: str) -> None:
    stack.twice = {interrupted}
    older, newer = stack.upload(PAGE.format("twee")), stack.upload(PAGE.format("drie"))
    stack.run(newer)
    stack.run(older)
    (text,) = await stack.find("parkeren")
    assert "drie" in text
    assert sorted(job.state for job in await stack.jobs()) == ["completed", "superseded"]


async def test_a_second_name_for_one_document_fails_with_both_names_and_the_first_stays(
    stack: IngestionStack, caplog: pytest.LogCaptureFixture
) -> None:
    stack.run(stack.upload(PAGE.format("twee"), "bezoek uren.md"))
    event = stack.upload(PAGE.format("drie"), "bezoek-uren.md")
    ended = [stack.run(event), stack.run(event)]
    assert {(one["status"], one["error"]) for one in ended} == {("FAILED", "KeyTaken")}
    assert "doc_key" in ended[0]["cause"]
    (text,) = await stack.find("parkeren")
    assert "twee" in text
    first, refused = sorted(await stack.jobs(), key=lambda job: job.state)
    assert (refused.state, refused.error_type, first.state) == ("failed", "key_taken", "completed")
    assert refused.error_message is not None
    assert all(name in refused.error_message for name in ("bezoek uren.md", "bezoek-uren.md"))
    assert failures(caplog) == [("upload_not_registered", "sender", "key_taken")] * 2
    assert counted(caplog) == [], "nobody is called for a file that its sender has to mend"


NAMES = ["bezoek uren.md", "tarieven+prijzen 2026.md", "Opération à l'hôpital – été.md", "a%20b+c.md", "map/日本語.md"]


@pytest.mark.parametrize("is_encoded", [False, True], ids=["as they are", "as a form"])
@pytest.mark.parametrize("name", NAMES)
async def test_a_name_is_read_as_it_is_or_as_a_form_encodes_it(
    stack: IngestionStack, name: str, is_encoded: bool
) -> None:
    event = stack.upload(PAGE.format("twee"), name)
    if is_encoded:
        event["detail"]["object"]["key"] = quote_plus(event["detail"]["object"]["key"], safe="/")
    assert stack.run(event)["status"] == "SUCCEEDED"
    (job,) = await stack.jobs()
    assert (job.state, job.file_name) == ("completed", name)


async def test_of_two_files_whose_names_decode_to_each_other_the_one_that_is_meant_is_read(
    stack: IngestionStack,
) -> None:
    """The version decides: it belongs to one of them alone."""
    spaced, plus = stack.upload(PAGE.format("twee"), "a b.md"), stack.upload(PAGE.format("drie"), "a+b.md")
    spaced["detail"]["object"]["key"] = f"uploads/{TENANT}/a+b.md"
    stack.run(spaced)
    stack.run(plus)
    assert {job.file_name for job in await stack.jobs()} == {"a b.md", "a+b.md"}


async def test_a_placeholder_of_a_folder_is_passed_over(
    stack: IngestionStack, caplog: pytest.LogCaptureFixture
) -> None:
    assert stack.run(stack.upload(b"", "leeg/"))["status"] == "SUCCEEDED"
    assert stack.called == ["register"]
    assert await stack.jobs() == []
    assert failures(caplog) == []


async def test_a_file_that_names_no_tenant_stands_in_the_installations_own_list(
    stack: IngestionStack, caplog: pytest.LogCaptureFixture
) -> None:
    event = stack.upload(PAGE, "readme.md", folder="uploads")
    assert stack.run(event)["status"] == stack.run(event)["status"] == "FAILED"
    (job,) = await stack.jobs(OWN_TENANT)
    assert (job.state, job.error_type, job.file_name) == ("failed", "bad_request", "uploads/readme.md")
    assert job.error_message is not None
    assert "uploads/<tenant>/" in job.error_message
    assert failures(caplog) == [("upload_not_registered", "sender", "bad_request")] * 2
    assert counted(caplog) == []


async def test_a_file_that_is_gone_and_a_name_that_leads_elsewhere_leave_a_job_with_a_reason(
    stack: IngestionStack,
) -> None:
    gone, away = stack.upload(PAGE, "weg.md"), stack.upload(PAGE, "map/../elders.md")
    stack.s3.delete_object(Bucket=BUCKET, Key=gone["detail"]["object"]["key"],
                           VersionId=gone["detail"]["object"]["version-id"])  # fmt: skip
    assert [stack.run(event)["error"] for event in (gone, away)] == ["NotFound", "DocumentRejected"]
    told = {job.file_name: (job.state, job.error_type) for job in await stack.jobs()}
    assert told == {"weg.md": ("failed", "not_found"), "map/../elders.md": ("failed", "unsafe_name")}


async def test_what_keeps_from_registering_and_passes_by_itself_is_no_matter_of_the_sender(
    stack: IngestionStack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def broken(*_: Any) -> Any:
        raise MemoryError

    event = stack.upload(PAGE)
    with monkeypatch.context() as while_broken:
        while_broken.setattr("careline.knowledge.register.register", broken)
        assert stack.run(event)["status"] == "FAILED"
    (job,) = await stack.jobs()
    assert (job.state, job.error_type) == ("failed", "memoryerror")
    assert failures(caplog) == [("upload_not_registered", "system", "memoryerror")]
    assert counted(caplog) == ["uploads_not_registered"]
    assert stack.run(copy.deepcopy(event))["status"] == "SUCCEEDED"


async def test_a_job_that_was_to_run_again_and_is_not_found_fails_without_a_job(
    stack: IngestionStack, caplog: pytest.LogCaptureFixture
) -> None:
    ended = stack.run({"tenant": TENANT, "job_id": "job-999"})
    assert (ended["status"], ended["error"]) == ("FAILED", "NotFound")
    assert (failures(caplog), counted(caplog)) == ([("ingestion_failed", "sender", "not_found")], [])
    assert await stack.jobs() == []


async def test_a_job_that_was_to_run_again_and_could_not_be_read_is_failed(
    stack: IngestionStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> Any:
        raise MemoryError

    stack.embedder.failures = [EmbedderUnavailable("the embedding model does not answer")] * (INGESTION.retries + 1)
    assert stack.run(stack.upload(PAGE))["error"] == "EmbedderUnavailable"
    (job,) = await stack.jobs()
    await stack.engines.table.write(catalogue.put_job(jobs.retried(job), None))
    with monkeypatch.context() as while_broken:
        while_broken.setattr("careline_functions.ingestion.register._again", broken)
        assert stack.run({"tenant": TENANT, "job_id": job.job_id})["error"] == "MemoryError"
    (job,) = await stack.jobs()
    assert (job.state, job.error_type, job.retry_count) == ("failed", "memoryerror", 1)


def test_an_execution_that_the_states_language_ends_has_a_name_that_may_be_used(stack: IngestionStack) -> None:
    """A task that takes too long is `States.Timeout`, which a state of type Fail may not repeat."""
    answer, failed, _ = stack.invoke("fail", {"error": {"Error": "States.Timeout", "Cause": ""}})
    assert not failed
    assert json.loads(answer)["error"] == "Ingestion.Timeout"
    states = ingestion_definition()["States"]
    assert states["Failed"]["ErrorPath"] == "$.ended.error"
    assert not states["NotWrittenDown"]["Error"].startswith("States.")


async def test_an_execution_whose_failure_cannot_be_written_down_still_ends(
    stack: IngestionStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("careline_functions.ingestion.fail.read_error", None)
    ended = stack.run(stack.upload(b"%PDF-1.7 this is not really one", "kapot.pdf"))
    assert (ended["status"], ended["error"]) == ("FAILED", "Ingestion.NotWrittenDown")


async def test_an_announced_file_has_the_job_and_the_facts_that_were_announced(stack: IngestionStack) -> None:
    page = PAGE.format("twee").encode()
    facts = {"title": "Parkeren à l'hôpital", "audience": "public"}
    announced, addresses = await offered_upload.offer(
        TENANT, "parkeren.md", len(page), "text/markdown", "brochure-parkeren", facts, stack.engines
    )
    (address,) = addresses.puts
    said = address.headers["x-amz-meta-careline-upload"]
    assert stack.run(stack.upload(page, "parkeren.md", careline_upload=said))["status"] == "SUCCEEDED"
    (job,) = await stack.jobs()
    assert (job.job_id, job.doc_key, job.state) == (announced.upload_id, "brochure-parkeren", "completed")
    held = await catalogue.version(stack.engines.table, TENANT, "brochure-parkeren", 1)
    assert held.document.facts.title == "Parkeren à l'hôpital"
    stack.run(stack.upload(page, "parkeren.md", careline_upload="another"))
    assert {job.error_type for job in await stack.jobs()} == {None, "not_found"}


async def test_an_announced_file_whose_event_comes_twice_is_one_document(stack: IngestionStack) -> None:
    page = PAGE.format("twee").encode()
    announced, _ = await offered_upload.offer(TENANT, "a.md", len(page), "text/markdown", None, {}, stack.engines)
    event = stack.upload(page, "a.md", careline_upload=announced.upload_id)
    assert [stack.run(event)["status"] for _ in range(2)] == ["SUCCEEDED"] * 2
    assert [(job.job_id, job.state) for job in await stack.jobs()] == [(announced.upload_id, "completed")]


async def test_an_announced_file_that_is_refused_has_the_job_that_was_promised(stack: IngestionStack) -> None:
    announced, _ = await offered_upload.offer(TENANT, "a.md", 3, "text/markdown", None, {}, stack.engines)
    event = stack.upload(PAGE.format("twee"), "a.md", careline_upload=announced.upload_id)
    assert [stack.run(event)["error"] for _ in range(2)] == ["BadRequest"] * 2
    (job,) = await stack.jobs()
    assert (job.job_id, job.state, job.error_type) == (announced.upload_id, "failed", "bad_request")
    assert "another size" in (job.error_message or "")


async def test_an_announced_file_that_cannot_be_registered_for_now_has_the_job_that_was_promised(
    stack: IngestionStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> Any:
        raise MemoryError

    page = PAGE.format("twee").encode()
    announced, _ = await offered_upload.offer(TENANT, "a.md", len(page), "text/markdown", None, {}, stack.engines)
    event = stack.upload(page, "a.md", careline_upload=announced.upload_id)
    with monkeypatch.context() as while_broken:
        while_broken.setattr("careline.knowledge.register.register", broken)
        assert stack.run(event)["error"] == "MemoryError"
    assert [(job.job_id, job.error_type) for job in await stack.jobs()] == [(announced.upload_id, "memoryerror")]
    assert stack.run(event)["status"] == "SUCCEEDED"
    states = {job.job_id == announced.upload_id: job.state for job in await stack.jobs()}
    assert states == {True: "failed", False: "completed"}, "another try is another job"
