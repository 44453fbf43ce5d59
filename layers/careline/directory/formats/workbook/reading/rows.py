"""Finds the headings of a sheet and reads the rows below them, as people leave them: with titles, notes and blanks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from careline.directory.directory import Problem
from careline.directory.formats.identifiers import folded
from careline.directory.formats.workbook.guide import examples
from careline.directory.formats.workbook.layout import IGNORED, Place, Sheet, place_of
from careline.directory.formats.workbook.reading.archive import CellValue, Merged, RawSheet
from careline.directory.formats.workbook.words import LANGUAGES, choice, written

LAST_HEADING_ROW = 30
"""Rows within which the headings are looked for."""
Cells = Mapping[int, CellValue]


@dataclass(slots=True)
class Row:
    """One thing of a sheet: its cells by the key of their place, and the headings that these stand under."""

    sheet: Sheet
    title: str
    number: int
    cells: dict[str, CellValue]
    places: Mapping[str, Place]
    headings: Mapping[str, str]
    language: str
    """Of the workbook."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """In an upright sheet, the row of each cell."""
    entry_id: str = ""

    def heading(self, key: str) -> str:
        """As it stands in the sheet, or as it would."""
        if key in self.headings:
            return self.headings[key]
        name, _, qualifier = key.partition(".")
        column = next((one for one in self.sheet.columns if one.field == name), None)
        return column.heading(self.language, qualifier) if column else key

    def problem(self, key: str, message: str, *, warning: bool = False) -> Problem:
        """What is wrong with one of its cells."""
        return Problem(
            self.title, "", self.heading(key) if key else "", message, self.numbers.get(key, self.number), warning
        )


@dataclass(frozen=True, slots=True)
class SheetRows:
    """The rows of a sheet, and what is wrong with its headings."""

    rows: tuple[Row, ...]
    problems: tuple[Problem, ...]


def rows_of(sheet: Sheet, raw: RawSheet, language: str) -> SheetRows:
    """What a sheet holds. `language` is that of the workbook, in which messages name what has no heading there."""
    if sheet.is_upright:
        return _upright(sheet, raw, language)
    at = _heading_row(sheet, raw)
    if at is None:
        message = "holds no row of headings that is known; copy the headings of the template"
        return SheetRows((), (Problem(raw.title, "", "", message, raw.rows[0][0]),) if raw.rows else ())
    headings, skipped = _headings(raw, at)
    by_column = {column: place_of(sheet, heading) for column, heading in headings.items()}
    problems = [
        Problem(raw.title, "", headings[column], "is no heading that is known; the column is not read", row, True)
        for row in [raw.rows[at][0]]
        for column, place in by_column.items()
        if place is None
    ]
    known, again = _first_of_each(by_column)
    row_number = raw.rows[at][0]
    problems += [Problem(raw.title, "", headings[one], "is there twice; keep one column", row_number) for one in again]
    places = {place.key: place for place in known.values()}
    named = {place.key: headings[column] for column, place in known.items()}
    rows = []
    for number, cells in _with_merged(raw, at + 1 + skipped, known):
        held = {known[column].key: cell for column, cell in cells.items() if column in known}
        if any(places[key].column.holds != IGNORED for key in held) and not _is_note(cells):
            rows.append(Row(sheet, raw.title, number, held, places, named, language))
    kept, told = _without_examples(rows)
    return SheetRows(tuple(kept), (*problems, *told))


def _with_merged(raw: RawSheet, first: int, known: Mapping[int, Place]) -> Iterator[tuple[int, dict[int, CellValue]]]:
    """The rows below the headings, with the value of merged cells in each of them: in every row that holds anything,
    and in columns of one kind, as those of days. Under other headings it would say what nobody wrote."""
    by_row: dict[int, list[Merged]] = {}
    numbers = [number for number, _ in raw.rows[first:]]
    for one in raw.merged:
        for number in numbers[bisect_left(numbers, one.top) : bisect_right(numbers, one.bottom)]:
            by_row.setdefault(number, []).append(one)
    values = dict(raw.rows[first:])
    for number, cells in raw.rows[first:]:
        filled = dict(cells)
        for one in by_row.get(number, ()):
            value = values.get(one.top, {}).get(one.left)
            field = known[one.left].column.field if one.left in known else None
            same = [at for at, place in known.items() if one.left <= at <= one.right and place.column.field == field]
            filled |= {at: value for at in same if value is not None and at not in filled}
        yield number, filled


def _first_of_each(by_column: Mapping[int, Place | None]) -> tuple[dict[int, Place], list[int]]:
    """Each place with its first column, and the columns that are there again."""
    known: dict[int, Place] = {}
    again = []
    for column, place in by_column.items():
        if place is not None and any(place.key == one.key for one in known.values()):
            if place.column.holds != IGNORED:
                again.append(column)
        elif place is not None:
            known[column] = place
    return known, again


def _heading_row(sheet: Sheet, raw: RawSheet) -> int | None:
    """The first row, of those at the top, of which two cells are headings; or all, where there is one."""
    for at, (number, cells) in enumerate(raw.rows):
        if number > LAST_HEADING_ROW:
            return None
        texts = [cell.value for cell in cells.values() if isinstance(cell.value, str)]
        known = sum(1 for text in texts if place_of(sheet, text) is not None)
        if known >= 2 or (known and known == len(cells)):
            return at
    return None


def _headings(raw: RawSheet, at: int) -> tuple[dict[int, str], int]:
    """The headings by column, and how many rows they take besides: languages may stand below a heading that is merged
    over several columns."""
    headings = {column: str(cell.value) for column, cell in raw.rows[at][1].items()}
    below = raw.rows[at + 1][1] if at + 1 < len(raw.rows) else {}
    languages = {*choice("language").meanings, *LANGUAGES}
    if below.keys() <= headings.keys() or any(folded(str(cell.value)) not in languages for cell in below.values()):
        return headings, 0
    for column, cell in below.items():
        above = max((one for one in headings if one <= column), default=None)
        if above is not None:
            headings[column] = f"{headings[above].partition(' (')[0]} ({cell.value})"
    return headings, 1


def _is_note(cells: Cells) -> bool:
    """Whether a row is for people: it begins with # or "Note:"."""
    first = cells[min(cells)].value
    if not isinstance(first, str):
        return False
    word, colon, _ = first.partition(":")
    return first.startswith("#") or (bool(colon) and folded(word) in {folded(one) for one in written()["notes"]})


