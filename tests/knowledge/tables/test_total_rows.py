"""The total at the end of a table with groups belongs to none of them, unless each has its own."""

from __future__ import annotations

import pytest

from careline.tables.extracted import Cell
from careline.tables.read import read


def rows_of(*lines: tuple[str, str]) -> list[tuple[str, ...]]:
    cells = [Cell("Dienst", 0, 0, header=True), Cell("Bedden", 0, 1, header=True)]
    for number, (label, value) in enumerate(lines, 1):
        cells.append(Cell(label, number, 0, 1, 1 if value else 2, header=not value))
        if value:
            cells.append(Cell(value, number, 1))
    return [row.labels for row in read(cells).rows]


@pytest.mark.parametrize("total", ["Totaal", "Total", "Totale:"])
def test_a_total_at_the_end_belongs_to_no_group(total: str) -> None:
    assert rows_of(("Noord", ""), ("A", "3"), ("Zuid", ""), ("B", "4"), (total, "7"))[-1] == (total,)


def test_a_total_of_each_group_stays_in_its_group() -> None:
    lines = [("Noord", ""), ("A", "3"), ("Totaal", "3"), ("Zuid", ""), ("B", "4"), ("Totaal", "4")]
    assert rows_of(*lines)[-1] == ("Zuid", "Totaal")
