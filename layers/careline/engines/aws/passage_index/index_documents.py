"""A passage as OpenSearch holds it: one flat document, its informative words in the fields of its language."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import date, datetime
from typing import Any

import numpy as np
from pydantic import TypeAdapter

from careline.model import Chunk, DocumentFacts, Passage
from careline.passages.window_vectors import cosines
from careline.ports import Vector
from careline.text.analysers import code_of, terms

FACTS = tuple(fact.name for fact in fields(DocumentFacts))
FACT_DATES = ("valid_from", "valid_until", "review_date", "last_updated")
LATER_FACTS = ("drug_class", "indication", "book_edition", "chapter", "last_updated")
"""That came later, so that editions of documents without them keep their names."""
PAGES = ("first_page", "last_page", "tokens", "ordinal", "kind")
CATEGORY = "category"
STRUCTURES = tuple(part.name for part in fields(Chunk) if part.name not in {"text", "heading_path", CATEGORY, *PAGES})
"""What else a chunk has, such as its table: kept as JSON text, because a mapping cannot say its shape."""
_CHUNK: TypeAdapter[Chunk] = TypeAdapter(Chunk)
DIGITS = 6
"""Decimals of a vector on the wire: one part in a million, and half the bytes."""
LARGEST = 32767
"""Of a packed number."""


def edition_of(passages: Sequence[Passage], generation: int) -> str:
    """A name for exactly this content of one version: the same content again gives the same name."""
    first = passages[0]
    said = [[passage.chunk_id, _said(passage.chunk)] for passage in passages]
    known = {name: value for name, value in asdict(first.facts).items() if value is not None or name not in LATER_FACTS}
    facts = {**known, "model": first.embedding_model, "document_id": first.document_id}
    key = [first.tenant, generation, first.doc_key, first.version, facts, said]
    return hashlib.sha256(json.dumps(key, default=str).encode()).hexdigest()[:20]


def _said(chunk: Chunk) -> dict[str, Any]:
    """What a chunk holds; without what came later and it has none of, so that its edition keeps its name, nor what is
    told from the rest of it."""
    said = {name: value for name, value in asdict(chunk).items() if name != "curated" or value is not None}
    return {name: value for name, value in said.items() if name != CATEGORY}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage belongs: its edition, the generation of the index, and the change that announced the edition."""

    edition: str
    generation: int
    announced: int


def to_document(passage: Passage, vector: Vector, place: Place, windows: bytes = b"") -> dict[str, Any]:
    """The document to index; `windows` are packed vectors of its windows. Fields that are not known are left out."""
    chunk, facts = passage.chunk, passage.facts
    code = code_of(facts.language)
    document = {name: _plain(getattr(facts, name)) for name in FACTS}
    said = _CHUNK.dump_python(chunk, mode="json")
    document |= {name: said[name] for name in (*PAGES, CATEGORY)}
    structures = {name: said[name] for name in STRUCTURES if said[name] not in (None, [])}
    document |= {name: json.dumps(held, ensure_ascii=False) for name, held in structures.items()}
    document |= {
        "tenant": passage.tenant,
        "edition": place.edition,
        "generation": place.generation,
        "announced": place.announced,
        "chunk_id": passage.chunk_id,
        "doc_key": passage.doc_key,
        "version": passage.version,
        "document_id": passage.document_id,
        "file_name": passage.file_name,
        "heading_path": list(chunk.heading_path),
        "embedding_model": passage.embedding_model,
        "indexed_at": passage.indexed_at.isoformat(),
        "text": chunk.text,
        f"title_{code}": " ".join(title_terms(facts.title, chunk.heading_path, facts.language)),
        f"text_{code}": " ".join(terms(chunk.text, facts.language)),
        "packed": pack(vector),
        "windows": base64.b64encode(windows).decode(),
        "vector": [round(float(value), DIGITS) for value in vector],
    }
    return {name: value for name, value in document.items() if value not in (None, [], "")}


def to_passage(source: Mapping[str, Any]) -> Passage:
    """The passage in a document's `_source`."""
    known = {name: source[name] for name in FACTS if name in source}
    known["authors"] = tuple(known.get("authors", ()))
    known |= {name: _date(known[name]) for name in FACT_DATES if name in known}
    said = {name: source[name] for name in PAGES} | {CATEGORY: source.get(CATEGORY)}
    said |= {name: json.loads(source[name]) for name in STRUCTURES if name in source}
    chunk = {**said, "text": source.get("text", ""), "heading_path": source.get("heading_path", ())}
    return Passage(
        chunk_id=source["chunk_id"],
        tenant=source["tenant"],
        doc_key=source["doc_key"],
        version=source["version"],
        document_id=source["document_id"],
        file_name=source["file_name"],
        chunk=_CHUNK.validate_python(chunk),
        facts=DocumentFacts(**known),
        embedding_model=source["embedding_model"],
        indexed_at=datetime.fromisoformat(source["indexed_at"]),
    )


def title_terms(title: str, heading_path: Iterable[str], language: str) -> list[str]:
    """The informative words that a passage stands under."""
    return terms(" ".join((title, *heading_path)), language)


def pack(vector: Vector) -> str:
    """Two bytes a number. The scale is not kept, because a unit vector's own length gives it back."""
    most = max(float(np.abs(vector).max(initial=0.0)), 1e-9)
    return base64.b64encode(np.rint(vector / most * LARGEST).astype("<i2").tobytes()).decode()


def cosine(source: Mapping[str, Any], vector: Vector) -> float:
    """The cosine of a unit vector and the packed one; right to about 0.00001."""
    packed = np.frombuffer(base64.b64decode(source["packed"]), "<i2").astype(np.float32)
    return float(packed @ vector / max(float(np.linalg.norm(packed)), 1e-9))


def window_cosines(source: Mapping[str, Any], vector: Vector) -> tuple[float, ...]:
    """The cosine of a unit vector and that of each window of the passage; none where none are kept."""
    return cosines(base64.b64decode(source.get("windows", "")), vector)


def day(value: date) -> int:
    """A date as the index holds it: 2 March 2026 is 20260302."""
    return value.year * 10_000 + value.month * 100 + value.day


def _date(number: int) -> date:
    return date(number // 10_000, number // 100 % 100, number % 100)


def _plain(value: Any) -> Any:
    if isinstance(value, date):
        return day(value)
    return list(value) if isinstance(value, tuple) else value
