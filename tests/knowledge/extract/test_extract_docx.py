"""DOCX files made by python-docx, and archives made to do harm."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement

from careline.errors import DocumentRejected
from careline.knowledge.extract import Limits, read
from careline.model import LeftOut
from careline.tables.extracted import Extracted


def a_docx(fill: Callable[[Any], None]) -> bytes:
    document = docx.Document()
    fill(document)
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def changed(content: bytes, part: str, change: Callable[[bytes], bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            new.writestr(entry.filename, change(old.read(entry)) if entry.filename == part else old.read(entry))
    return buffer.getvalue()


def simple() -> bytes:
    return a_docx(lambda document: document.add_paragraph("Bezoekuren van 14 tot 20 uur."))


def blocks_of(extracted: Extracted) -> list[tuple[str, str, int]]:
    return [(block.kind.value, block.text, block.level) for block in extracted.pages[0].blocks]


def reason_of(content: bytes, limits: Limits | None = None) -> str:
    with pytest.raises(DocumentRejected) as refused:
        read("a.docx", content, limits)
    return refused.value.reason


def test_headings_lists_and_tables_are_read_in_order() -> None:
    def fill(document: Any) -> None:
        document.add_heading("Brochure", 0)
        document.add_heading("Parkeren", 1)
        document.add_paragraph("Eerste regel.").add_run().add_break()
        document.paragraphs[-1].add_run("Tweede regel.")
        document.add_paragraph("kaart", style="List Bullet")
        table = document.add_table(3, 2)
        for row, texts in zip(table.rows, [("Parking", "Prijs"), ("P1", "2 euro"), ("", "3 euro")], strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
        table.cell(1, 0).merge(table.cell(2, 0))
        document.add_heading("Tarieven", 2)
        document.add_paragraph("Slot.")

    assert blocks_of(read("a.docx", a_docx(fill))) == [
        ("heading", "Brochure", 1),
        ("heading", "Parkeren", 1),
        ("paragraph", "Eerste regel.", 0),
        ("paragraph", "Tweede regel.", 0),
        ("list_item", "kaart", 0),
        ("table", "Parking | Prijs\nP1 | 2 euro\nP1 | 3 euro", 0),
        ("heading", "Tarieven", 2),
        ("paragraph", "Slot.", 0),
    ]


def test_properties_of_the_file_become_facts() -> None:
    def fill(document: Any) -> None:
        document.core_properties.title, document.core_properties.author = "Parkeren", "An Peeters; Jan Maes"
        document.core_properties.language = "nl-BE"
        document.add_paragraph("x")

    stated = read("a.docx", a_docx(fill)).stated
    assert {key: stated[key] for key in ("title", "authors", "language")} == {
        "title": "Parkeren",
        "authors": ("An Peeters", "Jan Maes"),
        "language": "nl",
    }


def test_bold_lines_are_headings_where_a_document_has_no_others() -> None:
    def fill(document: Any) -> None:
        document.add_paragraph().add_run("Bezoekuren").bold = True
        document.add_paragraph("Elke dag.")

    assert blocks_of(read("a.docx", a_docx(fill)))[0] == ("heading", "Bezoekuren", 1)


def test_deleted_text_is_left_out_hidden_text_stands_apart_and_inserted_text_is_read() -> None:
    def fill(document: Any) -> None:
        paragraph = document.add_paragraph("zichtbaar ")
        for tag, text in (("w:ins", "ingevoegd"), ("w:del", "verwijderd")):
            change, run = OxmlElement(tag), OxmlElement("w:r")
            body = OxmlElement("w:t" if tag == "w:ins" else "w:delText")
            body.text = text
            run.append(body)
            change.append(run)
            paragraph._p.append(change)
        paragraph.add_run(" geheim").font.hidden = True

    extracted = read("a.docx", a_docx(fill))
    assert [block.text for block in extracted.pages[0].blocks if block.left_out is None] == ["zichtbaar ingevoegd"]
    assert [block.text for block in extracted.pages[0].blocks if block.left_out is LeftOut.HIDDEN] == ["geheim"]


def test_text_inside_a_content_control_is_read() -> None:
    def fill(document: Any) -> None:
        paragraph = document.add_paragraph("in een veld")
        control, content = OxmlElement("w:sdt"), OxmlElement("w:sdtContent")
        paragraph._p.addprevious(control)
        control.append(content)
        content.append(paragraph._p)
        assert control.tag == qn("w:sdt")

    assert blocks_of(read("a.docx", a_docx(fill))) == [("paragraph", "in een veld", 0)]


def test_a_document_that_was_cut_off_is_corrupt() -> None:
    content = simple()
    for length in (4, 40, len(content) // 2, len(content) - 30):
        assert reason_of(content[:length]) == "corrupt"


def test_a_document_with_a_damaged_part_is_corrupt() -> None:
    assert reason_of(changed(simple(), "word/document.xml", lambda part: part[: len(part) // 2])) == "corrupt"
    assert reason_of(changed(simple(), "[Content_Types].xml", lambda _: b"<Types/>")) == "corrupt"


def test_a_document_with_a_password_is_encrypted() -> None:
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1024) + "EncryptedPackage".encode("utf-16-le") + bytes(100)
    assert reason_of(ole) == "encrypted"
    content = bytearray(simple())
    directory = content.rfind(b"PK\x01\x02")
    content[directory + 8] |= 1
    assert reason_of(bytes(content)) == "encrypted"


def test_a_bomb_is_seen_in_the_directory_of_the_archive_and_nothing_is_unpacked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bomb = changed(simple(), "word/document.xml", lambda part: part + b" " * 30_000_000)
    monkeypatch.setattr(zlib, "decompressobj", lambda *how: pytest.fail("a part was unpacked"))
    assert reason_of(bomb) == "zip_bomb"


def test_a_bomb_whose_directory_lies_is_seen_while_unpacking() -> None:
    honest = changed(simple(), "word/document.xml", lambda part: part + b" " * 30_000_000)
    real = struct.pack(
        "<L", next(e for e in zipfile.ZipFile(io.BytesIO(honest)).infolist() if e.file_size > 30_000_000).file_size
    )
    assert reason_of(honest.replace(real, struct.pack("<L", 5_000))) == "zip_bomb"


def test_many_entries_that_share_their_bytes_are_a_bomb() -> None:
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packed.compress(b"a" * 20_000_000) + packed.flush()
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 0, 0, len(data), 20_000_000, 1, 0) + b"a" + data
    entry = (
        struct.pack("<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, 0, len(data), 20_000_000, 1, 0, 0, 0, 0, 0, 0)
        + b"a"
    )
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 500, 500, len(entry) * 500, len(local), 0)
    assert reason_of(local + entry * 500 + end) == "zip_bomb"


def test_the_limits_on_unpacked_bytes_and_characters_hold() -> None:
    assert reason_of(simple(), Limits(max_unpacked_bytes=1000)) == "zip_bomb"
    assert (
        reason_of(a_docx(lambda document: document.add_paragraph("woord " * 100)), Limits(max_characters=100))
        == "too_large"
    )


def test_entities_that_would_expand_without_end_are_harmless() -> None:
    entities = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + b"".join(
        b'<!ENTITY %c "%s">' % (now, b"&%c;" % before * 10)
        for before, now in zip(b"abcdefgh", b"bcdefghi", strict=True)
    )
    for place in (b"<w:t>&i;</w:t>", b'<w:t x="&i;">tekst</w:t>'):

        def armed(part: bytes, place: bytes = place) -> bytes:
            return part.replace(b"?>", b"?>" + entities + b"]>", 1).replace(b"<w:t>", place + b"<w:t>", 1)

        bomb = changed(simple(), "word/document.xml", armed)
        reasons = set()
        try:
            assert len(read("a.docx", bomb).pages[0].text) < 1000
        except DocumentRejected as refused:
            reasons.add(refused.reason)
        assert reasons <= {"corrupt"}


def test_a_document_without_text_is_refused() -> None:
    assert reason_of(a_docx(lambda document: None)) == "no_text"
