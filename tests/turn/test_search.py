"""A search beside the conversation tells an embedder of somebody else's no more than a turn would."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from careline.document_search import search
from careline.errors import ReaderUnavailable
from careline.ports import ReaderText, ReadingPace
from careline.schemas import wire
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
        (True, {"privacy": {"phi_mode": "off"}}, "wanneer mag Jan bezoek krijgen"),
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


class Reading:
    """A reader that takes texts with a word for answers, or cannot read."""

    def __init__(self, word: str = "", error: ReaderUnavailable | None = None) -> None:
        self.word, self.error = word, error

    async def pace(self) -> ReadingPace:
        return ReadingPace()

    async def relevance(self, question: str, texts: Sequence[ReaderText]) -> Sequence[float]:
        if self.error is not None:
            raise self.error
        return [8.0 if self.word in one.text else -8.0 for one in texts]


async def in_order(reader: Reading | None, limit: int = 10) -> tuple[list[str], list[float], list[str]]:
    installation = await a_hospital(reader=reader)
    found = await search(wire.SearchRequest(text="bezoek en parkeren", limit=limit), installation)
    return (
        [hit["doc_key"] for hit in found["hits"]],
        [hit["score"] for hit in found["hits"]],
        found["warnings"],
    )


@pytest.mark.parametrize(("word", "first"), [("euro", "brochure-parkeren"), ("welkom", "brochure-bezoek")])
async def test_what_the_reader_takes_for_an_answer_comes_first(word: str, first: str) -> None:
    keys, scores, warnings = await in_order(Reading(word))
    assert (keys[0], len(keys), warnings) == (first, 2, [])
    assert 1 > scores[0] > scores[1] > 0


async def test_a_hit_that_the_search_alone_would_cut_off_is_read_too() -> None:
    both = [(await in_order(Reading(word), limit=1))[0] for word in ("euro", "welkom")]
    assert both == [["brochure-parkeren"], ["brochure-bezoek"]]


async def test_when_the_reader_cannot_read_the_order_of_the_search_stands_with_a_warning() -> None:
    plain, scores, _ = await in_order(None)
    assert await in_order(Reading(error=ReaderUnavailable("no weights"))) == (plain, scores, ["READER_UNAVAILABLE"])
