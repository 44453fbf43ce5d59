"""PDF files made by reportlab: layout, recognition, and files that must be refused."""

from __future__ import annotations

import io
import shutil
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from pypdfium2 import PdfDocument
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, landscape
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    BaseDocTemplate,
    Frame,
    ListFlowable,
    ListItem,
    PageTemplate,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
)

from careline.errors import DocumentRejected
from careline.knowledge.extract import Limits, read
from careline.tables.extracted import Extracted

STYLES = getSampleStyleSheet()
SENTENCE = "De patiënt meldt zich op de dag van het onderzoek aan het onthaal van het ziekenhuis. "
needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


def drawn(draw: Callable[[Canvas], None], **options: Any) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=options.pop("pagesize", A4), **options)
    draw(canvas)
    canvas.save()
    return buffer.getvalue()


def flowing(story: Sequence[Any], **options: Any) -> bytes:
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, pagesize=A4, **options).build(list(story))
    return buffer.getvalue()


def heading(text: str, level: int = 1) -> Paragraph:
    return Paragraph(text, STYLES[f"Heading{level}"])


def items(*texts: str, **options: Any) -> ListFlowable:
    listed: list[Any] = [ListItem(body(text)) for text in texts]
    return ListFlowable(listed, **options)


def body(text: str) -> Paragraph:
    return Paragraph(text, STYLES["BodyText"])


def pages(count: int) -> bytes:
    def draw(canvas: Canvas) -> None:
        for number in range(count):
            canvas.drawString(72, 700, f"Bladzijde nummer {number} met wat tekst")
            canvas.showPage()

    return drawn(draw)


def blocks_of(extracted: Extracted) -> list[tuple[str, str]]:
    return [(block.kind.value, block.text) for page in extracted.pages for block in page.blocks]


def reason_of(content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRejected) as refused:
        read("a.pdf", content, limits)
    return refused.value.reason


def test_headings_paragraphs_and_lists_are_told_apart_by_how_they_are_set() -> None:
    story = [
        Paragraph("Parkeren bij het ziekenhuis", STYLES["Title"]),
        heading("Tarieven", 2),
        body(SENTENCE * 3),
        body("Tweede alinea. " + SENTENCE * 2),
        items("Neem uw kaart mee.", SENTENCE * 2, bulletType="bullet"),
        items("Neem een ticket.", "Betaal.", bulletType="1", bulletFormat="%s."),
    ]
    found = blocks_of(read("a.pdf", flowing(story)))
    assert [kind for kind, _ in found] == ["heading", "heading", "paragraph", "paragraph", *["list_item"] * 4]
    assert found[4][1] == "Neem uw kaart mee."
    assert found[6][1] == "1. Neem een ticket."
    assert " ".join(found[2][1].split()) == (SENTENCE * 3).strip()


def test_heading_levels_follow_size() -> None:
    story = [Paragraph("Titel", STYLES["Title"]), heading("Deel", 2), heading("Stuk", 3), body(SENTENCE)]
    levels = [block.level for block in read("a.pdf", flowing(story)).pages[0].blocks]
    assert levels == [1, 2, 3, 0]


def test_facts_come_from_the_information_of_the_file() -> None:
    content = flowing([body(SENTENCE)], title="Parkeren", author="An Peeters; Jan Maes", lang="nl-BE")
    stated = read("a.pdf", content).stated
    assert stated["title"] == "Parkeren"
    assert stated["authors"] == ("An Peeters", "Jan Maes")
    assert stated["language"] == "nl"
    assert isinstance(stated["year"], int)


def test_a_file_without_a_title_has_that_of_its_largest_heading() -> None:
    content = flowing([Paragraph("Parkeren", STYLES["Title"]), heading("x y z", 2), body(SENTENCE)])
    assert read("a.pdf", content).stated["title"] == "Parkeren"


def test_a_ruled_table_is_read_row_by_row_with_merged_cells_repeated() -> None:
    rows: list[list[Any]] = [
        ["Consultatie", "", "Uren"],
        ["Hart", "ma", "9-12"],
        ["", "di", "13-17"],
        ["Long", "wo", body("9-12 en<br/>13-15")],
    ]
    table = Table(rows, colWidths=[100, 80, 90])
    grid: list[Any] = [
        ("GRID", (0, 0), (-1, -1), 0.5, colors.black),
        ("SPAN", (0, 0), (1, 0)),
        ("SPAN", (0, 1), (0, 2)),
    ]
    table.setStyle([*grid, ("VALIGN", (0, 0), (-1, -1), "MIDDLE")])
    found = blocks_of(read("a.pdf", flowing([body(SENTENCE), table, Spacer(1, 12), body(SENTENCE)])))
    assert [kind for kind, _ in found] == ["paragraph", "table", "paragraph"]
    assert found[1][1] == "Consultatie |  | Uren\nHart | ma | 9-12\nHart | di | 13-17\nLong | wo | 9-12 en 13-15"


