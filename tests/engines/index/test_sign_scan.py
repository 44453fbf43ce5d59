"""Very many vectors: those that a scan of their signs leaves are compared exactly, and no near one is missed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from careline.engines.embedded.passage_index import sign_scan
from careline.engines.embedded.passage_index import vectors as index_vectors
from careline.engines.embedded.passage_index.rows import Stored, Version
from careline.engines.embedded.passage_index.sign_scan import SignScan, least
from careline.engines.embedded.passage_index.vectors import LiveVectors
from careline.ports import Matrix
from careline_local.bench.search import Corpus
from tests.builders import a_passage
from tests.engines.index.test_live_vectors import NOW

DIMENSIONS = 384
LIMIT = 50


def some_rows(count: int, dimensions: int = DIMENSIONS) -> Matrix:
    rows = np.random.default_rng(3).standard_normal((count, dimensions)).astype(np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


@pytest.mark.parametrize("dimensions", [384, 1024, 100, 64, 1])
@pytest.mark.parametrize("block", [1 << 16, 7])
def test_what_differs_is_counted_dimension_by_dimension(
    dimensions: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sign_scan, "BLOCK", block)
    rows, (asked, centre) = some_rows(40, dimensions), some_rows(2, dimensions) * 0.01
    expected = ((rows > centre) != (asked > centre)).sum(axis=1)
    assert SignScan.of(rows, centre).differing(asked).tolist() == expected.tolist()


def test_rows_that_come_later_are_the_same_as_those_that_were_there() -> None:
    rows, centre = some_rows(300), np.zeros(DIMENSIONS, np.float32)
    grown = SignScan.of(rows[:120], centre).with_more(rows)
    assert grown.rows == 300
    assert np.array_equal(grown.planes, SignScan.of(rows, centre).planes)


def test_the_least_differing_are_left_with_all_that_tie_with_the_last() -> None:
    differing = np.array([5, 1, 3, 3, 9, 3], np.uint16)
    rows = np.arange(6, dtype=np.int32)
    assert least(differing, rows, 1).tolist() == [1]
    assert least(differing, rows, 2).tolist() == [1, 2, 3, 5]
    assert least(differing, rows[:2], 9).tolist() == [0, 1]


@pytest.fixture
def scanned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three thousand rows stand for very many."""
    monkeypatch.setattr(index_vectors, "SCANNED_ABOVE", 500)
    monkeypatch.setattr(index_vectors, "SCANNED", 150)


def admitted(made: LiveVectors, first: int, vectors: Matrix, language: str = "nl") -> None:
    one = a_passage()
    facts = replace(one.facts, language=language)
    version = Version(first, "a", f"doc-{first}", 1, one.document_id, one.file_name, facts, "words", NOW)
    stored = (Stored(first + n, first, one.chunk, row.tobytes()) for n, row in enumerate(vectors))
    made.admit([version], stored)


def a_library() -> tuple[LiveVectors, Corpus]:
    corpus = Corpus(3_000)
    made = LiveVectors(np.zeros(DIMENSIONS, np.float32))
    for number, (_, vectors) in enumerate(corpus.documents()):
        admitted(made, number * 100, vectors, ("nl", "fr")[number % 2])
    return made, corpus


def found(made: LiveVectors, corpus: Corpus) -> list[list[int]]:
    selection = made.select("a", {}, None)
    return [
        [number for number, _ in made.nearest(query.vector, selection, LIMIT)]
        for query in corpus.questions(40)
        if query.vector is not None
    ]


def test_the_ten_about_the_same_are_found_by_a_scan_as_without(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = found(*a_library())
    monkeypatch.setattr(index_vectors, "SCANNED_ABOVE", 500)
    monkeypatch.setattr(index_vectors, "SCANNED", 150)
    made, corpus = a_library()
    by_scan = found(made, corpus)
    assert made.select("a", {}, None).scan is not None
    assert [mine[:10] for mine in by_scan] == [theirs[:10] for theirs in exact]


@pytest.mark.usefixtures("scanned")
def test_versions_that_come_and_go_do_so_in_a_scan_too() -> None:
    made, _ = a_library()
    made.select("a", {}, None)
    (late,) = some_rows(1)
    admitted(made, 900_000, late[np.newaxis])
    assert made.nearest(late, made.select("a", {}, None), 1)[0][0] == 900_000
    made.dismiss({900_000})
    assert made.nearest(late, made.select("a", {}, None), 1)[0][0] != 900_000


@pytest.mark.usefixtures("scanned")
def test_a_filter_holds_in_a_scan() -> None:
    made, corpus = a_library()
    selection = made.select("a", {"language": ("fr",)}, None)
    query = next(iter(corpus.questions(1)))
    assert query.vector is not None
    numbers = [number for number, _ in made.nearest(query.vector, selection, LIMIT)]
    assert len(numbers) == LIMIT
    assert {number // 100 % 2 for number in numbers} == {1}
    assert made.nearest(query.vector, made.select("nobody", {}, None), LIMIT) == []
