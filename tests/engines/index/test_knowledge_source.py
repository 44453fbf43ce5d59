"""What every source of knowledge does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from careline.errors import EngineUnavailable, IndexUnavailable
from careline.identity import Role, identity
from careline.ports import KnowledgeSource, PlannedSearch
from careline.search.retrieval import Retrieval
from careline.search.sources import KnowledgeBase
from tests.builders import a_passage
from tests.fakes import NOW, FakeEmbedder, FakeSource
from tests.turn.turns import TENANT, BrokenIndex, a_hit

DOWN = IndexUnavailable("down")
TEXTS = ("Bezoek is welkom.", "Bezoek mag tot 20 uur.", "Bezoek komt met twee.")


@pytest.fixture(params=["documents", "fake"])
async def source(request: pytest.FixtureRequest) -> KnowledgeSource:
    """A source that holds three passages about visits; it fails as often as `failures` says before it answers."""
    failures = request.node.callspec.params.get("failures", 0)
    if request.param == "fake":
        return FakeSource("fake", *(a_hit(text=text) for text in TEXTS), faults=[DOWN] * failures)
    index = BrokenIndex(failures, DOWN)
    for number, text in enumerate(TEXTS):
        passage = a_passage(text, tenant=TENANT, doc_key=f"brochure-{number}")
        await index.add([passage], await FakeEmbedder().embed_passages([text]))
        await index.activate(TENANT, passage.doc_key, passage.version)
    asker = identity("line", Role.CALLER, TENANT)
    return KnowledgeBase(Retrieval(FakeEmbedder(), index, TENANT, asker, 5.0))


def a_search(source: KnowledgeSource, **said: object) -> PlannedSearch:
    search = PlannedSearch(source.name, "bezoek", FakeEmbedder().vector("bezoek"), language="nl", today=NOW.date())
    return replace(search, **said)  # type: ignore[arg-type]


async def test_the_best_passages_come_first_and_no_more_than_were_asked_for(source: KnowledgeSource) -> None:
    hits = await source.find(a_search(source, limit=2))
    assert len(hits) == 2
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert len(await source.find(a_search(source))) == len(TEXTS)


async def test_words_alone_are_enough(source: KnowledgeSource) -> None:
    assert len(await source.find(a_search(source, vector=None))) == len(TEXTS)


async def test_a_source_can_be_named_in_a_record_and_in_a_sentence(source: KnowledgeSource) -> None:
    assert source.name == source.name.lower().replace(" ", "_")
    assert source.title[0].isupper()


@pytest.mark.parametrize("failures", [1])
async def test_a_failure_is_told_at_once_and_the_next_search_is_a_new_one(
    source: KnowledgeSource, failures: int
) -> None:
    with pytest.raises(EngineUnavailable):
        await source.find(a_search(source))
    assert len(await source.find(a_search(source))) == len(TEXTS)
