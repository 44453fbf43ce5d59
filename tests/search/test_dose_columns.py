"""A dose is no dose without how often it is given."""

from __future__ import annotations

from careline.search.table_answer import find
from careline.search.table_sight import CellPlace
from tests.search.test_table_answer import a_table


def test_a_dose_is_told_with_how_often_it_is_given() -> None:
    table = a_table(
        ["CrCl (mL/min)", "Dose", "Initial interval", "Level"],
        ["60 and above", "5 mg/kg", "24 hours", "before the second"],
        ["40 to 59", "5 mg/kg", "36 hours", "before the second"],
    )
    found = find("what is the dose with a CrCl of 45", "en", table, "en", CellPlace(("Gentamicin",)))
    assert found is not None
    assert (found.rows, found.columns) == ((1,), (0, 1))
