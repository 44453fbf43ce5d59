"""How big a document may be before it is refused."""

from __future__ import annotations

from dataclasses import dataclass

_MEBIBYTE = 1024 * 1024


LONGEST_ANSWER = 1_000
"""Characters of a person's answer, which is told whole in writing; a longer text is a page and quoted from."""
MOST_QUESTIONS = 20
"""Wordings of the question that one answer has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes are in bytes, lengths in characters. The defaults fit a function with 3 GB of memory."""

    max_file_bytes: int = 40 * _MEBIBYTE
    max_pages: int = 1000
    max_unpacked_bytes: int = 200 * _MEBIBYTE
    max_compression_ratio: int = 100
    max_characters: int = 5_000_000
    max_line_characters: int = 2_000_000
    ocr_seconds_per_page: float = 60.0
    extract_seconds: float = 120.0
    """Time that reading one document may take, without the recognition of its pictures."""
    extract_memory_bytes: int = 1500 * _MEBIBYTE
    """Memory of the child process that reads documents."""
