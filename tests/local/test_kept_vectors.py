"""Vectors that are kept in a file are given for their texts, and all others are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from careline.errors import BadRequest
from careline.passages.window_vectors import packed
from careline.ports import Engines, Matrix, Vector
from careline_local.kept_vectors import KINDS, KeptVectors, Noted, read, with_kept, write
from tests.builders import some_engines
from tests.fakes import FakeEmbedder


class Asked(FakeEmbedder):
    """Notes what it is asked for."""

    sentence_dimensions = 3 * FakeEmbedder.dimensions

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        return await super().embed_passages(texts)

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        return np.asarray([three_parts(text) for text in texts], np.float32)


def unit(text: str, size: int = FakeEmbedder.dimensions) -> Vector:
    row = np.random.default_rng(list(text.encode())).normal(size=size).astype(np.float32)
    return np.asarray(row / np.linalg.norm(row), np.float32)


def three_parts(text: str) -> Vector:
    return np.concatenate([unit(f"{text}{n}") for n in range(3)])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "vectors.npz"
    passages, windows = {"a passage": unit("a passage")}, {"a window": unit("a window")}
    write(made, FakeEmbedder().name, passages, windows, {"a statement": three_parts("a statement")})
    return made


def knowing(file: Path, noted: Noted | None = None) -> tuple[Engines, Asked]:
    asked = Asked()
    return with_kept(some_engines(embedder=asked, sentence_embedder=asked), read(file), noted), asked


async def test_what_is_kept_is_given_in_its_place_and_only_the_rest_is_embedded(file: Path) -> None:
    engines, asked = knowing(file)
    rows = await engines.embedder.embed_passages(["new", "a window", "a passage"])
    assert asked.texts == ["new"]
    assert rows.dtype == np.float32
    assert (rows[0] == (await FakeEmbedder().embed_passages(["new"]))[0]).all()
    assert float(rows[1] @ unit("a window")) > 0.999
    assert float(rows[2] @ unit("a passage")) > 0.999999


async def test_the_vector_of_a_window_is_packed_to_the_very_bytes_that_it_came_from(file: Path) -> None:
    engines, _ = knowing(file)
    rows = await engines.embedder.embed_passages(["a window"])
    assert packed(rows) == packed(unit("a window")[None])


async def test_the_statements_that_a_screen_asks_about_are_kept_too(file: Path) -> None:
    engines, asked = knowing(file)
    assert engines.sentence_embedder is not None
    (row,) = await engines.sentence_embedder.sentence_embeddings(["a statement"])
    assert asked.texts == []
    assert np.linalg.norm(row) == pytest.approx(np.sqrt(3), abs=0.001)
    assert float(row @ three_parts("a statement")) / 3 > 0.999


async def test_nothing_is_asked_of_the_engine_where_all_is_kept_and_nothing_is_given_for_nothing(file: Path) -> None:
    engines, asked = knowing(file)
    assert (await engines.embedder.embed_passages([])).shape == (0, asked.dimensions)
    await engines.embedder.embed_passages(["a passage"])
    assert asked.texts == []


def test_the_vectors_of_another_model_are_not_used(file: Path) -> None:
    plain = some_engines()
    held = read(file)
    assert with_kept(plain, replace(held, model="another")) is plain
    for kind in KINDS:
        known = getattr(held, kind)
        shorter = replace(known, rows={digest: row[1:] for digest, row in known.rows.items()})
        asking = some_engines(embedder=Asked(), sentence_embedder=Asked())
        assert with_kept(asking, replace(held, **{kind: shorter})) is asking, kind


async def test_written_again_from_what_was_given_the_content_is_the_same(file: Path, tmp_path: Path) -> None:
    noted = Noted()
    engines, _ = knowing(file, noted)
    await engines.embedder.embed_passages(["a passage", "a window"])
    assert engines.sentence_embedder is not None
    await engines.sentence_embedder.sentence_embeddings(["a statement"])
    again = tmp_path / "again.npz"
    passages, windows = ({text: noted.texts[text]} for text in ("a passage", "a window"))
    write(again, engines.embedder.name, passages, windows, noted.statements)
    before, after = read(file), read(again)
    for kind in ("passages", "windows", "statements"):
        was, now = getattr(before, kind), getattr(after, kind)
        assert (was.length, was.rows.keys()) == (now.length, now.rows.keys())
        assert all((was.rows[key] == now.rows[key]).all() for key in was.rows)


@given(st.sets(st.text(min_size=1, max_size=40), max_size=8))
def test_whatever_was_kept_is_found_again(tmp_path_factory: pytest.TempPathFactory, texts: set[str]) -> None:
    made = tmp_path_factory.mktemp("kept") / "vectors.npz"
    write(made, "m", {}, {text: unit(text) for text in texts}, {})
    found = read(made)
    assert found.passages.vector("a passage") is None
    rows = {text: found.windows.vector(text) for text in texts}
    assert all(row is not None and float(row @ unit(text)) > 0.999 for text, row in rows.items())


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no vectors"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    wrong = tmp_path / "vectors.npz"
    wrong.write_bytes(content)
    with pytest.raises(BadRequest):
        read(wrong)


def test_a_model_without_kept_vectors_knows_nothing() -> None:
    assert KeptVectors("m").windows.vector("a window") is None
