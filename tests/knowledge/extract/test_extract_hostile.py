"""Files made by hand to cost more than they weigh: each ends in text or a clear reason, in a child with limits."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable

import pytest

from careline.errors import DocumentRejected
from careline.knowledge.extract import Limits
from careline.knowledge.extract.child import read_in_child
from careline.knowledge.extract.rejections import MESSAGES

SMALL = Limits(extract_seconds=20, extract_memory_bytes=700 * 1024 * 1024, max_file_bytes=64 * 1024 * 1024)
TEXT = b"BT /F1 12 Tf 72 700 Td (Bezoek is welkom van twee tot acht uur) Tj ET"


def a_pdf(objects: Iterable[bytes]) -> bytes:
    """A PDF of these objects, numbered from 1; the first is the catalogue."""
    made, places = io.BytesIO(), []
    made.write(b"%PDF-1.7\n")
    for number, body in enumerate(objects, 1):
        places.append(made.tell())
        made.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
    start = made.tell()
    made.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(places) + 1))
    made.write(b"".join(b"%010d 00000 n \n" % place for place in places))
    made.write(b"trailer\n<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(places) + 1, start))
    return made.getvalue()


def stream(body: bytes, more: bytes = b"") -> bytes:
    return b"<</Length %d%s>>\nstream\n%s\nendstream" % (len(body), more, body)


FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
PAGE = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>%s>>/Contents 4 0 R%s>>"


def one_page(content: bytes, resources: bytes = b"", more: bytes = b"", rest: Iterable[bytes] = ()) -> bytes:
    start = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", PAGE % (resources, more))
    return a_pdf([*start, stream(content), FONT, *rest])


def a_million_objects() -> bytes:
    return one_page(TEXT, rest=(b"null" for _ in range(1_000_000)))


def fifty_thousand_pages() -> bytes:
    kids = b" ".join(b"%d 0 R" % number for number in range(5, 50_005))
    pages = (b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 3 0 R>>" for _ in range(50_000))
    start = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 50000/Kids[%s]>>" % kids, stream(TEXT), FONT)
    return a_pdf([*start, *pages])


def a_tree_of_pages_that_lies_about_its_count() -> bytes:
    start = (b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 900>>", PAGE % (b"", b""))
    return a_pdf([*start, stream(TEXT), FONT])


def pages_that_are_their_own_parents() -> bytes:
    return a_pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>"])


def deeply_nested_arrays() -> bytes:
    return one_page(TEXT, more=b"/X " + b"[" * 200_000 + b"]" * 200_000)


def forms_that_draw_forms() -> bytes:
    """Ten levels of which each draws the next ten times: ten thousand million words from two kilobytes."""
    box = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>/XObject<</X %d 0 R>>>>"
    levels = [stream(b"/X Do " * 10, box % (7 + level)) for level in range(10)]
    return one_page(b"/X Do", b"/XObject<</X 6 0 R>>", rest=[*levels, stream(TEXT, box % 16)])


def states_saved_without_end() -> bytes:
    return one_page(b"q " * 2_000_000 + TEXT)


def letters_at_infinity() -> bytes:
    return one_page(b"1e38 0 0 1e38 0 0 cm " + TEXT + b" BT /F1 1e38 Tf 1e38 1e38 Td (ver weg) Tj ET")


def a_picture_of_many_gigabytes() -> bytes:
    size = b"/Width 60000/Height 60000/BitsPerComponent 8/ColorSpace/DeviceRGB"
    picture = stream(b"x", b"/Type/XObject/Subtype/Image" + size)
    return one_page(b"595 0 0 842 0 0 cm /I Do", b"/XObject<</I 6 0 R>>", rest=[picture])


def many_annotations() -> bytes:
    notes = b" ".join(b"<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/Contents(n%d)>>" % n for n in range(30_000))
    return one_page(TEXT, more=b"/Annots[%s]" % notes)


def annotations_with_long_texts() -> bytes:
    note = b"<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/Contents 6 0 R>>"
    return one_page(TEXT, more=b"/Annots[%s]" % (note * 1500), rest=[b"(" + b"lang " * 400_000 + b")"])


def a_docx(body: bytes, packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    main = b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    with zipfile.ZipFile(made, "w", packing) as archive:
        archive.writestr(
            "[Content_Types].xml",
            b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
            b'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override '
            b'PartName="/word/document.xml" ContentType="' + main + b'"/></Types>',
        )
        archive.writestr(
            "_rels/.rels",
            b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship '
            b'Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
            b'Target="word/document.xml"/></Relationships>',
        )
        archive.writestr("word/document.xml", body)
    return made.getvalue()


_WORD = (
    b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>%s</w:body>'
    b"</w:document>"
)


def deeply_nested_docx() -> bytes:
    return a_docx(_WORD % (b"<w:sdt><w:sdtContent>" * 100_000 + b"</w:sdtContent></w:sdt>" * 100_000))


def a_docx_of_a_billion_laughs() -> bytes:
    laughs = b"".join(b'<!ENTITY l%d "%s">' % (n + 1, b"&l%d;" % n * 10) for n in range(9))
    paragraph = b"<w:p><w:r><w:t>&l9;</w:t></w:r></w:p>"
    return a_docx(b'<!DOCTYPE d [<!ENTITY l0 "ha">' + laughs + b"]>" + _WORD % paragraph)


def a_cell_repeated_downwards() -> bytes:
    text = b"<w:p><w:r><w:t>%s</w:t></w:r></w:p>"
    cell = b"<w:tr><w:tc><w:tcPr><w:vMerge%s/></w:tcPr>" + text + b"</w:tc><w:tc><w:p/></w:tc></w:tr>"
    rows = cell % (b' w:val="restart"', b"lang " * 100_000) + cell % (b"", b"") * 50_000
    return a_docx(_WORD % (b"<w:tbl>" + rows + b"</w:tbl>"), zipfile.ZIP_STORED)


def deeply_nested_json() -> bytes:
    return b'{"text": ' + b"[" * 500_000 + b"]" * 500_000 + b"}"


def a_wide_html_table() -> bytes:
    cell = b"<td rowspan=50 colspan=50>" + b"lang " * 2000 + b"</td>"
    return b"<html><body><table>" + (b"<tr>" + cell * 20 + b"</tr>") * 60 + b"</table></body></html>"


FILES: dict[str, tuple[Callable[[], bytes], str, set[str]]] = {
    "a million objects": (a_million_objects, ".pdf", {"read"}),
    "fifty thousand pages": (fifty_thousand_pages, ".pdf", {"too_many_pages"}),
    "a tree that lies": (a_tree_of_pages_that_lies_about_its_count, ".pdf", {"corrupt", "read"}),
    "its own parent": (pages_that_are_their_own_parents, ".pdf", {"corrupt", "no_text"}),
    "nested arrays": (deeply_nested_arrays, ".pdf", {"corrupt", "read", "no_text"}),
    "forms in forms": (forms_that_draw_forms, ".pdf", {"too_slow", "too_much_memory", "no_text", "read", "crashed"}),
    "states without end": (states_saved_without_end, ".pdf", {"read", "no_text", "too_slow", "too_much_memory"}),
    "letters at infinity": (letters_at_infinity, ".pdf", {"read", "no_text"}),
    "a picture of gigabytes": (a_picture_of_many_gigabytes, ".pdf", {"no_text", "ocr_unavailable", "corrupt"}),
    "many annotations": (many_annotations, ".pdf", {"read"}),
    "annotations with long texts": (annotations_with_long_texts, ".pdf", {"too_large"}),
    "a nested docx": (deeply_nested_docx, ".docx", {"corrupt", "zip_bomb"}),
    "a billion laughs": (a_docx_of_a_billion_laughs, ".docx", {"corrupt", "no_text"}),
    # A merged cell is one cell, however many rows it covers, and costs what it weighs.
    "a cell repeated": (a_cell_repeated_downwards, ".docx", {"read", "too_large", "too_slow"}),
    "nested json": (deeply_nested_json, ".jsonl", {"corrupt", "no_text"}),
    "a wide table": (a_wide_html_table, ".html", {"read", "too_large", "too_much_memory"}),
}


async def ending(file_name: str, content: bytes) -> str:
    try:
        extracted = await read_in_child(file_name, content, SMALL)
    except DocumentRejected as error:
        return error.reason
    return "read" if any(page.blocks for page in extracted.pages) else "nothing"


@pytest.mark.parametrize("name", FILES)
async def test_a_file_made_to_cost_more_than_it_weighs_ends_in_text_or_a_reason(name: str) -> None:
    make, extension, allowed = FILES[name]
    assert await ending(f"a{extension}", make()) in allowed
    assert allowed - {"read"} <= MESSAGES.keys()
    assert (await read_in_child("goed.txt", b"De kapel is open.", SMALL)).pages[0].text == "De kapel is open."


@pytest.mark.parametrize("start", ["²", "①", "-", "9" * 30])
async def test_a_list_that_begins_at_no_number_is_read(start: str) -> None:
    page = f"<html><body><p>Breng mee:</p><ol start='{start}'><li>uw kaart</li></ol></body></html>"
    extracted = await read_in_child("a.html", page.encode(), Limits())
    said = [block.text for one in extracted.pages for block in one.blocks]
    assert any("uw kaart" in text for text in said)
