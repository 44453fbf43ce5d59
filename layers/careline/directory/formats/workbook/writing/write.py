"""Writes workbooks: a directory, and the template that people fill in."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from careline.directory.directory import Directory
from careline.directory.entries import Language
from careline.directory.formats.workbook.guide import guide
from careline.directory.formats.workbook.layout import IGNORED, Place, Sheet, sheets
from careline.directory.formats.workbook.words import written
from careline.directory.formats.workbook.writing.validation import add_choices, choice_lists
from careline.directory.formats.workbook.writing.written_cells import write_cell, write_text
from careline.directory.formats.workbook.writing.written_rows import rows_for

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

WIDTH, WIDE = 16, 30
"""Columns, in characters; those that hold names and sentences are wide."""
_WIDE = frozenset({"name", "list", "sentence", "hours"})
_HEADING = "1F4E5F"
_EXAMPLE = "7F7F7F"


def write_workbook(directory: Directory, language: Language = "en") -> bytes:
    """A directory as a workbook that `read_workbook` reads as the same."""
    book = _book()
    rows = {key: rows_for(key, directory) for key in sheets()}
    for key, sheet in sheets().items():
        used = {name for row in rows[key] for name in row}
        places = [one for one in sheet.places(with_hidden=True) if not one.column.hidden or one.key in used]
        _add_sheet(book, sheet, places, rows[key], language)
    return _saved(book)


def write_template(language: Language) -> bytes:
    """The workbook to fill in: what to do on the first sheet, headings with comments, choices, examples."""
    book = _book()
    _add_read_me(book, language)
    for sheet in sheets().values():
        places = list(sheet.places(with_hidden=False))
        page = _add_sheet(book, sheet, places, [], language)
        _comment(page, sheet, places, language)
        if not sheet.is_upright:
            _write_example(page, sheet, places, language)
        add_choices(page, places, language, sheet.is_upright)
    choice_lists(book, language)
    return _saved(book)


def _book() -> Workbook:
    from openpyxl import Workbook

    book = Workbook()
    book.remove(book.worksheets[0])
    return book


def _saved(book: Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def _add_sheet(
    book: Workbook, sheet: Sheet, places: Sequence[Place], rows: Sequence[Mapping[str, Any]], language: str
) -> Worksheet:
    page = book.create_sheet(sheet.title(language))
    if sheet.is_upright:
        _write_upright(page, places, rows[0] if rows else {}, language)
        return page
    for at, place in enumerate(places, 1):
        _write_heading(page.cell(1, at), place, language)
        page.column_dimensions[page.cell(1, at).column_letter].width = WIDE if place.column.holds in _WIDE else WIDTH
    for number, row in enumerate(rows, 2):
        for at, place in enumerate(places, 1):
            if place.key in row:
                write_cell(page.cell(number, at), row[place.key], place.column, language)
    page.freeze_panes = "A2"
    return page


def _write_upright(page: Worksheet, places: Sequence[Place], row: Mapping[str, Any], language: str) -> None:
    from openpyxl.styles import Font

    for key, at in (("what", "A1"), ("value", "B1")):
        page[at] = written()["upright"][key][language]
        page[at].font = Font(bold=True)
    kept = [one for one in places if one.column.holds != IGNORED]
    for number, place in enumerate(kept, 2):
        _write_heading(page.cell(number, 1), place, language)
        if place.key in row:
            write_cell(page.cell(number, 2), row[place.key], place.column, language)
        else:
            page.cell(number, 2).number_format = "@"
    page.column_dimensions["A"].width = page.column_dimensions["B"].width = 2 * WIDTH


def _write_heading(cell: Any, place: Place, language: str) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill

    cell.value = place.column.heading(language, place.qualifier)
    cell.font = Font(bold=True, color="FFFFFF")
    cell.fill = PatternFill("solid", start_color=_HEADING)
    cell.alignment = Alignment(wrap_text=True, vertical="top")


def _comment(page: Worksheet, sheet: Sheet, places: Sequence[Place], language: str) -> None:
    """Say on each heading what may be written there."""
    from openpyxl.comments import Comment

    kept = [one for one in places if not sheet.is_upright or one.column.holds != IGNORED]
    for at, place in enumerate(kept, 1):
        text = guide(language).help(sheet.key, place.column.field)
        cell = page.cell(at + 1, 1) if sheet.is_upright else page.cell(1, at)
        if text:
            cell.comment = Comment(text, "Careline", width=280, height=90)


def _write_example(page: Worksheet, sheet: Sheet, places: Sequence[Place], language: str) -> None:
    """A row in italics whose first cell begins with "Example:", which is never read."""
    from openpyxl.styles import Font

    for at, place in enumerate(places, 1):
        # What an example says of one language, it says in that of the sheet.
        is_shown = not place.qualifier or (place.column.per == "language" and place.qualifier == language)
        shown = guide(language).example(sheet.key).get(place.column.field) if is_shown else None
        cell = page.cell(2, at)
        if at == 1:
            write_text(cell, f"{written()['example'][language]}: {shown if shown is not None else ''}".strip())
        elif shown is not None:
            write_text(cell, str(shown))
        cell.font = Font(italic=True, color=_EXAMPLE)


def _add_read_me(book: Workbook, language: str) -> None:
    """The first sheet, in plain words."""
    from openpyxl.styles import Alignment, Font

    said = guide(language)
    page = book.create_sheet(said.read_me)
    page.column_dimensions["A"].width, page.column_dimensions["B"].width = 24, 100
    number = 1
    for line in said.lines:
        page.cell(number, 1).value = line
        page.merge_cells(start_row=number, end_row=number, start_column=1, end_column=2)
        page.cell(number, 1).alignment = Alignment(wrap_text=True, vertical="top")
        page.row_dimensions[number].height = 15 * (1 + len(line) // 115)
        number += 1
    page.cell(1, 1).font = Font(bold=True, size=14)
    for sheet in sheets().values():
        page.cell(number, 1).value = sheet.title(language)
        page.cell(number, 1).font = Font(bold=True)
        page.cell(number, 2).value = said.explains(sheet.key)
        number += 1
