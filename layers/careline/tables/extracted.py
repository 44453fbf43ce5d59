"""What an extractor gives of a file: pages of blocks, and the cells of its tables. Values without behaviour."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from careline.model import LeftOut


class BlockKind(StrEnum):
    """What a block of extracted text is."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table as the document draws it.

    `row` and `column` count from 0; `rows` and `columns` are how many of each it covers. Cells without text are left
    out: a place that no cell covers is empty. A note's sign behind the text is written in superscript characters
    ("12.50¹"). `header` is True where the document itself says that the cell labels others (an HTML `th`, a header
    row of a word processor, the row above Markdown's divider, a line set in bold above lines that are not).
    """

    text: str
    row: int
    column: int
    rows: int = 1
    columns: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A run of text as the document shows it. `level` is 1-6 for headings; for an item of a list how many items it
    stands under (0-5); 0 otherwise.

    A table's truth is its `cells`; its `text` is made of them for people (`careline.tables.read.block`) and never
    read back. `edges` are the left edges of its columns in points, where the format has places (PDF).
    """

    kind: BlockKind
    text: str
    level: int = 0
    cells: tuple[Cell, ...] = ()
    edges: tuple[float, ...] = ()
    left_out: LeftOut | None = None
    """Why nobody is told this block; None where it is told."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page, numbered from 1 as a reader counts. Formats without pages have one page."""

    number: int
    blocks: tuple[Block, ...]
    ocr: bool = False

    @property
    def text(self) -> str:
        """The text of every block that is told, one blank line between them."""
        return "\n\n".join(block.text for block in self.blocks if block.left_out is None)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a file says: its pages, the facts the file states about itself and any warnings."""

    pages: tuple[Page, ...]
    stated: dict[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    paged: bool = False
    """True when page numbers mean something to a reader (PDF), False for DOCX, HTML, Markdown and text."""
