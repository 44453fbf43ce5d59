"""Tables set side by side in one: a repeated header of the rows begins another set of columns."""

from __future__ import annotations

import pytest

from careline.model import Table
from careline.tables.extracted import Cell
from careline.tables.read import cells_of, read


def rows_of(table: Table) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(row.labels, row.values) for row in table.rows]


@pytest.mark.parametrize(
    ("corner", "header", "names"),
    [
        ("Dienst", "Toestel", ("Slaapkliniek", "Hoorcentrum", "Pijnkliniek")),
        ("Clinic", "Ext.", ("Sleep", "Hearing", "Pain")),
        ("Consultation", "Poste", ("Sommeil", "Audition", "Douleur")),
        ("Ambulatorio", "Interno", ("Sonno", "Udito", "Dolore")),
    ],
)
def test_every_name_has_the_number_beside_it(corner: str, header: str, names: tuple[str, ...]) -> None:
    grid = [[corner, header] * 2, [names[0], "2201", names[2], "2203"], [names[1], "2202", "", ""]]
    table = read(cells_of(grid, 1))
    assert table.columns == ((header,),)
    assert rows_of(table) == [((names[0],), ("2201",)), ((names[1],), ("2202",)), ((names[2],), ("2203",))]


def test_a_header_over_each_set_names_its_rows() -> None:
    cells = (
        Cell("Site Nord", 0, 0, columns=2, header=True),
        Cell("Site Sud", 0, 2, columns=2, header=True),
        *(Cell(text, 1, column, header=True) for column, text in enumerate(("Service", "Étage") * 2)),
        *(Cell(text, 2, column) for column, text in enumerate(("Dialyse", "1", "Dialyse", "4"))),
    )
    assert rows_of(read(cells)) == [(("Site Nord", "Dialyse"), ("1",)), (("Site Sud", "Dialyse"), ("4",))]


@pytest.mark.parametrize(
    "grid",
    [
        [
            ["Giorno", "Dalle", "Alle", "Dalle", "Alle"],
            ["Lunedì", "8", "12", "14", "17"],
            ["Martedì", "9", "12", "13", "16"],
        ],
        [["Ward", "Day", "Ward"], ["North", "12", "South"], ["East", "14", "West"]],
        [["Von", "Bis", "Von", "Bis"], ["8.00", "12.00", "13.00", "17.00"], ["9.00", "12.00", "13.00", "16.00"]],
    ],
)
def test_columns_that_come_back_without_naming_rows_are_no_second_set(grid: list[list[str]]) -> None:
    assert len(read(cells_of(grid, 1)).rows) == 2


@pytest.mark.parametrize("names", [("Ward 1", "Ward 2", "Ward 3", "Ward 4"), ("101", "102", "103", "104")])
def test_wards_and_rooms_with_numbers_are_names_of_rows(names: tuple[str, ...]) -> None:
    grid = [["Place", "Nurse"] * 2, [names[0], "Ann", names[2], "Cis"], [names[1], "Bob", names[3], "Dee"]]
    found = rows_of(read(cells_of(grid, 1)))
    assert found == [((name,), (nurse,)) for name, nurse in zip(names, ("Ann", "Bob", "Cis", "Dee"), strict=True)]