def _without_examples(rows: Sequence[Row]) -> tuple[list[Row], list[Problem]]:
    """The rows without those that begin with "Example", and a warning for one that is no longer the template's."""
    words = {folded(word) for word in written()["example"].values()}
    kept, told = [], []
    for row in rows:
        key, first = next(iter(row.cells.items()))
        text = first.value if isinstance(first.value, str) else ""
        word, colon, _ = text.partition(":")
        if not colon or folded(word) not in words:
            kept.append(row)
        elif not _is_untouched(row, key):
            message = f"the row is an example and is not read; take the word {word} out if it is meant"
            told.append(row.problem(key, message, warning=True))
    return kept, told


def _is_untouched(row: Row, first: str) -> bool:
    shown = {folded(_plain(value)) for value in examples(row.sheet.key)}
    return all(folded(_plain(cell.value)) in shown for key, cell in row.cells.items() if key != first)


def _plain(value: object) -> str:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    return value.date().isoformat() if isinstance(value, datetime) else str(value)


def _upright(sheet: Sheet, raw: RawSheet, language: str) -> SheetRows:
    """A sheet whose headings stand in its first column, each with its value beside it."""
    cells: dict[str, CellValue] = {}
    places: dict[str, Place] = {}
    headings: dict[str, str] = {}
    numbers: dict[str, int] = {}
    problems = []
    for number, row in raw.rows:
        at, heading = next(_texts(row), (0, ""))
        place = place_of(sheet, heading)
        value = row.get(at + 1)
        if place is None:
            if value is not None and cells:
                message = "is no heading that is known; the line is not read"
                problems.append(Problem(raw.title, "", heading, message, number, True))
            continue
        if value is None or place.column.holds == IGNORED:
            continue
        if place.key in cells:
            problems.append(Problem(raw.title, "", heading, "is there twice; keep one line", number))
            continue
        cells[place.key], places[place.key] = value, place
        headings[place.key], numbers[place.key] = heading, number
    if not cells:
        return SheetRows((), tuple(problems))
    first = min(numbers.values())
    row_of_all = Row(sheet, raw.title, first, cells, places, headings, language, numbers)
    return SheetRows((row_of_all,), tuple(problems))


def _texts(row: Cells) -> Iterator[tuple[int, str]]:
    yield from ((at, cell.value) for at, cell in sorted(row.items()) if isinstance(cell.value, str))
