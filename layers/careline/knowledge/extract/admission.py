"""Keeps out, by name and by the first bytes, files that are not what they say they are."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from careline.knowledge.extract.rejections import rejected

MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"PK\x07\x08", "a ZIP archive"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file"),
    (b"{\\rtf", "RTF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"II*\x00", "a picture"),
    (b"MM\x00*", "a picture"),
    (b"RIFF", "sound or video"),
    (b"OggS", "sound or video"),
    (b"ID3", "sound or video"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"SQLite format 3", "a database"),
    (b"%!PS", "PostScript"),
)
"""First bytes and what they mean, from each format's specification (IANA media types, file(1))."""

_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_WORDS_TOO = (b"BZh", b"RIFF", b"OggS", b"ID3", b"MZ", b"GIF8", b"Rar!")
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--(?:(?!-->).){0,2000}-->\s*){0,5}<(?:!doctype\s+html|html[\s>]|head[\s>])",
    re.I | re.S,
)
_DRIVE = re.compile(r"[A-Za-z]:")
_DIRECTION_MARKS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\r\f\v\x1b\x1a") + b"\x7f"
_SAMPLE = 65_536
_CONTROL_SHARE = 0.01


def check_name(file_name: str) -> None:
    """Raises: DocumentRejected `unsafe_name` for names that leave their folder or hide what they are."""
    parts = re.split(r"[/\\]", file_name)
    odd = any(unicodedata.category(mark) in ("Cc", "Cs") or mark in _DIRECTION_MARKS for mark in file_name)
    outside = not parts[0] or ".." in parts or _DRIVE.match(file_name)
    if odd or outside or not parts[-1].strip() or len(file_name) > 1024:
        raise rejected("unsafe_name")


def kind_of(content: bytes) -> str | None:
    """What the first bytes show the file to be, in words, or None when they show nothing."""
    for magic, kind in MAGIC:
        if content.startswith(magic) and not _reads_as_words(content, magic):
            return kind
    return "HTML" if _HTML.match(_without_bom(content[:8192])) else None


def _reads_as_words(content: bytes, magic: bytes) -> bool:
    """A text may begin with the letters MZ or RIFF; a program or a sound has control bytes right after."""
    return magic in _WORDS_TOO and content[:512].translate(None, _CONTROL) == content[:512]


def check_text(content: bytes, extension: str, allowed: Iterable[str] = ()) -> None:
    """Raises: DocumentRejected `disguised` when a text file is some other format or binary data."""
    kind = kind_of(content)
    if kind is not None and kind not in allowed:
        raise rejected("disguised", extension=extension, found=kind)
    if not looks_like_utf16(content) and is_binary(content):
        raise rejected("disguised", extension=extension, found="binary data")


def is_binary(content: bytes) -> bool:
    """Whether there are bytes that no text has, in samples from the beginning, the middle and the end."""
    middle = len(content) // 2
    samples = content[:_SAMPLE] + content[middle : middle + _SAMPLE] + content[-_SAMPLE:]
    controls = len(samples) - len(samples.translate(None, _CONTROL))
    return b"\0" in samples or controls > len(samples) * _CONTROL_SHARE


def looks_like_utf16(content: bytes) -> str | None:
    """The byte order of UTF-16 or UTF-32 text by its mark, or by every other byte being zero as in western text."""
    if content.startswith((b"\xff\xfe\0\0", b"\0\0\xfe\xff")):
        return "utf-32"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    sample = content[:4096]
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = max(1, len(sample) // 2)
    if len(content) % 2 == 0 and even + odd > 0.4 * half and min(even, odd) <= 0.02 * half:
        return "utf-16-le" if odd > even else "utf-16-be"
    return None


def _without_bom(content: bytes) -> bytes:
    for bom in _BOMS:
        if content.startswith(bom):
            return content[len(bom) :].replace(b"\0", b"")
    return content
