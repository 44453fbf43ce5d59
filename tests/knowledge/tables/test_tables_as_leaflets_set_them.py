"""Tables as leaflets set them: two lines of headers, a header on a ground, one below the other, beside running text."""

from __future__ import annotations

import io
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.platypus import BaseDocTemplate, Frame, FrameBreak, PageTemplate, Paragraph, Spacer, Table

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.knowledge.extract.pdf.columns import segments_of
from careline.knowledge.extract.pdf.geometry import PageWord
from careline.knowledge.extract.pdf.page_columns import parts_of_page
from careline.model import Table as ReadTable
from careline.tables.extracted import Block, BlockKind
from careline.tables.read import read as read_table

STYLES = getSampleStyleSheet()
BODY = STYLES["BodyText"]
HEADING = STYLES["Heading2"]
CELL = ParagraphStyle("cell", parent=BODY, fontSize=9, leading=11)
HEAD = ParagraphStyle("head", parent=CELL, fontName="Helvetica-Bold")
WHITE = ParagraphStyle("white", parent=HEAD, textColor=colors.white)
GROUND = colors.Color(0.1, 0.3, 0.5)


def a_table(
    rows: list[list[str]], *style: Any, heads: int = 1, head: ParagraphStyle = HEAD, width: float = 90
) -> Table:
    styled = [[Paragraph(text, head if n < heads else CELL) for text in row] for n, row in enumerate(rows)]
    return Table(styled, colWidths=[175.0, *[width] * (len(rows[0]) - 1)], style=list(style))


def blocks_of(*story: Any, columns: int = 1) -> list[Block]:
    written = io.BytesIO()
    width = (A4[0] - 100 - 20 * (columns - 1)) / columns
    frames = [Frame(50 + n * (width + 20), 50, width, A4[1] - 100) for n in range(columns)]
    document = BaseDocTemplate(written, pagesize=A4)
    document.addPageTemplates([PageTemplate(frames=frames)])
    document.build([*story])
    return list(clean(read("a.pdf", written.getvalue())).pages[0].blocks)


def tables_of(*story: Any, columns: int = 1) -> list[ReadTable]:
    blocks = blocks_of(*story, columns=columns)
    return [read_table(block.cells) for block in blocks if block.kind is BlockKind.TABLE]


ROOMS = [
    ["", "Campus Hoogveld", "", "Campus Waterpoort", ""],
    ["Kamer", "per dag", "voorschot", "per dag", "voorschot"],
    ["Tweepersoonskamer", "gratis", "geen", "gratis", "geen"],
    ["Eenpersoonskamer", "€ 71,00", "€ 310,00", "€ 83,00", "€ 360,00"],
    ["Gezinskamer", "€ 155,00", "€ 580,00", "€ 170,00", "€ 620,00"],
]
PAIRS = (("SPAN", (1, 0), (2, 0)), ("SPAN", (3, 0), (4, 0)))


def test_headers_at_the_left_of_two_columns_each_are_of_both() -> None:
    lines = [("LINEBELOW", (0, n), (-1, n), 0.5, colors.grey) for n in range(1, len(ROOMS))]
    (table,) = tables_of(a_table(ROOMS, *PAIRS, *lines, heads=2, width=76.5))
    assert table.columns[3] == ("Campus Waterpoort", "voorschot")
    assert table.rows[1].values == ("€ 71,00", "€ 310,00", "€ 83,00", "€ 360,00")


def test_a_label_in_the_middle_of_two_lines_of_headers_belongs_to_them() -> None:
    rows = [["Kamer", *ROOMS[0][1:]], ["", *ROOMS[1][1:]], *ROOMS[2:]]
    centred = ("ALIGN", (1, 0), (-1, -1), "CENTER")
    style = (*PAIRS, ("SPAN", (0, 0), (0, 1)), ("VALIGN", (0, 0), (0, 1), "MIDDLE"), centred)
    filled = ("BACKGROUND", (0, 0), (-1, 1), GROUND)
    plain = Table(rows, colWidths=[130.0, *[90.0] * 4])
    plain.setStyle(
        [*style, filled, ("FONTNAME", (0, 0), (-1, 1), "Helvetica-Bold"), ("TEXTCOLOR", (0, 0), (-1, 1), "white")]
    )
    (table,) = tables_of(Paragraph("Toeslagen", HEADING), plain)
    assert table.stub == ("Kamer",)
    assert table.columns[0] == ("Campus Hoogveld", "per dag")
    assert table.rows[1].values[3] == "€ 360,00"


