"""Relevance means the same behind every index: what is found, in which order, how it is read, and what is decided.

The library, the questions, the embedding model, the reader and the stages of the turn are the same; the index alone is
another. OpenSearch is the emulator and, where it is installed, the real node, as a cluster and as a collection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from careline.engines.embedded.e5.model import E5Model
from careline.engines.embedded.passage_index.index import LocalIndex
from careline.engines.embedded.reader import E5Reader
from careline.installation import Installation
from careline.model import Hit
from careline.packs.packs import load_packs
from careline.ports import PassageIndex, Reader
from careline.settings import Settings
from careline.turn.outcome import Reply
from careline.turn.stages.search.embed_query import embed_query
from careline.turn.stages.search.rerank import rerank
from careline.turn.stages.search.retrieve import retrieve
from careline.turn.turn import Turn
from tests.builders import some_engines
from tests.engines.conftest import opensearch
from tests.engines.index.opensearch_profiles import cluster, ordinary_text, serverless
from tests.engines.index.relevance_library import QUESTIONS, Asked, embedder, fill
from tests.fakes import FakeTable, SettableClock
from tests.turn.turns import a_turn

LEADING = 10
"""Hits whose order is compared; a turn reads windows of twice as many."""
FIRST = 2
DECISIONS = {None: "answered", "CLOSEST_PAGE": "closest", "NO_EVIDENCE": "declined"}
LOGIT = 0.02
"""How far two readings of one window may lie apart: the others that are read beside it move it a little."""


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a question: the hits, and the turn after reranking with the reader and without."""

    hits: tuple[Hit, ...]
    read: Turn
    unread: Turn


@cache
def reader() -> Reader:
    """The shipped reader."""
    return E5Reader(E5Model())


def installed(index: PassageIndex, reader: Reader | None) -> Installation:
    settings = Settings(home=Path("/nowhere"), limits={"source_seconds": 60})
    engines = some_engines(index=index, embedder=embedder(), reader=reader)
    return Installation(engines, load_packs(settings.packs), settings)


async def ask_all(index: PassageIndex) -> dict[str, Came]:
    await fill(index)
    reading, plain = installed(index, reader()), installed(index, None)
    return {asked.text: await _ask(asked, reading, plain) for asked in QUESTIONS}


async def _ask(asked: Asked, reading: Installation, plain: Installation) -> Came:
    turn = a_turn(asked.text, language=asked.language, pack=reading.packs["hospital_line"])
    turn = await retrieve(await embed_query(turn, reading), reading)
    return Came(turn.hits, await rerank(turn, reading), await rerank(turn, plain))


def decision(turn: Turn) -> str:
    return DECISIONS[turn.outcome.reason if isinstance(turn.outcome, Reply) else None]


def cited(turn: Turn) -> list[str]:
    return [source.hit.passage.chunk_id for source in turn.sources]


def named(turn: Turn) -> dict[str, str]:
    return dict(turn.outcome.values) if isinstance(turn.outcome, Reply) else {}


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Came]]:
    index = LocalIndex(tmp_path_factory.mktemp("index"), embedder().dimensions, ordinary_text())
    yield asyncio.run(ask_all(index))
    index.close()


@pytest.fixture(scope="module", params=["aws", "aws-es", "aws-serverless"])
def another_index(request: pytest.FixtureRequest) -> dict[str, Came]:
    table = FakeTable(SettableClock())
    if request.param == "aws":
        with opensearch(table, ordinary_text()) as index:
            return asyncio.run(ask_all(index))
    opening = cluster if request.param == "aws-es" else serverless
    address = request.getfixturevalue("opensearch_address")
    with opening(address, table, embedder().dimensions, ordinary_text()) as index:
        return asyncio.run(ask_all(index))


@pytest.fixture(params=QUESTIONS, ids=lambda asked: asked.text)
def both(
    request: pytest.FixtureRequest, embedded: dict[str, Came], another_index: dict[str, Came]
) -> tuple[Came, Came]:
    return embedded[request.param.text], another_index[request.param.text]


def test_the_same_passages_are_found_in_the_same_order(both: tuple[Came, Came]) -> None:
    first, second = ([hit.passage.chunk_id for hit in came.hits[:LEADING]] for came in both)
    assert second == first


def test_a_hit_is_as_near_and_holds_as_much_of_the_question(both: tuple[Came, Came]) -> None:
    here, there = ({hit.passage.chunk_id: hit for hit in came.hits} for came in both)
    assert set(list(here)[:LEADING]) <= set(there)
    for name in here.keys() & there.keys():
        for measure in ("score", "similarity", "relative_similarity", "coverage"):
            assert getattr(there[name], measure) == pytest.approx(getattr(here[name], measure), abs=0.002), measure
        assert there[name].windows == pytest.approx(here[name].windows, abs=1e-6)


def test_the_reader_comes_to_the_same_verdict(both: tuple[Came, Came]) -> None:
    first, second = (came.read for came in both)
    assert first.evidence is not None
    assert second.evidence is not None
    assert second.evidence.by == first.evidence.by == "reader"
    assert second.evidence.relevance == pytest.approx(first.evidence.relevance, abs=LOGIT)
    assert [[one.number for one in source.read] for source in second.sources] == [
        [one.number for one in source.read] for source in first.sources
    ]


@pytest.mark.parametrize("stage", ["read", "unread"])
def test_the_same_is_decided_on_the_same_pages_with_the_reader_and_without(both: tuple[Came, Came], stage: str) -> None:
    first, second = (getattr(came, stage) for came in both)
    assert (decision(second), cited(second), named(second)) == (decision(first), cited(first), named(first))


@pytest.mark.parametrize("asked", [one for one in QUESTIONS if one.answers], ids=lambda asked: asked.text)
def test_a_page_in_any_language_is_among_the_first(asked: Asked, embedded: dict[str, Came]) -> None:
    assert asked.answers in [hit.passage.doc_key for hit in embedded[asked.text].hits[:FIRST]]


def test_the_questions_come_to_every_decision(embedded: dict[str, Came]) -> None:
    assert {decision(came.read) for came in embedded.values()} == set(DECISIONS.values())
