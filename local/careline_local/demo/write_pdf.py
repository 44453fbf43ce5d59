"""Renders a document as a printed brochure: running header and footer, page numbers, one or two columns."""

from __future__ import annotations

import zlib
from io import BytesIO
from typing import Any

from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, FrameBreak, NextPageTemplate, PageTemplate
from reportlab.platypus import Paragraph as SetParagraph
from reportlab.platypus.doctemplate import LayoutError

from careline_local.demo.lay_out_pdf import ACCENT, RULE, lay_out, set_line, styles
from careline_local.demo.page_furniture import closing_lines, furniture_for, header_line, number_line, printed_line
from careline_local.demo.parse_markdown import DocumentError, MarkdownTable
from careline_local.demo.read_source import DocumentSource

PAGE_WIDTH, PAGE_HEIGHT = A4
MARGIN = 20 * mm
TOP = PAGE_HEIGHT - 28 * mm
BOTTOM = 22 * mm
TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN
COLUMN_GAP = 8 * mm
TWO_COLUMNS_ONE_IN = 3
WIDEST_TABLE_IN_A_COLUMN = 3


class Brochure(Canvas):
    """A canvas that knows, when it is saved, how many pages there are, and only then writes the footers."""

    def __init__(self, *arguments: Any, source: DocumentSource, hospital: str, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.source = source
        self.hospital = hospital
        self.pages = 0

    def start_page(self) -> None:
        """Draw the running header."""
        self.pages += 1
        self.saveState()
        self.setFillColor(ACCENT)
        self.setFont("Helvetica-Bold", 9)
        self.drawString(MARGIN, PAGE_HEIGHT - 14 * mm, set_line(self.hospital))
        self.setFont("Helvetica", 8)
        self.drawRightString(PAGE_WIDTH - MARGIN, PAGE_HEIGHT - 14 * mm, set_line(number_line(self.source)))
        self.drawString(MARGIN, PAGE_HEIGHT - 18.5 * mm, _cut(set_line(header_line(self.source)), 8, TEXT_WIDTH))
        self.setStrokeColor(RULE)
        self.line(MARGIN, PAGE_HEIGHT - 21 * mm, PAGE_WIDTH - MARGIN, PAGE_HEIGHT - 21 * mm)
        self.line(MARGIN, 16 * mm, PAGE_WIDTH - MARGIN, 16 * mm)
        self.restoreState()

    def end_page(self) -> None:
        """Leave a place for the footer, after the text, where a reader of the file's text expects it."""
        self.doForm(f"footer-{self.pages}")

    def save(self) -> None:
        page = furniture_for(self.source).page
        for number in range(1, self.pages + 1):
            self.beginForm(f"footer-{number}", 0, 0, PAGE_WIDTH, PAGE_HEIGHT)
            self.setFont("Helvetica", 8)
            self.setFillColor(ACCENT)
            self.drawString(MARGIN, 11 * mm, page.format(page=number, pages=self.pages))
            self.drawRightString(PAGE_WIDTH - MARGIN, 11 * mm, set_line(printed_line(self.source)))
            self.endForm()
        super().save()


def write_pdf(source: DocumentSource, hospital: str) -> bytes:
    """Return the PDF; the same source always gives the same bytes.

    Raises DocumentError when something does not fit a page or has no character in the fonts.
    """
    style = styles(furniture_for(source).hyphenation)
    columns = 2 if _in_two_columns(source) else 1
    width = (TEXT_WIDTH - COLUMN_GAP * (columns - 1)) / columns
    title, *content = lay_out(source.blocks, style, width)
    closing = [source.campus, *closing_lines(source)]
    content.extend(SetParagraph(set_line(line).replace("&", "&amp;"), style["small"]) for line in closing if line)
    written = BytesIO()
    brochure = BaseDocTemplate(
        written, pagesize=A4, invariant=1, lang=furniture_for(source).locale, title=source.title,
        author=source.authors or hospital, subject=str(source.facts.get("specialty", "")), creator=hospital,
        keywords=[source.doc_key],
    )  # fmt: skip
    brochure.addPageTemplates(_page_templates(title, columns, width))
    story = [title, NextPageTemplate("next"), FrameBreak(), *content]
    try:
        brochure.build(story, canvasmaker=lambda *a, **o: Brochure(*a, source=source, hospital=hospital, **o))
    except LayoutError as error:
        raise DocumentError(f"a part does not fit the printed page: {' '.join(str(error).split())[:200]}") from error
    return written.getvalue()


def _in_two_columns(source: DocumentSource) -> bool:
    """Say whether this is set in columns: one in three of those without a wide table, so about one in four of all.

    The choice follows from the document's own key, so that adding a document never changes another one's bytes.
    """
    widest = max((len(block.header) for block in source.blocks if isinstance(block, MarkdownTable)), default=0)
    return widest <= WIDEST_TABLE_IN_A_COLUMN and zlib.crc32(source.doc_key.encode()) % TWO_COLUMNS_ONE_IN == 0


def _page_templates(title: Flowable, columns: int, width: float) -> list[PageTemplate]:
    """Return the first page, whose title runs across all columns, and the page for everything after it."""
    _, height = title.wrap(TEXT_WIDTH, PAGE_HEIGHT)
    title_height = height + title.getSpaceBefore() + title.getSpaceAfter()
    banner = _frame(MARGIN, TOP - title_height, TEXT_WIDTH, title_height)
    return [
        _page("first", [banner, *_columns(columns, width, TOP - title_height - BOTTOM)]),
        _page("next", _columns(columns, width, TOP - BOTTOM)),
    ]


def _page(name: str, frames: list[Frame]) -> PageTemplate:
    return PageTemplate(name, frames, onPage=_start_page, onPageEnd=_end_page)


def _start_page(canvas: Canvas, _template: BaseDocTemplate) -> None:
    if isinstance(canvas, Brochure):
        canvas.start_page()


def _end_page(canvas: Canvas, _template: BaseDocTemplate) -> None:
    if isinstance(canvas, Brochure):
        canvas.end_page()


def _columns(columns: int, width: float, height: float) -> list[Frame]:
    return [_frame(MARGIN + place * (width + COLUMN_GAP), BOTTOM, width, height) for place in range(columns)]


def _frame(left: float, bottom: float, width: float, height: float) -> Frame:
    return Frame(left, bottom, width, height, leftPadding=0, rightPadding=0, topPadding=0, bottomPadding=0)


def _cut(text: str, size: float, width: float) -> str:
    """Return as much of `text` as fits `width` points."""
    while stringWidth(text, "Helvetica", size) > width:
        text = text.rstrip("…")[:-1].rstrip() + "…"
    return text
