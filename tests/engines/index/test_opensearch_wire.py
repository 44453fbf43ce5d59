"""What our index sends to OpenSearch, as reviewed in `golden/`, and what it makes of the answers."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from careline.engines.aws import connect
from careline.engines.aws.passage_index.index import OpenSearchIndex
from careline.engines.aws.passage_index.index_documents import STRUCTURES
from careline.engines.aws.passage_index.index_mapping import index_body
from careline.errors import BadRequest, IndexUnavailable
from careline.model import Chunk, DocumentFacts, Hit, Passage
from careline.ports import Matrix, PassageQuery, Vector
from careline.search.corpus_means import FEW, SMALL
from tests.emulators.opensearch import Collection, serving
from tests.fakes import FakeTable

GOLDEN = Path(__file__).parent / "golden"
NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
DIMENSIONS = 8


class Rig:
    """An index in front of the emulated collection; its pauses refresh the collection instead of waiting."""

    def __init__(self, collection: Collection, table: Any) -> None:
        self.collection = collection
        self.paused = 0
        self.client = connect.opensearch(collection.endpoint, "aoss")
        self.index = OpenSearchIndex(lambda: self.client, "passages", table, "aoss", pause=self.pause)
        self.before_refresh: Callable[[], Awaitable[None]] | None = None

    async def pause(self, seconds: float) -> None:
        self.paused += 1
        if self.before_refresh is not None:
            await self.before_refresh()
        self.collection.refresh()

    async def live(self, doc_key: str, version: int, *texts: str, **facts: Any) -> Sequence[Passage]:
        passages, vectors = some(doc_key, version, *texts, **facts)
        await self.index.add(passages, vectors)
        await self.index.activate("a", doc_key, version)
        return passages

    async def find(self, text: str = "", **more: Any) -> list[str]:
        return [hit.passage.chunk.text for hit in await self.hits(text, **more)]

    async def hits(self, text: str = "", **more: Any) -> Sequence[Hit]:
        settings: dict[str, Any] = {"tenant": "a", "vector": unit(0), **more}
        return await self.index.find(PassageQuery(text=text, **settings))


@pytest.fixture
def rig(dynamo: Any) -> Iterator[Rig]:
    pytest.importorskip("opensearchpy")
    with serving() as collection:
        rig = Rig(collection, dynamo)
        yield rig
        rig.client.close()


def unit(axis: int, towards: float = 0.0) -> Vector:
    vector = np.zeros(DIMENSIONS, np.float32)
    vector[axis], vector[(axis + 1) % DIMENSIONS] = np.sqrt(1 - towards**2), towards
    return vector


def some(doc_key: str, version: int, *texts: str, tenant: str = "a", **facts: Any) -> tuple[list[Passage], Matrix]:
    about = DocumentFacts(**{"title": "Bezoek", "source_type": "brochure", "language": "nl", **facts})
    passages = [
        Passage(
            chunk_id=f"{doc_key}:{version}:{n}", tenant=tenant, doc_key=doc_key, version=version,
            document_id=f"{doc_key}-{version}", file_name="bezoek.md",
            chunk=Chunk(n, text, "text", ("Uren",), 1, 1, len(text.split())),
            facts=about, embedding_model="m", indexed_at=NOW,
        )
        for n, text in enumerate(texts)
    ]  # fmt: skip
    return passages, np.stack([unit(n % DIMENSIONS, 0.1) for n in range(len(texts))])


def golden(name: str) -> Any:
    """What goes over the wire, as it was reviewed; a change of the wire is a change of the file."""
    return json.loads((GOLDEN / name).read_text())


@pytest.mark.parametrize("service", ["aoss", "es"])
async def test_the_mapping_is_the_one_that_was_reviewed(service: Any) -> None:
    assert index_body(1024, service) == golden(f"mapping.{service}.json")


async def test_every_fact_of_a_document_can_be_filtered_on() -> None:
    properties = index_body(8, "aoss")["mappings"]["properties"]
    fields = {*DocumentFacts.__dataclass_fields__, "tenant", "doc_key", "version", "document_id", "kind"}
    assert {properties[name]["type"] for name in fields} == {"keyword", "integer"}
    assert all("index" not in properties[name] for name in fields)


async def test_what_a_chunk_has_beside_its_text_has_a_field_that_is_not_searched() -> None:
    properties = index_body(8, "aoss")["mappings"]["properties"]
    assert {"table", *STRUCTURES} <= {name for name, field in properties.items() if field.get("index") is False}


async def test_a_cluster_gets_its_index_once_at_the_first_write_and_a_collection_none(rig: Rig) -> None:
    index = OpenSearchIndex(lambda: rig.client, "passages", FakeTable(), "es")
    for version in (1, 2):
        await index.add(*some("brochure-1", version, "een"))
    assert rig.collection.index == index_body(DIMENSIONS, "es")
    about_the_index = [method for method, path, _ in rig.collection.requests if path == "/passages"]
    assert about_the_index == ["HEAD", "PUT"]


async def test_a_search_is_one_request_with_both_sides_and_the_live_editions(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "Bezoek mag van 14 tot 20 uur.")
    rig.collection.requests.clear()
    await rig.hits("Wanneer mag ik op bezoek?", where={"language": ("nl",), "year": (2025,)}, today=date(2026, 3, 2))
    assert [path for _, path, _ in rig.collection.requests] == ["/passages/_msearch"]
    (lines,) = rig.collection.sent("_msearch")
    assert lines == golden("msearch.json")


async def test_a_document_goes_over_the_wire_with_its_text_in_the_fields_of_its_language(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "Bezoek mag van 14 tot 20 uur.", valid_until=date(2027, 1, 1), authors=("A", "B"))
    (lines,) = rig.collection.sent("_bulk")
    assert lines == golden("bulk.json")


async def test_a_passage_comes_back_as_it_went_in(rig: Rig) -> None:
    facts: dict[str, Any] = {"authors": ("A", "B"), "year": 2025, "valid_from": date(2026, 1, 1), "drug_name": "x"}
    for doc_key, language in (("brochure-nl", "nl"), ("brochure-de", "de")):
        passages = await rig.live(doc_key, 1, "één", "twee", language=language, **facts)
        assert list(await rig.index.passages("a", doc_key, 1)) == passages


async def test_passages_are_not_found_before_their_version_is_live(rig: Rig) -> None:
    await rig.index.add(*some("brochure-1", 1, "oud"))
    assert await rig.find("oud") == []
    assert await rig.index.corpus_version("a") == 0


async def test_the_old_version_answers_until_the_new_one_can_be_found(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "oud")
    rig.collection.refresh_at_once = False
    await rig.index.add(*some("brochure-1", 2, "nieuw"))
    seen = []

    async def look() -> None:
        seen.append(await rig.find("oud"))

    rig.before_refresh = look
    await rig.index.activate("a", "brochure-1", 2)
    assert seen == [["oud"]]
    assert await rig.find("nieuw") == ["nieuw"]
    assert [p.chunk.text for p in await rig.index.passages("a", "brochure-1", 1)] == ["oud"]


async def test_an_older_version_never_replaces_a_newer_one(rig: Rig) -> None:
    await rig.live("brochure-1", 2, "nieuw")
    await rig.live("brochure-1", 1, "oud")
    assert await rig.find("oud") == ["nieuw"]


async def test_a_retired_document_is_gone_and_stays_gone(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "oud")
    await rig.index.retire("a", "brochure-1", 1)
    await rig.index.activate("a", "brochure-1", 1)
    await rig.index.retire("a", "brochure-1", 1)
    assert await rig.find("oud") == []
    assert await rig.index.corpus_version("a") == 2
    await rig.live("brochure-1", 2, "nieuw")
    assert await rig.find("nieuw") == ["nieuw"]


async def test_of_activations_at_once_the_newest_version_stays_and_none_is_lost(rig: Rig) -> None:
    for version in (1, 2, 3):
        await rig.index.add(*some("brochure-1", version, f"tekst {version}"))
        await rig.index.add(*some(f"faq-{version}", 1, f"vraag {version}"))
    await asyncio.gather(
        *(rig.index.activate("a", "brochure-1", version) for version in (2, 3, 1)),
        *(rig.index.activate("a", f"faq-{n}", 1) for n in (1, 2, 3)),
    )
    assert sorted(await rig.find("tekst vraag")) == ["tekst 3", "vraag 1", "vraag 2", "vraag 3"]


async def test_adding_and_activating_again_changes_nothing(rig: Rig) -> None:
    passages, vectors = some("brochure-1", 1, "een", "twee")
    await rig.live("brochure-1", 1, "een", "twee")
    before = len(rig.collection.visible), await rig.index.corpus_version("a")
    await rig.index.add(passages, vectors)
    await rig.index.activate("a", "brochure-1", 1)
    assert (len(rig.collection.visible), await rig.index.corpus_version("a")) == before


async def test_a_passage_stored_twice_is_found_once_and_the_second_is_deleted(rig: Rig) -> None:
    rig.collection.refresh_at_once = False
    for _ in range(2):
        await rig.index.add(*some("brochure-1", 1, "een"))
    rig.collection.refresh()
    assert len(rig.collection.visible) == 2
    await rig.index.activate("a", "brochure-1", 1)
    assert await rig.find("een") == ["een"]
    rig.collection.refresh()
    assert len(rig.collection.visible) == 1


async def test_a_version_whose_passages_never_all_appear_does_not_go_live(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "oud")
    await rig.index.add(*some("brochure-1", 2, "een", "twee"))
    rig.collection.visible.popitem()
    with pytest.raises(IndexUnavailable, match="1 of 2"):
        await rig.index.activate("a", "brochure-1", 2)
    assert await rig.find("oud") == ["oud"]


async def test_a_version_without_passages_is_not_activated(rig: Rig) -> None:
    with pytest.raises(IndexUnavailable):
        await rig.index.activate("a", "brochure-1", 1)


async def test_items_the_cluster_was_too_busy_for_are_sent_again_and_only_those(rig: Rig) -> None:
    rig.collection.refuse_items = [0, 429, 0, 503]
    await rig.index.add(*some("brochure-1", 1, "een", "twee", "drie", "vier"))
    first, second = rig.collection.sent("_bulk")
    assert [line["text"] for line in first if "text" in line] == ["een", "twee", "drie", "vier"]
    assert [line["text"] for line in second if "text" in line] == ["twee", "vier"]
    await rig.index.activate("a", "brochure-1", 1)


async def test_an_item_that_is_refused_fails_the_write_and_its_text_is_not_repeated(rig: Rig) -> None:
    rig.collection.refuse_items = [0, 400]
    with pytest.raises(IndexUnavailable, match="400 status_400") as raised:
        await rig.index.add(*some("brochure-1", 1, "geheim", "geheim"))
    assert "geheim" not in str(raised.value)


async def test_no_request_uses_what_a_vector_collection_does_not_have(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "een", "twee")
    await rig.find("een")
    await rig.index.clear("a")
    operations = {path.partition("?")[0] for _, path, _ in rig.collection.requests}
    assert operations == {"/passages/_bulk", "/passages/_search", "/passages/_msearch"}
    actions = [line for lines in rig.collection.sent("_bulk") for line in lines if "index" in line]
    assert all(action == {"index": {}} for action in actions)


async def test_clearing_a_tenant_forgets_it_at_once_and_leaves_the_others(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "een")
    passages, vectors = some("brochure-1", 1, "ander", tenant="b")
    await rig.index.add(passages, vectors)
    await rig.index.activate("b", "brochure-1", 1)
    before = await rig.index.corpus_version("a")
    await rig.index.clear("a")
    assert await rig.find("een") == []
    assert await rig.index.corpus_version("a") > before
    assert await rig.find("ander", tenant="b") == ["ander"]
    assert len(rig.collection.visible) == 1
    await rig.live("brochure-1", 1, "een")
    assert await rig.find("een") == ["een"]


async def test_documents_outside_their_dates_are_hidden(rig: Rig) -> None:
    await rig.live("old", 1, "bezoek oud", valid_until=date(2026, 3, 1))
    await rig.live("today", 1, "bezoek nu", valid_from=date(2026, 3, 2), valid_until=date(2026, 3, 2))
    await rig.live("soon", 1, "bezoek straks", valid_from=date(2026, 3, 3))
    assert await rig.find("bezoek", today=date(2026, 3, 2)) == ["bezoek nu"]


async def test_a_hit_says_how_near_it_is_and_how_much_of_the_question_it_holds(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "parking bezoek", "bezoek", "cafetaria", title="Info")
    hits = {hit.passage.chunk.text: hit for hit in await rig.hits("wat kost parking bij een bezoek")}
    assert hits["parking bezoek"].similarity == pytest.approx(0.995, abs=0.001)
    assert hits["cafetaria"].similarity == pytest.approx(0.0, abs=0.001)
    assert hits["cafetaria"].coverage == 0
    overall = (0.995 + 0 + 0) / (3 + SMALL)
    assert hits["parking bezoek"].relative_similarity == pytest.approx(
        0.995 - (FEW * overall + 0.995) / (FEW + 3), abs=0.001
    )
    assert 0 < hits["bezoek"].coverage < hits["parking bezoek"].coverage < 1
    assert hits["parking bezoek"].score == max(hit.score for hit in hits.values())


async def test_without_a_vector_keywords_alone_are_asked(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "parking", "cafetaria")
    assert [(h.passage.chunk.text, h.similarity, h.score) for h in await rig.hits("parking", vector=None)] == [
        ("parking", 0.0, 1.0)
    ]
    assert await rig.find("wat mag ik", vector=None) == []


async def test_a_filter_on_a_field_that_does_not_exist_is_a_bad_request(rig: Rig) -> None:
    with pytest.raises(BadRequest, match="edition"):
        await rig.find("x", where={"edition": ("y",)})


@pytest.mark.parametrize("status", [400, 403, 404, 429, 500, 503])
async def test_a_refusal_is_unavailable_and_never_repeats_the_question(rig: Rig, status: int) -> None:
    await rig.live("brochure-1", 1, "een")
    rig.collection.refuse_requests = [status] * 5
    with pytest.raises(IndexUnavailable) as raised:
        await rig.find("mijn rijksregisternummer")
    assert "rijksregisternummer" not in str(raised.value)
    assert str(status) in str(raised.value)


async def test_an_index_that_does_not_answer_is_unavailable_within_the_timeout(rig: Rig) -> None:
    await rig.live("brochure-1", 1, "een")
    answering = rig.collection.answer

    def slow(*request: Any) -> Any:
        threading.Event().wait(0.6)
        return answering(*request)

    rig.collection.answer = slow  # type: ignore[method-assign]
    started = asyncio.get_running_loop().time()
    with pytest.raises(IndexUnavailable):
        await rig.find("een", timeout_seconds=0.2)
    assert asyncio.get_running_loop().time() - started < 0.5


def test_a_request_to_serverless_is_signed_for_its_service_with_the_hash_of_its_body(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Serverless answers 403 without `x-amz-content-sha256`."""
    from careline.engines.aws.connect import opensearch

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    endpoint = "https://abc.eu-west-1.aoss.amazonaws.com"
    (connection,) = opensearch(endpoint, "aoss").transport.connection_pool.connections
    headers = connection.http_auth("POST", f"{endpoint}/passages/_msearch", b"{}\n")
    assert "/eu-west-1/aoss/aws4_request" in headers["Authorization"]
    assert "x-amz-content-sha256" in headers["Authorization"]
    assert connection.headers["accept-encoding"] == "gzip"
