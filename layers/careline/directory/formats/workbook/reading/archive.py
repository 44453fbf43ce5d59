"""Takes the values out of an XLSX file that anybody may have made: no formulas, no links, nothing larger than it says.

An XLSX file is a ZIP archive of XML. Its size is bounded before anything is unpacked, and no part may declare a
document type, which is where XML entities come from; Excel writes none.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from careline.errors import TooLarge, UnsupportedMedia

LARGEST = 10_000_000
"""Bytes of a file."""
LARGEST_UNPACKED = 64_000_000
MOST_PARTS = 2_000
MOST_ROWS, MOST_COLUMNS = 60_000, 100
LAST_ROW = 1_048_576
"""Of Excel; one below it is made to do harm."""
MOST_EMPTY = 20_000_000
"""Cells behind the last column that is read: people format whole rows, and nothing is in them."""
MOST_MERGED = 20_000
MOST_CHARACTERS = 20_000_000
"""Of all cells together; Excel lets cells share one long text."""
_PIECE = 1 << 20
_FORBIDDEN = (b"<!DOCTYPE", b"<!ENTITY")
_LONGEST_FORBIDDEN = max(map(len, _FORBIDDEN))
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""How a workbook writes a sign that XML has not, as the end of a line of Windows."""
_MERGED = re.compile(rb'mergeCell [^<>]{0,99}ref="([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})"')
_LONGEST_MERGED = 200
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument"


@dataclass(frozen=True, slots=True)
class CellValue:
    """What a cell holds, with the format it is shown in. `is_unknown`: a formula whose value is not in the file."""

    value: object
    number_format: str = "General"
    is_error: bool = False
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Merged:
    """Cells that are shown as one, whose value stands in the first."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True)
class RawSheet:
    """The rows of a sheet that hold anything, by number from 1; cells by column from 1."""

    title: str
    rows: tuple[tuple[int, dict[int, CellValue]], ...]
    merged: tuple[Merged, ...] = ()
    is_hidden: bool = False


def raw_sheets(name: str, content: bytes) -> list[RawSheet]:
    """The values of a workbook. `name` is how messages call it.

    Raises: TooLarge, UnsupportedMedia for what is no workbook of Excel, or is locked.
    """
    if len(content) > LARGEST:
        raise TooLarge(f"{name}: larger than {LARGEST // 1_000_000} MB; leave pictures and other sheets out")
    try:
        with_formulas = _checked(name, content)
        return list(_read(name, content, with_formulas))
    except (TooLarge, UnsupportedMedia):
        raise
    except Exception:
        # Of a damaged file openpyxl raises whatever its reading meets.
        message = f"{name}: cannot be read as a workbook; open it in Excel and save it as Excel workbook (.xlsx)"
        raise UnsupportedMedia(message) from None


def _checked(name: str, content: bytes) -> bool:
    """Whether any sheet holds formulas. Raises: TooLarge, UnsupportedMedia, and whatever a damaged archive brings."""
    has_formulas = False
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > LARGEST_UNPACKED:
            message = f"unpacks to more than {LARGEST_UNPACKED // 1_000_000} MB or {MOST_PARTS} parts"
            raise TooLarge(f"{name}: {message}; copy the sheets into a new workbook")
        _check_kind(name, archive, parts)
        for part in parts:
            if not part.filename.startswith("xl/media/"):
                has_formulas |= _check_part(name, archive, part)
    return has_formulas


def _check_kind(name: str, archive: zipfile.ZipFile, parts: list[zipfile.ZipInfo]) -> None:
    names = {part.filename for part in parts}
    if any(part.flag_bits & 1 for part in parts):
        raise UnsupportedMedia(f"{name}: is locked with a password; take it off and save it again")
    if "mimetype" in names and archive.read("mimetype").startswith(OPEN_DOCUMENT):
        raise UnsupportedMedia(f"{name}: is an OpenDocument file; save it as Excel workbook (.xlsx)")
    if "[Content_Types].xml" not in names or "xl/workbook.bin" in names:
        raise UnsupportedMedia(f"{name}: is no Excel workbook (.xlsx); save it as one")


def _check_part(name: str, archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether a part of the archive holds formulas. Raises: UnsupportedMedia."""
    has_formulas, before = False, b""
    with archive.open(part) as source:
        while piece := source.read(_PIECE):
            # A text of two bytes a sign would hide what is looked for.
            is_wide = not before and part.filename.endswith((".xml", ".rels")) and b"\0" in piece[:8]
            seen = before + piece
            if is_wide or any(one in seen for one in _FORBIDDEN):
                raise UnsupportedMedia(f"{name}: holds XML that no Excel writes; copy the sheets into a new workbook")
            has_formulas = has_formulas or b"<f>" in seen or b"<f " in seen
            before = piece[-_LONGEST_FORBIDDEN:]
    return has_formulas and part.filename.startswith("xl/worksheets/")


