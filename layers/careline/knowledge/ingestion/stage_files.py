"""Writes down what one stage made so that the next can read it, wherever that runs."""

from __future__ import annotations

import io
import re

import numpy as np
from pydantic import TypeAdapter

from careline.knowledge.ingestion.ingestion_job import folder
from careline.model import Chunk, Document
from careline.passages.windows import CUT
from careline.ports import FileStore, Matrix
from careline.tables.extracted import Extracted

_EXTRACTED: TypeAdapter[Extracted] = TypeAdapter(Extracted)
_CHUNKS: TypeAdapter[list[Chunk]] = TypeAdapter(list[Chunk])


async def original(files: FileStore, document: Document) -> bytes:
    """The file as it came in."""
    return await files.get(f"{folder(document)}/original")


async def save_extracted(files: FileStore, document: Document, name: str, extracted: Extracted) -> None:
    """Keep the text of a document under `pages` (as extracted) or `text` (as cleaned)."""
    await files.put(f"{folder(document)}/{name}.json", _EXTRACTED.dump_json(extracted))


async def extracted(files: FileStore, document: Document, name: str) -> Extracted:
    """The text of a document as `save_extracted` kept it. Raises: NotFound."""
    return _EXTRACTED.validate_json(await files.get(f"{folder(document)}/{name}.json"))


async def save_chunks(files: FileStore, document: Document, chunks: list[Chunk]) -> None:
    """Keep the chunks of a document."""
    await files.put(f"{folder(document)}/chunks.json", _CHUNKS.dump_json(chunks))


async def chunks(files: FileStore, document: Document) -> list[Chunk]:
    """The chunks of a document. Raises: NotFound."""
    return _CHUNKS.validate_json(await files.get(f"{folder(document)}/chunks.json"))


def _vectors(document: Document, model: str, batch: int) -> str:
    """Vectors of different models never lie in each other's place."""
    return f"{folder(document)}/vectors/{re.sub(r'[^A-Za-z0-9._-]', '-', model)}/{batch:04d}.npy"


async def save_vectors(files: FileStore, document: Document, model: str, batch: int, vectors: Matrix) -> None:
    """Keep one batch of the vectors that an embedding model made."""
    content = io.BytesIO()
    np.save(content, vectors, allow_pickle=False)
    await files.put(_vectors(document, model, batch), content.getvalue())


def _windows(document: Document, model: str, batch: int) -> str:
    """Vectors of windows that were cut otherwise do not lie in the place of those of now."""
    return _vectors(document, model, batch).replace(".npy", f".windows-{CUT}.npz")


async def save_windows(files: FileStore, document: Document, model: str, batch: int, windows: list[bytes]) -> None:
    """Keep the packed vectors of the windows of one batch of chunks."""
    content = io.BytesIO()
    np.savez(content, *(np.frombuffer(one, np.int8) for one in windows))
    await files.put(_windows(document, model, batch), content.getvalue())


async def windows(files: FileStore, document: Document, model: str, batches: int) -> list[bytes]:
    """The packed vectors of the windows of every chunk, in the order of the chunks. Raises: NotFound."""
    found: list[bytes] = []
    for batch in range(batches):
        with np.load(io.BytesIO(await files.get(_windows(document, model, batch))), allow_pickle=False) as kept:
            found += [kept[f"arr_{n}"].tobytes() for n in range(len(kept.files))]
    return found


async def vectors(files: FileStore, document: Document, model: str, batches: int) -> Matrix:
    """Every vector that a model made of a document, in the order of its chunks. Raises: NotFound."""
    parts = [await files.get(_vectors(document, model, batch)) for batch in range(batches)]
    read = [np.load(io.BytesIO(part), allow_pickle=False) for part in parts]
    return np.concatenate(read) if read else np.zeros((0, 0), np.float32)
