"""Reads a JSON Lines file as many small documents: one record a line, each taken in or refused by itself."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from careline.knowledge.register import KEY, Upload

LONGEST_LINE = 2_000_000
"""Bytes of one record; a longer line is refused without being held in memory."""
IDENTIFIERS = ("identifier", "id")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that could not be taken in. `where` names the file and line, `reason` is a stable code."""

    where: str
    reason: str
    message: str


def lines(file: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file; None in place of one that is too long."""
    while line := file.readline(LONGEST_LINE + 1):
        if len(line) <= LONGEST_LINE or line.endswith(b"\n"):
            yield line
            continue
        yield None
        while rest := file.readline(LONGEST_LINE):
            if rest.endswith(b"\n"):
                break


def records(
    tenant: str, file_name: str, found: Iterable[bytes | None], facts: Mapping[str, object]
) -> Iterator[Upload | Refused]:
    """An upload for each record, a refusal for each line that is none; blank lines are passed over.

    A record is named by its `doc_key`, else by its source type and `id`. Different records that share an `id` are all
    kept: the second is named `-2`, and so on. A `doc_key` stated twice for different records is refused, because the
    next run could not tell which of them is the newer version.
    """
    seen: dict[str, list[bytes]] = {}
    for number, line in enumerate(found, 1):
        where = f"{file_name}, line {number}"
        if line is None:
            yield Refused(where, "long_line", f"the line is longer than {LONGEST_LINE:,} bytes; split the record")
            continue
        if line.strip():
            yield _record(tenant, file_name, where, line.strip(), facts, seen)


def _record(
    tenant: str, file_name: str, where: str, line: bytes, facts: Mapping[str, object], seen: dict[str, list[bytes]]
) -> Upload | Refused:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return Refused(where, "corrupt", "the line is not valid JSON; one object a line is needed")
    if not isinstance(record, dict):
        return Refused(where, "corrupt", "the line is not a JSON object")
    said = {"source_type": "record", **_own_source_type(record), **facts}
    stated = record.get("doc_key")
    key = str(stated) if stated is not None else _key(record, line, str(said["source_type"]))
    if not KEY.fullmatch(key) or ".." in key:
        return Refused(where, "unsafe_name", "doc_key or id: letters, digits, dot, dash and underscore, at most 200")
    held = seen.setdefault(key, [])
    digest = hashlib.sha256(line).digest()
    if digest not in held:
        held.append(digest)
    place = held.index(digest)
    if place and stated is not None:
        return Refused(where, "repeated_key", "another record of this file has the same doc_key; keys must differ")
    return Upload(tenant, file_name, line, key if place == 0 else f"{key}-{place + 1}", said)


def _own_source_type(record: Mapping[str, object]) -> dict[str, object]:
    stated = record.get("source_type")
    return {"source_type": stated} if isinstance(stated, str) and stated else {}


def _key(record: Mapping[str, object], line: bytes, source_type: str) -> str:
    for name in IDENTIFIERS:
        value = record.get(name)
        if isinstance(value, str | int) and str(value).strip():
            if ".." in str(value):
                return ".."
            return f"{source_type}-{_UNSAFE.sub('-', str(value)).strip('-')}"
    return f"{source_type}-{hashlib.sha256(line).hexdigest()[:16]}"
