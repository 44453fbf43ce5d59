"""Finds compressed streams of a PDF that would unpack to more than any document needs, before pdfium unpacks them."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator

from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits

_STREAM = re.compile(rb"stream\r?\n(?=[\x08\x18\x28\x38\x48\x58\x68\x78])")
"""The start of a stream whose first byte can be a zlib header (RFC 1950: compression method 8)."""

_BLOCK = 1 << 20
_PIECE = 1 << 12
"""Packed bytes that are looked at together: what is no stream after all is found out in the first."""

_MOST_LAYERS = 3
"""A stream may be packed several times over (`/Filter [/FlateDecode /FlateDecode]`)."""


def check_streams(content: bytes, limits: Limits) -> None:
    """Raises: DocumentRejected `zip_bomb` when one stream unpacks past the limit."""
    end = 0
    for found in _STREAM.finditer(content):
        # A stream of n bytes unpacks to 1,032 n at most (zlib's own figure), so small ones need no look.
        if end < found.end():
            end = content.find(b"endstream", found.end())
            end = len(content) if end < 0 else end
        if (end - found.end()) * 1032 ** (_MOST_LAYERS - 1) > limits.max_unpacked_bytes:
            _check(memoryview(content)[found.end() : end], limits.max_unpacked_bytes, _MOST_LAYERS)


def _check(packed: bytes | memoryview, allowed: int, layers: int) -> None:
    size, head = 0, bytearray()
    try:
        for block in _unpacked(memoryview(packed)):
            size += len(block)
            if len(head) < _BLOCK:
                head += block
            if size > allowed:
                raise rejected("zip_bomb")
    except zlib.error:
        return  # Not packed with zlib after all, or damaged: pdfium decides.
    if layers > 1 and bytes(head[:1]) in (b"\x78", b"\x58", b"\x68", b"\x48"):
        _check(bytes(head[:_BLOCK]), allowed, layers - 1)


def _unpacked(packed: memoryview) -> Iterator[bytes]:
    unpacker = zlib.decompressobj()
    for begin in range(0, len(packed), _PIECE):
        rest = bytes(packed[begin : begin + _PIECE])
        while rest and not unpacker.eof:
            yield unpacker.decompress(rest, _BLOCK)
            rest = unpacker.unconsumed_tail
        if unpacker.eof:
            return
