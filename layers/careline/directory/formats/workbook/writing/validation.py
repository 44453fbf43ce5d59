"""Lists to choose from in the template's cells, and the formats of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from careline.directory.formats.workbook.guide import guide
from careline.directory.formats.workbook.layout import IGNORED, Place
from careline.directory.formats.workbook.words import choice
from careline.directory.formats.workbook.writing.written_cells import TEXT

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.datavalidation import DataValidation
    from openpyxl.worksheet.worksheet import Worksheet

LAST_ROW = 1_000
"""Down to which row cells have lists."""
_CHOSEN = {
    "choice": "", "word": "", "frequencies": "", "answer": "answer", "days": "day", "day_parts": "day",
    "country": "country",
}  # fmt: skip
"""What cells choose from, where the column does not say."""
_NUMBERS = frozenset({"count", "number", "price", "date"})
_NAMES = (
    "answer", "campus_role", "country", "day", "department_kind", "frequency", "language", "part", "purpose", "role",
    "sex", "thing", "transport", "unit", "way",
)  # fmt: skip


def choice_lists(book: Workbook, language: str) -> None:
    """The sheet of the lists, out of sight: each in a column, with its name on top."""
    page = book.create_sheet(guide(language).lists)
    page.sheet_state = "hidden"
    for at, name in enumerate(_NAMES, 1):
        for number, word in enumerate((name, *choice(name).written(language)), 1):
            page.cell(number, at).value = word


def add_choices(page: Worksheet, places: Sequence[Place], language: str, is_upright: bool) -> None:
    """Give the cells of a sheet their lists, and keep Excel from making numbers of what is text."""
    made: dict[str, DataValidation] = {}
    for at, place in enumerate((one for one in places if not is_upright or one.column.holds != IGNORED), 1):
        first, last = (at + 1, at + 1) if is_upright else (2, LAST_ROW)
        letter = "B" if is_upright else page.cell(1, at).column_letter
        name = place.column.of or _CHOSEN.get(place.column.holds, "")
        if name in _NAMES and place.column.holds in _CHOSEN:
            listed = made.get(name) or _validation(name, language)
            made[name] = listed
            listed.add(f"{letter}{first}:{letter}{last}")
        if place.column.holds not in _NUMBERS:
            _as_text(page, letter, first if is_upright else None)
    for listed in made.values():
        page.add_data_validation(listed)


def _as_text(page: Worksheet, letter: str, row: int | None) -> None:
    """Give a cell, or a whole column, the format of text."""
    styled = page.column_dimensions[letter] if row is None else page[f"{letter}{row}"]
    styled.number_format = TEXT


def _validation(name: str, language: str) -> DataValidation:
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation as Validation

    letter = get_column_letter(_NAMES.index(name) + 1)
    last = 1 + len(choice(name).written(language))
    # Other words are read too, so that a cell may hold what is not in the list.
    listed = f"{guide(language).lists}!${letter}$2:${letter}${last}"
    return Validation(type="list", formula1=listed, allow_blank=True, showErrorMessage=False)
