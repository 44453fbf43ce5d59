"""Reads a workbook that people filled in as a directory."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

from careline.directory.directory import HOSPITAL, Problem, read_directory
from careline.directory.formats.identifiers import folded
from careline.directory.formats.read import FILE, Read, nothing, told
from careline.directory.formats.workbook.guide import for_people
from careline.directory.formats.workbook.layout import sheet_of, sheets
from careline.directory.formats.workbook.reading.archive import raw_sheets
from careline.directory.formats.workbook.reading.assemble import Assembly, Rows
from careline.directory.formats.workbook.reading.builder import Builder
from careline.directory.formats.workbook.reading.identify import identify
from careline.directory.formats.workbook.reading.references import Names
from careline.directory.formats.workbook.reading.rows import Row, rows_of
from careline.directory.formats.workbook.words import LANGUAGES, CellWrong, choice

MOST_PROBLEMS = 2_000
"""Problems of one workbook that are told."""
HIDDEN = "the sheet is hidden and is read like the others; delete it where it is not meant"
COLUMNS = {"timezone": "time_zone", "address": "street", "address.country": "country"}
"""Columns that have another name than the field that they hold."""
NO_ROWS = "holds no rows; fill in a sheet before it replaces the directory"
NO_TITLE = "the sheet has no title that is known and is not read"


def read_workbook(name: str, content: bytes) -> Read:
    """The directory that a workbook holds, or everything that is wrong with it. Raises: TooLarge, UnsupportedMedia."""
    rows: dict[str, list[Row]] = {}
    problems: list[Problem] = []
    order: list[str] = []
    found_sheets = list(raw_sheets(name, content))
    language = _language_of_titles([raw.title for raw in found_sheets])
    titles = {key: sheet.title(language) for key, sheet in sheets().items()}
    for raw in found_sheets:
        sheet = sheet_of(raw.title)
        order.append(raw.title)
        if sheet is not None:
            found = rows_of(sheet, raw, language)
            titles[sheet.key] = raw.title
            rows.setdefault(sheet.key, []).extend(found.rows)
            problems.extend(found.problems)
            if raw.is_hidden and found.rows:
                problems.append(Problem(raw.title, "", "", HIDDEN, warning=True))
        elif raw.rows and folded(raw.title) not in for_people():
            problems.append(Problem(raw.title, "", "", NO_TITLE, warning=True))
    if not rows:
        return nothing(Problem(FILE, name, "", "holds no sheet of a hospital's directory; begin with the template"))
    if not any(rows.values()) and all(one.warning for one in problems):
        return nothing(Problem(FILE, name, "", NO_ROWS), *problems)
    return _assembled(rows, problems, order, Names(titles))


def _language_of_titles(titles: Sequence[str]) -> str:
    """The language in which most sheets have their title, in which messages name the others; English where none is."""
    known = [(title, sheet) for title in titles if (sheet := sheet_of(title)) is not None]
    counts = {
        code: sum(folded(title) in map(folded, sheet.titles[code]) for title, sheet in known)
        for code in ("en", *LANGUAGES)
    }
    return max(counts, key=lambda code: counts[code])


def _assembled(rows: Rows, problems: list[Problem], order: Sequence[str], names: Names) -> Read:
    builder = Builder(names, _language(rows))
    identify(rows, builder)
    assembly = Assembly(rows, builder)
    written = assembly.whole()
    problems = [*problems, *builder.problems]
    directory = None
    if all(one.warning for one in problems):
        directory, found = read_directory(written)
        problems += [_placed(one, assembly.sources) for one in found]
    place = {title: at for at, title in enumerate(order)}
    problems.sort(key=lambda one: (place.get(one.section, len(order)), one.row or 0))
    return Read(directory, told(problems, MOST_PROBLEMS))


def _language(rows: Rows) -> str:
    """The language of the hospital, which is that of what names none."""
    for row in rows.get(HOSPITAL, ()):
        cell = row.cells.get("default_language")
        if cell is not None and isinstance(cell.value, str):
            try:
                return choice("language").value(cell.value, "en") or "nl"
            except CellWrong:
                return "nl"
    return "nl"


def _placed(problem: Problem, sources: Mapping[tuple[str, str], Row]) -> Problem:
    """A problem of the directory with the sheet and row that it comes from."""
    row = sources.get((problem.section, problem.entry)) or sources.get((problem.section, ""))
    if row is None:
        return problem
    field = problem.field.partition(".")[0]
    key = COLUMNS.get(problem.field) or COLUMNS.get(field, field)
    placed = row.problem(key, problem.message, warning=problem.warning)
    return dataclasses.replace(placed, entry=problem.entry)
