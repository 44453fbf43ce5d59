"""Tables of many shapes through every format: each value is read with exactly the labels that it was drawn with."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.tables.extracted import Block, BlockKind, Cell
from tests.knowledge.tables.table_shapes import BETWEEN_HEADERS, Shape, SideBySide, sets_side_by_side, shapes, told_of

STYLE = ParagraphStyle("cell", getSampleStyleSheet()["BodyText"], fontSize=9, leading=11, spaceBefore=0)
some = settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
widely = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Other tables each time: no shape at all may be told wrongly."""

UNLINED = ["no lines", "zebra", "right-aligned"]


def with_values_between_headers(test: Callable[..., None]) -> Callable[..., None]:
    for shape in BETWEEN_HEADERS:
        test = example(shape=shape)(test)
    return test


def tables_of(name: str, content: bytes) -> list[Block]:
    return [
        block for page in clean(read(name, content)).pages for block in page.blocks if block.kind is BlockKind.TABLE
    ]


def assert_told(shape: Shape, name: str, content: bytes) -> None:
    found = tables_of(name, content)
    assert len(found) == 1, [block.text for block in found]
    assert told_of(found[0]) == shape.told(), found[0].text


def wrongly_told(shape: Shape, content: bytes) -> list[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Values that are told with other labels than they were drawn with. A column without a name beside named ones is
    not told."""
    right = shape.told()
    told = [one for block in tables_of("a.pdf", content) for one in told_of(block)]
    named = any(path for _, path, _ in told)
    return [one for one in told if one not in right and (one[1] or not named)]


def by_row(cells: Sequence[Cell]) -> list[list[Cell]]:
    height = max(cell.row for cell in cells) + 1
    return [sorted((cell for cell in cells if cell.row == row), key=lambda cell: cell.column) for row in range(height)]


def plain_rows(shape: Shape) -> list[list[str]]:
    """Rows of texts for formats that cannot merge cells: a merged cell stands in its first place."""
    rows = []
    for row in by_row(list(shape.cells())):
        texts = [""] * shape.width
        for cell in row:
            texts[cell.column] = cell.text
        rows.append(texts)
    return rows


def as_html(shape: Shape) -> bytes:
    lines = []
    for row in by_row(list(shape.cells())):
        cells, at = [], 0
        above = {(c.row, c.column): c for c in shape.cells()}
        for cell in row:
            while at < cell.column:
                covered = any(r < cell.row < r + c.rows and k == at for (r, k), c in above.items())
                cells.append("" if covered else "<td></td>")
                at += 1
            tag = "th" if cell.header else "td"
            text = escape(cell.text).replace("¹", "<sup>1</sup>")
            cells.append(f'<{tag} rowspan="{cell.rows}" colspan="{cell.columns}">{text}</{tag}>')
            at += cell.columns
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return f"<html><body><p>Tabel</p><table>{''.join(lines)}</table></body></html>".encode()


def as_docx(shape: Shape) -> bytes:
    document = docx.Document()
    document.add_paragraph("Een tabel.")
    cells = list(shape.cells())
    table = document.add_table(max(cell.row + cell.rows for cell in cells), shape.width)
    for cell in cells:
        box = table.cell(cell.row, cell.column)
        box = box.merge(table.cell(cell.row + cell.rows - 1, cell.column + cell.columns - 1))
        text, sign, _ = cell.text.partition("¹")
        box.paragraphs[0].add_run(text).bold = cell.header
        if sign:
            box.paragraphs[0].add_run("1").font.superscript = True
    for row in table.rows[: shape.header_rows]:
        row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def as_pdf(shape: Shape, style: str, *, repeated: bool = True, wrapped: bool = False, padding: int = 6) -> bytes:
    cells = list(shape.cells())
    height = max(cell.row + cell.rows for cell in cells)
    grid: list[list[Any]] = [[""] * shape.width for _ in range(height)]
    commands: list[Any] = [("FONTSIZE", (0, 0), (-1, -1), 9), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    commands += [(f"{side}PADDING", (0, 0), (-1, -1), padding) for side in ("LEFT", "RIGHT")]
    for cell in cells:
        text = escape(cell.text).replace("¹", "<super>1</super>")
        as_paragraph = wrapped or "¹" in cell.text
        alignment: Any = {"right-aligned": 2, "lines across": 1}.get(style, 0) if cell.column else 0
        alignment = 2 if style == "values right" and cell.column and not cell.header else alignment
        alignment = 1 if style == "heads centred" and cell.header and cell.columns < shape.width else alignment
        aligned = ParagraphStyle("aligned", STYLE, alignment=1 if cell.columns > 1 else alignment)
        bold = f"<b>{text}</b>" if cell.header and style == "full grid" else text
        grid[cell.row][cell.column] = Paragraph(bold, aligned) if as_paragraph else cell.text
        end = cell.column + cell.columns - 1, cell.row + cell.rows - 1
        if end != (cell.column, cell.row):
            commands.append(("SPAN", (cell.column, cell.row), end))
        if cell.header and style == "full grid":
            commands.append(("FONTNAME", (cell.column, cell.row), end, "Helvetica-Bold"))
        side = "CENTER" if cell.columns > 1 else {2: "RIGHT", 1: "CENTER", 0: "LEFT"}[alignment]
        if cell.column or alignment == 1:
            commands.append(("ALIGN", (cell.column, cell.row), end, side))
        if style == "lines across" and cell.row < shape.header_rows and cell.columns > 1:
            commands.append(("LINEBELOW", (cell.column, cell.row), end, 0.4, colors.black))
    lines: dict[str, list[Any]] = {
        "full grid": [("GRID", (0, 0), (-1, -1), 0.5, colors.black)],
        "lines across": [
            ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
            ("LINEBELOW", (0, shape.header_rows - 1), (-1, shape.header_rows - 1), 0.5, colors.black),
            ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
        ],
        "zebra": [("ROWBACKGROUNDS", (0, 0), (-1, -1), [colors.whitesmoke, colors.white])],
    }
    commands += lines.get(style, [])
    widths = [110, *[min(90, 380 / (shape.width - 1))] * (shape.width - 1)]
    table = Table(grid, colWidths=widths, repeatRows=shape.header_rows if repeated else 0)
    table.setStyle(commands)
    written = io.BytesIO()
    around = Paragraph("Deze tabel geldt voor alle patiënten van het ziekenhuis.", STYLE)
    SimpleDocTemplate(written, pagesize=A4).build([around, Spacer(1, 14), table, Spacer(1, 14), around])
    return written.getvalue()


@many
@given(shapes(most_rows=12, most_columns=7, long_cells=True))
def test_every_value_of_an_html_table_keeps_its_labels(shape: Shape) -> None:
    assert_told(shape, "a.html", as_html(shape))


@some
@given(shapes(most_rows=8, most_columns=5, long_cells=True), st.sampled_from(["", "\n", "\n\n"]))
def test_every_value_of_an_html_table_in_markdown_keeps_its_labels(shape: Shape, apart: str) -> None:
    table = as_html(shape).decode().partition("<p>Tabel</p>")[2].removesuffix("</body></html>")
    assert_told(shape, "a.md", f"# Tabel\n\n{table.replace('</tr>', f'</tr>{apart}')}\n\nSlot.".encode())


@some
@given(sets_side_by_side())
def test_tables_set_side_by_side_in_one_are_told_row_by_row(sets: SideBySide) -> None:
    rows = list(sets.lines())
    lines = [" | ".join(row) for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]]]
    found = tables_of("a.md", ("Tabel:\n\n" + "\n".join(f"| {line} |" for line in lines) + "\n\nSlot.").encode())
    assert len(found) == 1
    assert told_of(found[0]) == sets.told()


@pytest.mark.parametrize(("name", "write"), [("a.html", as_html), ("a.docx", as_docx)])
@settings(some, max_examples=10)
@given(shape=shapes(most_rows=7, most_columns=4).filter(lambda shape: shape.is_grouped))
def test_a_merged_cell_that_names_several_rows_is_no_header(
    name: str, write: Callable[[Shape], bytes], shape: Shape
) -> None:
    beside = replace(shape, beside=True, corner="Campus")
    assert_told(beside, name, write(beside))


@some
@given(shapes(long_cells=True))
def test_every_value_of_a_docx_table_keeps_its_labels(shape: Shape) -> None:
    assert_told(shape, "a.docx", as_docx(shape))


@many
@given(shapes(most_rows=12, most_columns=7, long_cells=True), st.booleans())
def test_every_value_of_a_markdown_table_keeps_its_labels(shape: Shape, framed: bool) -> None:
    rows = plain_rows(shape)
    rows.insert(shape.header_rows, ["---"] * shape.width)
    lines = [" | ".join(row).rstrip() if not framed and row[0] else f"| {' | '.join(row)} |" for row in rows]
    assert_told(shape, "a.md", ("Tabel:\n\n" + "\n".join(lines) + "\n\nSlot.").encode())


@many
@given(shapes(most_rows=12, most_columns=7))
def test_every_value_of_a_table_with_tabs_keeps_its_labels(shape: Shape) -> None:
    lines = ["\t".join(row) for row in plain_rows(shape)]
    assert_told(shape, "a.txt", ("Tabel.\n\n" + "\n".join(lines) + "\n\nSlot.").encode())


@many
@given(shapes(most_rows=12, most_columns=5))
def test_every_value_of_a_table_set_with_spaces_keeps_its_labels(shape: Shape) -> None:
    rows = plain_rows(shape)
    widths = [max(map(len, column)) + 3 for column in zip(*rows, strict=True)]
    lines = ["".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows]
    assert_told(shape, "a.txt", ("Tabel.\n\n" + "\n".join(lines) + "\n\nSlot.").encode())


@pytest.mark.parametrize("style", ["full grid", "lines across"])
@some
@given(shape=shapes(most_columns=5))
def test_every_value_of_a_pdf_table_with_lines_keeps_its_labels(style: str, shape: Shape) -> None:
    assert_told(shape, "a.pdf", as_pdf(shape, style))


@pytest.mark.parametrize("style", [*UNLINED, "heads centred"])
@some
@given(shape=shapes(most_columns=5).filter(lambda shape: shape.header_rows == 1))
def test_every_value_of_a_pdf_table_without_lines_keeps_its_labels(style: str, shape: Shape) -> None:
    assert_told(shape, "a.pdf", as_pdf(shape, style))


@pytest.mark.parametrize("padding", [6, 2])
@pytest.mark.parametrize("style", [*UNLINED, "values right", "heads centred"])
@widely
@given(shape=shapes(most_columns=8))
@with_values_between_headers
def test_a_value_under_several_headers_without_lines_is_told_with_its_own_or_not_at_all(
    style: str, padding: int, shape: Shape
) -> None:
    wrong = wrongly_told(shape, as_pdf(shape, style, padding=padding))
    assert not wrong, (wrong[0], shape)


@pytest.mark.parametrize("style", [*UNLINED, "values right", "heads centred"])
def test_most_values_are_told_wherever_in_their_column_they_are_set(style: str) -> None:
    told: list[object] = []
    drawn: list[object] = []

    @settings(some, max_examples=40)
    @given(
        shapes(most_columns=5).filter(
            lambda shape: all(map(any, zip(*(values for _, values in shape.rows), strict=True)))
        )
    )
    def read_one(shape: Shape) -> None:
        found = {one for block in tables_of("a.pdf", as_pdf(shape, style)) for one in told_of(block)}
        told.extend(one for one in shape.told() if one in found)
        drawn.extend(shape.told())

    read_one()
    assert len(told) >= 0.9 * len(drawn)


@pytest.mark.parametrize("style", UNLINED)
def test_most_tables_with_several_header_rows_without_lines_are_told_whole(style: str) -> None:
    whole = []

    @settings(some, max_examples=40)
    @given(shapes(most_columns=5).filter(lambda shape: shape.header_rows > 1))
    def read_one(shape: Shape) -> None:
        found = tables_of("a.pdf", as_pdf(shape, style))
        whole.append(len(found) == 1 and told_of(found[0]) == shape.told())

    read_one()
    assert sum(whole) >= 0.8 * len(whole)


@some
@given(shapes(long_cells=True, most_columns=5))
def test_every_value_of_a_pdf_table_with_wrapped_cells_keeps_its_labels(shape: Shape) -> None:
    assert_told(shape, "a.pdf", as_pdf(shape, "full grid", wrapped=True))


@pytest.mark.parametrize("style", ["full grid"])
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(shape=shapes(most_rows=90, most_columns=4).filter(lambda shape: len(shape.rows) > 45), repeated=st.booleans())
def test_a_pdf_table_over_pages_is_one_table(style: str, shape: Shape, repeated: bool) -> None:
    assert_told(shape, "a.pdf", as_pdf(shape, style, repeated=repeated))
