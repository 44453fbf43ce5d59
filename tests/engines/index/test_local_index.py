"""What the embedded index promises beyond the port: several processes, kills, and caches that can be lost."""

from __future__ import annotations

import asyncio
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from careline.engines.embedded.passage_index.index import LocalIndex
from careline.errors import IndexUnavailable
from careline.ports import PassageQuery
from tests.builders import a_passage
from tests.engines.index.indexing_process import calls
from tests.fakes import DIMENSIONS, FakeEmbedder
from tests.source_roots import PYTHONPATH

ROOT = Path(__file__).parents[3]
embedder = FakeEmbedder()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "index"


@pytest.fixture
def index(folder: Path) -> Iterator[LocalIndex]:
    made = LocalIndex(folder, DIMENSIONS)
    yield made
    made.close()


@pytest.fixture
def other(folder: Path) -> Iterator[LocalIndex]:
    made = LocalIndex(folder, DIMENSIONS)
    yield made
    made.close()


async def make_live(index: LocalIndex, doc_key: str, *texts: str, version: int = 1) -> None:
    passages = [a_passage(text, ordinal=n, doc_key=doc_key, version=version) for n, text in enumerate(texts)]
    await index.add(passages, await embedder.embed_passages(texts))
    await index.activate("a", doc_key, version)


async def found(index: LocalIndex, text: str, *, dense: bool = True, timeout_seconds: float = 5.0) -> list[str]:
    vector = embedder.vector(text) if dense else None
    hits = await index.find(PassageQuery("a", text, vector, timeout_seconds=timeout_seconds, limit=100))
    return sorted(hit.passage.chunk.text for hit in hits)


async def test_what_one_process_writes_another_finds(index: LocalIndex, other: LocalIndex) -> None:
    assert await found(other, "parkeren") == []
    await make_live(index, "parking", "Parkeren kost twee euro.")
    for dense in (True, False):
        assert await found(other, "parkeren", dense=dense) == ["Parkeren kost twee euro."]
    await make_live(other, "parking", "Parkeren is gratis.", version=2)
    for dense in (True, False):
        assert await found(index, "parkeren", dense=dense) == ["Parkeren is gratis."]
    await index.retire("a", "parking", 2)
    assert await found(other, "parkeren") == []
    assert await other.corpus_version("a") == await index.corpus_version("a")


async def test_two_that_settle_at_once_both_find_everything_by_its_words(index: LocalIndex, other: LocalIndex) -> None:
    for round_ in range(6):
        await make_live(index, f"one-{round_}", f"Parkeren {round_} een")
        await make_live(other, f"two-{round_}", f"Parkeren {round_} twee")
        await asyncio.gather(index.settle(), other.settle())
        for each in (index, other):
            assert len(await found(each, "parkeren", dense=False)) == 2 * (round_ + 1)


async def test_settling_waits_for_another_process_that_writes_the_keyword_index(
    index: LocalIndex, other: LocalIndex
) -> None:
    await other.settle()
    assert other._keywords is not None
    writing = other._keywords._index.writer(30_000_000, 1)
    await make_live(index, "parking", "Parkeren kost twee euro.")
    settling = asyncio.create_task(index.settle())
    settled, _ = await asyncio.wait([settling], timeout=0.2)
    assert not settled
    writing.rollback()
    del writing
    await settling
    assert await found(index, "parkeren", dense=False) == ["Parkeren kost twee euro."]


async def test_searches_while_versions_come_and_go_find_one_version_each_time(index: LocalIndex) -> None:
    await make_live(index, "parking", "Parkeren versie 0", version=1)
    stopped = asyncio.Event()
    seen: list[list[str]] = []

    async def search() -> None:
        while not stopped.is_set():
            seen.append(await found(index, "parkeren versie"))

    searching = [asyncio.create_task(search()) for _ in range(4)]
    for version in range(2, 14):
        await make_live(index, "parking", f"Parkeren versie {version}", version=version)
        await make_live(index, "visit", f"Bezoek versie {version}", version=version)
    stopped.set()
    await asyncio.gather(*searching)
    parking = [[text for text in texts if text.startswith("Parkeren")] for texts in seen]
    assert {len(texts) for texts in parking} <= {0, 1}
    assert sum(len(texts) for texts in parking) > 0.5 * len(parking)


