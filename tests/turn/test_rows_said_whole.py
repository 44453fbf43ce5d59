"""A row of a table is screened, cited and sent as one sentence, whatever stops its cells hold."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import replace

from careline.model import Hit, Table, TableRow
from careline.ports import Source
from careline.quoting.writer import Quotation
from careline.tables.said_row import said_row
from careline.turn.speak.screen_output import screen_quotations
from tests.builders import a_passage
from tests.turn.turns import a_turn, an_installation


async def test_a_row_whose_cells_hold_full_stops_is_said_whole() -> None:
    values = ("giovedì 14:10 – 17:20", "stz. Bosco, piano 1", "0328 55 16 07")
    row = TableRow(("Dermatologia", "dott. Sandro Visca"), values)
    other = TableRow(
        ("Urologia", "dott. Ettore Salvi"), ("venerdì 9:20 – 12:50", "stz. Alba, piano 2", "0328 55 16 29")
    )
    table = Table("", ("Ambulatorio", "Medico"), (("Orario",), ("Dove",), ("Telefono",)), (row, other))
    text = "\n".join(" | ".join((" – ".join(one.labels), *one.values)) for one in (row, other))
    passage = a_passage(text, table=table, facts={"language": "it", "title": "Ambulatori"})
    source = Source(1, "Ambulatori", "it", Hit(passage, 0.9, similarity=0.8, relative_similarity=0.2))
    said = said_row(table, row, [0, 1, 2], "it")
    quoted = [
        Quotation("Dit staat in ons document “Ambulatori”, dat in het Italiaans is:", (1,)),
        Quotation(f" “{said}” [1]", (1,), is_cells=True),
        Quotation(f"\n\nAltri ambulatori: [1]\n- {said}\n- {said}", (1,), is_cells=True),
    ]

    async def written() -> AsyncGenerator[Quotation, None]:
        for quotation in quoted:
            yield quotation

    turn = replace(a_turn("nummer van dermatologie"), sources=(source,))
    sentences = [one async for one in screen_quotations(written(), turn, an_installation())]
    assert [one.text.strip() for one in sentences] == [
        f"{quoted[0].text} “{said}” [1]",
        "Altri ambulatori: [1]",
        f"- {said}",
        f"- {said}",
    ]
