"""In which order files of one name were put into a bucket. S3 and EventBridge deliver at least once and in no order, so
an upload that arrives late may be older than the one that is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NAMES = 50
"""File names of one document whose order is kept, as a record has an end; one that is called anew each day has many."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest upload of one name that a document has seen, and the version that it is, or was told to be."""

    sequencer: str
    version: int


def is_before(one: str, other: str) -> bool:
    """Whether an S3 event happened before another of the same key, by their `sequencer`.

    Hexadecimal digits of different lengths: the shorter is padded with zeros on the left (S3 user guide, event message
    structure; earlier editions of that page said on the right, which is the same for equal lengths).
    """
    length = max(len(one), len(other))
    return one.upper().zfill(length) < other.upper().zfill(length)


def read_newest(kept: Mapping[str, tuple[str, int]] | None) -> dict[str, Newest]:
    """By the name of the file, as the document's record holds it; other names have orders of their own."""
    return {name: Newest(str(sequencer), int(version)) for name, (sequencer, version) in (kept or {}).items()}


def with_newest(kept: Mapping[str, Newest], file_name: str, newest: Newest) -> dict[str, Newest]:
    """The same with the newest upload of a name; of too many names those are forgotten whose versions are oldest."""
    others = sorted((item for item in kept.items() if item[0] != file_name), key=lambda item: item[1].version)
    return dict([*others[-(NAMES - 1) :], (file_name, newest)])