async def test_a_lost_keyword_index_is_written_again(index: LocalIndex, folder: Path) -> None:
    await make_live(index, "parking", "Parkeren kost twee euro.")
    await index.settle()
    shutil.rmtree(folder / "keywords")
    again = LocalIndex(folder, DIMENSIONS)
    assert await found(again, "parkeren", dense=False) == ["Parkeren kost twee euro."]
    again.close()


async def test_a_keyword_index_whose_mark_was_lost_holds_nothing_twice(index: LocalIndex, folder: Path) -> None:
    await make_live(index, "parking", "Parkeren kost twee euro.")
    await make_live(index, "visit", "Bezoek mag tot acht uur.")
    await index.settle()
    await index.retire("a", "visit", 1)
    (folder / "keywords" / "applied.json").write_text("{half")
    again = LocalIndex(folder, DIMENSIONS)
    (hit,) = await again.find(PassageQuery("a", "parkeren bezoek", None))
    assert hit.passage.doc_key == "parking"
    assert again._keywords is not None
    assert [number for number, _ in again._keywords.search("parkeren bezoek", 10)] == [1]
    again.close()


async def test_an_index_of_another_embedding_model_says_what_to_do(index: LocalIndex, folder: Path) -> None:
    await make_live(index, "parking", "Parkeren kost twee euro.")
    wider = LocalIndex(folder, DIMENSIONS * 2)
    for _ in range(2):
        with pytest.raises(IndexUnavailable, match="reindex"):
            await wider.find(PassageQuery("a", "parkeren", None))
    await wider.clear("a")
    assert list(await wider.find(PassageQuery("a", "parkeren", None))) == []
    wider.close()


async def test_a_search_that_takes_longer_than_its_timeout_is_unavailable(index: LocalIndex) -> None:
    await make_live(index, "parking", "Parkeren kost twee euro.")
    with index._following, pytest.raises(IndexUnavailable, match=r"0\.05 s"):
        await found(index, "parkeren", timeout_seconds=0.05)
    assert await found(index, "parkeren") == ["Parkeren kost twee euro."]


@pytest.fixture
def ruined(folder: Path) -> Path:
    folder.mkdir()
    (folder / "passages.sqlite").write_bytes(b"this is no database" * 100)
    return folder


async def test_a_folder_that_cannot_be_read_is_unavailable(ruined: Path) -> None:
    index = LocalIndex(ruined, DIMENSIONS)
    for work in (index.find(PassageQuery("a", "x", None)), index.corpus_version("a"), index.settle()):
        with pytest.raises(IndexUnavailable):
            await work
    index.close()


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    async def work() -> dict[str, object]:
        index = LocalIndex(tmp_path_factory.mktemp("whole"), DIMENSIONS)
        for call in calls(index):
            await call()
        return await contents(index)

    return asyncio.run(work())


async def contents(index: LocalIndex) -> dict[str, object]:
    try:
        return {
            "words": await found(index, "parkeren bezoek auto", dense=False),
            "vectors": await found(index, "parkeren bezoek auto"),
            "stored": [
                [passage.chunk_id for passage in await index.passages("a", doc_key, version)]
                for doc_key in ("parking", "visit")
                for version in (1, 2)
            ],
        }
    finally:
        index.close()


def kill_after(returned: int, folder: Path) -> None:
    command = [sys.executable, "-m", "tests.engines.index.indexing_process", str(folder)]
    environment = {
        "PYTHONPATH": PYTHONPATH,
        "PATH": "",
    }
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, env=environment, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) == returned:
                process.send_signal(signal.SIGKILL)
                break
        process.wait()


@pytest.mark.parametrize("returned", range(10))
async def test_a_process_killed_after_any_call_loses_and_doubles_nothing(
    folder: Path, returned: int, uninterrupted: dict[str, object]
) -> None:
    kill_after(returned, folder)
    index = LocalIndex(folder, DIMENSIONS)
    for call in calls(index):
        await call()
    assert await contents(index) == uninterrupted
