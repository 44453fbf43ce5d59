"""Parses a document's Markdown body once into a small tree, so that every format's writer renders the same content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

LINK_SCHEMES = ("https://", "http://", "mailto:", "tel:")


class DocumentError(ValueError):
    """A source that cannot become a document; the message is one line, written for the person who wrote the source."""


@dataclass(frozen=True, slots=True)
class InlineSpan:
    """A run of text in one style; a forced line break is a newline in `text`."""

    text: str
    bold: bool = False
    italic: bool = False
    link: str = ""


Spans: TypeAlias = tuple[InlineSpan, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    spans: Spans


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; `set_off` marks a quotation or a notice that a page shows in a box."""

    spans: Spans
    set_off: bool = False


@dataclass(frozen=True, slots=True)
class ListEntry:
    """One list entry: its own line, then whatever is nested under it."""

    spans: Spans
    nested: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """A list; `start` is None for bullets and the first number otherwise."""

    entries: tuple[ListEntry, ...]
    start: int | None = None


@dataclass(frozen=True, slots=True)
class MarkdownTable:
    """A table with at least a header row; every row has as many cells as the header."""

    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]


Block: TypeAlias = Heading | Paragraph | Listing | MarkdownTable


def plain(spans: Sequence[InlineSpan]) -> str:
    """Return the words of a run without their style."""
    return "".join(span.text for span in spans)


def parse_markdown(body: str) -> tuple[Block, ...]:
    """Return the blocks of a GitHub Markdown body.

    Raises DocumentError for Markdown that no writer can render (images, code blocks), because a document that
    silently loses a part is worse than one that is not built.
    """
    return tuple(_blocks(SyntaxTreeNode(_parser().parse(body)).children))


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _blocks(nodes: Sequence[SyntaxTreeNode], set_off: bool = False) -> Iterator[Block]:
    for node in nodes:
        match node.type:
            case "heading":
                yield Heading(int(node.tag[1]), _inline(node))
            case "paragraph":
                yield Paragraph(_inline(node), set_off)
            case "bullet_list" | "ordered_list":
                yield _listing(node)
            case "table":
                yield _table(node)
            case "blockquote":
                yield from _blocks(node.children, set_off=True)
            case "hr":
                continue
            case unknown:
                raise DocumentError(f"the body has a Markdown {unknown}, which the document formats do not support")


def _listing(node: SyntaxTreeNode) -> Listing:
    start = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    return Listing(tuple(_entry(item) for item in node.children), start)


def _entry(item: SyntaxTreeNode) -> ListEntry:
    blocks = tuple(_blocks(item.children))
    match blocks:
        case (Paragraph(spans=spans), *nested):
            return ListEntry(spans, tuple(nested))
        case _:
            return ListEntry((), blocks)


def _table(node: SyntaxTreeNode) -> MarkdownTable:
    rows = [tuple(_inline(cell) for cell in row.children) for part in node.children for row in part.children]
    return MarkdownTable(rows[0], tuple(rows[1:]))


def _inline(node: SyntaxTreeNode) -> Spans:
    return tuple(span for inline in node.children for span in _spans(inline.children, InlineSpan("")))


def _spans(nodes: Sequence[SyntaxTreeNode], style: InlineSpan) -> Iterator[InlineSpan]:
    """Yield the runs under `nodes`; `style` carries the emphasis and link of the nodes around them."""
    for node in nodes:
        if text := _TEXT.get(node.type):
            yield InlineSpan(text(node), style.bold, style.italic, style.link)
        elif node.type == "strong":
            yield from _spans(node.children, InlineSpan("", True, style.italic, style.link))
        elif node.type == "em":
            yield from _spans(node.children, InlineSpan("", style.bold, True, style.link))
        elif node.type == "link":
            yield from _spans(
                node.children, InlineSpan("", style.bold, style.italic, _outside(str(node.attrs["href"])))
            )
        else:
            raise DocumentError(f"the text has a Markdown {node.type}, which the document formats do not support")


def _outside(link: str) -> str:
    """Keep a link that works from any file; a link between sources would break, so only its words stay."""
    return link if link.startswith(LINK_SCHEMES) else ""


_TEXT: dict[str, Callable[[SyntaxTreeNode], str]] = {
    "text": lambda node: node.content,
    "code_inline": lambda node: node.content,
    "softbreak": lambda node: " ",
    "hardbreak": lambda node: "\n",
}
