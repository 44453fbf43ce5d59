"""Looks through a ZIP archive before anything else opens it: no bombs, no encryption, no damage.

The directory of an archive can lie, so every entry is also unpacked once, block by block, and counted.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib

from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits

_BLOCK = 1 << 20
_RATIO_COUNTS_FROM = 4 * _BLOCK
"""Unpacked bytes below which a high ratio is harmless: a small sheet of repeated XML easily packs 100:1."""

_MOST_ENTRIES = 10_000
_LOCAL_HEADER = struct.Struct("<4s22xHH")
_ENCRYPTED = 0x1


def check_archive(content: bytes, limits: Limits) -> frozenset[str]:
    """The names in the archive.

    Raises: DocumentRejected `zip_bomb`, `encrypted` or `corrupt`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, struct.error) as error:
        raise rejected("corrupt", detail="the archive has no readable directory") from error
    _check_directory(entries, limits)
    _check_entries(content, entries, limits)
    return frozenset(entry.filename for entry in entries)


def _check_directory(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    if any(entry.flag_bits & _ENCRYPTED for entry in entries):
        raise rejected("encrypted")
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if len(entries) > _MOST_ENTRIES or _is_bomb(unpacked, packed, limits):
        raise rejected("zip_bomb")


def _is_bomb(unpacked: int, packed: int, limits: Limits) -> bool:
    if unpacked > limits.max_unpacked_bytes:
        return True
    return unpacked > _RATIO_COUNTS_FROM and unpacked > limits.max_compression_ratio * max(1, packed)


def _check_entries(content: bytes, entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    total = 0
    for entry in entries:
        total += _unpacked_size(_packed(content, entry), entry, limits.max_unpacked_bytes - total)
        if _is_bomb(total, len(content), limits):
            raise rejected("zip_bomb")


def _packed(content: bytes, entry: zipfile.ZipInfo) -> memoryview:
    """The bytes of an entry as they are stored (APPNOTE 4.3.7: a local header of 30 bytes, name, extra field)."""
    header = content[entry.header_offset : entry.header_offset + 30]
    if len(header) < 30 or header[:4] != b"PK\x03\x04":
        raise rejected("corrupt", detail="a part of the archive is missing")
    _, name_length, extra_length = _LOCAL_HEADER.unpack(header)
    begin = entry.header_offset + 30 + name_length + extra_length
    packed = memoryview(content)[begin : begin + entry.compress_size]
    if len(packed) < entry.compress_size:
        raise rejected("corrupt", detail="a part of the archive is cut off")
    return packed


def _unpacked_size(packed: memoryview, entry: zipfile.ZipInfo, allowed: int) -> int:
    if entry.compress_type == zipfile.ZIP_STORED:
        return len(packed)
    if entry.compress_type != zipfile.ZIP_DEFLATED:
        raise rejected("corrupt", detail="the archive is packed in a way that documents are not")
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    size, rest = 0, bytes(packed)
    try:
        while rest and not unpacker.eof:
            size += len(unpacker.decompress(rest, _BLOCK))
            rest = unpacker.unconsumed_tail
            if size > allowed or size > entry.file_size + _BLOCK:
                raise rejected("zip_bomb")
    except zlib.error as error:
        raise rejected("corrupt", detail="a part of the archive does not unpack") from error
    if size != entry.file_size:
        raise rejected("corrupt", detail="a part of the archive has another size than it says")
    return size
