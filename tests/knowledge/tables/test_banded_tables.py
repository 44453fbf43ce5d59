"""Tables whose rows are parted by lines across and whose columns are not, as web pages are printed."""

from __future__ import annotations

import io
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle, getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, Table

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.model import Table as ReadTable
from careline.tables.extracted import Block, BlockKind
from careline.tables.read import read as read_table

STYLES = getSampleStyleSheet()
CELL = ParagraphStyle("cell", parent=STYLES["BodyText"], fontSize=8, leading=9.5)
HEAD = ParagraphStyle("head", parent=CELL, fontName="Helvetica-Bold", textColor=colors.white)
BOLD = ParagraphStyle("bold", parent=CELL, fontName="Helvetica-Bold")
LINE = colors.Color(0.5, 0.7, 0.7)


def banded(rows: list[list[str]], widths: list[float], *, groups: tuple[int, ...] = ()) -> Table:
    """A table with a dark header, a bold first column and a line below each row; `groups` are rows of one name."""
    styled = [
        [Paragraph(text, HEAD if n == 0 else BOLD if m == 0 else CELL) for m, text in enumerate(row)]
        for n, row in enumerate(rows)
    ]
    style: list[Any] = [
        ("BACKGROUND", (0, 0), (-1, 0), colors.Color(0.1, 0.3, 0.35)),
        ("LINEBELOW", (0, 0), (-1, -1), 0.8, LINE),
        ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
        ("TOPPADDING", (0, 0), (-1, -1), 2),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
        ("LEFTPADDING", (0, 0), (-1, -1), 4),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
    ]
    style += [("SPAN", (0, n), (-1, n)) for n in groups]
    return Table(styled, colWidths=widths, style=style)


def tables_of(*story: Any) -> list[ReadTable]:
    return [read_table(block.cells) for block in blocks_of(*story) if block.kind is BlockKind.TABLE]


def blocks_of(*story: Any) -> list[Block]:
    written = io.BytesIO()
    SimpleDocTemplate(written, pagesize=A4).build([*story])
    return list(clean(read("a.pdf", written.getvalue())).pages[0].blocks)


SHUTTLE = [
    ["Jours", "Premier départ de la gare", "Dernier départ de la gare", "Dernier retour de l'hôpital", "Fréquence"],
    [
        "du lundi au vendredi",
        "5h40",
        "22h20",
        "22h35",
        "toutes les 14 minutes jusqu'à 9h00, puis toutes les 25 minutes",
    ],
    ["samedi", "6h10", "21h30", "21h45", "toutes les 35 minutes"],
    ["dimanche et jours fériés", "7h20", "20h40", "20h55", "toutes les 45 minutes"],
]
WIDTHS = [95.0, 88.0, 88.0, 88.0, 124.0]


def test_headers_that_all_but_touch_are_those_of_the_columns_below_them() -> None:
    title = Paragraph("Ligne A : gare – hôpital", STYLES["Heading2"])
    text = Paragraph("La navette ne circule pas le jour de Noël. Elle s'arrête devant le pavillon.", STYLES["BodyText"])
    (table,) = tables_of(title, banded(SHUTTLE, WIDTHS), Spacer(1, 6), text)
    assert table.columns[1] == ("Dernier départ de la gare",)
    assert [row.values[1] for row in table.rows] == ["22h20", "21h30", "20h40"]
    assert table.rows[2].labels == ("dimanche et jours fériés",)


def test_tables_below_one_another_are_apart() -> None:
    title = Paragraph("Ligne B", STYLES["Heading2"])
    other = [
        ["Billet", "Ligne A", "Ligne B"],
        ["Aller simple", "1,30 €", "2,60 €"],
        ["Carnet de 10", "11,20 €", "21,00 €"],
    ]
    first, second = tables_of(banded(SHUTTLE, WIDTHS), title, banded(other, [200.0, 141.0, 142.0]))
    assert len(first.rows) == 3
    assert [row.values for row in second.rows] == [("1,30 €", "2,60 €"), ("11,20 €", "21,00 €")]


def test_the_name_of_a_group_is_a_label_of_its_rows() -> None:
    rows = [
        ["Reparto", "Piano", "Lunedì – venerdì", "Sabato, domenica e festivi", "Telefono"],
        ["Area medica", "", "", "", ""],
        ["Medicina", "3° A", "12:40 – 13:40<br/>18:10 – 19:40", "11:10 – 13:10<br/>16:10 – 19:10", "0328 55 13 10"],
        ["Cardiologia", "3° B", "13:10 – 14:10<br/>18:40 – 19:40", "15:10 – 18:40", "0328 55 13 25"],
        ["Area critica", "", "", "", ""],
        ["Intensiva", "1° A", "13:00 – 13:20<br/>18:20 – 19:10", "13:00 – 13:50<br/>17:20 – 18:20", "0328 55 11 18"],
    ]  # fmt: skip
    (table,) = tables_of(banded(rows, [120.0, 50.0, 100.0, 115.0, 98.0], groups=(1, 4)))
    said = {row.labels[-1]: row.values for row in table.rows}
    assert said["Intensiva"][1:3] == ("13:00 – 13:20, 18:20 – 19:10", "13:00 – 13:50, 17:20 – 18:20")
    assert said["Cardiologia"][1:3] == ("13:10 – 14:10, 18:40 – 19:40", "15:10 – 18:40")
    assert {row.labels[0] for row in table.rows} == {"Area medica", "Area critica"}


