"""What is the same document, what is a new version of it, and what may not come in at all."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import BadRequest, Conflict, DocumentRejected
from careline.knowledge import catalogue
from careline.knowledge.register import FACTS, KEY, Upload, check_name, default_key, facts_from, read_facts, register
from careline.model import JobState
from careline.ports import Engines
from careline.record_table import Delete, Put
from tests.builders import some_engines
from tests.fakes import FakeFiles, FakeTable
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
