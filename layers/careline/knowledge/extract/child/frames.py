"""What parent and child say to each other: a request is one frame and the file, an answer is frames.

Everything is JSON with a length before it. Nothing that the child sends is unpickled, run or shown unchecked: a
document that takes the child over still owns no more than what can be said of one document.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict

from pydantic import TypeAdapter, ValidationError

from careline.errors import DocumentRejected
from careline.knowledge.extract.rejections import rejected, restored
from careline.limits import Limits
from careline.tables.extracted import Extracted

READY, TAKEN, EXTRACTED, REJECTED, BROKEN, OUT_OF_MEMORY, PAUSED, RESUMED = b"RTXJFMPC"
"""Kinds of frames from the child, one byte each. The child is ready; it has read the whole request; what the file says;
why it is refused; a reader raised what it should not; it had no memory left; recognition of a page begins and ends."""

ANSWERS = frozenset((EXTRACTED, REJECTED, BROKEN, OUT_OF_MEMORY))
"""The kinds of which one ends a request."""

HEAD = struct.Struct(">BI")
REQUEST = struct.Struct(">IQ")
_EXTRACTED: TypeAdapter[Extracted] = TypeAdapter(Extracted)
_BYTES_PER_CHARACTER = 16
"""A character is at most 4 bytes in UTF-8 or 6 escaped, and a block of one character has its names around it."""
_ROOM = 1 << 20
_LONGEST_NAME = 60


class Broken(Exception):
    """The child said something that no child says, or that a reader raised what it should not; `kind` names it."""

    def __init__(self, kind: str) -> None:
        super().__init__(kind)
        self.kind = kind


def longest(limits: Limits) -> int:
    """Bytes that one answer may have."""
    return _ROOM + _BYTES_PER_CHARACTER * limits.max_characters


def frame(kind: int, body: bytes = b"") -> bytes:
    """One frame of the child."""
    return HEAD.pack(kind, len(body)) + body


def request(file_name: str, content: bytes, limits: Limits) -> bytes:
    """What goes before the file: both lengths, its name and the limits."""
    head = json.dumps({"file_name": file_name, "limits": asdict(limits)}).encode()
    return REQUEST.pack(len(head), len(content)) + head


def read_request(head: bytes) -> tuple[str, Limits]:
    """The name and the limits of a request."""
    said = json.loads(head)
    return said["file_name"], Limits(**said["limits"])


def extracted(value: Extracted, limits: Limits) -> bytes:
    """The frame of what a file says. Raises: DocumentRejected `too_large`."""
    body = _EXTRACTED.dump_json(value)
    if len(body) > longest(limits):
        raise rejected("too_large", limit=f"{longest(limits):,} bytes of text")
    return frame(EXTRACTED, body)


def refusal(error: DocumentRejected) -> bytes:
    """The frame of a rejection: its reason and its facts, of which the other side makes the message."""
    return frame(REJECTED, json.dumps({"reason": error.reason, "facts": dict(error.facts)}).encode())


def read_answer(kind: int, body: bytes, limits: Limits) -> Extracted:
    """What an answer says, checked. Raises: DocumentRejected, MemoryError, Broken."""
    if kind == EXTRACTED:
        return _checked(body, limits)
    if kind == REJECTED:
        raise _rejection(body)
    if kind == OUT_OF_MEMORY:
        raise MemoryError
    name = body[:_LONGEST_NAME].decode("ascii", "replace")
    raise Broken(name if name.isidentifier() else "unknown")


def _checked(body: bytes, limits: Limits) -> Extracted:
    try:
        found = _EXTRACTED.validate_json(body)
    except ValidationError:
        raise Broken("answer") from None
    if len(found.pages) > max(1, limits.max_pages):
        raise Broken("answer")
    return found


def _rejection(body: bytes) -> DocumentRejected | Broken:
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        return Broken("answer")
    if not isinstance(told, dict) or told.keys() != {"reason", "facts"}:
        return Broken("answer")
    return restored(told["reason"], told["facts"]) or Broken("answer")