def _opened(content: bytes, *, data_only: bool) -> Any:
    """A reader of a workbook, which knows its sheets and where these stand in the archive."""
    from openpyxl.reader.excel import ExcelReader

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        reader = ExcelReader(io.BytesIO(content), read_only=True, data_only=data_only, keep_links=False)
        reader.read()
    return reader


def _read(name: str, content: bytes, with_formulas: bool) -> Iterator[RawSheet]:
    reader = _opened(content, data_only=True)
    formulas = _opened(content, data_only=False).wb if with_formulas else None
    parts = {sheet.name: relation.target for sheet, relation in reader.parser.find_sheets()}
    left = MOST_CHARACTERS
    for sheet in reader.wb.worksheets:
        known = _formulas(formulas[sheet.title]) if formulas else {}
        rows = []
        for number, cells in _rows(name, sheet, known):
            left -= sum(len(cell.value) for cell in cells.values() if isinstance(cell.value, str))
            if number > MOST_ROWS or left < 0:
                limit = f"{MOST_ROWS:,} rows in a sheet or {MOST_CHARACTERS // 1_000_000} million characters"
                raise TooLarge(f"{name}: holds more than {limit}; delete what is not needed (row {number})")
            rows.append((number, cells))
        merged = tuple(_merged(name, content, parts[sheet.title]))
        yield RawSheet(sheet.title, tuple(rows), merged, sheet.sheet_state != "visible")


def _rows(name: str, sheet: Any, formulas: Mapping[int, set[int]]) -> Iterator[tuple[int, dict[int, CellValue]]]:
    """The rows that hold anything. Raises: TooLarge where something stands behind the last column that is read."""
    left = MOST_EMPTY
    for number, row in _numbered(sheet):
        left -= max(0, len(row) - MOST_COLUMNS)
        if left < 0 or any(one.value is not None for one in row[MOST_COLUMNS:]):
            limit = f"row {number} has more than {MOST_COLUMNS} columns"
            raise TooLarge(f"{name}: {sheet.title}, {limit}; delete the others")
        cells = {at: _cell(one) for at, one in enumerate(row, 1) if one.value is not None}
        cells |= {at: CellValue(None, is_unknown=True) for at in formulas.get(number, ()) if at not in cells}
        cells = {at: one for at, one in cells.items() if one.value != "" or one.is_unknown}
        if cells:
            yield number, cells


def _numbered(sheet: Any) -> Iterator[tuple[int, Sequence[Any]]]:
    """The rows of a sheet as they are, however long it says that it is."""
    sheet.reset_dimensions()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield from enumerate(sheet.iter_rows(max_row=LAST_ROW), 1)


def _cell(cell: Any) -> CellValue:
    value, data_type = cell.value, cell.data_type
    number_format = cell.number_format if data_type in ("n", "d") else "General"
    text = str(value) if data_type == "s" else value
    if isinstance(text, str):
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text).replace("\r", "").strip()
    return CellValue(text, str(number_format), is_error=data_type == "e")


def _formulas(sheet: Any) -> dict[int, set[int]]:
    """Where the formulas of a sheet stand: columns by row."""
    found: dict[int, set[int]] = {}
    for number, row in _numbered(sheet):
        for at, one in enumerate(row[:MOST_COLUMNS], 1):
            if one.data_type == "f":
                found.setdefault(number, set()).add(at)
    return found


def _merged(name: str, content: bytes, part: str) -> Iterator[Merged]:
    """The merged cells of a sheet, which openpyxl does not tell of one that it reads row by row. Raises: TooLarge."""
    from openpyxl.utils import column_index_from_string

    found, before = 0, b""
    with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(part.removeprefix("/")) as source:
        while piece := source.read(_PIECE):
            seen, ends = before + piece, 0
            for one in _MERGED.finditer(seen):
                found, ends = found + 1, one.end()
                if found > MOST_MERGED:
                    raise TooLarge(f"{name}: merges cells in more than {MOST_MERGED:,} places; part them")
                left, right = (column_index_from_string(one[at].decode()) for at in (1, 3))
                yield Merged(int(one[2]), left, int(one[4]), right)
            before = seen[max(ends, len(seen) - _LONGEST_MERGED) :]
