"""Reads a JSON Lines file as many small documents: one record a line, each taken in or refused by itself."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import BinaryIO

from careline.knowledge.extract.characters.surrogates import without_surrogates
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
    names = _Names()
    for number, line in enumerate(found, 1):
        where = f"{file_name}, line {number}"
        if line is None:
            yield Refused(where, "long_line", f"the line is longer than {LONGEST_LINE:,} bytes; split the record")
            continue
        if line.strip():
            yield _record(tenant, file_name, where, line.strip(), facts, names)


class _Names:
    """The names given out for one file: every different record gets one of its own."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, bytes], str] = {}
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def of(self, key: str, line: bytes) -> str:
        """The name of a record: its key, or the first of `key-2`, `key-3`, … that no other record has."""
        record = (key, hashlib.sha256(line).digest())
        if record not in self._given:
            name, number = key, self._next.get(key, 1)
            while name in self._taken:
                number += 1
                name = f"{key}-{number}"
            self._given[record], self._next[key] = name, number
            self._taken.add(name)
        return self._given[record]


def _record(
    tenant: str, file_name: str, where: str, line: bytes, facts: Mapping[str, object], names: _Names
) -> Upload | Refused:
    try:
        record, _ = without_surrogates(json.loads(line))
    except (ValueError, RecursionError):
        return Refused(where, "corrupt", "the line is not valid JSON; one object a line is needed")
    if not isinstance(record, dict):
        return Refused(where, "corrupt", "the line is not a JSON object")
    said = {"source_type": "record", **_own_source_type(record), **facts}
    stated = record.get("doc_key")
    key = str(stated) if stated is not None else _key(record, line, str(said["source_type"]))
    if not KEY.fullmatch(key) or ".." in key:
        return Refused(where, "unsafe_name", "doc_key or id: letters, digits, dot, dash and underscore, at most 200")
    name = names.of(key, line)
    if name != key and stated is not None:
        return Refused(where, "repeated_key", "another record of this file has the same doc_key; keys must differ")
    return Upload(tenant, file_name, line, name, said)


def _own_source_type(record: Mapping[str, object]) -> dict[str, object]:
    stated = record.get("source_type")
    return {"source_type": stated} if isinstance(stated, str) and stated else {}


def _key(record: Mapping[str, object], line: bytes, source_type: str) -> str:
    for name in IDENTIFIERS:
        value = record.get(name)
        if isinstance(value, str | int) and str(value).strip():
            return ".." if ".." in str(value) else f"{source_type}-{_slug(str(value))}"
    return f"{source_type}-{hashlib.sha256(line).hexdigest()[:16]}"


def _slug(identifier: str) -> str:
    """An id in letters a key can hold; what is lost of it is told apart by a hash."""
    plain = unicodedata.normalize("NFKD", identifier).encode("ascii", "ignore").decode()
    slug = _UNSAFE.sub("-", plain).strip("-")
    if slug and identifier.isascii():
        return slug
    return f"{slug}-{hashlib.sha256(identifier.encode(errors='surrogatepass')).hexdigest()[:8]}".strip("-")
