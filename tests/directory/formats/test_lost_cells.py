"""Nothing of a workbook is lost unsaid: neither what lies far off, nor what is merged or hidden."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.styles import PatternFill

from careline.directory.directory import Directory
from careline.directory.entries import Department
from careline.directory.formats.files import read_file
from careline.directory.formats.workbook.reading import archive
from careline.directory.formats.workbook.reading.read import NO_ROWS
from careline.directory.week import DAYS
from careline.errors import TooLarge, UnsupportedMedia
from tests.directory.formats.workbooks import read, saved, told

CLINIC, HEART = ["Eye clinic", "09 000 00 01"], ["Heart", "09 000 00 02"]
WEEK = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def a_book(**sheets: Sequence[Sequence[str | None]]) -> Workbook:
    book = Workbook()
    book.remove(book.worksheets[0])
    for title, rows in {"Departments": [["Name (en)", "Phone"], CLINIC, HEART], **sheets}.items():
        page = book.create_sheet(title.replace("_", " "))
        for row in rows:
            page.append(row)
    return book


def held(book: Workbook) -> Directory:
    result = read(saved(book))
    assert result.directory is not None, result.problems
    return result.directory


def eye_clinic(book: Workbook) -> Department:
    return held(book).departments[0]


def test_a_row_far_below_the_others_is_told_and_not_left_out() -> None:
    book = a_book()
    book["Departments"].cell(archive.MOST_ROWS + 9, 1, "Far away")
    with pytest.raises(TooLarge, match="60,000 rows"):
        read(saved(book))


def test_a_column_far_right_of_the_others_is_told_and_not_left_out() -> None:
    book = a_book()
    book["Departments"].cell(1, archive.MOST_COLUMNS + 3, "Email")
    with pytest.raises(TooLarge, match="Departments, row 1 has more than 100 columns"):
        read(saved(book))


def test_cells_that_hold_a_colour_alone_are_no_rows_and_no_columns() -> None:
    book = a_book()
    page, white = book["Departments"], PatternFill("solid", fgColor="FFFFFF")
    page.cell(archive.MOST_ROWS + 9, 1).fill = white
    page.cell(2, archive.MOST_COLUMNS + 3).fill = white
    assert len(held(book).departments) == 2


def test_a_row_that_no_excel_has_takes_no_time() -> None:
    far = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(saved(a_book()))) as source, zipfile.ZipFile(far, "w") as made:
        for name in source.namelist():
            part = source.read(name)
            made.writestr(name, part.replace(b'<row r="3"', b'<row r="999999999999"'))
    assert [one.id for one in held_of(far.getvalue()).departments] == ["eye-clinic"]


def held_of(content: bytes) -> Directory:
    result = read(content)
    assert result.directory is not None, result.problems
    return result.directory


@pytest.mark.parametrize(("cells", "open_on"), [("B2:F2", 5), ("B2:H2", 7), ("B2:C2", 2)])
def test_hours_in_a_cell_merged_over_several_days_hold_on_each(cells: str, open_on: int) -> None:
    book = a_book(Opening_hours=[["Of", *WEEK], ["Eye clinic", "08:00-12:00"]])
    book["Opening hours"].merge_cells(cells)
    assert list(eye_clinic(book).opening_hours[0].weekly) == list(DAYS[:open_on])


def test_a_name_in_a_cell_merged_over_several_rows_is_that_of_each() -> None:
    book = a_book(
        Doctors=[["Last name", "Department"], ["Byron", "Heart"], ["Hopper", None]],
        Consultations=[["Doctor", "Weekday"], ["Byron", "Monday"], [None, "Tuesday"], ["Hopper", "Friday"]],
    )
    book["Doctors"].merge_cells("B2:B3")
    book["Consultations"].merge_cells("A2:A3")
    doctors = held(book).doctors
    assert [[one.weekday for one in doctor.consultations] for doctor in doctors] == [["monday", "tuesday"], ["friday"]]
    assert [one.department for one in doctors] == ["heart", "heart"]


def test_a_cell_merged_over_another_heading_says_nothing_under_that() -> None:
    book = a_book(Campuses=[["Name (en)", "Street", "Postcode", "Town"], ["Quay", "Kaai 3", None, "Gent"]])
    book["Campuses"].merge_cells("B2:C2")
    assert told(read(saved(book)))[0] == ("Campuses", 2, "Postcode")


def test_cells_that_are_merged_below_one_another_make_no_rows() -> None:
    book = a_book()
    book["Departments"].merge_cells("A3:A900")
    assert [one.id for one in held(book).departments] == ["eye-clinic", "heart"]


def test_more_merged_cells_than_people_make_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_MERGED", 1)
    book = a_book()
    book["Departments"].merge_cells("A5:B5")
    assert held(book)
    book["Departments"].merge_cells("A6:B6")
    with pytest.raises(TooLarge, match="merges"):
        read(saved(book))


@given(st.integers(0, 3))
@settings(max_examples=4, deadline=None)
def test_a_merged_cell_at_the_seam_of_what_is_read_at_once_is_found(shift: int) -> None:
    book = a_book(Opening_hours=[["Of", *WEEK], ["Eye clinic", "08:00-12:00"]])
    book["Opening hours"].merge_cells("B2:F2")
    content = saved(book)
    with zipfile.ZipFile(io.BytesIO(content)) as source:
        part = source.read("xl/worksheets/sheet2.xml")
    at = part.index(b"<mergeCell ") + 4 * shift
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(archive, "_PIECE", at)
        assert len(held_of(content).departments[0].opening_hours[0].weekly) == 5


def test_a_hidden_sheet_is_read_and_told() -> None:
    book = a_book(Doctors=[["Last name", "Department"], ["Byron", "Heart"]])
    book["Doctors"].sheet_state = "hidden"
    result = read(saved(book))
    assert result.directory is not None
    assert [one.id for one in result.directory.doctors] == ["byron"]
    assert [one.section for one in result.problems if "hidden" in one.message] == ["Doctors"]


@pytest.mark.parametrize(
    ("content", "what_to_do"),
    [
        (b"Name;Phone\r\nEyes;09 1\r\n", "save it as Excel workbook"),
        (b"Name,Phone\nEyes,09 1\n", "save it as Excel workbook"),
        ("Naam\tT\u00e9l\u00e9phone\nOog\t09 1\n".encode("latin-1"), "save it as Excel workbook"),
        ("\ufeffNaam;Telefoon\nOog;09 1\n".encode("utf-8"), "save it as Excel workbook"),
        ("\ufeffNaam;Telefoon\nOog;09 1\n".encode("utf-16-le"), "save it as Excel workbook"),
        (b"<html><body><table><tr><td>Name</td></tr></table>", "save it as Excel workbook"),
        (b'<?xml version="1.0"?>\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">', "Excel workbook"),
        (b'<Bundle xmlns="http://hl7.org/fhir"><type value="batch"/></Bundle>', "Bundle in JSON"),
        (b" \n", "choose the file again"),
    ],
)
def test_what_people_take_for_a_workbook_is_told_what_to_do_with_it(content: bytes, what_to_do: str) -> None:
    with pytest.raises(UnsupportedMedia, match=what_to_do):
        read_file("hospital.xlsx", content)


@pytest.mark.parametrize("other", [None, "Old phone list"])
def test_a_workbook_without_rows_replaces_no_directory_whatever_other_sheets_hold(other: str | None) -> None:
    sheets = {other: [["Name"], ["Eyes"]]} if other is not None else {}
    result = read(saved(a_book(Departments=[["Name (en)", "Phone"]], **sheets)))
    assert result.directory is None
    assert [one.message for one in result.problems if not one.warning] == [NO_ROWS]
    assert [one.section for one in result.problems if one.warning] == [*sheets]


@pytest.mark.parametrize(
    "content",
    [b"{}", b"# a, b; c\n{}", b"---\nhospital: {names: {en: A, nl: B}}\n", b"hospital:\n  names: {en: A}\n",
     b'{"hospital": {"names": {"en": "A"}},\n "campuses": []}'],
)  # fmt: skip
def test_yaml_is_no_text_with_cells(content: bytes) -> None:
    assert read_file("hospital.yaml", content).directory is not None


@pytest.mark.parametrize("content", [b'[{"resourceType": "Patient"}]', b'{"resourceType": "Patient"}\n{}\n'])
def test_resources_that_are_no_bundle_are_told_to_become_one(content: bytes) -> None:
    [problem] = read_file("export.json", content).problems
    assert "as one Bundle in JSON" in problem.message
