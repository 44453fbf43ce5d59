"""A file that somebody made to do harm, or that is none of ours, is refused and does nothing."""

from __future__ import annotations

import io
import re
import time
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from careline.directory.formats.files import read_file, write_file
from careline.errors import TooLarge, UnsupportedMedia
from tests.directory.formats.demo import demo
from tests.directory.formats.workbooks import a_workbook, read, saved, told

PLAIN = a_workbook(Departments=[["Name (en)", "Phone"], ["Eye clinic", "09 1"]])
_FORMULA = re.compile(rb'<c r="B2".*?</c>')
SHEET = "xl/worksheets/sheet1.xml"
NOT_OURS = (
    b"", b"\0\1\2\3", b"%PDF-1.7\n", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"{", b"[]", b"- a\n- b\n",
    b'{"resourceType": "Patient"}', b'{"resourceType": "Bundle"}', b'{"resourceType": "Bundle", "entry": {}}',
    b'{"resourceType": ' + b"[" * 100_000, b"a: &a [*a]", b"name;phone\nEyes;09 1\n", b"a: " + b"[" * 5_000,
)  # fmt: skip


def with_part(name: str, change: Callable[[bytes], bytes], content: bytes = PLAIN) -> bytes:
    """A workbook of which one part is another."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        parts = {one: source.read(one) for one in source.namelist()}
        for one, held in {**parts, name: change(parts.get(name, b""))}.items():
            made.writestr(one, held)
    return target.getvalue()


@pytest.mark.parametrize("content", NOT_OURS)
def test_what_is_no_directory_is_refused_with_what_to_do(content: bytes) -> None:
    try:
        result = read_file("hospital", content)
    except UnsupportedMedia as error:
        said = [error.message]
    else:
        assert result.directory is None
        said = [str(one) for one in result.problems]
    assert said
    assert all("hospital" in one for one in said)


def test_a_workbook_that_unpacks_to_much_more_is_refused_before_it_is_unpacked() -> None:
    bomb = with_part("xl/worksheets/sheet2.xml", lambda _: b"0" * 90_000_000)
    assert len(bomb) < 200_000
    began = time.perf_counter()
    with pytest.raises(TooLarge):
        read(bomb)
    assert time.perf_counter() - began < 1


def test_a_workbook_of_many_parts_is_refused() -> None:
    target = io.BytesIO(PLAIN)
    with zipfile.ZipFile(target, "a") as made:
        for number in range(2_100):
            made.writestr(f"xl/parts/{number}.xml", b"")
    with pytest.raises(TooLarge):
        read(target.getvalue())


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_xml_with_entities_is_refused(encoding: str) -> None:
    entities = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha"}">' for n in range(8))
    declared = f'<?xml version="1.0"?><!DOCTYPE x [{entities}<!ENTITY file SYSTEM "file:///etc/passwd">]>'
    hostile = with_part(SHEET, lambda held: (declared + held.decode("utf-8")).encode(encoding))
    with pytest.raises(UnsupportedMedia):
        read(hostile)


def test_an_entity_at_the_seam_of_what_is_read_at_once_is_found() -> None:
    hostile = with_part(SHEET, lambda held: b"<!-- " + b"x" * (1 << 20) + b" --><!DOCTYPE x>" + held)
    for shift in range(0, 12, 3):
        with pytest.raises(UnsupportedMedia):
            read(with_part(SHEET, lambda held, shift=shift: held[shift:], hostile))


def test_a_locked_part_is_told_to_be_locked() -> None:
    locked = bytearray(PLAIN)
    for at in [n for n in range(len(locked)) if locked[n : n + 4] == b"PK\x01\x02"]:
        locked[at + 8] |= 1
    with pytest.raises(UnsupportedMedia, match="password"):
        read(bytes(locked))


def test_a_workbook_locked_by_excel_is_told_to_be_locked() -> None:
    with pytest.raises(UnsupportedMedia, match="password"):
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600)


def test_an_open_document_is_told_how_to_save_it() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
    with pytest.raises(UnsupportedMedia, match="xlsx"):
        read(target.getvalue())


def test_of_a_formula_its_value_is_read_and_one_without_is_told() -> None:
    book = Workbook()
    page = book.worksheets[0]
    page.title = "Departments"
    page.append(["Name (en)", "Phone", "Room"])
    page.append(["Eye clinic", '=HYPERLINK("http://evil.example", "09 1")'])
    without = saved(book)
    assert told(read(without)) == [("Departments", 2, "Phone")]
    calculated = b'<c r="B2" t="str"><f>"09"</f><v>09 1</v></c>'
    with_value = with_part(SHEET, lambda held: _FORMULA.sub(lambda _: calculated, held), without)
    result = read(with_value)
    assert result.directory is not None, result.problems
    assert result.directory.departments[0].phone == "09 1"


def test_links_to_other_workbooks_are_not_followed() -> None:
    external = with_part(
        "xl/externalLinks/externalLink1.xml", lambda _: b'<externalLink xmlns="x"><externalBook/></externalLink>'
    )
    assert read(external).directory is not None


def test_what_begins_like_a_formula_is_written_as_text() -> None:
    first = demo().departments[0].model_copy(update={"names": {"nl": "=cmd|'/c calc'!A1"}})
    content = write_file(demo().model_copy(update={"departments": [first], "doctors": []}), "xlsx")
    with zipfile.ZipFile(io.BytesIO(content)) as made:
        assert not any(b"<f>" in made.read(one) for one in made.namelist())
        assert any(b"=cmd|" in made.read(one) for one in made.namelist())


def test_a_sheet_that_claims_a_row_far_below_is_read_without_the_rows_between() -> None:
    far = with_part(SHEET, lambda held: held.replace(b'r="2"', b'r="1048576"').replace(b'A2"', b'A1048576"'))
    began = time.perf_counter()
    try:
        read(far)
    except TooLarge:
        pass
    assert time.perf_counter() - began < 10


@given(st.binary(max_size=400))
@settings(deadline=None)
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    try:
        read_file("hospital", content)
    except (UnsupportedMedia, TooLarge):
        pass


@given(st.integers(0, len(PLAIN) - 1), st.binary(min_size=1, max_size=8))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_damaged_workbook_is_read_or_refused(at: int, damage: bytes) -> None:
    try:
        read(PLAIN[:at] + damage + PLAIN[at + len(damage) :])
    except (UnsupportedMedia, TooLarge):
        pass
