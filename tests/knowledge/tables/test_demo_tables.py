"""The demonstration hospital's tables, cell by cell, in every format that its documents are built in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from careline.knowledge.clean.characters import repaired
from careline.knowledge.clean.clean import clean
from careline.knowledge.clean.spacing import spaced
from careline.knowledge.extract import read
from careline.tables.extracted import Block, BlockKind
from careline_local.demo.build_documents import WRITERS, find_sources
from careline_local.demo.lay_out_pdf import set_line
from careline_local.demo.parse_markdown import MarkdownTable, plain
from careline_local.demo.read_source import DocumentSource, read_source

MAY_BE_WRONG = {"txt": 1}
"""Documents of a format, of which in plain text a row all of whose cells are wrapped looks like two rows."""
WITH_TABLES = [path for path in find_sources() if "\n|" in path.read_text(encoding="utf-8")]


def without_hyphens(text: str) -> str:
    """Whether a hyphen at the end of a line belongs to its word is guessed elsewhere; one beside a figure is told."""
    return re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", "", text)


def places_of(block: Block) -> dict[tuple[int, int], str]:
    return {(cell.row, cell.column): without_hyphens(cell.text) for cell in block.cells}


def places_in(table: MarkdownTable, extension: str) -> dict[tuple[int, int], str]:
    printed = set_line if extension == "pdf" else str
    rows = (table.header, *table.rows)
    texts = {
        (row, column): spaced(repaired(printed(" ".join(plain(spans).split()))))
        for row, cells in enumerate(rows)
        for column, spans in enumerate(cells)
    }
    return {place: without_hyphens(text) for place, text in texts.items() if text}


def tables_of(source: DocumentSource) -> list[dict[tuple[int, int], str]]:
    return [places_in(block, source.format) for block in source.blocks if isinstance(block, MarkdownTable)]


def tables_as_built(source: DocumentSource) -> list[dict[tuple[int, int], str]]:
    built = WRITERS[source.format](source, "Ziekenhuis")
    pages = clean(read(f"a.{source.format}", built)).pages
    return [places_of(block) for page in pages for block in page.blocks if block.kind is BlockKind.TABLE]


@pytest.mark.parametrize("extension", WRITERS)
def test_every_cell_of_a_demo_table_stands_where_its_source_has_it(extension: str) -> None:
    sources = {path.stem: source for path in WITH_TABLES if (source := read_source(path)).format == extension}
    wrong = [name for name, source in sources.items() if tables_as_built(source) != tables_of(source)]
    assert len(wrong) <= MAY_BE_WRONG.get(extension, 0), wrong


WITHOUT_TABLES = [path for path in find_sources() if path not in WITH_TABLES]


@pytest.mark.parametrize("path", WITHOUT_TABLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_page_without_a_table_has_none_in_pdf(path: Path) -> None:
    source = read_source(path)
    blocks = [
        block for page in clean(read("a.pdf", WRITERS["pdf"](source, "Ziekenhuis"))).pages for block in page.blocks
    ]
    assert [block.text for block in blocks if block.kind is BlockKind.TABLE] == []
