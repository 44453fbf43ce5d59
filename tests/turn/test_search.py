"""A search beside the conversation tells an embedder of somebody else's no more than a turn would."""

from __future__ import annotations

from typing import Any

import pytest

from careline import wire
from careline.document_search import search
from tests.fakes import FakeDetector, FakeEmbedder
from tests.turn.turns import a_hospital


class Watched(FakeEmbedder):
    """An embedder that notes which queries it saw."""

    def __init__(self, *, is_external: bool) -> None:
        super().__init__()
        self.is_external = is_external

    async def embed_query(self, text: str) -> Any:
        self.embedded.append(text)
        return self.vector(text)


async def searched(detector: FakeDetector, embedder: Watched, **settings: Any) -> dict[str, Any]:
    installation = await a_hospital(detector=detector, embedder=embedder, settings=settings)
    embedder.embedded.clear()
    return await search(wire.SearchRequest(text="wanneer mag Jan bezoek krijgen"), installation)


@pytest.mark.parametrize(
    ("is_external", "settings", "seen"),
    [
        (True, {}, "wanneer mag bezoek krijgen"),
        (True, {"phi_mode": "off"}, "wanneer mag Jan bezoek krijgen"),
        (False, {}, "wanneer mag Jan bezoek krijgen"),
    ],
)
async def test_personal_data_is_taken_out_before_words_cross_the_trust_boundary(
    is_external: bool, settings: dict[str, Any], seen: str
) -> None:
    embedder = Watched(is_external=is_external)
    found = await searched(FakeDetector("Jan"), embedder, **settings)
    assert embedder.embedded == [seen]
    assert found["hits"][0]["doc_key"] == "brochure-bezoek"


async def test_words_that_nobody_could_look_through_are_searched_for_without_an_embedder() -> None:
    embedder = Watched(is_external=True)
    found = await searched(FakeDetector(error=RuntimeError("Jan")), embedder)
    assert (embedder.embedded, found["warnings"]) == ([], ["PHI_ASSUMED"])
    assert [hit["doc_key"] for hit in found["hits"]] == ["brochure-bezoek"]
