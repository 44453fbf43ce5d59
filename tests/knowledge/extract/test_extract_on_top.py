"""What lies on top of a PDF's page is read, and letters that its fonts do not name are counted and told."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import reportlab
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from careline.knowledge.extract import read
from careline.knowledge.extract.pdf import ocr
from careline.tables.extracted import Extracted

SENTENCE = "De patiënt meldt zich op de dag van het onderzoek aan het onthaal van het ziekenhuis."
HIDDEN, NO_VIEW = 2, 32


def drawn(draw: Callable[[Canvas], None]) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=0)
    draw(canvas)
    canvas.save()
    return buffer.getvalue()


def texts(extracted: Extracted) -> list[str]:
    return [block.text for page in extracted.pages for block in page.blocks]


def a_form(canvas: Canvas) -> None:
    canvas.drawString(72, 700, "Formulier voor de opname")
    form = canvas.acroForm
    form.textfield(name="dienst", tooltip="Naam van de dienst:", value="Cardiologie 03 123 45 67", x=72, y=600)
    form.textfield(name="contact_persoon", tooltip="", value="Jan Peeters", x=72, y=580)
    form.textfield(name="Text12", tooltip="", value="Elke werkdag", x=72, y=570)
    form.textfield(name="leeg", tooltip="Opmerkingen", value="", x=72, y=560)
    form.textfield(name="geheim", tooltip="Wachtwoord", value="xyzzy", fieldFlags="password", x=72, y=540)
    form.checkbox(name="nuchter", tooltip="Nuchter", checked=True, x=72, y=520)
    form.checkbox(name="zwanger", tooltip="Zwanger", checked=False, x=72, y=500)
    form.choice(name="dag", tooltip="Dag", value="ma", options=[("maandag", "ma"), ("dinsdag", "di")], x=72, y=480)
    form.radio(name="vervoer", tooltip="Vervoer", value="auto", selected=True, x=72, y=460)
    form.radio(name="vervoer", tooltip="Vervoer", value="fiets", selected=False, x=72, y=440)


def test_values_of_form_fields_are_read_with_their_labels_and_empty_ones_and_passwords_are_not() -> None:
    found = texts(read("a.pdf", drawn(a_form)))
    assert found[0] == "Formulier voor de opname"
    assert found[1:6] == [
        "Naam van de dienst: Cardiologie 03 123 45 67", "contact persoon: Jan Peeters", "Elke werkdag", "Nuchter: Yes",
        "Dag: maandag",
    ]  # fmt: skip
    assert found[6:] == ["Vervoer: auto"]


def test_a_form_without_any_text_of_the_page_is_a_document() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.line(10, 10, 500, 10)
        canvas.acroForm.textfield(name="tel", tooltip="Telefoon", value="03 123", x=9, y=9)

    assert texts(read("a.pdf", drawn(draw))) == ["Telefoon: 03 123"]


def test_text_boxes_and_notes_are_read_and_hidden_ones_are_not() -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(72, 700, "Bezoek")
        canvas.freeTextAnnotation("Vanaf 1 mei\nook op zondag", "/Helv 10 Tf 0 g", Rect=[72, 400, 300, 430])
        canvas.textAnnotation("Zie ook de folder", Rect=[300, 300, 320, 320])
        for number, flag in enumerate((HIDDEN, NO_VIEW)):
            canvas.freeTextAnnotation(f"verborgen {number}", "/Helv 10 Tf 0 g", Rect=[72, 99, 300, 120], F=flag)

    content = drawn(draw)
    assert content.count(b"/F 2") + content.count(b"/F 32") >= 2
    assert texts(read("a.pdf", content)) == ["Bezoek", "Vanaf 1 mei ook op zondag", "Zie ook de folder"]


def with_unknown_letters(share: float, code: bytes, *, pages: int = 1) -> bytes:
    """Pages of which this share of lines is in a font whose glyphs all map to `code`."""
    font = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
    pdfmetrics.registerFont(TTFont("Vera", str(font)))

    def draw(canvas: Canvas) -> None:
        for _ in range(pages):
            for line in range(20):
                canvas.setFont("Vera" if line < 20 * share else "Helvetica", 9)
                canvas.drawString(60, 780 - 14 * line, SENTENCE)
            canvas.showPage()

    return re.sub(rb"<([0-9A-F]{2})> <[0-9A-F]{4}>", rb"<\1> <" + code + rb">", drawn(draw))


@pytest.mark.parametrize("code", [b"0000", b"FFFD", b"E012", b"0005", b"F8E5"])
def test_letters_that_the_fonts_do_not_name_are_told_with_page_and_share(
    code: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    extracted = read("a.pdf", with_unknown_letters(0.3, code))
    (warning,) = extracted.warnings
    assert re.search(r"3\d% of page 1", warning)
    assert "tesseract" in warning
    assert "Export the file again" in warning
    assert SENTENCE in " ".join(texts(extracted)[-1].split())


def test_a_font_that_names_no_letter_at_all_is_found_by_its_missing_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the table pdfium gives the code in the file for the letter, which may be anything."""
    monkeypatch.setenv("PATH", "/nonexistent")
    named = with_unknown_letters(1.0, b"00EB")
    unnamed = re.sub(rb"/ToUnicode \d+ 0 R", lambda found: b" " * len(found.group()), named)
    (warning,) = read("a.pdf", unnamed).warnings
    assert "of page 1" in warning


def test_many_such_pages_are_one_warning_of_bounded_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    (warning,) = read("a.pdf", with_unknown_letters(0.3, b"0000", pages=60)).warnings
    assert "and 40 pages more" in warning
    assert len(warning) < 1000


def test_a_page_that_loses_letters_is_recognised_where_that_is_possible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "languages_for", lambda *_: "nld")
    monkeypatch.setattr(ocr, "read_picture", lambda *_: (SENTENCE + "\n") * 20)
    extracted = read("a.pdf", with_unknown_letters(0.3, b"0000"))
    assert extracted.pages[0].ocr
    assert extracted.warnings == ()
    assert " ".join(texts(extracted)).count("onthaal") == 20


def test_a_few_signs_without_a_name_are_no_reason_to_recognise_a_page_or_to_warn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ocr, "read_picture", lambda *_: pytest.fail("a good page was recognised"))

    def draw(canvas: Canvas) -> None:
        for line in range(20):
            canvas.setFont("Symbol", 9)
            canvas.drawString(50, 780 - 14 * line, "\u2022")
            canvas.setFont("Helvetica", 9)
            canvas.drawString(60, 780 - 14 * line, SENTENCE)

    assert read("a.pdf", drawn(draw)).warnings == ()


def test_a_title_that_is_no_utf_16_is_no_title() -> None:
    content = drawn(lambda canvas: canvas.drawString(72, 700, SENTENCE))
    broken = re.sub(rb"/Title \([^)]*\)", b"/Title <FEFFD83D0041>", content)
    assert broken != content
    assert texts(read("a.pdf", broken)) == [SENTENCE]