def test_a_header_on_a_ground_is_no_part_of_the_first_row_in_a_grid() -> None:
    rows = [
        ["Specialité", "Jours", "Téléphone"],
        ["Allergologie", "lundi", "02 555 41 01"],
        ["Cardiologie", "mardi, jeudi", "02 555 41 02"],
        ["Urologie", "vendredi", "02 555 41 03"],
    ]
    style = [
        ("BACKGROUND", (0, 0), (-1, 0), GROUND),
        ("BOX", (0, 0), (-1, -1), 0.8, GROUND),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, colors.grey),
        ("LINEAFTER", (0, 0), (-2, -1), 0.3, colors.grey),
    ]
    (table,) = tables_of(a_table(rows, *style, head=WHITE))
    assert [row.labels for row in table.rows] == [("Allergologie",), ("Cardiologie",), ("Urologie",)]
    assert table.columns == (("Jours",), ("Téléphone",))


def test_a_header_with_an_arrow_stands_above_the_first_line() -> None:
    rows = [
        [
            "Sabato",
            "Stazione <font name='Symbol'>&#174;</font> Molo",
            "Molo <font name='Symbol'>&#174;</font> Stazione",
        ],
        ["1", "8.15", "9.30"],
        ["2", "11.00", "12.20"],
        ["3", "14.10", "15.25"],
    ]
    lines = [("LINEBELOW", (0, n), (-1, n), 0.5, colors.grey) for n in range(len(rows))]
    (table,) = tables_of(a_table(rows, *lines, ("LINEBELOW", (0, 0), (-1, 0), 1, colors.black), width=150))
    assert table.stub == ("Sabato",)
    assert [row.values for row in table.rows] == [("8.15", "9.30"), ("11.00", "12.20"), ("14.10", "15.25")]


TIMES = [["1", "6.05", "6.14", "6.22"], ["2", "6.35", "6.44", "6.52"], ["3", "7.05", "7.14", "7.22"]]


def test_a_heading_between_two_tables_names_the_second_and_no_rows_of_the_first() -> None:
    there = a_table([["Corsa", "Valmara", "Ospedale", "Molo"], *TIMES])
    back = a_table([["Corsa", "Molo", "Ospedale", "Valmara"], *TIMES])
    text = Paragraph(LONG * 4, BODY)
    _, *blocks = blocks_of(text, Paragraph("Andata", HEADING), there, Paragraph("Ritorno", HEADING), back)
    assert [block.kind for block in blocks] == [
        BlockKind.HEADING,
        BlockKind.TABLE,
        BlockKind.HEADING,
        BlockKind.TABLE,
    ]
    assert read_table(blocks[3].cells).columns == (("Molo",), ("Ospedale",), ("Valmara",))


AFTERCARE = [
    ["Operatie", "Hechtingen", "Douchen", "Werken"],
    ["Liesbreuk", "na 10 dagen, door de huisarts", "na 2 dagen", "na 2 weken"],
    ["Galblaas (kijkoperatie)", "na 8 dagen, door de huisarts", "na 1 dag", "na 10 dagen"],
    ["Kijkoperatie van de knie", "na 12 dagen, op raadpleging", "na 3 dagen", "na 3 weken"],
    ["Spataders", "geen", "na 2 dagen", "na 1 week"],
]


def test_rows_whose_cells_are_wrapped_stay_apart_where_no_line_parts_them() -> None:
    styled = [[Paragraph(text, CELL if n else HEAD) for text in row] for n, row in enumerate(AFTERCARE)]
    table = Table(styled, colWidths=[75, 150, 80, 42], style=[("VALIGN", (0, 0), (-1, -1), "MIDDLE")])
    (found,) = tables_of(Paragraph("Weer thuis", HEADING), table)
    assert [row.labels[0] for row in found.rows] == [row[0] for row in AFTERCARE[1:]]
    assert [row.values[2] for row in found.rows] == ["na 2 weken", "na 10 dagen", "na 3 weken", "na 1 week"]


LONG = "La gastroscopie permet de voir l'intérieur de l'estomac à l'aide d'un tube souple. Elle dure dix minutes. "


def test_a_table_beside_running_text_is_found_without_it() -> None:
    rows = [["", "Gastroscopie", "Scanner"], ["À jeun", "6 heures", "4 heures"], ["Durée", "12 min", "20 min"]]
    rows += [["Annulation", "48 h avant", "24 h avant"], ["Téléphone", "02 555 60", "02 555 80"]]
    table = Table(rows, colWidths=[80.0, 70.0, 70.0], style=[("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")])
    text = [Paragraph(LONG * 3, BODY) for _ in range(4)]
    (found,) = tables_of(Paragraph("L'examen", HEADING), *text, FrameBreak(), Spacer(1, 7), table, columns=2)
    assert found.columns == (("Gastroscopie",), ("Scanner",))
    assert found.rows[2].values == ("48 h avant", "24 h avant")


@settings(max_examples=60)
@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 700), st.floats(5, 200)), max_size=60))
def test_every_piece_of_a_page_is_in_one_part_of_it(places: list[tuple[float, float, float]]) -> None:
    words = [PageWord("woorden van een regel tekst", x, y, x + width, y + 9, 9.0, False) for x, y, width in places]
    segments = segments_of(words) if words else []
    parts = parts_of_page(segments) if segments else []
    assert sorted(map(id, segments)) == sorted(id(piece) for part in parts for piece in part)
