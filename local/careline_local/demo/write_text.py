"""Renders a document as Markdown with its facts, and as plain text that reads well in any viewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

import yaml

from careline_local.demo.page_furniture import number_line, printed_line
from careline_local.demo.parse_markdown import (
    Block,
    Heading,
    InlineSpan,
    ListEntry,
    Listing,
    MarkdownTable,
    Paragraph,
    plain,
)
from careline_local.demo.read_source import DocumentSource

WIDTH = 78
GUTTER = "  "
UNDERLINES = {1: "=", 2: "-"}


def write_markdown(source: DocumentSource, _hospital: str) -> bytes:
    """Return the source without the keys that only say how to print it."""
    front = yaml.safe_dump({"identifier": source.identifier, **source.facts}, sort_keys=False, allow_unicode=True)
    return f"---\n{front}---\n\n{source.body}".encode()


def write_plain(source: DocumentSource, hospital: str) -> bytes:
    """Return the document wrapped at 78 characters, closed by the hospital's name and the print date."""
    parts = ["\n".join(_block(block, WIDTH)) for block in source.blocks]
    closing = _filled(" - ".join([hospital, number_line(source), printed_line(source)]), WIDTH)
    return "\n\n".join([*parts, "\n".join(["-" * WIDTH, *closing])]).encode() + b"\n"


def _block(block: Block, width: int) -> list[str]:
    match block:
        case Heading(level, spans):
            lines = _filled(plain(spans), width)
            return [*lines, UNDERLINES.get(level, "~") * max(map(len, lines), default=0)]
        case Paragraph(spans, set_off):
            lines = _filled(_words(spans), width - 2 if set_off else width)
            return [f"| {line}" for line in lines] if set_off else lines
        case Listing():
            return [line for number, entry in enumerate(block.entries) for line in _entry(block, number, entry, width)]
        case MarkdownTable():
            return list(_table(block, width))


def _entry(listing: Listing, number: int, entry: ListEntry, width: int) -> Iterator[str]:
    mark = "- " if listing.start is None else f"{listing.start + number}. "
    hang = " " * len(mark)
    own = _filled(_words(entry.spans), width - len(mark))
    nested = [line for block in entry.nested for line in _block(block, width - len(mark))]
    lines = own + nested
    yield from ((hang if place else mark) + line for place, line in enumerate(lines))


def _table(table: MarkdownTable, width: int) -> Iterator[str]:
    rows = [[_words(cell) for cell in row] for row in (table.header, *table.rows)]
    widths = _column_widths(rows, width)
    for place, row in enumerate(rows):
        cells = [_filled(cell, room) for cell, room in zip(row, widths, strict=True)]
        for line in zip_longest(*cells, fillvalue=""):
            yield GUTTER.join(part.ljust(room) for part, room in zip(line, widths, strict=True)).rstrip()
        if place == 0:
            yield GUTTER.join("-" * room for room in widths)


def _column_widths(rows: Sequence[Sequence[str]], width: int) -> list[int]:
    """Return widths that fit `width` characters, taken from the widest columns first so that narrow ones stay whole."""
    widths = [max(len(row[column]) for row in rows) or 1 for column in range(len(rows[0]))]
    while sum(widths) + len(GUTTER) * (len(widths) - 1) > width and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1
    return widths


def _words(spans: Sequence[InlineSpan]) -> str:
    """Return a run's words; a link whose address is not already its text gets the address after it."""
    return "".join(
        f"{span.text} <{span.link}>" if span.link and not span.link.endswith(span.text) else span.text for span in spans
    )


def _filled(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` characters, keeping forced breaks and words with hyphens whole."""
    return [line for part in text.split("\n") for line in wrap(part, width, break_on_hyphens=False) or [""]]
