"""The vectors in memory when versions come and go."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from careline.engines.embedded.passage_index import vectors as index_vectors
from careline.engines.embedded.passage_index.index import LocalIndex
from careline.engines.embedded.passage_index.rows import Stored, Version
from careline.engines.embedded.passage_index.vectors import LiveVectors
from careline.ports import PassageQuery
from tests.builders import a_passage
from tests.fakes import DIMENSIONS, FakeEmbedder

NOW = datetime(2026, 11, 23, tzinfo=UTC)
VECTORS = np.eye(4, dtype=np.float32)


def a_version(number: int) -> Version:
    one = a_passage()
    return Version(number, "a", f"doc-{number}", 1, one.document_id, one.file_name, one.facts, "words", NOW)


def stored(version_id: int, *passage_ids: int) -> list[Stored]:
    return [Stored(n, version_id, a_passage().chunk, VECTORS[n % 4].tobytes()) for n in passage_ids]


def some_vectors(gone: Sequence[int]) -> LiveVectors:
    """Three versions of four passages each, of which some are gone again."""
    made = LiveVectors(np.zeros(4, np.float32))
    for number in (1, 2, 3):
        made.admit([a_version(number)], stored(number, *range(4 * number, 4 * number + 4)))
    made.dismiss(set(gone))
    return made


def nearest(vectors: LiveVectors) -> list[tuple[int, float]]:
    """Four times as many as there are vectors, so that those that are as near are all among them."""
    return sorted(vectors.nearest(VECTORS[1], vectors.select("a", {}, None), 12))


@pytest.mark.parametrize(("gone", "mostly"), [([], False), ([2], False), ([1, 2], True), ([1, 2, 3], True)])
def test_rows_are_mostly_gone_when_fewer_are_live(
    gone: list[int], mostly: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_vectors, "LEAST_GONE", 2)
    assert some_vectors(gone).is_mostly_gone is mostly


def test_a_few_rows_that_are_gone_stay() -> None:
    assert not some_vectors([1, 2]).is_mostly_gone


@pytest.mark.parametrize("gone", [[], [2], [1, 2], [1, 2, 3]])
def test_the_live_rows_alone_find_the_same(gone: list[int]) -> None:
    vectors = some_vectors(gone)
    live = vectors.live_only()
    assert len(live) == len(vectors) == len(live.passage_ids)
    assert nearest(live) == nearest(vectors)
    assert sorted(live.versions) == sorted({1, 2, 3} - set(gone))


def test_more_is_admitted_to_the_live_rows_and_a_version_may_come_back() -> None:
    live = some_vectors([1, 2]).live_only()
    live.admit([a_version(1)], stored(1, *range(4, 8)))
    live.admit([a_version(9)], stored(9, *range(100, 600)))
    assert len(live) == 508
    assert live.similarity(5, VECTORS[1]) == pytest.approx(1.0)


async def test_a_document_that_is_taken_in_again_and_again_leaves_few_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_vectors, "LEAST_GONE", 2)
    index, embedder = LocalIndex(tmp_path / "index", DIMENSIONS), FakeEmbedder()
    try:
        for version in range(1, 13):
            text = f"Parkeren kost {version} euro."
            passage = a_passage(text, doc_key="parking", version=version, tenant="nightly")
            await index.add([passage], await embedder.embed_passages([text]))
            await index.activate("nightly", "parking", version)
            hits = await index.find(PassageQuery("nightly", "parkeren", embedder.vector(text)))
            assert [hit.passage.chunk.text for hit in hits] == [text]
        kept = [each for each in gc.get_objects() if type(each) is LiveVectors]
        nightly = [each for each in kept if any(one.tenant == "nightly" for one in each.versions.values())]
        assert max(len(each.passage_ids) for each in nightly) < 5
    finally:
        index.close()


def test_a_search_of_all_rows_copies_their_cosines_once() -> None:
    rows = 20_000
    vectors = LiveVectors(np.zeros(4, np.float32))
    vectors.admit([a_version(1)], stored(1, *range(rows)))
    selection = vectors.select("a", {}, None)
    vectors.nearest(VECTORS[1], selection, 5)
    tracemalloc.start()
    try:
        vectors.nearest(VECTORS[1], selection, 5)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Cosines, their negatives and the places that these are sorted by: 4, 4 and 8 bytes a row.
    assert most / rows < 20


def test_a_selection_copies_no_row_but_those_that_are_summed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_vectors, "SUMMED", 1_000)
    rows, dimensions = 20_000, 64
    vectors = LiveVectors(np.zeros(dimensions, np.float32))
    each = np.full(dimensions, 0.125, np.float32).tobytes()
    vectors.admit([a_version(1)], [replace(one, vector=each) for one in stored(1, *range(rows))])
    tracemalloc.start()
    try:
        selection = vectors.select("a", {}, None)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The vectors are 256 bytes a row; what is chosen takes masks, places and version ids, a few times 8 bytes.
    assert most / rows < 128
    (mean,) = selection.means.languages.values()
    assert np.allclose(mean, mean[0])
    assert 0.12 < mean[0] <= 0.125
