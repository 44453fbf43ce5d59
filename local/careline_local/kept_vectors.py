"""Vectors that were computed before, kept in a file: whoever takes in the same texts need not compute them again.

A file holds what one embedding model made, by the digest of the text that was embedded: of passages as halves, of
windows and of statements that a screen asked about a byte a number, as `passages.window_vectors` packs them. Where the
installation has another model the file says nothing, and a text that is not in it is embedded as ever.
"""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from careline.errors import BadRequest
from careline.passages.window_vectors import packed
from careline.ports import Embedder, Engines, Matrix, SentenceEmbedder, Vector

PASSAGES, WINDOWS, STATEMENTS = KINDS = ("passages", "windows", "statements")
"""What is kept: the vectors of passages and of their windows, and the sentence embeddings of statements."""
_DIGEST = 16

Rows = Mapping[str, Vector]
"""Vectors by the text that was embedded; those of one kind are of one length."""


@dataclass(frozen=True, slots=True)
class Known:
    """Packed vectors by the digest of their text, and the length that all of them had."""

    rows: Mapping[bytes, npt.NDArray[Any]] = field(default_factory=dict)
    length: float = 1.0

    @property
    def width(self) -> int:
        """Dimensions of a vector; 0 where none is kept."""
        return next((len(row) for row in self.rows.values()), 0)

    def vector(self, text: str) -> Vector | None:
        """The vector of a text, where it is kept."""
        row = self.rows.get(digest(text))
        if row is None:
            return None
        whole = row.astype(np.float32)
        return np.asarray(whole * (self.length / np.linalg.norm(whole)), np.float32)


@dataclass(frozen=True, slots=True)
class KeptVectors:
    """What a file holds: of passages, of their windows, and of statements that a screen asks about."""

    model: str
    passages: Known = field(default_factory=Known)
    windows: Known = field(default_factory=Known)
    statements: Known = field(default_factory=Known)


def read(file: Path) -> KeptVectors:
    """The vectors of a file. Raises: BadRequest where it is no such file."""
    try:
        with file.open("rb") as content, np.load(content, allow_pickle=False) as held:
            return KeptVectors(str(held["model"]), *(_known(held, kind) for kind in KINDS))
    except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile, zlib.error):
        raise BadRequest(f"{file}: this is no file of kept vectors") from None


def _known(held: Mapping[str, npt.NDArray[Any]], kind: str) -> Known:
    digests, rows = held[f"{kind}_digests"].tobytes(), held[kind]
    if len(digests) != len(rows) * _DIGEST or rows.ndim != 2:
        raise ValueError(kind)
    ordered = {digests[n * _DIGEST : (n + 1) * _DIGEST]: row for n, row in enumerate(rows)}
    return Known(ordered, float(held[f"{kind}_length"]))


def write(file: Path, model: str, passages: Rows, windows: Rows, statements: Rows) -> None:
    """Keep vectors; the same ones give the same bytes. A text that is a passage and a window is kept as a passage."""
    windows = {text: row for text, row in windows.items() if text not in passages}
    content: dict[str, npt.NDArray[Any]] = {"model": np.asarray(model)}
    for kind, rows in zip(KINDS, (passages, windows, statements), strict=True):
        texts = sorted(rows, key=digest)
        whole = np.stack([rows[text] for text in texts]) if texts else np.zeros((0, 0), np.float32)
        content[f"{kind}_digests"] = np.frombuffer(b"".join(map(digest, texts)), np.uint8)
        # To a few digits: sums of floating point numbers end in others elsewhere.
        content[f"{kind}_length"] = np.asarray(round(float(np.linalg.norm(whole[0])), 3) if texts else 1.0)
        content[kind] = _packed(kind, whole)
    with file.open("wb") as out:
        np.savez_compressed(out, allow_pickle=False, **content)


