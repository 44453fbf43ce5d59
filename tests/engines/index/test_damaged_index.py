"""An index whose files were damaged says so or answers as before, never otherwise, and is mended from the documents."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from careline.engines.embedded.passage_index.index import LocalIndex
from careline.errors import IndexUnavailable
from careline.ports import PassageQuery
from tests.builders import a_passage
from tests.fakes import DIMENSIONS, FakeEmbedder

embedder = FakeEmbedder()
QUESTIONS = ("parkeren euro", "bezoek uur", "dosis mg kamer 7")
DOCUMENTS = {
    f"doc-{n}": [
        f"Parkeren op plaats {n} kost {n},50 euro.",
        f"Bezoek mag tot {n} uur.",
        f"De dosis is {n} mg, kamer {n}.",
    ]
    for n in range(1, 13)
}


async def fill(index: LocalIndex) -> None:
    for doc_key, texts in DOCUMENTS.items():
        passages = [a_passage(text, ordinal=n, doc_key=doc_key) for n, text in enumerate(texts)]
        await index.add(passages, await embedder.embed_passages(texts))
        await index.activate("a", doc_key, 1)
    await index.settle()


async def told(index: LocalIndex) -> list[list[str]]:
    """What is found, by words and by vector, for every question, as one reads it."""
    found = []
    for question in QUESTIONS:
        for vector in (None, embedder.vector(question)):
            hits = await index.find(PassageQuery("a", question, vector, limit=40))
            found.append(sorted(f"{hit.passage.chunk_id} {hit.passage.chunk.text} {hit.passage.facts}" for hit in hits))
    return found


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[list[str]]]:
    folder = tmp_path_factory.mktemp("sound") / "index"

    async def work() -> list[list[str]]:
        index = LocalIndex(folder, DIMENSIONS)
        await fill(index)
        try:
            return await told(index)
        finally:
            index.close()

    before = asyncio.run(work())
    assert len(before[0]) > 10
    return folder, before


async def damaged_then_mended(folder: Path, before: list[list[str]]) -> bool:
    """Whether the damage was told. It is told or harmless, and gone when the index was built again."""
    index = LocalIndex(folder, DIMENSIONS)
    try:
        said = None
        try:
            assert await told(index) == before
        except IndexUnavailable as error:
            said = error.message
        assert said is None or "careline reindex" in said
        await index.clear("a")
        await fill(index)
        assert await told(index) == before
        assert await index.corpus_version("a") > 0
        return said is not None
    finally:
        index.close()


def copy(sound: tuple[Path, list[list[str]]], to: Path) -> tuple[Path, list[list[str]]]:
    return Path(shutil.copytree(sound[0], to / "index")), sound[1]


@pytest.mark.parametrize("seed", range(40))
async def test_flipped_bytes_anywhere_are_told_or_change_nothing(
    sound: tuple[Path, list[list[str]]], tmp_path: Path, seed: int
) -> None:
    folder, before = copy(sound, tmp_path)
    chance = random.Random(seed)
    file = folder / "passages.sqlite"
    content = bytearray(file.read_bytes())
    start = chance.randrange(len(content))
    for place in range(start, min(len(content), start + chance.choice((1, 4, 64, 1024)))):
        content[place] ^= chance.randrange(1, 256)
    file.write_bytes(content)
    await damaged_then_mended(folder, before)
    mended = LocalIndex(folder, DIMENSIONS)
    try:
        assert await told(mended) == before, "and so it is for whoever opens it next"
    finally:
        mended.close()


@pytest.mark.parametrize("word", [b"7,50", b"7 mg", b"doc-7", b"brochure", b"heading_path", b"CREATE TABLE passages"])
async def test_a_changed_letter_in_what_is_told_is_told(
    sound: tuple[Path, list[list[str]]], tmp_path: Path, word: bytes
) -> None:
    folder, before = copy(sound, tmp_path)
    file = folder / "passages.sqlite"
    content = file.read_bytes()
    assert word in content
    file.write_bytes(content.replace(word, bytes([word[0] ^ 1]) + word[1:]))
    assert await damaged_then_mended(folder, before)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.5, 0.9, 0.999])
async def test_a_file_that_was_cut_short_is_told(
    sound: tuple[Path, list[list[str]]], tmp_path: Path, share: float
) -> None:
    folder, before = copy(sound, tmp_path)
    content = (folder / "passages.sqlite").read_bytes()
    (folder / "passages.sqlite").write_bytes(content[: int(len(content) * share)])
    if share:
        assert await damaged_then_mended(folder, before)
    else:
        index = LocalIndex(folder, DIMENSIONS)
        await index.clear("a")
        await fill(index)
        assert await told(index) == before
        index.close()


async def test_passages_that_are_gone_from_a_sound_file_are_missed(
    sound: tuple[Path, list[list[str]]], tmp_path: Path
) -> None:
    folder, before = copy(sound, tmp_path)
    with closing(sqlite3.connect(folder / "passages.sqlite")) as db, db:
        db.execute("DELETE FROM passages WHERE id = 7")
    assert await damaged_then_mended(folder, before)


async def test_an_index_of_an_older_layout_says_what_to_do(tmp_path: Path, sound: tuple[Path, list[list[str]]]) -> None:
    folder, before = copy(sound, tmp_path)
    with closing(sqlite3.connect(folder / "passages.sqlite")) as db, db:
        db.execute("ALTER TABLE passages DROP COLUMN words_sum")
    assert await damaged_then_mended(folder, before)


async def test_damaged_keyword_files_are_written_again_from_the_passages(
    sound: tuple[Path, list[list[str]]], tmp_path: Path
) -> None:
    names = [path.name for path in (sound[0] / "keywords").iterdir() if path.is_file() and path.suffix != ".lock"]
    assert len(names) > 5
    for how in ("flip", "cut", "gone"):
        for name in names:
            folder, before = copy(sound, tmp_path / f"{how}-{name}")
            file = folder / "keywords" / name
            content = bytearray(file.read_bytes())
            if how == "gone":
                file.unlink()
            elif content:
                content[len(content) // 2] ^= 0x55
                file.write_bytes(content if how == "flip" else content[: len(content) // 2])
            index = LocalIndex(folder, DIMENSIONS)
            assert await told(index) == before, (how, name)
            index.close()


async def test_who_has_the_index_open_follows_to_the_one_that_was_built_again(
    sound: tuple[Path, list[list[str]]], tmp_path: Path
) -> None:
    folder, before = copy(sound, tmp_path)
    reader = LocalIndex(folder, DIMENSIONS)
    assert await told(reader) == before
    version = await reader.corpus_version("a")
    with (folder / "passages.sqlite").open("r+b") as file:
        file.seek(100)
        file.write(b"\xff" * 4000)
    await damaged_then_mended(folder, before)
    assert await told(reader) == before
    assert await reader.corpus_version("a") > version, "no answer that was kept for the old corpus is taken for new"
    reader.close()
