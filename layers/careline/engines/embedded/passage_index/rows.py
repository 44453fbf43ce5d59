"""Rows of the embedded index's tables: what is kept of a passage and its version, with checksums, and how it is read.

Raises: IndexDamaged where a row is not what was written.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import asdict, dataclass
from datetime import date, datetime
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from pydantic import TypeAdapter, ValidationError

from careline.engines.embedded.passage_index.damage import IndexDamaged, checked, checksum
from careline.model import Chunk, DocumentFacts, Passage
from careline.text.analysers import terms

COLUMNS = "version_id, ordinal, chunk, vector, words, chunk_sum, vector_sum, words_sum"
"""Of `passages`, without the number."""


@dataclass(frozen=True, slots=True)
class Version:
    """What the passages of one version have in common."""

    version_id: int
    tenant: str
    doc_key: str
    version: int
    document_id: str
    file_name: str
    facts: DocumentFacts
    embedding_model: str
    indexed_at: datetime


@dataclass(frozen=True, slots=True)
class Stored:
    """One passage as it lies on disk."""

    passage_id: int
    version_id: int
    chunk: Chunk
    vector: bytes


@dataclass(frozen=True, slots=True)
class Read:
    """A passage as a search reads it; `words` are the digests of its informative words, uint32 in order."""

    version_id: int
    chunk: Chunk
    words: bytes

    def holds(self, digests: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
        """Which of these words the passage holds."""
        held = np.frombuffer(self.words, np.uint32)
        places = np.searchsorted(held, digests)
        return np.asarray(held[np.minimum(places, len(held) - 1)] == digests) if len(held) else digests != digests


def to_row(version_id: int, passage: Passage, vector: npt.NDArray[np.float32]) -> tuple[Any, ...]:
    """The columns of `passages` for one passage and its vector (float32)."""
    chunk, words, row = _written(passage.chunk), _words(passage), np.asarray(vector, np.float32).tobytes()
    sums = (part_checksum(version_id, chunk), part_checksum(version_id, row), part_checksum(version_id, words))
    return (version_id, passage.chunk.ordinal, chunk, row, words, *sums)


def part_checksum(version_id: int, content: str | bytes) -> int:
    """The checksum of a part of a passage, which is that version's and no other's."""
    return checksum(str(version_id), content)


def about_checksum(tenant: str, doc_key: str, version: int, about: str) -> int:
    """The checksum of what the passages of a version have in common."""
    return checksum(tenant, doc_key, str(version), about)


def to_read(row: tuple[int, int, str, int, bytes, int]) -> Read:
    """A row of number, version, chunk, words and their sums. Raises: IndexDamaged."""
    checked(row[3], str(row[1]), row[2])
    checked(row[5], str(row[1]), row[4])
    return Read(int(row[1]), _chunk(row[2]), row[4])


def _words(passage: Passage) -> bytes:
    text = " ".join((passage.facts.title, *passage.chunk.heading_path, passage.chunk.text))
    digests = {digest(word) for word in terms(text, passage.facts.language)}
    return np.asarray(sorted(digests), np.uint32).tobytes()


def digest(word: str) -> int:
    """A number for an informative word; a passage keeps those of its words, so that no search analyses its text."""
    return zlib.crc32(word.encode())


def to_passage(about: Version, chunk: Chunk) -> Passage:
    """The passage that a chunk of a version is."""
    return Passage(
        chunk_id=f"{about.doc_key}:{about.version}:{chunk.ordinal}",
        tenant=about.tenant,
        doc_key=about.doc_key,
        version=about.version,
        document_id=about.document_id,
        file_name=about.file_name,
        chunk=chunk,
        facts=about.facts,
        embedding_model=about.embedding_model,
        indexed_at=about.indexed_at,
    )


def about_version(passage: Passage) -> dict[str, Any]:
    """What the passages of one version have in common, as JSON takes it."""
    facts = {
        name: value.isoformat() if isinstance(value, date) else value for name, value in asdict(passage.facts).items()
    }
    return {
        "document_id": passage.document_id,
        "file_name": passage.file_name,
        "facts": facts,
        "embedding_model": passage.embedding_model,
        "indexed_at": passage.indexed_at.isoformat(),
    }


def to_version(row: tuple[int, str, str, int, str, int]) -> Version:
    """A row of `versions`. Raises: IndexDamaged."""
    checked(row[5], row[1], row[2], str(row[3]), row[4])
    about = json.loads(row[4])
    try:
        facts = about["facts"]
        facts["authors"] = tuple(facts["authors"])
        for name in ("valid_from", "valid_until", "review_date", "last_updated"):
            facts[name] = date.fromisoformat(facts[name]) if facts.get(name) else None
        described = DocumentFacts(**facts)
        indexed_at = datetime.fromisoformat(about["indexed_at"])
        return Version(
            *row[:4], about["document_id"], about["file_name"], described, about["embedding_model"], indexed_at
        )
    except (KeyError, TypeError, ValueError):
        # Whole, and written by a version of Careline that kept other facts.
        raise IndexDamaged from None


def _written(chunk: Chunk) -> str:
    return json.dumps(asdict(chunk), ensure_ascii=False)


def _chunk(text: str) -> Chunk:
    try:
        return _chunks().validate_json(text)
    except ValidationError:
        raise IndexDamaged from None


@cache
def _chunks() -> TypeAdapter[Chunk]:
    return TypeAdapter(Chunk)


def to_stored(row: tuple[int, int, str, int, bytes, int]) -> Stored:
    """A row of number, version, chunk, vector and their sums. Raises: IndexDamaged."""
    checked(row[3], str(row[1]), row[2])
    checked(row[5], str(row[1]), row[4])
    return Stored(int(row[0]), int(row[1]), _chunk(row[2]), row[4])
