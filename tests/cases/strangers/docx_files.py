"""Word documents written as XML, so that tests say what no library for writing them does."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from careline.knowledge.extract import read
from careline.model import LeftOut
from careline.tables.extracted import Block, Extracted

SPACES = " ".join(
    f'xmlns:{prefix}="{space}"'
    for prefix, space in {
        "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "wp": "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "pic": "http://schemas.openxmlformats.org/drawingml/2006/picture",
        "wps": "http://schemas.microsoft.com/office/word/2010/wordprocessingShape",
        "w14": "http://schemas.microsoft.com/office/word/2010/wordml",
        "w16se": "http://schemas.microsoft.com/office/word/2015/wordml/symex",
        "v": "urn:schemas-microsoft-com:vml",
        "o": "urn:schemas-microsoft-com:office:office",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "nowhere": "urn:nobody-reads-this",
    }.items()
)
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
TYPES = (
    f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="application/xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
HEADINGS = "".join(
    f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
    for level in (1, 2)
)


def relationships(*wanted: tuple[str, str, str]) -> str:
    """A part of relationships, each an id, a kind or a whole type, and a target."""
    each = "".join(
        f'<Relationship Id="{name}" Type="{kind if "/" in kind else f"{OFFICE}/{kind}"}" Target="{target}"/>'
        for name, kind, target in wanted
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{each}</Relationships>'


def part(name: str, inside: str) -> str:
    """A part with the root element of a name."""
    return f"<w:{name} {SPACES}>{inside}</w:{name}>"


def a_document(
    body: str,
    *,
    parts: Mapping[str, str] | None = None,
    links: tuple[tuple[str, str, str], ...] = (),
    files: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A document. `parts` are the inside of `styles`, `numbering`, `footnotes` and so on; `links` are relationships
    besides; `files` are parts of the package as they are, which come before those made here."""
    named = {"styles": HEADINGS, **(parts or {})}
    made: dict[str, str | bytes] = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": relationships(("rId1", "officeDocument", "word/document.xml")),
        "word/document.xml": part("document", f"<w:body>{body}</w:body>"),
        "word/_rels/document.xml.rels": relationships(
            *((f"rId{name}", name.rstrip("0123456789"), f"{name}.xml") for name in named), *links
        ),
    }
    roots = {"header": "hdr", "footer": "ftr"}
    for name, inside in named.items():
        kind = name.rstrip("0123456789")
        made[f"word/{name}.xml"] = part(roots.get(kind, kind), inside)
    return packed({**made, **(files or {})})