def test_days_with_hours_beside_each_are_rows_of_their_own() -> None:
    rows = [
        ["Che cosa e per chi si fa", "Giorni in cui si fa", "Orario (senza<br/>appuntamento)", "Note"],
        ["Accesso libero", "lunedì – venerdì<br/>sabato", "7:20 – 9:50<br/>7:40 – 9:10", "fino alle 9:40<br/>di base"],
        ["Prelievi prenotati", "lunedì – venerdì", "10:10 – 11:40", "prenotazione allo 0328 55 17 00"],
        ["Bambini sotto i 6 anni", "martedì e giovedì", "8:10 – 9:20", "in Pediatria, su prenotazione"],
    ]  # fmt: skip
    (table,) = tables_of(banded(rows, [128.0, 92.0, 82.0, 158.0]))
    said = [" ".join((*row.labels, *row.values)) for row in table.rows[:2]]
    assert said == [
        "Accesso libero lunedì – venerdì 7:20 – 9:50 fino alle 9:40",
        "Accesso libero sabato 7:40 – 9:10 di base",
    ]


def test_the_sign_of_a_note_stays_behind_what_it_marks() -> None:
    rows = [
        ["Visita per reparto", "Orario dei familiari e degli amici", "Con urgenza"],
        ["Oncologia <super>1</super>", "11:10 – 20:10", "subito"],
        ["Pediatria <super>2</super>", "16:10 – 18:40", "2 giorni"],
    ]
    (table,) = tables_of(banded(rows, [110.0, 160.0, 100.0]))
    assert [row.labels[0].replace(" ", "") for row in table.rows] == ["Oncologia¹", "Pediatria²"]


def test_text_between_lines_is_no_table() -> None:
    texts = [
        "Bezoek is welkom. Kom met hoogstens twee personen tegelijk.",
        "Bloemen mogen op de meeste afdelingen.",
        "Rust.",
    ]
    rows = [[Paragraph(text, CELL)] for text in texts]
    assert tables_of(Table(rows, colWidths=[480], style=[("LINEBELOW", (0, 0), (-1, -1), 0.8, LINE)])) == []


def test_a_header_that_runs_across_columns_gives_no_figure_a_name() -> None:
    rows = [
        ["", "Prijs per dag voor wie verzekerd is of niet", ""],
        ["Kamer A", "€ 31", "€ 62"],
        ["Kamer B", "€ 37", "€ 74"],
    ]
    table = banded(rows, [200.0, 100.0, 100.0])
    table.setStyle([("SPAN", (1, 0), (2, 0))])
    for found in tables_of(table):
        assert not any(
            len(path) == 1 and path[0] in {"Prijs per dag voor", "wie verzekerd is of niet"} for path in found.columns
        )


@settings(max_examples=25)
@given(
    st.lists(st.lists(st.integers(100, 999), min_size=3, max_size=3), min_size=2, max_size=6),
    st.lists(
        st.sampled_from(["eerste bezoek", "controle", "scan", "tarief met verwijzing van de arts"]),
        min_size=3,
        max_size=3,
    ),
)
def test_whatever_the_rows_hold_every_figure_stands_in_its_row_and_column(
    values: list[list[int]], heads: list[str]
) -> None:
    names = [f"{head} {n}" for n, head in enumerate(heads)]
    rows = [["Onderzoek", *names], *([f"Dienst {n}", *map(str, line)] for n, line in enumerate(values))]
    for table in tables_of(banded(rows, [90.0, 80.0, 80.0, 80.0])):
        for row in table.rows:
            number = int(row.labels[0].removeprefix("Dienst "))
            assert list(row.values) == [str(value) for value in values[number]]
        assert [" ".join(path) for path in table.columns] == names


@pytest.mark.parametrize("count", [3, 40])
def test_lines_without_words_are_no_table(count: int) -> None:
    form = Table([["", ""]] * count, colWidths=[200, 200], style=[("LINEBELOW", (0, 0), (-1, -1), 0.8, LINE)])
    assert tables_of(Paragraph("Vul in wat u meebrengt.", STYLES["BodyText"]), form) == []


def test_rows_below_a_header_that_alone_is_drawn_in_cells_are_of_its_columns() -> None:
    rows = [
        ["Kamertype", "Supplement per dag", "", "Voorschot"],
        ["", "Kade", "Bos", ""],
        ["Tweepersoonskamer", "0,00", "0,00", "70,00"],
        ["Eenpersoonskamer standaard", "61,00", "52,50", "240,00"],
        ["Eenpersoonskamer comfort", "83,00", "72,00", "390,00"],
    ]
    style: list[Any] = [
        ("GRID", (0, 0), (-1, 1), 1, colors.black), ("SPAN", (0, 0), (0, 1)), ("SPAN", (1, 0), (2, 0)),
        ("SPAN", (3, 0), (3, 1)), ("LINEBELOW", (0, 2), (-1, -1), 1, colors.black),
    ]  # fmt: skip
    (table,) = tables_of(Table(rows, colWidths=[160, 70, 70, 90], style=style))
    assert table.columns == (("Supplement per dag", "Kade"), ("Supplement per dag", "Bos"), ("Voorschot",))
    assert [row.values for row in table.rows][1:] == [("61,00", "52,50", "240,00"), ("83,00", "72,00", "390,00")]
