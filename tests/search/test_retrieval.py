"""One way to search: who may find what, what may be sent for it, and a second chance for the index."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from careline.errors import EmbedderUnavailable, IndexUnavailable
from careline.identity import Identity, Role, identity
from careline.model import Hit
from careline.ports import PassageIndex, Vector
from careline.search.retrieval import PAUSE_BEFORE_RETRY, Retrieval
from tests.builders import a_passage
from tests.fake_index import FakeIndex
from tests.fakes import NOW, FakeEmbedder
from tests.turn.turns import BrokenIndex

TENANT = "sint-anna"
CALLER, OWNER = identity("line", Role.CALLER, TENANT), identity("process", Role.OWNER, TENANT)


class Sleeper:
    """Remembers how long it was told to wait."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


class Service(FakeEmbedder):
    """Somebody else's embedding model."""

    is_external = True

    async def embed_query(self, text: str) -> Vector:
        self.embedded.append(text)
        return self.vector(text)


def a_retrieval(index: PassageIndex | None = None, asker: Identity = OWNER, **chosen: Any) -> Retrieval:
    return replace(Retrieval(FakeEmbedder(), index or FakeIndex(), TENANT, asker, 5.0, Sleeper()), **chosen)


async def find(retrieval: Retrieval, text: str = "ceftriaxon", **filters: tuple[str, ...]) -> list[Hit]:
    found = retrieval.find(text, None, language="nl", limit=10, today=NOW.date(), filters=filters)
    return list(await found)


async def an_index(*audiences: str) -> FakeIndex:
    index = FakeIndex()
    for audience in audiences:
        passage = a_passage("Over ceftriaxon.", tenant=TENANT, doc_key=audience, facts={"audience": audience})
        await index.add([passage], np.zeros((1, 64), np.float32))
        await index.activate(TENANT, audience, passage.version)
    return index


@pytest.mark.parametrize(
    ("asker", "filters", "found"),
    [
        (OWNER, {}, {"public", "clinician"}),
        (OWNER, {"audience": ("clinician",)}, {"clinician"}),
        (CALLER, {}, {"public"}),
        (CALLER, {"audience": ("public", "clinician")}, {"public"}),
        (CALLER, {"audience": ("clinician",)}, set()),
    ],
)
async def test_nobody_finds_what_is_for_another_audience_whatever_they_ask_for(
    asker: Identity, filters: dict[str, tuple[str, ...]], found: set[str]
) -> None:
    retrieval = a_retrieval(await an_index("public", "clinician"), asker)
    assert {hit.passage.doc_key for hit in await find(retrieval, **filters)} == found


async def test_another_tenants_documents_are_not_found() -> None:
    assert await find(a_retrieval(await an_index("public"), tenant="elsewhere")) == []


async def test_an_index_that_fails_once_is_asked_again_after_a_pause_and_one_that_fails_twice_is_unavailable() -> None:
    down = IndexUnavailable("the index does not answer")
    once, twice = a_retrieval(BrokenIndex(1, down)), a_retrieval(BrokenIndex(2, down))
    assert await find(once) == []
    assert once.sleep.slept == [PAUSE_BEFORE_RETRY]  # type: ignore[attr-defined]
    with pytest.raises(IndexUnavailable):
        await find(twice)


async def test_words_that_nobody_looked_through_are_not_sent_to_somebody_else() -> None:
    service = Service()
    retrieval = a_retrieval(embedder=service)
    kept = await retrieval.embed("wanneer mag Jan bezoek", inspected=False)
    assert (kept.vector, kept.missing, service.embedded) == (None, "PHI_ASSUMED", [])
    sent = await retrieval.embed("wanneer mag bezoek", inspected=True)
    assert (sent.missing, service.embedded) == (None, ["wanneer mag bezoek"])
    assert (await a_retrieval().embed("wanneer mag Jan bezoek", inspected=False)).missing is None


async def test_an_embedder_that_is_down_is_named_and_leaves_words_to_search_by() -> None:
    class Down(FakeEmbedder):
        async def embed_query(self, text: str) -> Vector:
            raise EmbedderUnavailable("the embedding model does not answer")

    embedded = await a_retrieval(embedder=Down()).embed("bezoek", inspected=True)
    assert (embedded.vector, embedded.missing) == (None, "EMBEDDER_UNAVAILABLE")