def test_a_table_without_lines_is_found_by_its_columns() -> None:
    rows = [
        ["Dag", "Van", "Tot"],
        ["Maandag", "8.00", "17.00"],
        ["Dinsdag", "8.30", "12.00"],
        ["Vrijdag", "8.00", "19.00"],
    ]
    found = blocks_of(read("a.pdf", flowing([body(SENTENCE), Spacer(1, 12), Table(rows, colWidths=[110, 80, 80])])))
    assert found[1] == (
        "table",
        "Dag | Van | Tot\nMaandag | 8.00 | 17.00\nDinsdag | 8.30 | 12.00\nVrijdag | 8.00 | 19.00",
    )


def test_a_box_around_text_is_not_a_table() -> None:
    box = Table([[body(SENTENCE)]], colWidths=[300])
    box.setStyle([("BOX", (0, 0), (-1, -1), 1, colors.black)])
    assert [kind for kind, _ in blocks_of(read("a.pdf", flowing([box])))] == ["paragraph"]


def test_two_columns_are_read_one_after_the_other_below_a_title_across_both() -> None:
    buffer = io.BytesIO()
    frames = [Frame(50, 50, 235, 650), Frame(310, 50, 235, 650)]

    def title(canvas: Canvas, _: Any) -> None:
        canvas.setFont("Helvetica-Bold", 20)
        canvas.drawString(60, 740, "Welkom in ons ziekenhuis en op onze dienst")

    document = BaseDocTemplate(buffer, pagesize=A4)
    document.addPageTemplates(PageTemplate(frames=frames, onPage=title))
    document.build([body(f"Begin{i} " + SENTENCE * 6 + f"Einde{i}.") for i in range(8)])
    text = " ".join(text for _, text in blocks_of(read("a.pdf", buffer.getvalue())))
    assert text.index("Welkom") < text.index("Begin0")
    marks = [word.strip(".") for word in text.split() if word.startswith(("Begin", "Einde"))]
    assert marks == [f"{mark}{i}" for i in range(8) for mark in ("Begin", "Einde")]


def test_a_title_that_ends_above_the_left_column_stays_whole() -> None:
    def page(canvas: Canvas) -> None:
        canvas.setFont("Helvetica-Bold", 19)
        canvas.drawString(50, 780, "Een eigen rolstoel huren of kopen: zo vraagt u")
        canvas.drawString(50, 757, "het aan")
        canvas.setFont("Helvetica", 10)
        for left in (50, 310):
            for row in range(12):
                canvas.drawString(left, 700 - 13 * row, f"Regel {row} van een kolom met gewone tekst erin.")

    found = blocks_of(read("a.pdf", drawn(page)))
    assert [text for kind, text in found if kind == "heading"] == [
        "Een eigen rolstoel huren of kopen: zo vraagt u\nhet aan"
    ]


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_is_read_as_it_is_seen(turn: int) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.setPageRotation(turn)
        width, height = A4
        canvas.translate(*{90: (width, 0), 180: (width, height), 270: (0, width)}[turn])
        canvas.rotate(turn)
        canvas.drawString(60, 500, "Eerste regel van de tekst")
        canvas.drawString(60, 486, "en de tweede regel daarvan.")

    assert blocks_of(read("a.pdf", drawn(draw))) == [
        ("paragraph", "Eerste regel van de tekst\nen de tweede regel daarvan.")
    ]


def test_page_numbers_count_as_a_reader_counts_and_empty_pages_stay() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Een")
        canvas.showPage()
        canvas.showPage()
        canvas.drawString(72, 700, "Drie")

    extracted = read("a.pdf", drawn(draw))
    assert extracted.paged
    assert [(page.number, page.text) for page in extracted.pages] == [(1, "Een"), (2, ""), (3, "Drie")]


def scanned(text: str, *, extra: str = "") -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (1654, 2339), 255)
    font = ImageFont.truetype("DejaVuSans.ttf", 36)
    ImageDraw.Draw(image).multiline_text((150, 200), text, fill=0, font=font, spacing=14)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(io.BytesIO(buffer.getvalue())), 0, 0, *A4)
        canvas.drawString(72, 40, extra)

    return drawn(draw)


@needs_tesseract
def test_a_scanned_page_is_recognised() -> None:
    extracted = read(
        "a.pdf", scanned("Bezoekuren\n\nElke dag van 14 tot 20 uur bent u welkom\nop de afdeling cardiologie.")
    )
    assert extracted.pages[0].ocr
    text = " ".join(extracted.pages[0].text.split())
    assert "Elke dag van 14 tot 20 uur bent u welkom op de afdeling cardiologie." in text


