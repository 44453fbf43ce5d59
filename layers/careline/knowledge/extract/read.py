"""Reads any file: admits it, picks the reader of its format, and checks that something was found."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePosixPath

from careline.knowledge.extract.admission import check_name
from careline.knowledge.extract.leaders import with_leaders_read
from careline.knowledge.extract.rejections import rejected
from careline.limits import Limits
from careline.model import LeftOut
from careline.tables.extracted import Block, Extracted

Reader = Callable[[bytes, Limits], Extracted]

EXTENSIONS: dict[str, str] = {
    ".pdf": "pdf",
    ".docx": "docx.docx",
    ".docm": "docx.docx",
    ".dotx": "docx.docx",
    ".dotm": "docx.docx",
    ".html": "html.html",
    ".htm": "html.html",
    ".xhtml": "html.html",
    ".md": "markdown.markdown",
    ".markdown": "markdown.markdown",
    ".txt": "text",
    ".text": "text",
    ".json": "records",
    ".jsonl": "records",
    ".ndjson": "records",
}
"""The module of this package that reads an extension. Each has `read(content, limits)` and is imported when needed."""


def read(file_name: str, content: bytes, limits: Limits | None = None) -> Extracted:
    """What the file says.

    Raises: DocumentRejected, whose `reason` is one of `rejections.MESSAGES`; nothing else, whatever the bytes are.
    """
    limits = limits or Limits()
    check_name(file_name)
    _check_size(content, limits)
    extracted = with_leaders_read(_reader(file_name)(content, limits))
    if not any(block.text.strip() for page in extracted.pages for block in page.blocks if _counts(block)):
        raise rejected("no_text")
    return extracted


def _counts(block: Block) -> bool:
    """Whether a block is text of the document at all; what is hidden is, as it is screened and shown to a person."""
    return block.left_out in (None, LeftOut.HIDDEN)


def _check_size(content: bytes, limits: Limits) -> None:
    if len(content) > limits.max_file_bytes:
        raise rejected("too_large", limit=f"{limits.max_file_bytes:,} bytes")
    if not content.strip(b"\0 \t\r\n\xef\xbb\xbf\xfe\xff"):
        raise rejected("empty")


def _reader(file_name: str) -> Reader:
    extension = PurePosixPath(file_name.replace("\\", "/")).suffix.lower()
    if extension not in EXTENSIONS:
        raise rejected(
            "unsupported", what=f"A file of kind {extension[:12]}" if extension else "A file without extension"
        )
    reader: Reader = import_module(f"careline.knowledge.extract.{EXTENSIONS[extension]}").read
    return reader
