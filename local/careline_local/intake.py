"""Finds what a user wants ingested: folders, files, globs and JSON Lines, with the facts of a manifest."""

from __future__ import annotations

import glob
import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, cast

import yaml

from careline.errors import BadRequest
from careline.knowledge.extract.bulk_records import Refused, lines, records
from careline.knowledge.register import Upload

MANIFEST = "careline.yaml"
RECORDS = (".jsonl", ".jsonl.gz", ".ndjson", ".ndjson.gz")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One file to ingest. `name` is its path below what the user named; `facts` come from a manifest."""

    path: Path
    name: str
    doc_key: str | None = None
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def folder(self) -> str:
        """A digest of where its name begins: of the folder that the user named, or of the file's own."""
        beside = self.path.absolute().as_posix().removesuffix(self.name)
        return hashlib.sha256(beside.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def holds_records(self) -> bool:
        """Whether it is a JSON Lines file."""
        return self.name.lower().endswith(RECORDS)


def find(paths: Sequence[str]) -> list[FoundFile]:
    """The files below the paths, in order. Raises: BadRequest for a path that is not there or a wrong manifest."""
    found: list[FoundFile] = []
    for text in paths:
        path = Path(text)
        if path.is_dir():
            found += _folder(path)
        elif path.exists() or path.is_symlink():
            found.append(FoundFile(path, path.name))
        else:
            matches = sorted(glob.glob(text, recursive=True))
            if not matches:
                raise BadRequest(f"{text}: there is no such file or folder")
            found += find(matches)
    return found


def _folder(folder: Path) -> Iterator[FoundFile]:
    manifest = _manifest(folder / MANIFEST)
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        hidden = any(part.startswith(".") for part in Path(name).parts)
        if (path.is_dir() and not path.is_symlink()) or hidden or name == MANIFEST:
            continue
        said = dict(manifest.get(name, {}))
        key = said.pop("doc_key", None)
        yield FoundFile(path, name, None if key is None else str(key), said)


def _manifest(path: Path) -> dict[str, dict[str, Any]]:
    if not path.is_file():
        return {}
    try:
        documents = yaml.safe_load(path.read_text(encoding="utf-8"))["documents"]
        return {str(name): _facts(said) for name, said in documents.items()}
    except (yaml.YAMLError, UnicodeDecodeError, KeyError, TypeError, ValueError, AttributeError):
        raise BadRequest(f"{path}: a manifest maps `documents:` to file names and their facts") from None


def _facts(said: Mapping[str, Any]) -> dict[str, Any]:
    """What a manifest says of a file; a key that YAML reads as a number is a name all the same."""
    facts = dict(said)
    return {**facts, "doc_key": str(facts["doc_key"])} if facts.get("doc_key") is not None else facts


def uploads(found: FoundFile, tenant: str, facts: Mapping[str, object], most: int) -> Iterator[Upload | Refused]:
    """What is to be ingested from one file: itself, or its records. `most` is the largest file in bytes."""
    said = {**found.facts, **facts}
    if found.path.is_symlink():
        yield Refused(found.name, "symlink", "a symbolic link is not followed; name the file it points to")
        return
    if not found.path.is_file():
        yield Refused(found.name, "unsupported", "this is not a regular file")
        return
    try:
        if found.holds_records:
            yield from _records(found, tenant, said)
        elif found.path.stat().st_size > most:
            yield Refused(
                found.name,
                "too_large",
                f"the file is larger than {most:,} bytes; split it or raise CARELINE_MAX_UPLOAD_BYTES",
            )
        else:
            yield Upload(tenant, found.name, found.path.read_bytes(), found.doc_key, said, folder=found.folder)
    except (OSError, zlib.error, EOFError) as error:
        yield Refused(found.name, "unreadable", f"the file cannot be read ({type(error).__name__})")


def _records(found: FoundFile, tenant: str, facts: Mapping[str, object]) -> Iterator[Upload | Refused]:
    packed = found.name.lower().endswith(".gz")
    name = found.name[:-3] if packed else found.name
    with gzip.open(found.path) if packed else found.path.open("rb") as file:
        yield from records(tenant, name, lines(cast(BinaryIO, file)), facts)


def count(found: Sequence[FoundFile]) -> int:
    """How many documents there will be, for the progress bar; lines are counted, not read."""
    return sum(_lines(one.path) if one.holds_records else 1 for one in found)


def _lines(path: Path) -> int:
    try:
        with gzip.open(path) if path.name.lower().endswith(".gz") else path.open("rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b"")) or 1
    except (OSError, zlib.error, EOFError):
        return 1