@needs_tesseract
def test_a_page_that_takes_too_long_to_recognise_is_named_in_a_warning() -> None:
    extracted = read(
        "a.pdf", scanned("Bezoekuren", extra="Eigen tekst van de pagina"), Limits(ocr_seconds_per_page=0.001)
    )
    assert extracted.pages[0].text == "Eigen tekst van de pagina"
    assert "Page 1" in extracted.warnings[0]


def test_without_tesseract_a_scanned_page_is_refused_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(DocumentRejected) as refused:
        read("a.pdf", scanned("Bezoekuren"))
    assert refused.value.reason == "ocr_unavailable"
    assert "Page 1" in refused.value.message
    assert "tesseract-ocr-nld" in refused.value.message


def test_without_the_language_a_scanned_page_is_refused_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "tesseract"
    program.write_text("#!/bin/sh\necho osd\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(DocumentRejected) as refused:
        read("a.pdf", scanned("Bezoekuren"))
    assert refused.value.reason == "ocr_unavailable"
    assert "Install tesseract-ocr-nld" in refused.value.message


def test_without_tesseract_a_cover_with_a_picture_keeps_its_own_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    extracted = read("a.pdf", scanned("", extra="Welkom in het ziekenhuis"))
    assert extracted.pages[0].text == "Welkom in het ziekenhuis"
    assert len(extracted.warnings) == 1


def test_a_document_without_text_or_picture_is_refused() -> None:
    assert reason_of(drawn(lambda canvas: canvas.line(10, 10, 500, 10))) == "no_text"


def test_a_document_with_a_password_is_refused_and_one_with_mere_restrictions_is_read() -> None:
    locked = drawn(
        lambda canvas: canvas.drawString(72, 700, "geheim"), encrypt=StandardEncryption("open", ownerPassword="own")
    )
    restricted = drawn(
        lambda canvas: canvas.drawString(72, 700, "leesbaar"),
        encrypt=StandardEncryption("", ownerPassword="own", canPrint=0),
    )
    assert reason_of(locked) == "encrypted"
    assert read("a.pdf", restricted).pages[0].text == "leesbaar"


def test_a_document_that_was_cut_off_is_corrupt() -> None:
    content = pages(5)
    for share in (0.1, 0.5, 0.9):
        assert reason_of(content[: int(len(content) * share)]) == "corrupt"


def test_a_document_whose_structure_is_gone_is_corrupt() -> None:
    assert reason_of(b"%PDF-1.7\nniets\n%%EOF\n") == "corrupt"


def test_a_document_with_too_many_pages_is_refused_before_one_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    content = pages(2000)
    monkeypatch.setattr(PdfDocument, "get_page", lambda _, index: pytest.fail(f"page {index} was opened"))
    assert reason_of(content) == "too_many_pages"


def test_a_document_with_too_many_characters_is_refused_on_the_way() -> None:
    assert reason_of(pages(50), Limits(max_characters=500)) == "too_large"


@pytest.mark.parametrize("layers", [1, 2])
def test_a_stream_that_unpacks_without_end_is_refused(layers: int) -> None:
    unpacker, packed = zlib.compressobj(9), b""
    packed = b"".join(unpacker.compress(b" " * 1_000_000) for _ in range(300)) + unpacker.flush()
    for _ in range(layers - 1):
        packed = zlib.compress(packed, 9)
    content = pages(1)
    bomb = b"9 0 obj\n<</Length %d/Filter[%s]>>\nstream\n%s\nendstream\nendobj\n"
    filled = bomb % (len(packed), b"/FlateDecode" * layers, packed)
    assert reason_of(content.replace(b"xref\n", filled + b"xref\n", 1)) == "zip_bomb"


def test_documents_may_be_read_by_several_threads_at_once() -> None:
    contents = [flowing([heading(f"Titel{i}"), body(SENTENCE * 40)]) for i in range(6)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda content: read("a.pdf", content), contents))
    assert [extracted.pages[0].blocks[0].text for extracted in found] == [f"Titel{i}" for i in range(6)]


def test_a_wide_page_and_a_tiny_one_are_read() -> None:
    assert (
        read("a.pdf", drawn(lambda canvas: canvas.drawString(72, 72, "breed"), pagesize=landscape(A4))).pages[0].text
        == "breed"
    )
    tiny = drawn(lambda canvas: canvas.drawString(0, 0, "klein"), pagesize=(3, 3))
    assert read("a.pdf", tiny).pages[0].text == "klein"
