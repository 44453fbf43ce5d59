"""What the OpenSearch engine does by itself: vectors as it keeps them, and what another version or model made."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from careline.engines.aws.passage_index.index_documents import cosine, pack
from careline.errors import IndexUnavailable
from careline.ports import PassageIndex, PassageQuery
from careline.records.record_table import Delete
from tests.builders import a_passage
from tests.engines.conftest import opensearch
from tests.fakes import FakeEmbedder, FakeTable

embedder = FakeEmbedder()


@pytest.fixture
def records() -> FakeTable:
    return FakeTable()


@pytest.fixture
def over(records: FakeTable) -> Iterator[PassageIndex]:
    """The engine in front of the emulated collection."""
    with opensearch(records) as index:
        yield index


async def made_live(index: PassageIndex) -> None:
    passage = a_passage("Parkeren kost twee euro.")
    await index.add([passage], await embedder.embed_passages([passage.chunk.text]))
    await index.activate("a", passage.doc_key, passage.version)


async def test_a_corpus_that_an_earlier_version_kept_says_that_it_has_to_be_built_again(
    over: PassageIndex, records: FakeTable
) -> None:
    await made_live(over)
    kept = [item async for item in records.query("passages#a#0", "group#")]
    assert kept
    await records.write(*(Delete(item.partition, item.sort) for item in kept))
    with pytest.raises(IndexUnavailable, match="careline reindex"):
        await over.find(PassageQuery("a", "parkeren", None))


async def test_a_question_as_another_model_reads_it_says_that_the_index_has_to_be_built_again(
    over: PassageIndex,
) -> None:
    await made_live(over)
    with pytest.raises(IndexUnavailable, match="careline reindex"):
        await over.find(PassageQuery("a", "parkeren", np.ones(3, np.float32)))


def test_a_packed_vector_gives_its_cosine_to_the_fifth_decimal() -> None:
    rows = np.random.default_rng(7).normal(size=(2, 384)).astype(np.float32)
    first, second = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    assert cosine({"packed": pack(first)}, second) == pytest.approx(float(first @ second), abs=1e-5)
