"""What is the same document, what is a new version of it, and what may not come in at all."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from functools import partial
from pathlib import PurePosixPath
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import BadRequest, Conflict, DocumentRejected, KeyTaken
from careline.knowledge import catalogue, pipeline
from careline.knowledge.delete import delete
from careline.knowledge.document_key import SameName, default_key, own_key
from careline.knowledge.ingestion.refused_upload import SUPERSEDED, SUPERSEDED_BY, Arrival, refuse
from careline.knowledge.register import FACTS, KEY, Upload, check_name, facts_from, read_facts, register
from careline.knowledge.upload_order import NAMES, is_before
from careline.model import JobState
from careline.ports import Engines
from careline.records.record_table import Delete, Put
from tests.builders import some_engines
from tests.fakes import NOW, FakeFiles, FakeTable
from tests.knowledge.stores import TENANT, an_upload, ingested, jobs, states

KEYED = "document-parking"


@pytest.fixture
def engines() -> Engines:
    return some_engines()


async def test_a_first_upload_opens_a_job_and_keeps_the_file(engines: Engines) -> None:
    ingestion_job = await register(an_upload("tekst"), engines)
    assert (ingestion_job.doc_key, ingestion_job.version, ingestion_job.unchanged) == (KEYED, 1, False)
    assert (await catalogue.job(engines.table, TENANT, ingestion_job.job_id)).job.state is JobState.PENDING
    assert isinstance(engines.files, FakeFiles)
    assert list(engines.files.held.values()) == [b"tekst"]


async def test_the_same_content_again_is_a_no_op(engines: Engines) -> None:
    first = await ingested(an_upload(), engines)
    again = await register(an_upload(), engines)
    assert (again.unchanged, again.job_id, again.version) == (True, first.job_id, 1)
    assert len(await jobs(engines)) == 1


async def test_the_same_content_while_its_job_is_open_finds_that_job(engines: Engines) -> None:
    first = await register(an_upload(), engines)
    again = await register(an_upload(), engines)
    assert again == first
    assert not again.unchanged


async def test_other_content_makes_the_next_version(engines: Engines) -> None:
    await ingested(an_upload(), engines)
    ingestion_job = await register(an_upload("Parkeren is gratis."), engines)
    assert (ingestion_job.version, ingestion_job.unchanged) == (2, False)
    assert await states(engines, KEYED) == ["live", "pending"]


async def test_the_same_content_with_other_facts_is_a_new_version(engines: Engines) -> None:
    await ingested(an_upload(), engines)
    assert (await register(an_upload(facts={"year": 2026}), engines)).version == 2


async def test_a_stated_key_is_the_documents_name(engines: Engines) -> None:
    await ingested(an_upload(doc_key="faq-parking"), engines)
    assert (await register(an_upload("anders", name="other.md", doc_key="faq-parking"), engines)).version == 2


async def test_a_key_of_one_tenant_is_nothing_to_another(engines: Engines) -> None:
    await ingested(an_upload(), engines)
    other = await register(Upload("b", "parking.md", b"anders"), engines)
    assert other.version == 1


async def test_many_uploads_at_once_of_one_key_get_a_version_each(engines: Engines) -> None:
    uploads = [an_upload(f"tekst {n}") for n in range(6)]
    ingestion_jobs = await asyncio.gather(*(register(upload, engines) for upload in uploads))
    assert sorted(ingestion_job.version for ingestion_job in ingestion_jobs) == [1, 2, 3, 4, 5, 6]


async def test_the_same_upload_many_times_at_once_is_one_version_and_one_job(engines: Engines) -> None:
    ingestion_jobs = await asyncio.gather(*(register(an_upload(), engines) for _ in range(6)))
    assert len(set(ingestion_jobs)) == 1
    assert len(await jobs(engines)) == 1


class ContestedTable(FakeTable):
    """Somebody else is always first."""

    async def write(self, *changes: Put | Delete) -> None:
        raise Conflict("somebody else changed this record first")


async def test_a_document_that_never_holds_still_is_a_conflict_that_may_be_tried_again() -> None:
    with pytest.raises(Conflict) as raised:
        await register(an_upload(), some_engines(table=ContestedTable()))
    assert raised.value.retry_after == 5


@pytest.mark.parametrize(
    "name",
    ["", " ", "../a.md", "a/../b.md", "/a.md", "a//b.md", "a/", "..", "..\\a.md", "C:a.md", "a\nb.md", "a\u202eb.md",
     "a\0.md", "x" * 501 + ".md", "\ud800.md"],
)  # fmt: skip
async def test_a_name_that_leads_elsewhere_or_cannot_be_shown_is_rejected(engines: Engines, name: str) -> None:
    with pytest.raises(DocumentRejected) as raised:
        await register(Upload(TENANT, name, b"tekst"), engines)
    assert raised.value.reason == "unsafe_name"
    assert await jobs(engines) == []


@pytest.mark.parametrize("doc_key", ["../x", "a/b", "-a", ".a", "a b", "é", "x" * 201, "a#1"])
async def test_a_key_that_cannot_name_a_folder_is_a_bad_request(engines: Engines, doc_key: str) -> None:
    with pytest.raises(BadRequest, match="doc_key"):
        await register(an_upload(doc_key=doc_key), engines)


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({"colour": "red"}, "colour"), ({"year": "soon"}, "year"), ({"audience": "all"}, "audience"),
        ({"source_type": "a b"}, "source_type"), ({"source_type": "_a"}, "source_type"),
        ({"valid_until": "31/12/2026"}, "valid_until"), ({"authors": 5}, "authors"), ({"authors": {"a": 1}}, "authors"),
    ],
)  # fmt: skip
async def test_a_fact_that_is_wrong_is_a_bad_request_that_names_it(
    engines: Engines, facts: dict[str, object], named: str
) -> None:
    with pytest.raises(BadRequest, match=named):
        await register(an_upload(facts=facts), engines)
    assert await jobs(engines) == []


def test_facts_are_read_from_what_forms_and_manifests_hold() -> None:
    said = {"year": "2026", "authors": "An Peeters", "valid_from": datetime(2026, 1, 1, 10, tzinfo=UTC)}
    facts = read_facts(Upload(TENANT, "op_bezoek-nl.md", b"", facts={**said, "valid_until": "2027-01-01T00:00"}))
    assert (facts.title, facts.year, facts.authors) == ("op bezoek nl", 2026, ("An Peeters",))
    assert (facts.valid_from, facts.valid_until) == (date(2026, 1, 1), date(2027, 1, 1))
    assert type(facts.valid_from) is date


@given(st.text(min_size=1, max_size=30))
def test_every_name_that_is_allowed_gives_a_title(name: str) -> None:
    try:
        check_name(name)
    except DocumentRejected:
        return
    assert read_facts(Upload(TENANT, name, b"")).title


@given(st.text(min_size=1, max_size=600), st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9_]{0,39}\Z"))
def test_a_default_key_is_always_a_key_and_never_leaves_its_folder(name: str, source_type: str) -> None:
    try:
        check_name(name)
    except DocumentRejected:
        return
    facts_from({"title": "-", "language": "", "source_type": source_type})
    key = default_key(name, source_type)
    assert KEY.fullmatch(key)
    assert key.startswith(f"{source_type}-")
    assert PurePosixPath("documents", key).parts == ("documents", key)


@given(st.lists(st.sampled_from(["..", ".", "", "a", "C:", "é", "\\", "/", "\t"]), max_size=6).map("/".join))
def test_a_name_that_is_allowed_stays_below_its_folder(name: str) -> None:
    try:
        check_name(name)
    except DocumentRejected:
        return
    parts = PurePosixPath(name.replace("\\", "/")).parts
    assert ".." not in parts
    assert not name.startswith(("/", "\\"))


@pytest.mark.parametrize(
    ("one", "other"),
    [("é", "è"), ("日本", "中国"), ("a" * 160 + "1", "a" * 160 + "2"), ("a+b", "a&b"), ("+", "-")],
)
def test_names_that_differ_only_in_what_a_key_cannot_hold_get_keys_of_their_own(one: str, other: str) -> None:
    assert default_key(f"{one}.md", "faq") != default_key(f"{other}.md", "faq")


def test_the_facts_that_are_known_are_those_of_a_document() -> None:
    assert {"title", "valid_until", "drug_name", "audience"} <= FACTS


def arrived(sequencer: str | None, name: str = "parking.md", **said: Any) -> Arrival:
    """An upload as the event of a bucket tells of it."""
    return Arrival(TENANT, name, sequencer or "none", NOW, sequencer, **said)


FIRST, SECOND, THIRD = "00617F08299329D189", "00617F0829AA29D189", "1617F0829AA29D1890"
"""Sequencers of S3 in order."""


@pytest.mark.parametrize(
    ("earlier", "later"), [(FIRST, SECOND), (SECOND.lower(), THIRD), ("F", "10"), ("0F", "010"), ("FF", "0100")]
)
def test_sequencers_are_hexadecimal_numbers_of_any_length(earlier: str, later: str) -> None:
    assert is_before(earlier, later)
    assert not is_before(later, earlier)
    assert not is_before(earlier, earlier)


async def test_an_older_upload_never_wins_and_its_job_says_that_a_newer_one_was_there(engines: Engines) -> None:
    newer = await ingested(an_upload("drie euro", arrival=arrived(SECOND)), engines)
    late = await register(an_upload("twee euro", arrival=arrived(FIRST)), engines)
    assert late.unchanged
    assert await states(engines, KEYED) == ["live"]
    told = (await catalogue.job(engines.table, TENANT, late.job_id)).job
    assert (told.state, told.error_type, told.superseded_by) == ("superseded", SUPERSEDED, newer.job_id)
    assert (told.file_name, told.doc_key, told.error_message) == ("parking.md", KEYED, SUPERSEDED_BY)


async def test_an_older_upload_that_is_told_of_twice_is_one_job(engines: Engines) -> None:
    await ingested(an_upload("drie euro", arrival=arrived(SECOND)), engines)
    late = an_upload("twee euro", arrival=arrived(FIRST))
    assert await register(late, engines) == await register(late, engines)
    assert len(await jobs(engines)) == 2


async def test_an_older_upload_is_late_also_where_the_newer_one_changed_nothing(engines: Engines) -> None:
    await ingested(an_upload("drie euro", arrival=arrived(FIRST)), engines)
    assert (await register(an_upload("drie euro", arrival=arrived(THIRD)), engines)).unchanged
    assert (await register(an_upload("twee euro", arrival=arrived(SECOND)), engines)).unchanged
    assert await states(engines, KEYED) == ["live"]


async def test_two_uploads_at_once_end_with_the_newer_one_whichever_is_read_first(engines: Engines) -> None:
    uploads = [an_upload(f"tekst {n}", arrival=arrived(f"{n:04X}")) for n in range(8)]
    registered = await asyncio.gather(*(register(upload, engines) for upload in reversed(uploads)))
    await asyncio.gather(*(pipeline.run(one, engines) for one in registered))
    head = await catalogue.head(engines.table, TENANT, KEYED)
    live = await catalogue.version(engines.table, TENANT, KEYED, head.live or 0)
    assert live.document.content_hash == uploads[-1].content_hash()
    ended = [job.state for job in await jobs(engines)]
    assert (ended.count("completed"), ended.count("superseded")) == (1, 7)


async def test_the_same_event_after_its_document_was_deleted_or_replaced_brings_nothing_back(engines: Engines) -> None:
    first = an_upload(arrival=arrived(FIRST))
    job = await ingested(first, engines)
    await delete(TENANT, KEYED, engines)
    again = await register(first, engines)
    assert (again.unchanged, again.job_id) == (True, job.job_id)
    await ingested(an_upload("een ander", arrival=arrived(SECOND)), engines)
    assert await states(engines, KEYED) == ["deleted", "live"]


async def test_the_same_event_of_a_document_that_failed_runs_again(engines: Engines) -> None:
    broken = an_upload("", arrival=arrived(FIRST))
    failed = await ingested(broken, engines)
    again = await register(broken, engines)
    assert (failed.state, again.unchanged, again.version) == ("failed", False, 1)
    assert again.job_id != failed.job_id


async def test_an_upload_without_a_place_in_the_order_is_the_newest_as_before(engines: Engines) -> None:
    await ingested(an_upload("drie euro", arrival=arrived(THIRD)), engines)
    assert (await register(an_upload("vier euro"), engines)).version == 2


async def test_a_file_of_another_name_and_one_key_has_an_order_of_its_own(engines: Engines) -> None:
    """S3 says nothing of the order of two keys."""
    await ingested(an_upload(arrival=arrived(THIRD), doc_key="faq"), engines)
    other = an_upload("anders", name="other.md", doc_key="faq", arrival=arrived(FIRST, "other.md"))
    assert (await register(other, engines)).version == 2


async def test_of_a_document_that_is_called_anew_each_day_the_record_does_not_grow(engines: Engines) -> None:
    for day in range(NAMES + 5):
        name = f"menu-{day}.md"
        await register(an_upload(f"dag {day}", name=name, doc_key="menu", arrival=arrived("0A", name)), engines)
    head = await catalogue.head(engines.table, TENANT, "menu")
    assert len(head.newest) == NAMES
    assert {"menu-54.md", "menu-5.md"} <= set(head.newest)
    assert "menu-4.md" not in head.newest


@pytest.mark.parametrize(("one", "other"), [("bezoek uren.md", "bezoek-uren.md"), ("a.md", "a.pdf"), ("a.md", "a.MD")])
async def test_a_second_name_for_one_key_is_refused_with_both_names_and_what_to_do(
    engines: Engines, one: str, other: str
) -> None:
    key = (await ingested(an_upload(name=one), engines)).doc_key
    with pytest.raises(KeyTaken) as told:
        await register(an_upload("anders", name=other), engines)
    assert told.value.status == 409
    assert all(part in told.value.message for part in (one, other, f"doc_key {key}", own_key(key, other)))
    assert await states(engines, key) == ["live"]


async def test_the_sender_may_say_that_it_replaces_or_is_another_document(engines: Engines) -> None:
    key = (await ingested(an_upload(name="a.md"), engines)).doc_key
    own = own_key(key, "a.pdf")
    assert (await register(an_upload("anders", name="a.pdf", doc_key=own), engines)).version == 1
    assert (await register(an_upload("iets", name="a.txt", doc_key=key), engines)).version == 2


@pytest.mark.parametrize("content", ["anders", ""])
async def test_a_file_with_a_key_of_its_own_keeps_it_without_saying_it_again(engines: Engines, content: str) -> None:
    key = (await ingested(an_upload(name="a.md"), engines)).doc_key
    await ingested(an_upload(content, name="a.txt", doc_key=own_key(key, "a.txt")), engines)
    again = await register(an_upload("weer anders", name="a.txt"), engines)
    assert (again.doc_key, again.version) == (own_key(key, "a.txt"), 2)


async def test_a_file_keeps_its_own_key_when_the_file_that_had_the_plain_one_is_deleted(engines: Engines) -> None:
    key = (await ingested(an_upload(name="a.md"), engines)).doc_key
    await ingested(an_upload("anders", name="a.txt", doc_key=own_key(key, "a.txt")), engines)
    await delete(TENANT, key, engines)
    assert (await register(an_upload("weer anders", name="a.txt"), engines)).doc_key == own_key(key, "a.txt")


async def test_a_file_that_is_kept_beside_its_namesake_is_the_same_document_whatever_it_says(engines: Engines) -> None:
    await ingested(an_upload("twee euro", folder="oost"), engines)
    beside = partial(an_upload, folder="west", same_name=SameName.BESIDE)
    own = (await ingested(beside("drie euro"), engines)).doc_key
    back = await ingested(beside("twee euro"), engines)
    assert (back.doc_key, back.version, own != KEYED) == (own, 2, True)
    assert await states(engines, own) == ["superseded", "live"]
    await ingested(an_upload("vier euro"), engines)
    assert (await register(an_upload("vijf euro", folder="west"), engines)).doc_key == own
    await delete(TENANT, KEYED, engines)
    assert (await register(an_upload("zes euro", folder="west"), engines)).doc_key == own


async def test_the_same_file_from_another_folder_is_no_second_document(engines: Engines) -> None:
    await ingested(an_upload("twee euro", folder="oost"), engines)
    again = await register(an_upload("twee euro", folder="west", same_name=SameName.ASK), engines)
    assert (again.doc_key, again.unchanged) == (KEYED, True)


async def test_a_document_that_was_deleted_or_never_was_leaves_its_name_to_another_file(engines: Engines) -> None:
    await ingested(an_upload("", name="a.md"), engines)
    key = (await ingested(an_upload(name="a.pdf.md"), engines)).doc_key
    await delete(TENANT, key, engines)
    assert (await register(an_upload("anders", name="a.txt"), engines)).version == 2


async def test_of_two_names_at_once_one_has_the_key_and_the_other_is_told(engines: Engines) -> None:
    both = [register(an_upload(name=name), engines) for name in ("a.md", "a.txt")]
    ended = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(one).__name__ for one in ended) == ["IngestionJob", "KeyTaken"]


async def test_a_job_that_was_promised_is_the_one_that_is_opened(engines: Engines) -> None:
    assert (await register(an_upload(arrival=arrived(FIRST, job_id="promised")), engines)).job_id == "promised"


async def test_a_job_that_was_promised_for_the_same_content_says_that_it_is_there(engines: Engines) -> None:
    await ingested(an_upload(), engines)
    assert (await register(an_upload(arrival=arrived(FIRST, job_id="promised")), engines)).unchanged
    assert (await catalogue.job(engines.table, TENANT, "promised")).job.state == "completed"


async def test_what_could_not_be_registered_is_a_job_once_and_cannot_be_retried(engines: Engines) -> None:
    late = arrived(None, "raar\u202e.md")
    told = await refuse(late, BadRequest("year: four digits"), engines)
    assert await refuse(late, BadRequest("year: four digits"), engines) == told
    assert [(job.state, job.error_type, job.file_name) for job in await jobs(engines)] == [
        ("failed", "bad_request", "raar\ufffd.md"),
    ]
    with pytest.raises(Conflict, match="upload the file again"):
        await pipeline.retry(TENANT, told.job_id, engines)
