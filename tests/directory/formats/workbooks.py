"""Workbooks as people fill them in, for tests."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from openpyxl import Workbook, load_workbook

from careline.directory.formats.files import read_file, template
from careline.directory.formats.read import Read


def a_workbook(**sheets: Sequence[Sequence[Any]]) -> bytes:
    """A workbook of sheets by title, with _ for spaces; each a list of rows."""
    return workbook({title.replace("_", " "): rows for title, rows in sheets.items()})


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    """A workbook of sheets by title."""
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        page = book.create_sheet(title)
        for row in rows:
            page.append(list(row))
    return saved(book)


def saved(book: Workbook) -> bytes:
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def the_template(language: Any = "en") -> Workbook:
    return load_workbook(io.BytesIO(template(language)))


def read(content: bytes) -> Read:
    return read_file("hospital.xlsx", content)


def told(result: Read) -> list[tuple[str, int | None, str]]:
    """Where problems are: sheet, row and heading. Warnings are left out."""
    return [(one.section, one.row, one.field) for one in result.problems if not one.warning]
