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

from careline.directory.directory import Directory, Problem, read_directory
from careline.directory.formats.files import read_file, write_file
from careline.directory.formats.read import FILE, nothing
from careline.errors import TooLarge, UnsupportedMedia
from tests.directory.formats.demo import demo
from tests.directory.formats.workbooks import a_workbook, read, saved, told

PLAIN = a_workbook(Departments=[["Name (en)", "Phone"], ["Eye clinic", "09 1"]])
_FORMULA = re.compile(rb'<c r="B2".*?</c>')
SLIPS = (b"'", b'"', b":", b"- ", b"\n", b"[", b"}", b"null", b"0", b"quay", b"24:00", b"-1", b"\0")
"""What people and programs write in a wrong place."""
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


def test_a_sheet_that_claims_a_row_far_below_is_refused_without_a_long_search() -> None:
    far = with_part(SHEET, lambda held: held.replace(b'r="2"', b'r="1048576"').replace(b'A2"', b'A1048576"'))
    began = time.perf_counter()
    with pytest.raises(TooLarge, match=r"more than 60,000 rows in a sheet .*; delete what is not needed"):
        read(far)
    assert time.perf_counter() - began < 10


def is_read_or_refused(content: bytes) -> bool:
    """Whether a file is read. Else it must be told what is wrong with it, where, and what to do."""
    try:
        result = read_file("hospital", content)
    except (UnsupportedMedia, TooLarge) as error:
        name, _, message = error.message.partition(": ")
        result = nothing(Problem(FILE, name, "", message))
    wrong = [one for one in result.problems if not one.warning]
    for one in wrong:
        if one.section == FILE:
            assert _REFUSED.fullmatch(f"{one.entry}: {one.message}"), one
        assert one.section or _LINE.search(one.message), f"no place is named: {one}"
        assert _LINE.sub("", one.message).strip(), f"nothing is said to be wrong: {one}"
    if result.directory is None:
        assert wrong, "nothing is read, and nothing is told"
        return False
    assert wrong == [], "what is wrong is read"
    again, told_again = read_directory(result.directory.to_json())
    assert again == result.directory
    assert all(one.warning for one in told_again)
    return True


_REFUSED = re.compile(r"hospital: [^;]{5,}; .{10,}", re.DOTALL)
"""What is wrong with a file as a whole, and behind it what to do."""
_LINE = re.compile(r" \(line [0-9]+\)$")
BEGINNINGS = (
    b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"\xef\xbb\xbf", b"<", b"hospital:\n  ", b"hospital: {names: {nl: Kaai}, ",
    b"departments:\n- id: eyes\n  names: {nl: Ogen}\n  ", b"lay_words:\n- ", b'{"resourceType": "Bundle", ',
    b'{"resourceType": "Bundle", "entry": [{"resource": ',
)  # fmt: skip
REST = st.binary(max_size=400) | st.text(max_size=100).map(str.encode)


@given(st.sampled_from(BEGINNINGS), REST)
@settings(deadline=None)
def test_any_bytes_are_read_or_refused(beginning: bytes, rest: bytes) -> None:
    is_read_or_refused(beginning + rest)


SMALL = Directory.model_validate(
    {
        "hospital": {"names": {"en": "Quay"}, "phones": {"main": "09 0"}},
        "campuses": [{"id": "quay", "names": {"en": "Quay"}, "valid_from": "2026-01-01"}],
        "departments": [{
            "id": "eyes", "names": {"en": "Eyes", "fr": "Yeux"}, "campuses": ["quay"],
            "locations": [{"campus": "quay", "floor": 2, "room": "B12"}],
            "opening_hours": [{"campus": "quay", "weekly": {"monday": [{"from": "09:00", "to": "12:00"}]}}],
        }],
        "doctors": [{
            "id": "maes", "last_name": "Maes", "department": "eyes", "languages": ["nl"],
            "absences": [{"from": "2030-07-01", "to": "2030-07-14"}],
        }],
    }
)  # fmt: skip
WHOLE = {"plain": PLAIN, "yaml": write_file(SMALL, "yaml"), "fhir": write_file(SMALL, "fhir")}


@pytest.mark.parametrize("form", WHOLE)
@given(where=st.floats(0, 1, exclude_max=True), damage=st.binary(min_size=1, max_size=8) | st.sampled_from(SLIPS))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_damaged_file_is_read_or_refused(form: str, where: float, damage: bytes) -> None:
    content = WHOLE[form]
    at = int(where * len(content))
    is_read_or_refused(content[:at] + damage + content[at + len(damage) :])


@pytest.mark.parametrize("form", WHOLE)
def test_an_undamaged_file_is_read(form: str) -> None:
    assert is_read_or_refused(WHOLE[form])
