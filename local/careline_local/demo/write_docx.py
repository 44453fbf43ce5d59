"""Renders a document as a Word file built from real styles, so that headings, lists and tables survive extraction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from docx import Document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Mm, Pt, RGBColor
from docx.table import _Cell
from docx.text.paragraph import Paragraph as WordParagraph
from docx.text.run import Run

from careline_local.demo.page_furniture import closing_lines, furniture_for, header_line, number_line, printed_line
from careline_local.demo.parse_markdown import Block, Heading, InlineSpan, Listing, MarkdownTable, Paragraph
from careline_local.demo.read_source import DocumentSource

WRITTEN = datetime(2026, 1, 5, 9, 0)
ZIPPED = (2026, 1, 5, 9, 0, 0)
ACCENT = RGBColor(0x0F, 0x5E, 0x73)
PAGE_FIELDS = {"{page}": "PAGE", "{pages}": "NUMPAGES"}
DEEPEST_LIST_STYLE = 3


def write_docx(source: DocumentSource, hospital: str) -> bytes:
    """Return the Word file; the same source always gives the same bytes."""
    word = Document()
    _set_page(word, source)
    _set_properties(word, source, hospital)
    _fill_header_and_footer(word, source, hospital)
    for block in source.blocks:
        _add_block(word, block, depth=1)
    for line in filter(None, [source.campus, *closing_lines(source)]):
        word.add_paragraph().add_run(line).font.size = Pt(8)
    written = BytesIO()
    word.save(written)
    return _without_clock(written)


def _set_page(word: WordDocument, source: DocumentSource) -> None:
    section = word.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(25)
    section.top_margin = section.bottom_margin = Mm(25)
    word.styles["Normal"].font.size = Pt(10.5)
    for level in range(1, 4):
        word.styles[f"Heading {level}"].font.color.rgb = ACCENT
    for language in word.styles.element.iter(qn("w:lang")):
        language.set(qn("w:val"), furniture_for(source).locale)


def _set_properties(word: WordDocument, source: DocumentSource, hospital: str) -> None:
    properties = word.core_properties
    properties.title = source.title
    properties.author = properties.last_modified_by = (source.authors or hospital)[:255]
    properties.language = furniture_for(source).locale
    properties.subject = str(source.facts.get("specialty", ""))
    properties.comments = ""
    properties.created = properties.modified = WRITTEN
    properties.revision = 1


def _fill_header_and_footer(word: WordDocument, source: DocumentSource, hospital: str) -> None:
    section = word.sections[0]
    header = section.header.paragraphs[0]
    header.add_run(hospital).bold = True
    header.add_run(f"\t\t{number_line(source)}")
    title = section.header.add_paragraph()
    title.add_run(header_line(source))
    footer = section.footer.paragraphs[0]
    for part in re.split(r"(\{pages?\})", furniture_for(source).page):
        if part in PAGE_FIELDS:
            _add_field(footer, PAGE_FIELDS[part])
        else:
            footer.add_run(part)
    footer.add_run(f"\t\t{printed_line(source)}")
    for run in [*header.runs, *title.runs, *footer.runs]:
        run.font.size = Pt(8)


def _add_field(paragraph: WordParagraph, instruction: str) -> None:
    """Add a number that the word processor works out; "1" is shown until it has."""
    run = paragraph.add_run("1")
    run.font.size = Pt(8)
    _wrap(run, "w:fldSimple", "w:instr", instruction)


def _add_block(word: WordDocument, block: Block, depth: int) -> None:
    match block:
        case Heading(level, spans):
            _add_spans(_paragraph(word, f"Heading {level}"), spans)
        case Paragraph(spans, set_off):
            style = "Intense Quote" if set_off else "Normal" if depth == 1 else "List Continue"
            _add_spans(_paragraph(word, style), spans)
        case Listing():
            _add_listing(word, block, depth)
        case MarkdownTable():
            _add_table(word, block)


def _paragraph(word: WordDocument, style: str) -> WordParagraph:
    """Return a new paragraph in one of the built-in styles, whose ids are their names without spaces.

    The library looks a style up by reading all of them, which was more than half of the time a document took.
    """
    paragraph = word.add_paragraph()
    paragraph._p.style = style.replace(" ", "")
    return paragraph


def _add_listing(word: WordDocument, listing: Listing, depth: int) -> None:
    kind = "List Bullet" if listing.start is None else "List Number"
    style = kind if depth == 1 else f"{kind} {min(depth, DEEPEST_LIST_STYLE)}"
    numbering = None if listing.start is None else _restarted_numbering(word, style, listing.start)
    for entry in listing.entries:
        paragraph = _paragraph(word, style)
        if numbering is not None:
            properties = paragraph._p.get_or_add_pPr().get_or_add_numPr()  # type: ignore[attr-defined]
            properties.get_or_add_ilvl().val = 0
            properties.get_or_add_numId().val = numbering
        _add_spans(paragraph, entry.spans)
        for block in entry.nested:
            _add_block(word, block, depth + 1)


def _restarted_numbering(word: WordDocument, style: str, start: int) -> int:
    """Return a numbering of its own for one list; without it every list would go on counting from the one before."""
    used = word.styles[style].element.pPr.numPr.numId.val
    definitions = word.part.numbering_part.element
    abstract = definitions.num_having_numId(used).abstractNumId.val
    numbering = definitions.add_num(abstract)
    numbering.add_lvlOverride(ilvl=0).add_startOverride(val=start)
    return int(numbering.numId)


def _add_table(word: WordDocument, table: MarkdownTable) -> None:
    """Add a ruled table whose bold first row repeats on every page it reaches."""
    columns = len(table.header)
    grid = word.add_table(rows=len(table.rows) + 1, cols=columns, style="Table Grid")
    cells: list[_Cell] = grid._cells
    for place, spans in enumerate(cell for row in (table.header, *table.rows) for cell in row):
        paragraph = cells[place].paragraphs[0]
        paragraph.paragraph_format.space_after = Pt(2)
        _add_spans(paragraph, spans, bold=place < columns)
    grid.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    word.add_paragraph().paragraph_format.space_after = Pt(2)


def _add_spans(paragraph: WordParagraph, spans: Sequence[InlineSpan], bold: bool = False) -> None:
    for span in spans:
        run = paragraph.add_run(span.text)
        run.bold = True if span.bold or bold else None
        run.italic = True if span.italic else None
        if span.link:
            run.font.color.rgb = ACCENT
            run.font.underline = True
            address = paragraph.part.relate_to(span.link, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
            _wrap(run, "w:hyperlink", "r:id", address)


def _wrap(run: Run, tag: str, attribute: str, value: str) -> None:
    """Put an element that the library has no class for around a run, where the run stands."""
    around = OxmlElement(tag)
    around.set(qn(attribute), value)
    run._r.addprevious(around)  # type: ignore[arg-type]
    around.append(run._r)


def _without_clock(written: BytesIO) -> bytes:
    """Return the same package with a fixed time on every part; the library stamps them with the time of writing."""
    fixed = BytesIO()
    with ZipFile(written) as package, ZipFile(fixed, "w") as copy:
        for name in package.namelist():
            copy.writestr(ZipInfo(name, ZIPPED), package.read(name), ZIP_DEFLATED)
    return fixed.getvalue()
