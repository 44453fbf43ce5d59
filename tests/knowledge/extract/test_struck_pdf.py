"""Words of a PDF with a line through them: left out and told as struck, and what is only near a line kept."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from reportlab.lib import colors
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from careline.knowledge.extract import read
from careline.model import LeftOut

STYLE = getSampleStyleSheet()["BodyText"]
SIZE = 11
MIDDLE, BELOW = 0.28, -0.12
"""Of the font's size above the base line: where Word and LibreOffice strike and underline Arial."""


def said(content: bytes) -> tuple[str, str]:
    """What is told of a document, and what is left out as struck."""
    blocks = [block for page in read("a.pdf", content).pages for block in page.blocks]
    struck = " ".join(block.text for block in blocks if block.left_out is LeftOut.STRUCK)
    return "\n".join(block.text for block in blocks if block.left_out is None), struck


def drawn(draw: Callable[[Canvas], None]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    canvas.setFont("Helvetica", SIZE)
    canvas.drawString(72, 760, "Wat u betaalt in de cafetaria van ons ziekenhuis, per persoon en per dag.")
    draw(canvas)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def line_over(canvas: Canvas, x: float, y: float, text: str, at: float, before: float = 0, after: float = 0) -> None:
    """A thin rectangle, as Word draws a line over or below a run of text."""
    width = canvas.stringWidth(text, "Helvetica", SIZE)
    canvas.rect(x - before, y + at * SIZE, width + before + after, 0.6, stroke=0, fill=1)


def with_line(text: str, at: float, before: float = 0, after: float = 0) -> Callable[[Canvas], None]:
    def draw(canvas: Canvas) -> None:
        start = 72 + canvas.stringWidth("Dagschotel ", "Helvetica", SIZE)
        canvas.drawString(72, 700, f"Dagschotel {text} 9,80 euro")
        line_over(canvas, start, 700, text, at, before, after)

    return draw


@pytest.mark.parametrize("text", ["8,40", "8,40 euro", "acht euro veertig tot 1 mei"])
def test_words_with_a_line_through_them_are_not_told(text: str) -> None:
    told, struck = said(drawn(with_line(text, MIDDLE)))
    assert "Dagschotel 9,80 euro" in told
    assert struck == text


def test_a_line_that_begins_or_ends_a_little_beside_the_words_strikes_them() -> None:
    assert said(drawn(with_line("8,40 euro", MIDDLE, before=1, after=2)))[1] == "8,40 euro"


def test_a_line_below_words_strikes_none() -> None:
    told, struck = said(drawn(with_line("8,40 euro", BELOW)))
    assert ("8,40 euro 9,80 euro" in told, struck) == (True, "")


def test_a_line_on_both_sides_of_a_title_strikes_none() -> None:
    told, struck = said(drawn(with_line("8,40", MIDDLE, before=70, after=200)))
    assert ("8,40" in told, struck) == (True, "")


def test_a_struck_value_of_a_cell_leaves_the_table_as_it_is() -> None:
    cells = [
        ["Plaats", "Tarief"],
        ["P1", Paragraph("<strike>12,00</strike> 13,50", STYLE)],
        ["P2", Paragraph("<u>8,90</u>", STYLE)],
    ]
    out = io.BytesIO()
    table = Table(cells, colWidths=[90, 160], style=[("GRID", (0, 0), (-1, -1), 0.5, colors.black)])
    SimpleDocTemplate(out).build([Paragraph("Parkeren bij ons ziekenhuis", STYLE), table])
    told, struck = said(out.getvalue())
    assert "Plaats | Tarief\nP1 | 13,50\nP2 | 8,90" in told
    assert struck == "12,00"


def test_a_mark_that_strikes_text_out_is_read_as_a_line() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Dagschotel 8,40 9,80 euro")
        start = 72 + canvas.stringWidth("Dagschotel ", "Helvetica", SIZE)
        end = start + canvas.stringWidth("8,40", "Helvetica", SIZE)
        corners = [start, 710, end, 710, start, 697, end, 697]
        canvas.highlightAnnotation("", Rect=(start, 697, end, 710), QuadPoints=corners)

    content = drawn(draw)
    assert content.count(b"/Highlight") == 1
    told, struck = said(content.replace(b"/Highlight", b"/StrikeOut"))
    assert ("Dagschotel 9,80 euro" in told, struck) == (True, "8,40")
    assert said(content)[1] == "", "a highlight strikes nothing"


@pytest.mark.parametrize(
    ("font", "at"), [("Times-Roman", 0.03), ("Courier", 0.02)]
)
def test_the_line_of_a_form_at_the_foot_of_what_is_filled_in_strikes_nothing(font: str, at: float) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, SIZE)
        canvas.drawString(72, 700, "Aantal")
        canvas.drawString(130, 700, "vier bedden")
        canvas.line(130, 700 + at * SIZE, 130 + canvas.stringWidth("vier bedden", font, SIZE), 700 + at * SIZE)

    told, struck = said(drawn(draw))
    assert ("vier bedden" in told, struck) == (True, "")


@pytest.mark.parametrize(
    ("before", "old", "new"), [("", "4", "3"), ("", "12,00", "13,50"), ("ca.", "40", "30"), ("", "maandag", "dinsdag")]
)
def test_of_a_struck_value_and_the_new_one_right_behind_it_the_new_one_is_told(before: str, old: str, new: str) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, f"Maximum {before}{old}{new} g")
        start = 72 + canvas.stringWidth(f"Maximum {before}", "Helvetica", SIZE)
        line_over(canvas, start, 700, old, MIDDLE)

    told, struck = said(drawn(draw))
    assert f"Maximum {before} {new} g".replace("  ", " ") in told
    assert struck == old


def test_a_line_through_a_part_of_a_word_that_goes_on_beside_it_leaves_the_word_whole() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Maximum 4300 g")
        start = 72 + canvas.stringWidth("Maximum 43", "Helvetica", SIZE)
        canvas.rect(start, 700 + MIDDLE * SIZE, 300, 0.6, stroke=0, fill=1)

    told, struck = said(drawn(draw))
    assert ("Maximum 4300 g" in told, struck) == (True, "")