def packed(files: Mapping[str, str | bytes]) -> bytes:
    """An archive of files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def run(text: str, properties: str = "") -> str:
    """A run of text."""
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(inside: str, properties: str = "") -> str:
    """A paragraph; plain text becomes a run."""
    return f"<w:p><w:pPr>{properties}</w:pPr>{inside if inside.startswith('<') else run(inside)}</w:p>"


def heading(text: str, level: int = 1, properties: str = "") -> str:
    """A paragraph in the style of a heading."""
    return paragraph(text, f'<w:pStyle w:val="Heading{level}"/>{properties}')


def item(text: str, number: int = 1, level: int = 0) -> str:
    """An item of an automatic list."""
    return paragraph(text, f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="{number}"/></w:numPr>')


def table(*rows: tuple[str, ...]) -> str:
    """A table; plain texts become paragraphs."""
    drawn = [[cell if cell.startswith("<w:p>") else paragraph(cell) for cell in row] for row in rows]
    return f"<w:tbl>{''.join(map(_row, drawn))}</w:tbl>"


def _row(cells: list[str]) -> str:
    return f"<w:tr>{''.join(f'<w:tc>{cell}</w:tc>' for cell in cells)}</w:tr>"


def control(inside: str, properties: str = "") -> str:
    """A content control."""
    return f"<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{inside}</w:sdtContent></w:sdt>"


def complex_field(instruction: str, result: str, form: str = "") -> str:
    """A field with its instruction and its result, which is of runs."""
    return (
        f'<w:r><w:fldChar w:fldCharType="begin">{form}</w:fldChar></w:r>'
        f"<w:r><w:instrText>{instruction}</w:instrText></w:r>"
        f'<w:r><w:fldChar w:fldCharType="separate"/></w:r>{result}<w:r><w:fldChar w:fldCharType="end"/></w:r>'
    )


def extracted(content: bytes) -> Extracted:
    """What is read of a document."""
    return read("a.docx", content)


def blocks(content: bytes) -> tuple[Block, ...]:
    """The blocks of a document."""
    return extracted(content).pages[0].blocks


def told(content: bytes) -> list[str]:
    """The texts of a document that are told."""
    return [block.text for block in blocks(content) if block.left_out is None]


def left_out(content: bytes) -> list[tuple[str, LeftOut]]:
    """The texts that are not told, with why."""
    return [(block.text, block.left_out) for block in blocks(content) if block.left_out is not None]


def says(body: str, **more: Mapping[str, str]) -> list[str]:
    """What is told of a document of one body."""
    return told(a_document(body, **more))  # type: ignore[arg-type]


def a_note(text: str, number: int = 1, kind: str = "footnote") -> str:
    return f'<w:{kind} w:id="{number}">{paragraph("<w:r><w:footnoteRef/></w:r>" + run(text))}</w:{kind}>'


def a_sign(font: str, code: str) -> str:
    return f'<w:r><w:sym w:font="{font}" w:char="{code}"/></w:r>'


def a_box(inside: str, *, again: bool = True) -> str:
    fallback = f"<w:pict><v:shape><v:textbox><w:txbxContent>{inside}</w:txbxContent></v:textbox></v:shape></w:pict>"
    drawing = (
        "<w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>"
        f"{inside}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>"
    )
    if not again:
        return f"<w:r>{fallback}</w:r>"
    return (
        f'<w:r><mc:AlternateContent><mc:Choice Requires="wps">{drawing}</mc:Choice>'
        f"<mc:Fallback>{fallback}</mc:Fallback></mc:AlternateContent></w:r>"
    )


def a_picture(description: str, place: str = "inline") -> str:
    return (
        f'<w:r><w:drawing><wp:{place}><wp:docPr id="1" name="Picture 1" descr="{description}"/><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic/></a:graphicData></a:graphic>'
        f"</wp:{place}></w:drawing></w:r>"
    )


def formula(inside: str) -> str:
    return f"<m:oMath>{inside}</m:oMath>"


def letters(text: str) -> str:
    return f"<m:r><m:t>{text}</m:t></m:r>"


def a_fraction(above: str, below: str) -> str:
    return f"<m:f><m:num>{letters(above)}</m:num><m:den>{letters(below)}</m:den></m:f>"


def levels(*each: tuple[str, str], more: str = "") -> str:
    """An abstract list and number 1 of it: the shape and the text of each level."""
    drawn = "".join(
        f'<w:lvl w:ilvl="{at}"><w:start w:val="1"/><w:numFmt w:val="{shape}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for at, (shape, text) in enumerate(each)
    )
    return (
        f'<w:abstractNum w:abstractNumId="0">{drawn}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>{more}'
    )


def core(**said: str) -> dict[str, str | bytes]:
    spaces = f'xmlns="{PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    names = {"title": "dc:title", "author": "dc:creator", "changed": "dcterms:modified", "made": "dcterms:created"}
    inside = "".join(f"<{names[key]}>{value}</{names[key]}>" for key, value in said.items())
    root = f'<coreProperties {spaces} xmlns:dcterms="http://purl.org/dc/terms/">{inside}</coreProperties>'
    return {"docProps/core.xml": root}


BODY = heading("Day room") + paragraph("The day room opens at 9:35.")
NOTE_1 = '<w:r><w:footnoteReference w:id="1"/></w:r>'
NOTE_2 = '<w:r><w:footnoteReference w:id="2"/></w:r>'
STRUCK = "<w:strike/>"
PLACEHOLDER = "<w:showingPlcHdr/>"
TYPED = '<w:textInput><w:default w:val="naam"/></w:textInput>'
ENTRIES = '<w:listEntry w:val="An"/><w:listEntry w:val="Jo"/>'
DESK = "Brookvale Clinic, surgery desk: 011 90 44 37"
SHOWN = '<w:headerReference w:type="default" r:id="rIdheader1"/><w:footerReference w:type="default" r:id="rIdfooter1"/>'