def _packed(kind: str, whole: Matrix) -> npt.NDArray[Any]:
    if kind == PASSAGES:
        return whole.astype(np.float16)
    return np.frombuffer(packed(whole), np.int8).reshape(whole.shape)


def digest(text: str) -> bytes:
    """Stands for a text that was embedded."""
    return hashlib.sha256(text.encode()).digest()[:_DIGEST]


@dataclass(frozen=True, slots=True)
class Noted:
    """Every vector that was given, by its text: of what is searched, and of statements."""

    texts: dict[str, Vector] = field(default_factory=dict)
    statements: dict[str, Vector] = field(default_factory=dict)


def with_kept(engines: Engines, kept: KeptVectors, noted: Noted | None = None) -> Engines:
    """The engines, whose embedders know what is kept and note what they give; as they are where another model, or one
    of other dimensions, made it."""
    sentences = engines.sentence_embedder
    widths = {kept.passages.width, kept.windows.width} - {0, engines.embedder.dimensions}
    if sentences is not None:
        widths |= {kept.statements.width} - {0, sentences.sentence_dimensions}
    if kept.model != engines.embedder.name or widths:
        return engines
    known, texts, statements = (kept.passages, kept.windows), None, None
    if noted is not None:
        texts, statements = noted.texts, noted.statements
    return replace(
        engines,
        embedder=KnowingEmbedder(engines.embedder, known, texts),
        sentence_embedder=sentences and KnowingSentenceEmbedder(sentences, (kept.statements,), statements),
    )


async def _looked_up(
    texts: Sequence[str],
    known: Sequence[Known],
    engine: Callable[[Sequence[str]], Awaitable[Matrix]],
    noted: dict[str, Vector] | None,
) -> Matrix:
    if not texts:
        return await engine(texts)
    found = [next((row for one in known if (row := one.vector(text)) is not None), None) for text in texts]
    missing = [text for text, row in zip(texts, found, strict=True) if row is None]
    if missing:
        fresh = iter(await engine(missing))
        found = [next(fresh) if row is None else row for row in found]
    rows = [row for row in found if row is not None]
    if noted is not None:
        noted.update(zip(texts, rows, strict=True))
    return np.asarray(rows, np.float32)


@dataclass(frozen=True, slots=True)
class KnowingEmbedder:
    """An embedder that asks another one for what is not known."""

    engine: Embedder
    known: Sequence[Known]
    noted: dict[str, Vector] | None = None

    @property
    def name(self) -> str:
        """See `ports.Embedder.name`."""
        return self.engine.name

    @property
    def dimensions(self) -> int:
        """See `ports.Embedder.dimensions`."""
        return self.engine.dimensions

    @property
    def is_external(self) -> bool:
        """See `ports.Embedder.is_external`."""
        return self.engine.is_external

    async def embed_query(self, text: str) -> Vector:
        """See `ports.Embedder.embed_query`; a question is never looked up."""
        return await self.engine.embed_query(text)

    async def embed_passages(self, texts: Sequence[str]) -> Matrix:
        """See `ports.Embedder.embed_passages`."""
        return await _looked_up(texts, self.known, self.engine.embed_passages, self.noted)


@dataclass(frozen=True, slots=True)
class KnowingSentenceEmbedder:
    """A sentence embedder that asks another one for what is not known."""

    engine: SentenceEmbedder
    known: Sequence[Known]
    noted: dict[str, Vector] | None = None

    @property
    def sentence_dimensions(self) -> int:
        """See `ports.SentenceEmbedder.sentence_dimensions`."""
        return self.engine.sentence_dimensions

    async def sentence_embeddings(self, texts: Sequence[str]) -> Matrix:
        """See `ports.SentenceEmbedder.sentence_embeddings`."""
        return await _looked_up(texts, self.known, self.engine.sentence_embeddings, self.noted)

    async def read(self, text: str) -> tuple[Vector, Vector]:
        """See `ports.SentenceEmbedder.read`; a question is never looked up."""
        return await self.engine.read(text)
