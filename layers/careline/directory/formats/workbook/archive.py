"""Takes the values out of an XLSX file that anybody may have made: no formulas, no links, nothing larger than it says.

An XLSX file is a ZIP archive of XML. Its size is bounded before anything is unpacked, and no part may declare a
document type, which is where XML entities come from; Excel writes none.
"""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from careline.errors import TooLarge, UnsupportedMedia

LARGEST = 10_000_000
"""Bytes of a file."""
LARGEST_UNPACKED = 64_000_000
MOST_PARTS = 2_000
MOST_ROWS, MOST_COLUMNS = 60_000, 100
MOST_CHARACTERS = 20_000_000
"""Of all cells together; Excel lets cells share one long text."""
_PIECE = 1 << 20
_FORBIDDEN = (b"<!DOCTYPE", b"<!ENTITY")
_LONGEST_FORBIDDEN = max(map(len, _FORBIDDEN))
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
"""How a workbook writes a sign that XML has not, as the end of a line of Windows."""
OPEN_DOCUMENT = b"application/vnd.oasis.opendocument"


@dataclass(frozen=True, slots=True)
class CellValue:
    """What a cell holds, with the format it is shown in. `is_unknown`: a formula whose value is not in the file."""

    value: object
    number_format: str = "General"
    is_error: bool = False
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class RawSheet:
    """The rows of a sheet that hold anything, by number from 1; cells by column from 1."""

    title: str
    rows: tuple[tuple[int, dict[int, CellValue]], ...]


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
    from openpyxl import load_workbook

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return load_workbook(io.BytesIO(content), read_only=True, data_only=data_only, keep_links=False)


def _read(name: str, content: bytes, with_formulas: bool) -> Iterator[RawSheet]:
    values = _opened(content, data_only=True)
    formulas = _opened(content, data_only=False) if with_formulas else None
    left = MOST_CHARACTERS
    for sheet in values.worksheets:
        known = _formulas(formulas[sheet.title]) if formulas else set()
        rows = []
        for number, cells in _rows(sheet, known):
            left -= sum(len(cell.value) for cell in cells.values() if isinstance(cell.value, str))
            if number > MOST_ROWS or left < 0:
                limit = f"{MOST_ROWS:,} rows in a sheet or {MOST_CHARACTERS // 1_000_000} million characters"
                raise TooLarge(f"{name}: holds more than {limit}; delete what is not needed")
            rows.append((number, cells))
        yield RawSheet(sheet.title, tuple(rows))


def _rows(sheet: Any, formulas: set[tuple[int, int]]) -> Iterator[tuple[int, dict[int, CellValue]]]:
    """The rows that hold anything."""
    sheet.reset_dimensions()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for number, row in enumerate(sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS), 1):
            cells = {at: _cell(one) for at, one in enumerate(row, 1) if one.value is not None}
            for at in range(1, MOST_COLUMNS + 1) if formulas else ():
                if (number, at) in formulas and at not in cells:
                    cells[at] = CellValue(None, is_unknown=True)
            cells = {at: one for at, one in cells.items() if one.value != "" or one.is_unknown}
            if cells:
                yield number, cells


def _cell(cell: Any) -> CellValue:
    value, data_type = cell.value, cell.data_type
    number_format = cell.number_format if data_type in ("n", "d") else "General"
    text = str(value) if data_type == "s" else value
    if isinstance(text, str):
        text = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text).replace("\r", "").strip()
    return CellValue(text, str(number_format), is_error=data_type == "e")


def _formulas(sheet: Any) -> set[tuple[int, int]]:
    """Where the formulas of a sheet stand: row and column."""
    sheet.reset_dimensions()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = enumerate(sheet.iter_rows(max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS), 1)
        return {(number, at) for number, row in rows for at, one in enumerate(row, 1) if one.data_type == "f"}
