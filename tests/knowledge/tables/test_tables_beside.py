"""Tables beside each other on a printed page: each under its own heading, none with the other's rows."""

from __future__ import annotations

import io
from typing import Any

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from careline.knowledge.clean.clean import clean
from careline.knowledge.extract import read
from careline.tables.extracted import Block, BlockKind
from careline.tables.read import read as read_table

STYLES = getSampleStyleSheet()
DAYS = ["Lunedì", "Martedì", "Mercoledì", "Giovedì", "Venerdì"]


def hours(begin: int, rows: int, drawn: bool) -> Table:
    table = Table([["Giorno", "Orario"], *([day, f"{begin}.{n}0 - 1{n}.15"] for n, day in enumerate(DAYS[:rows]))])
    style: list[Any] = [("FONTSIZE", (0, 0), (-1, -1), 9)]
    table.setStyle([*style, ("GRID", (0, 0), (-1, -1), 0.5, colors.black)] if drawn else style)
    return table


def page(rows: int, drawn: bool) -> list[Block]:
    headings = [Paragraph(f"<b>Radiologia {name}</b>", STYLES["BodyText"]) for name in ("Nord", "Sud")]
    both = Table([headings, [hours(7, rows, drawn), hours(8, 5, drawn)]], colWidths=[240, 240])
    both.setStyle([("VALIGN", (0, 0), (-1, -1), "TOP"), ("ALIGN", (0, 0), (-1, -1), "LEFT")])
    around = Paragraph("Le radiologie sono aperte a tutti i pazienti con una richiesta del medico.", STYLES["BodyText"])
    written = io.BytesIO()
    SimpleDocTemplate(written, pagesize=A4).build([around, both, around])
    return list(clean(read("a.pdf", written.getvalue())).pages[0].blocks)


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("rows", [3, 5])
def test_hours_of_tables_beside_each_other_are_never_told_under_the_other_heading(rows: int, drawn: bool) -> None:
    heading, seen = "", 0
    for block in page(rows, drawn):
        if block.kind is BlockKind.TABLE:
            values = [value for row in read_table(block.cells).rows for value in row.values]
            begin = {"Radiologia Nord": "7", "Radiologia Sud": "8"}[heading]
            assert all(value.startswith(begin) for value in values), (heading, values)
            seen += 1
        else:
            heading = block.text
    assert seen == 2 or not drawn
